// `bun test/torture/announce.ts [MAILS] [KILLS]`: announcements through the compiled program, which is killed at random while it
// sends them. Each of the addresses must be reached, and a kill may repeat one mail at the most, with the same Message-ID.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { signStripe } from '../selling/signed.ts';
import { completed, NOON } from '../selling/providers/stripe-events.ts';
import { runCommand, scratch, type Server, startServer, writeFiles } from './program.ts';

const SECRET = 'whsec_of_the_announcement';

type Taken = {
  readonly to: string;
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly at: number;
};

/** A mail server that notes who got which mail; its answers take no time. */
export async function openSink() {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const id = /^Message-ID: *(\S+)/im.exec(text)?.[1] ?? '';
        taken.push({
          to,
          id,
          kind: /^List-Unsubscribe:/im.test(text) ? 'news' : 'claim',
          text,
          at: performance.now(),
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return { taken, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/**
 * Announces to so many buyers, and kills the server so often while it sends, after as many milliseconds as `wait` gives. With
 * `isWhole`, waits for the mail that a kill struck too, which is tried again after a minute.
 */
export async function announceThroughKills(
  mails: number,
  kills: number,
  wait: () => number,
  isWhole: boolean,
) {
  const [directory, sink] = [scratch('announce'), await openSink()];
  writeFiles(join(directory, 'content/books/told-book'), {
    'item.yaml':
      "title: A told book\nid: told-id\ndescription: For the torture run\npublisher: Nobody\nunitAmountCents: 1900\nversion: '1.0'\nchanges: The heron has a second chapter.\nsell: {stripe: [plink_paid]}\n",
    '01.md': '# The heron\n\nIt stands on one leg.\n',
  });
  const rows = Array.from(
    { length: mails },
    (_, n) => `r${n},b${n}@example.org,told-book,2026-11-01,1900,usd,0,,hand`,
  );
  const header = 'ref,email,slug,paid_at,amount,currency,refunded,until,provider';
  writeFiles(directory, { 'buyers.csv': [header, ...rows].join('\n') });
  const environment = {
    BOOKSTALL_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    BOOKSTALL_MAIL_FROM: 'stall@example.org',
    BOOKSTALL_MAIL_PAUSE: '1ms',
    BOOKSTALL_STRIPE_WEBHOOK_SECRET: SECRET,
  };
  Object.assign(process.env, environment);
  let server = await startServer(directory);
  const run = async (...words: readonly string[]) => {
    const begun = performance.now();
    const { code, out, err } = await runCommand(directory, words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`);
    return { out, took: performance.now() - begun };
  };
  await run('orders', 'import', join(directory, 'buyers.csv'));
  const beside = watch(() => server, sink.taken);
  const announced = await run('announce', 'told-book', '--json');
  const news = () => sink.taken.filter(({ kind }) => kind === 'news');
  while (news().length === 0) await Bun.sleep(5);
  const begun = performance.now();
  for (let n = 1; n <= kills; n++) {
    await Bun.sleep(wait());
    beside.pause();
    server.kill('SIGKILL');
    await server.exited;
    server = await startServer(directory);
    beside.go();
  }
  const db = new Database(join(directory, 'data/bookstall.db'), { readonly: true });
  const count = (state: string) =>
    (
      db.query("SELECT count(*) AS n FROM outbox WHERE kind = 'news' AND state = ?").get(state) as {
        n: number;
      }
    ).n;
  const isDone = (): boolean => count('queued') <= (isWhole ? 0 : kills);
  while (!isDone()) await Bun.sleep(50);
  const took = performance.now() - begun;
  const figures = await beside.end();
  await server.stop();
  const ids = new Map(
    (
      db.query("SELECT address, message_id AS id FROM outbox WHERE kind = 'news'").all() as {
        address: string;
        id: string;
      }[]
    ).map(({ address, id }) => [address, id]),
  );
  const [waiting, sent] = [count('queued'), count('sent')];
  db.close();
  await sink.close();
  for (const name of Object.keys(environment)) delete process.env[name];
  const reached = new Set(news().map(({ to }) => to));
  return {
    mails: (JSON.parse(announced.out) as { mails: number }).mails,
    queuedIn: announced.took,
    took,
    sent,
    waiting,
    reached: reached.size,
    repeated: news().length - reached.size,
    otherIds: news().filter(({ to, id }) => ids.get(to) !== id).length,
    ...figures,
  };
}

/** Asks `/livez` a hundred times a second, and delivers ten sales: how long both take, and their claim mails. */
function watch(server: () => Server, taken: readonly Taken[]) {
  const [livez, sales, sold]: [number[], number[], Map<string, number>] = [[], [], new Map()];
  let [isOn, isOpen, count] = [true, true, 0];
  const timed = async (times: number[], act: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    const isWhole = await act().then(
      () => isOn,
      () => false,
    );
    if (isWhole) times.push(performance.now() - begun);
  };
  const loop = async (every: number, act: () => Promise<unknown>): Promise<void> => {
    for (; isOpen; await Bun.sleep(every)) if (isOn) await act();
  };
  const sell = async (): Promise<void> => {
    const to = `claim${(count += 1)}@example.org`;
    const after = Math.floor(Date.now() / 1000) - NOON;
    const event = completed(`torture${count}`, after, { customer_details: { email: to } });
    const { body, headers } = signStripe(event, Date.now(), SECRET);
    const begun = performance.now();
    await timed(sales, async () => {
      const { status } = await fetch(`${server().url}/webhooks/stripe`, { method: 'POST', body, headers });
      if (status === 200) sold.set(to, begun);
    });
  };
  const loops = [
    loop(10, () => timed(livez, async () => (await fetch(`${server().url}/livez`)).text())),
    loop(100, sell),
  ];
  const p99 = (times: readonly number[]): number =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  return {
    pause: (): void => void (isOn = false),
    go: (): void => void (isOn = true),
    async end() {
      isOpen = false;
      await Promise.all(loops);
      const claims = taken.flatMap(({ to, at }) => (sold.has(to) ? [at - sold.get(to)!] : []));
      return { livez: p99(livez), delivery: p99(sales), claim: p99(claims), claims: claims.length };
    },
  };
}

if (import.meta.main) {
  const [mails = 5000, kills = 6] = process.argv.slice(2).map(Number);
  const done = await announceThroughKills(mails, kills, () => 1000 + Math.random() * 4000, true);
  console.log(JSON.stringify(done, null, 2));
  const isGood =
    done.reached === done.mails && done.repeated <= kills && done.otherIds === 0 && done.livez < 50;
  process.exit(isGood ? 0 : 1);
}
