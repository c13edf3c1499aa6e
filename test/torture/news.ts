// Part "news": rounds of kill -9 of the server while addresses ask for news, and confirm, readers report mistakes that the
// owner settles, and an announced book is published; after each the stall is started, and each act is whole or not there.
import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { openSink } from './announce.ts';
import { auditDatabase, openDatabase } from './audit.ts';
import type { Chance } from './chance.ts';
import { attach, killAtRows } from './moment.ts';
import { runCommand, scratch, type Server, startServer, writeFiles } from './program.ts';

const [READER, OWNER] = ['reader@example.org', 'owner@example.org'];
/** How long a round may take until its server is killed in any case, in milliseconds. */
const LONGEST = 1500;
/** The addresses that wait for the book of a round. */
const WAITING = 8;

/** How far an address got that asks for news: of the stall, or of the book of a round; by what was answered. */
type Address = { readonly address: string; readonly about: string; isConfirmed: boolean };

type Stand = {
  readonly directory: string;
  readonly sink: Awaited<ReturnType<typeof openSink>>;
  readonly cookies: Readonly<Record<'reader' | 'owner', string>>;
  readonly addresses: Address[];
  /** The questions that were answered as sent, and the ids of reports that were answered as done. */
  readonly sent: Set<string>;
  readonly done: Set<string>;
  readonly counts: Map<string, { rounds: number; struck: number; acts: number }>;
};

/** Runs the rounds; the rows of the table, and a sentence for each fault. */
export async function tortureNews(chance: Chance, rounds: number, say: (text: string) => void) {
  const [directory, sink] = [scratch('news'), await openSink()];
  const environment = {
    BOOKSTALL_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    BOOKSTALL_MAIL_FROM: 'stall@example.org',
    BOOKSTALL_MAIL_PAUSE: '1ms',
    BOOKSTALL_TRUSTED_PROXIES: '127.0.0.1',
  };
  Object.assign(process.env, environment);
  writeBook(directory, 'open-book', 'published');
  let server = await startServer(directory);
  await runCommand(directory, ['account', 'add', OWNER, '--owner']);
  await runCommand(directory, ['account', 'add', READER]);
  const cookies = {
    reader: await signIn(directory, server, READER),
    owner: await signIn(directory, server, OWNER),
  };
  const stand: Stand = {
    directory,
    sink,
    cookies,
    addresses: [],
    sent: new Set(),
    done: new Set(),
    counts: new Map(),
  };
  const faults: string[] = [];
  for (let n = 1; n <= rounds; n++) {
    await announceBook(stand, server, n);
    const name = await playRound(stand, server, chance.fork(`round ${n}`), n);
    server = await startServer(directory);
    const found = await examine(stand, n);
    for (const fault of found) say(`round ${n}, killed when ${name}: ${fault}`);
    faults.push(...found.map((fault) => `round ${n}, killed when ${name}: ${fault}`));
    if (n % 10 === 0) say(`${n} rounds, ${faults.length} faults`);
  }
  if ((await server.stop()) !== 0) faults.push('The last server did not stop with 0');
  await sink.close();
  for (const name of Object.keys(environment)) delete process.env[name];
  return { rows: table(stand), faults };
}

function writeBook(directory: string, slug: string, status: string): void {
  writeFiles(join(directory, 'content/books', slug), {
    'item.yaml': `title: ${slug}\nid: ${slug}\nstatus: ${status}\ndescription: For the torture run\npublisher: Nobody\nunitAmountCents: 0\n`,
    '01.md': '# The heron\n\nIt stands on one leg.\n',
  });
}

async function signIn(directory: string, { url }: Server, email: string): Promise<string> {
  const { out } = await runCommand(directory, ['account', 'link', email, '--json']);
  return acceptInvitation(url, (JSON.parse(out) as { url: string }).url);
}

let clients = 0;

