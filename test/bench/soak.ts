// bun run soak [MINUTES]: a busy stall for two hours, with 200 books and 5,000 accounts. Readers, agents, questions, searches,
// sales, notes, mails, pushes, reloads and backups go on all the time; it is killed after the first eighth, after the half,
// and at the end. Prints a table by eighths; ends with 1 if something climbs, or if anything that was acknowledged is missing.
import { Database } from 'bun:sqlite';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { openOffice } from '../helpers/office.ts';
import { openTinyWindows } from '../helpers/tiny-windows.ts';
import { signStripe } from '../selling/signed.ts';
import { completed, refund } from '../selling/providers/stripe-events.ts';
import { openSink } from '../torture/announce.ts';
import { pack } from '../torture/push.ts';
import { freePort, own } from './child.ts';
import { mb, ms } from './figure.ts';
import { request, runOpenLoop } from './open-loop.ts';
import { addReader, LARGE, LONG_BOOK, MIDDLE, PAID, writeShelf } from './shop.ts';
import { office, quantile, scratch, startStallUnder } from './stall-process.ts';

const SECRET = 'whsec_of_the_soak';
const OWNER = 'owner@example.org';
const [BOOKS, ACCOUNTS, READERS, PARTS] = [200, 5_000, 26, 8];
const MINUTE = 60_000;
const SAMPLE = 5_000;
/** Memory may grow so much a minute within a life of the program, in bytes: it goes up and down between two collections. */
const MOST_SLOPE = 1024 * 1024;
/** After which parts the program is killed. */
const KILLED = [1, PARTS / 2, PARTS];

type Sample = { at: number; part: number; rss: number; descriptors: number; threads: number; wal: number };

const minutes = Number(process.argv[2] ?? 120);
if (!(minutes >= PARTS)) {
  console.error(`Cannot soak for less than ${PARTS} minutes: give minutes, such as 120`);
  process.exit(2);
}
const [content, data] = [scratch('soak'), join(scratch('soak-data'), 'data')];
writeShelf(content);
for (let n = 50; n < BOOKS; n++)
  writeFiles(join(content, 'books', `free-${n}`), {
    'item.yaml': itemYaml({ id: `free-${n}`, title: `Free book ${n}` }),
    '01.md': `# The heron ${n}\n\nThe heron of marsh ${n} stands on one leg because the water is cold.\n`,
  });
writeFiles(join(content, 'skills/sold-skill'), {
  'item.yaml': `${itemYaml({ title: 'Sold', unitAmountCents: 1900 })}sell: {stripe: [plink_paid]}\n`,
  'SKILL.md': '---\nname: sold-skill\ndescription: For the soak.\n---\n\nWade.\n',
});
const [sink, port] = [await openSink(), freePort()];
const start = () =>
  startStallUnder(
    [
      'env',
      `BOOKSTALL_SMTP_URL=smtp://127.0.0.1:${sink.port}`,
      'BOOKSTALL_MAIL_FROM=stall@example.org',
      'BOOKSTALL_MAIL_PAUSE=1ms',
      `BOOKSTALL_STRIPE_WEBHOOK_SECRET=${SECRET}`,
    ],
    content,
    data,
    port,
  );
let stall = await start();
const { keys, publishKey, cookie } = await addPeople();
console.log(`${BOOKS} books, ${ACCOUNTS} accounts, ${minutes} minutes`);

