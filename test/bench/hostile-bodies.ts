// bun run bench:hostile-bodies [WORDS]: what bodies that one address or one free account sends cost the others, with default
// budgets: for each row the longest wait for /livez, asked every 5 ms by another process, its 99th percentile, and what the
// row adds to the server's memory. With words, only the rows whose names hold them. Ends with 1
// if a row passes its bound, or a route with a body has no row.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { itemYaml, SHELF, skillMd, writeFiles } from '../helpers/harness.ts';
import { STRIPE_SECRET } from '../selling/signed.ts';
import { freePort, own } from './child.ts';
import { makeDeviceKey } from './device-key.ts';
import { mb, ms } from './figure.ts';
import { type HostileRow, hostileRows, routeRows, unplayed } from './hostile-body-rows.ts';
import {
  office,
  quantile,
  scratch,
  startStall,
  startStallUnder,
  type StallProcess,
} from './stall-process.ts';

const [MOST_MS, MOST_BYTES] = [150, 120 * 1024 ** 2];
const NOTES = 590;
/** The words of a book of the largest size, in which nearly every passage matches. */
const WORDS = 'the grey heron stands on one leg in cold water because feathers keep its body warm'.split(' ');
const PROSE = 'The grey heron stands on one leg in cold water, because its feathers keep it warm there. ';

if (process.argv[2] === 'probe') await probe(process.argv[3] ?? '');

const content = scratch('content');
mkdirSync(content, { recursive: true });
writeFiles(content, {
  ...SHELF,
  'books/wide/item.yaml': itemYaml({ id: 'wide', title: 'The wide book' }),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [
      `books/wide/0${n + 1}.md`,
      `# Chapter ${n}\n\n${`${PROSE.repeat(8)}\n\n`.repeat(150)}`,
    ]),
  ),
  'books/long/item.yaml': itemYaml({ id: 'long', title: 'The long book' }),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [`books/long/0${n + 1}.md`, `# Chapter ${n}\n\n${longText(n)}`]),
  ),
  'skills/heron/item.yaml': itemYaml(),
  'skills/heron/SKILL.md': skillMd('heron'),
});
const data = scratch('data');
const senders = await prepare();
const wanted = process.argv.slice(2).join(' ');
let isMet = true;
console.log('| what | answers | `/livez` at most, p99 | memory |\n| --- | --- | --- | --- |');
const rows = [...hostileRows(senders), ...routeRows(senders)];
for (const route of unplayed(rows)) {
  isMet = false;
  console.error(`No row plays ${route}`);
}
for (const row of rows.filter(({ name }) => name.includes(wanted))) await measure(row);
process.exit(isMet ? 0 : 1);

function longText(chapter: number): string {
  const sentences = Array.from(
    { length: 49_000 },
    (_, n) => `${WORDS.map((_, at) => WORDS[(at * 7 + n + chapter) % WORDS.length]).join(' ')}.`,
  );
  return sentences.join(' ').replaceAll(/(.{600,700}\.) /g, '$1\n\n');
}

async function prepare() {
  const stall = await startStall(content, data, freePort());
  const search = `${stall.url}/api/search?q=heron&item=long`;
  while ((await fetch(search)).status !== 200) await Bun.sleep(500);
  const signIn = async (email: string, ...more: string[]) => {
    await office(data, 'account', 'add', email, ...more);
    const { url: link = '' } = await office(data, 'account', 'link', email);
    return acceptInvitation(stall.url, link);
  };
  const [cookie, ownerCookie] = [
    await signIn('reader@example.org'),
    await signIn('owner@example.org', '--owner'),
  ];
  for (const slug of ['paid-book', 'paid-skill'])
    await office(data, 'grant', 'add', 'reader@example.org', slug);
  const { key = '' } = await office(data, 'key', 'create', 'reader@example.org');
  const { key: publishKey = '' } = await office(
    data,
    'key',
    'create',
    'owner@example.org',
    '--publish',
    '--terms',
  );
  const device = await makeDeviceKey(stall.url, cookie);
  for (let n = 0; n < NOTES; n++) {
    const { status } = await fetch(`${stall.url}/api/books/wide/notes`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ path: '01.md', start: 15 + n, end: 15 + n + 1_900 }),
    });
    if (status !== 201) throw new Error(`A note answered ${status}`);
  }
  await stall.stop();
  return { key, device, publishKey, cookie, ownerCookie };
}

/** Plays a row against a server of its own, and prints its line. */
async function measure(row: HostileRow): Promise<void> {
  const budgets = ['--budget', '60/60', '--route-budget', '600/60'];
  const sales = ['env', `BOOKSTALL_STRIPE_WEBHOOK_SECRET=${STRIPE_SECRET}`];
  const stall = await startStallUnder(sales, content, data, freePort(), ...budgets);
  const file = join(scratch('row'), 'row.json');
  const { body = '', ...rest } = row;
  writeFileSync(`${file}.body`, body);
  writeFileSync(file, JSON.stringify({ ...rest, url: stall.url + row.path, body: `${file}.body` }));
  if (row.isFirst !== true) await play(file, 2);
  await Bun.sleep(1_000);
  const prober = own(
    Bun.spawn([process.execPath, import.meta.path, 'probe', stall.url], { stdin: 'pipe', stdout: 'pipe' }),
  );
  await Bun.sleep(500);
  const before = stall.rss();
  const peak = watchMemory(stall);
  const answers = await play(file, row.count);
  await Bun.sleep(300);
  const added = peak() - before;
  void prober.stdin.end();
  const waits = JSON.parse(await new Response(prober.stdout).text()) as number[];
  const [longest, p99] = [waits.at(-1) ?? Number.NaN, quantile(waits, 0.99)];
  if (longest > MOST_MS || added > MOST_BYTES) isMet = false;
  console.log(
    `| ${row.name}, ${row.connections} at once | ${answers} | ${ms(longest)}, ${ms(p99)} | + ${mb(added)} |`,
  );
  await stall.stop();
}

/** Sends a row's request `count` times; the answers as "580 x 400". */
async function play(file: string, count: number): Promise<string> {
  const client = own(
    Bun.spawn([process.execPath, join(import.meta.dir, 'hostile-client.ts'), file, String(count)], {
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  return (await client.stdout.text()).trim();
}

function watchMemory(watched: StallProcess): () => number {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, watched.rss())), 10);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Asks for /livez every 5 ms until its input ends; prints the waits in milliseconds, the longest last. */
async function probe(url: string): Promise<never> {
  let isRunning = true;
  process.stdin.on('end', () => (isRunning = false)).resume();
  const waits: number[] = [];
  while (isRunning) {
    const startedAt = performance.now();
    await (await fetch(`${url}/livez`)).arrayBuffer();
    waits.push(performance.now() - startedAt);
    await Bun.sleep(5);
  }
  console.log(JSON.stringify(waits.sort((a, b) => a - b)));
  process.exit(0);
}