/** Sends a form of a page, each time from another client; its status, null if the server is gone. */
const post = (
  server: Server,
  path: string,
  form: Record<string, string>,
  cookie = '',
): Promise<number | null> =>
  fetch(`${server.url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(form) },
    headers: {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `10.${(clients += 1) >> 16}.${(clients >> 8) & 255}.${clients & 255}`,
    },
  }).then(
    (answer) => answer.status,
    () => null,
  );

/** The text of the newest mail to an address, when there is one. */
async function mailTo({ sink }: Stand, address: string, isOver = () => false): Promise<string> {
  for (let waits = 0; waits < 400 && !isOver(); waits++) {
    const found = sink.taken.findLast(({ to }) => to === address);
    if (found !== undefined) return found.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    await Bun.sleep(5);
  }
  return '';
}

/** A book that is coming, and addresses that confirmed that they wait for it. */
async function announceBook(stand: Stand, server: Server, round: number): Promise<void> {
  const slug = `coming-${round}`;
  writeBook(stand.directory, slug, 'announced');
  const reloaded = await runCommand(stand.directory, ['reindex']);
  if (reloaded.code !== 0) throw new Error(reloaded.err);
  for (let n = 0; n < WAITING; n++) {
    const one = add(stand, `w${round}-${n}@example.org`, slug);
    await subscribe(stand, server, one);
    if (!one.isConfirmed) throw new Error(`${one.address} could not confirm`);
  }
}

function add({ addresses }: Stand, address: string, about: string): Address {
  const one = { address, about, isConfirmed: false };
  addresses.push(one);
  return one;
}

async function subscribe(stand: Stand, server: Server, one: Address, isOver?: () => boolean): Promise<void> {
  if ((await post(server, '/news', { email: one.address, item: one.about })) !== 200) return;
  const [, code = ''] = /news\/confirm#([\w-]+)/.exec(await mailTo(stand, one.address, isOver)) ?? [];
  one.isConfirmed = code !== '' && (await post(server, '/news/confirm', { code })) === 200;
}

/** Works until the server is killed; the name of the moment. */
async function playRound(stand: Stand, server: Server, chance: Chance, round: number): Promise<string> {
  const call = chance.among([
    { name: 'rows are written', calls: 'pwrite64', most: 80 },
    { name: 'rows are synced', calls: 'fsync,fdatasync', most: 20 },
    null,
  ]);
  const delay = call === null ? chance.between(0, 400) : LONGEST;
  if (call !== null) await attach(killAtRows(stand.directory, chance, call.calls, call.most), server.pid);
  let isOver = false;
  const over = (): boolean => isOver;
  const before = [stand.addresses.length, stand.sent.size] as const;
  const ended = server.exited.then(() => true);
  writeBook(stand.directory, `coming-${round}`, 'published');
  if (chance.odds(0.7)) server.kill('SIGHUP');
  const work = [
    subscribeOn(stand, server, `n${round}`, over),
    report(stand, server, `r${round}`, over),
    settle(stand, server, over),
  ];
  const isStruck = await Promise.race([ended, Bun.sleep(delay).then(() => false)]);
  server.kill('SIGKILL');
  await server.exited;
  isOver = true;
  await Promise.all(work);
  const name = call?.name ?? 'some time has passed';
  const row = stand.counts.get(name) ?? { rounds: 0, struck: 0, acts: 0 };
  stand.counts.set(name, {
    rounds: row.rounds + 1,
    struck: row.struck + (isStruck && call !== null ? 1 : 0),
    acts: row.acts + stand.addresses.length - before[0] + stand.sent.size - before[1],
  });
  return name;
}

/** Addresses that ask for news of the stall, and confirm. */
async function subscribeOn(stand: Stand, server: Server, name: string, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++)
    await subscribe(stand, server, add(stand, `${name}-${n}@example.org`, ''), isOver);
}

async function report(
  { cookies, sent }: Stand,
  server: Server,
  name: string,
  isOver: () => boolean,
): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const question = `${name}-${n}`;
    if ((await post(server, '/books/open-book/reports', { question }, cookies.reader)) === 303)
      sent.add(question);
  }
}

/** The owner marks reports as done, as their page lists them. */
async function settle(
  { directory, cookies, done }: Stand,
  server: Server,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const db = openDatabase(directory);
    const open = db.query<{ id: string }, []>("SELECT id FROM reports WHERE state = 'open' LIMIT 5").all();
    db.close();
    for (const { id } of open)
      if ((await post(server, `/admin/reports/${id}`, { state: 'done' }, cookies.owner)) === 303)
        done.add(id);
    await Bun.sleep(5);
  }
}

async function examine(stand: Stand, round: number): Promise<readonly string[]> {
  const db = openDatabase(stand.directory);
  try {
    // A start tells those who wait for a book that is published by now.
    const waiting = () =>
      count(db, 'subscribers WHERE confirmed IS NOT NULL AND about = ?', `coming-${round}`);
    for (let waits = 0; waiting() > 0 && waits < 500; waits++) await Bun.sleep(10);
    return [
      ...auditDatabase(db, []),
      ...examineAddresses(db, stand),
      ...[...stand.sent]
        .filter((question) => count(db, 'reports WHERE text = ?', question) !== 1)
        .map(
          (question) =>
            `The report ${question} was answered, and is there ${count(db, 'reports WHERE text = ?', question)} times`,
        ),
      ...[...stand.done]
        .filter((id) => count(db, "reports WHERE id = ? AND state = 'done'", id) !== 1)
        .map((id) => `The report ${id} was answered as done, and is not`),
      ...(count(db, "audit_log WHERE action = 'report.set'") === count(db, "reports WHERE state = 'done'")
        ? []
        : ['The log of acts has not the reports that are done']),
    ];
  } finally {
    db.close();
  }
}

const count = (db: Database, rows: string, ...values: readonly string[]): number =>
  db.query<{ n: number }, string[]>(`SELECT count(*) AS n FROM ${rows}`).get(...values)?.n ?? 0;

/** One mail to each address that asked, its row as far as was answered, and one mail at publication to each that waited. */
function examineAddresses(db: Database, { addresses }: Stand): readonly string[] {
  return addresses.flatMap(({ address, about, isConfirmed }) => {
    const asked = count(db, "outbox WHERE address = ? AND kind = 'subscribe'", address);
    const told = count(db, "outbox WHERE address = ? AND subject GLOB 'told:*'", address);
    const kept = count(db, 'subscribers WHERE address = ?', address);
    const confirmed = count(db, 'subscribers WHERE address = ? AND confirmed IS NOT NULL', address);
    if (about !== '')
      return told === 1 && kept === 0 ? [] : [`${address} was told ${told} times, and is kept ${kept} times`];
    if (isConfirmed && confirmed === 1) return [];
    if (isConfirmed) return [`${address} confirmed, and is lost`];
    return asked <= 1 && kept === asked ? [] : [`${address} has ${asked} mails and ${kept} rows`];
  });
}

function table({ counts }: Stand): readonly string[] {
  return [
    '| killed when | rounds | killed at that call | addresses and reports before |',
    '| --- | --- | --- | --- |',
    ...[...counts.entries()]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, { rounds, struck, acts }]) => `| ${name} | ${rounds} | ${struck} | ${acts} |`),
  ];
}