let [part, isOver, isDown] = [1, false, false];
const acknowledged = {
  sales: [] as string[],
  refunds: 0,
  notes: 0,
  pushes: 0,
  edition: '',
  backups: 0,
  lost: 0,
};
const samples: Sample[] = [];
const p99: Record<string, string[]> = {};
const disk: string[] = [];
const going = [
  every(SAMPLE, async () => void samples.push(look())),
  every(500, sell),
  every(1000, keepNote),
  every(MINUTE, push),
  every(30_000, edit),
  every(5 * MINUTE, backUp),
  comeAndGo(),
];
for (; part <= PARTS; part++) {
  const latencies = await runLoad((minutes * 60) / PARTS);
  for (const [name, { sorted, failed }] of Object.entries(latencies)) {
    acknowledged.lost += failed;
    (p99[name] ??= []).push(ms(quantile(sorted, 0.99)));
  }
  const files = [...new Bun.Glob('**/*').scanSync(data)].map((file) =>
    statSync(join(data, file), { throwIfNoEntry: false }),
  );
  const least = Math.min(...samples.filter((sample) => sample.part === part).map(({ rss }) => rss));
  console.log(`${part} of ${PARTS}: at least ${mb(least)}, ${acknowledged.sales.length} sales`);
  disk.push(mb(files.reduce((sum, file) => sum + (file?.size ?? 0), 0)));
  if (KILLED.includes(part)) await kill();
}
isOver = true;
await Promise.all(going);
await settleMails();
await stall.stop();
const faults = [...climbing(), ...missing()];
console.table(tableByPart());
console.log(JSON.stringify({ ...acknowledged, sales: acknowledged.sales.length, mails: sink.taken.length }));
for (const fault of faults) console.log(`FAULT: ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

/** Adds the accounts beside the server, as commands do: readers with keys, the owner with a publish key and a session. */
async function addPeople() {
  const admin = await openOffice(data);
  const keys: string[] = [];
  for (let n = 0; n < READERS; n++) keys.push(await addReader(admin, `reader-${n}@example.org`));
  for (let n = READERS; n < ACCOUNTS; n++) await admin.accounts.add(`reader-${n}@example.org`);
  await admin.accounts.add(OWNER, true);
  const { url } = await admin.links.create(OWNER, 'invite', stall.url);
  await admin.close();
  const { key: publishKey = '' } = await office(data, 'key', 'create', OWNER, '--publish', '--terms');
  return { keys, publishKey, cookie: await acceptInvitation(stall.url, url) };
}

function runLoad(seconds: number) {
  const each = (path: string, body?: unknown) =>
    keys.map((key) => request(path, { Authorization: `Bearer ${key}` }, body));
  const question = { book_id: LONG_BOOK, query: 'Where is the heron?' };
  const streams = [
    { name: 'install', rate: 50, requests: each(`/api/install/${PAID}`) },
    { name: 'install of 4 MB', rate: 2, requests: each(`/api/install/${MIDDLE}`) },
    { name: 'install of 20 MB', rate: 0.5, requests: each(`/api/install/${LARGE}`) },
    { name: 'library', rate: 50, requests: each('/api/cli/library') },
    { name: 'catalog', rate: 20, requests: [request('/api/items')] },
    { name: 'file list', rate: 5, requests: each(`/api/books/${LONG_BOOK}/files`) },
    { name: 'first page', rate: 5, requests: [request('/')] },
    { name: 'item page', rate: 5, requests: [request(`/skills/${PAID}`), request(`/books/${LONG_BOOK}`)] },
    { name: 'reading page', rate: 5, requests: each('/books/book-1/read/01.md') },
    { name: 'question', rate: 1, requests: each('/api/agent/fetch', question) },
    { name: 'search in texts', rate: 1, requests: each('/api/search?q=heron+marsh') },
    { name: 'office', rate: 0.5, requests: [request('/admin', { Cookie: cookie })] },
    {
      name: 'unknown key',
      rate: 5,
      requests: [request('/api/cli/library', { Authorization: 'Bearer svc_no' })],
      expected: 401,
    },
  ] as const;
  return runOpenLoop({ port, seconds, streams });
}

/** Does something again and again until the end, but not while the program is down; a failure then counts for nothing. */
async function every(pause: number, act: () => Promise<void>): Promise<void> {
  for (let next = performance.now(); !isOver; await Bun.sleep(Math.min(pause, 1000))) {
    if (isDown || performance.now() < next) continue;
    next += pause;
    await act().catch((error: unknown) => {
      if (!isDown) console.error(`  ${String(error)}`);
    });
  }
}

async function sell(): Promise<void> {
  const name = `s${acknowledged.sales.length}x${Date.now()}`;
  const email = `buyer-${name}@example.org`;
  const deliver = async (event: unknown): Promise<boolean> => {
    const { body, headers } = signStripe(event, Date.now(), SECRET);
    return (await fetch(`${stall.url}/webhooks/stripe`, { method: 'POST', headers, body })).ok;
  };
  if (!(await deliver(completed(name, 0, { customer_details: { email } })))) return;
  acknowledged.sales.push(name);
  if (acknowledged.sales.length % 10 === 0 && (await deliver(refund('refund.created', name, 1))))
    acknowledged.refunds += 1;
}

async function keepNote(): Promise<void> {
  const [key, start] = [keys[acknowledged.notes % READERS], (acknowledged.notes * 7) % 900];
  const { status } = await fetch(`${stall.url}/api/books/book-1/notes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: '01.md', start: 20 + start, end: 40 + start }),
  });
  if (status === 201) acknowledged.notes += 1;
  else console.error(`  a note answered ${status}`);
}

async function push(): Promise<void> {
  const yaml = 'id: pushed\ntitle: Pushed\ndescription: A book.\npublisher: Soak\nunitAmountCents: 0\n';
  const text = `# Pushed\n\nEdition ${acknowledged.pushes}.\n`;
  const condition: Record<string, string> =
    acknowledged.edition === '' ? { 'If-None-Match': '*' } : { 'If-Match': `"${acknowledged.edition}"` };
  const response = await fetch(`${stall.url}/api/publish/book/pushed`, {
    method: 'PUT',
    body: pack([
      ['item.yaml', Buffer.from(yaml)],
      ['01.md', Buffer.from(text)],
    ]),
    headers: { Authorization: `Bearer ${publishKey}`, ...condition },
  });
  const { hash = '', error } = (await response.json()) as { hash?: string; error?: string };
  if (response.ok) [acknowledged.edition, acknowledged.pushes] = [hash, acknowledged.pushes + 1];
  // The kill took the answer to a push that was served.
  else if (response.status === 412) acknowledged.edition = await readPushed();
  else throw new Error(`A push answered ${response.status}: ${error}`);
}

async function readPushed(): Promise<string> {
  const headers = { Authorization: `Bearer ${publishKey}` };
  const response = await fetch(`${stall.url}/api/publish/book/pushed`, { headers });
  return ((await response.json()) as { hash: string }).hash;
}

/** Edits a book and has the stall read it, so that editions come and go. */
async function edit(): Promise<void> {
  writeFileSync(join(content, 'books/book-0/01.md'), `# The heron\n\nEdition ${samples.length % 7}.\n`);
  stall.signal('SIGHUP');
}

async function backUp(): Promise<void> {
  await office(data, 'backup', join(data, '../backups'), '--keep', '3');
  acknowledged.backups += 1;
}

/** Clients that take nothing of what they ask for, and leave after a while. */
async function comeAndGo(): Promise<void> {
  while (!isOver) {
    // None connects while the program is down.
    const crowd = isDown ? null : await openTinyWindows(port, 20, `/api/install/${LARGE}`).catch(() => null);
    if (crowd !== null) own(crowd.client);
    await Bun.sleep(SAMPLE);
    await crowd?.leave().catch(() => {});
  }
}

/** Kills the program while sales, notes and pushes arrive, and starts it again. */
async function kill(): Promise<void> {
  await Bun.sleep(2_000);
  isDown = true;
  stall.signal('SIGKILL');
  while (stall.isAlive()) await Bun.sleep(5);
  stall = await start();
  isDown = false;
}

function look(): Sample {
  const proc = `/proc/${stall.pid}`;
  return {
    at: performance.now(),
    part,
    rss: stall.rss(),
    descriptors: readdirSync(`${proc}/fd`).length,
    threads: readdirSync(`${proc}/task`).length,
    wal: statSync(join(data, 'bookstall.db-wal')).size,
  };
}

/** Waits until the mails of all sales are sent, which the outbox gives as many tries as they need. */
async function settleMails(): Promise<void> {
  const until = performance.now() + 3 * MINUTE;
  while (performance.now() < until && unmailed().length > 0) await Bun.sleep(1000);
}

function unmailed(): readonly string[] {
  const reached = new Set(sink.taken.map(({ to }) => to));
  return acknowledged.sales.filter((name) => !reached.has(`buyer-${name}@example.org`));
}

/** Everything that was acknowledged and is not in the database. */
function missing(): readonly string[] {
  const db = new Database(join(data, 'bookstall.db'), { readonly: true });
  const count = (query: string): number => (db.query(query).get() as { n: number }).n;
  const expected = [
    ['orders', acknowledged.sales.length, count('SELECT count(*) AS n FROM orders')],
    [
      'refunded orders',
      acknowledged.refunds,
      count("SELECT count(*) AS n FROM orders WHERE state = 'refunded'"),
    ],
    ['notes', acknowledged.notes, count('SELECT count(*) AS n FROM notes')],
    ['accounts', ACCOUNTS + 1, count('SELECT count(*) AS n FROM accounts')],
  ] as const;
  const sound = (db.query('PRAGMA integrity_check').get() as { integrity_check: string }).integrity_check;
  db.close();
  // An edition's number is how many pushes were acknowledged before it.
  const pushed = [...new Bun.Glob('pushed/**/01.md').scanSync(data)].map((file) =>
    Number(/Edition (\d+)/.exec(readFileSync(join(data, file), 'utf8'))?.[1]),
  );
  return [
    ...(Math.max(...pushed) >= acknowledged.pushes - 1 ? [] : [`the last of ${acknowledged.pushes} pushes`]),
    ...expected
      .filter(([, wanted, found]) => found < wanted)
      .map(([what, wanted, found]) => `${found} of ${wanted} ${what}`),
    ...(unmailed().length === 0 ? [] : [`${unmailed().length} buyers got no mail`]),
    ...(sound === 'ok' ? [] : [`integrity_check: ${sound}`]),
    ...(acknowledged.lost === 0 ? [] : [`${acknowledged.lost} requests failed`]),
  ];
}

/** The lives of the program after its first, and what climbs in them. */
function climbing(): readonly string[] {
  const lives = [[KILLED[0]! + 1, KILLED[1]!] as const, [KILLED[1]! + 1, KILLED[2]!] as const];
  return lives.flatMap(([first, last]) => {
    const life = samples.filter((sample) => sample.part >= first && sample.part <= last);
    // Caches fill in a life's first third.
    const judged = life.slice(Math.floor(life.length / 3));
    const slope = slopeOf(leastByMinute(judged));
    const half = Math.floor(judged.length / 2);
    const rises = (['descriptors', 'threads'] as const).flatMap((name) => {
      const most = (some: readonly Sample[]): number => Math.max(...some.map((one) => one[name]));
      const [early, late] = [most(judged.slice(0, half)), most(judged.slice(half))];
      return late - early <= 25 ? [] : [`${name} climb from ${early} to ${late}`];
    });
    const where = `in parts ${first} to ${last}`;
    console.log(`RSS ${where}: ${(slope / 1024 / 1024).toFixed(2)} MB more a minute`);
    return [...rises, ...(slope < MOST_SLOPE ? [] : ['RSS climbs'])].map((fault) => `${fault} ${where}`);
  });
}

function tableByPart(): readonly Record<string, string>[] {
  return Array.from({ length: PARTS }, (_, n) => {
    const own = samples.filter((sample) => sample.part === n + 1);
    const [rss, wal] = [own.map((one) => one.rss), own.map((one) => one.wal)];
    return {
      part: String(n + 1),
      rss: `${mb(Math.min(...rss))} to ${mb(Math.max(...rss))}`,
      descriptors: String(Math.max(...own.map((one) => one.descriptors))),
      threads: String(Math.max(...own.map((one) => one.threads))),
      wal: mb(Math.max(...wal)),
      disk: disk[n] ?? '',
      ...Object.fromEntries(Object.entries(p99).map(([name, all]) => [name, all[n] ?? ''])),
    };
  });
}

/** The least memory of each minute: between two collections it goes up and down by tens of megabytes. */
function leastByMinute(some: readonly Sample[]): readonly (readonly [number, number])[] {
  const minutes = Map.groupBy(some, ({ at }) => Math.floor(at / MINUTE));
  return [...minutes].map(([minute, all]) => [minute, Math.min(...all.map(({ rss }) => rss))] as const);
}

/** The slope of the line through the points, by least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const covariance = mean(points.map(([at, value]) => (at - x) * (value - y)));
  return covariance / mean(points.map(([at]) => (at - x) ** 2));
}
