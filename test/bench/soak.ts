// bun run soak [MINUTES]: a busy stall for two hours, with 200 books and 5,000 accounts. Prints what goes on in it, by the
// minute; it is killed after the first eighth, after the half, and at the end. Prints a table by eighths; ends with 1 if
// anything fails or climbs, or if anything that was acknowledged is missing.
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
import { type Act, addGuests, openActs, writeActs } from './soak-acts.ts';
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

/** In shorter lives nothing is judged by how it climbs: memory grows for a quarter of an hour after a start. */
const SHORTEST_LIFE = 30 * MINUTE;

/** Figures that go up and down, but must not climb: each with how much more than before is nothing. */
const BOUNDS = {
  descriptors: 25,
  threads: 25,
  wal: 16 * 1024 * 1024,
  /** Files where temporary ones lie. */
  temporary: 25,
  sessions: 25,
  connections: 10,
  /** Of assistants: those that were replaced stay for a while. */
  tokens: 100,
};

type Sample = { at: number; part: number; rss: number } & Record<keyof typeof BOUNDS, number>;

const minutes = Number(process.argv[2] ?? 120);
if (!(minutes >= 5)) {
  console.error('Cannot soak for less than 5 minutes: give minutes, such as 120');
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
const signer = writeActs(content);
const [sink, port, temporary] = [await openSink(), freePort(), scratch('soak-temporary')];
const start = () =>
  startStallUnder(
    [
      'env',
      `BOOKSTALL_SMTP_URL=smtp://127.0.0.1:${sink.port}`,
      'BOOKSTALL_MAIL_FROM=stall@example.org',
      'BOOKSTALL_MAIL_PAUSE=1ms',
      `BOOKSTALL_STRIPE_WEBHOOK_SECRET=${SECRET}`,
      // Readers who ask for mail come from addresses of their own.
      'BOOKSTALL_TRUSTED_PROXIES=127.0.0.1',
      `TMPDIR=${temporary}`,
    ],
    content,
    data,
    port,
  );
let stall = await start();
const { keys, publishKey, cookie, guests, given } = await addPeople();
const people = await openActs({
  ...{ url: stall.url, signer, ownerCookie: cookie, guests, given, mails: sink.taken },
});
const database = new Database(join(data, 'bookstall.db'), { readonly: true });
console.log(`${BOOKS} books, ${ACCOUNTS} accounts, ${minutes} minutes`);

let [part, isOver, isDown, life, killedAt] = [1, false, false, 0, 0];
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
const ACTS: readonly Act[] = [
  { name: 'a provider tells of a sale, and its buyer gets a mail', perMinute: 120, act: sell },
  { name: 'a reader keeps a note', perMinute: 60, act: keepNote },
  { name: 'a publisher pushes an edition', perMinute: 1, act: push },
  { name: 'the owner edits a book and reloads', perMinute: 2, act: edit },
  { name: 'a backup is made', perMinute: 0.2, act: backUp },
  ...people.acts,
];
const [done, failures] = [new Map<string, number>(), new Map<string, number>()];
const streams = streamsOf();
console.table([
  ...streams.map(({ name, rate }) => ({ what: name, 'a minute': rate * 60 })),
  ...ACTS.map(({ name, perMinute }) => ({ what: name, 'a minute': perMinute })),
]);
const going = [
  every({ name: 'a look', perMinute: MINUTE / SAMPLE, act: async () => void samples.push(look()) }),
  ...ACTS.map(every),
  comeAndGo(),
];
for (; part <= PARTS; part++) {
  const latencies = await runOpenLoop({ port, seconds: (minutes * 60) / PARTS, streams });
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
const unkept = await people.finish();
await stall.stop();
const faults = [...climbing(), ...missing(), ...unkept];
console.table(tableByPart());
console.table(ACTS.map(({ name }) => ({ what: name, done: done.get(name) ?? 0 })));
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
  const guests = await addGuests(admin, stall.url);
  const given = admin.accounts.list().flatMap(({ email, id }) => (/^reader-1\d\d@/.test(email) ? [id] : []));
  await admin.close();
  const { key: publishKey = '' } = await office(data, 'key', 'create', OWNER, '--publish', '--terms');
  return { keys, publishKey, guests, given, cookie: await acceptInvitation(stall.url, url) };
}

/** The requests that are sent at a steady rate, a second each. */
function streamsOf() {
  const each = (path: string, body?: unknown) =>
    keys.map((key) => request(path, { Authorization: `Bearer ${key}` }, body));
  const question = { book_id: LONG_BOOK, query: 'Where is the heron?' };
  return [
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
}

/** Does something again and again until the end, but not while the program is down; what its kill cuts off has not failed. */
async function every({ name, perMinute, act }: Act): Promise<void> {
  const pause = MINUTE / perMinute;
  for (let next = performance.now(); !isOver; await Bun.sleep(Math.min(pause, 1000))) {
    if (isDown || performance.now() < next) continue;
    next += pause;
    const of = life;
    await act().then(
      () => void done.set(name, (done.get(name) ?? 0) + 1),
      (error: unknown) => {
        if (isDown || of !== life) return;
        failures.set(name, (failures.get(name) ?? 0) + 1);
        console.error(`  ${name}: ${String(error)}`);
      },
    );
  }
}

async function sell(): Promise<void> {
  const name = `s${acknowledged.sales.length}x${Date.now()}`;
  const email = `buyer-${name}@example.org`;
  const deliver = async (event: unknown): Promise<boolean> => {
    const { body, headers } = signStripe(event, Date.now(), SECRET);
    return (await fetch(`${stall.url}/webhooks/stripe`, { method: 'POST', headers, body })).ok;
  };
  if (!(await deliver(completed(name, 0, { customer_details: { email } }))))
    throw new Error('A delivery was refused');
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
  if (status !== 201) throw new Error(`A note answered ${status}`);
  acknowledged.notes += 1;
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
  [isDown, killedAt, life] = [true, performance.now(), life + 1];
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
    temporary:
      readdirSync(temporary, { recursive: true }).length +
      [...new Bun.Glob('**/*{.new,.tmp,.part,staged*}').scanSync({ cwd: data, dot: true })].length,
    sessions: count('SELECT count(*) AS n FROM sessions WHERE ended_at IS NULL'),
    connections: count('SELECT count(*) AS n FROM connections WHERE ended_at IS NULL'),
    tokens: count('SELECT count(*) AS n FROM connection_tokens'),
  };
}

function count(query: string): number {
  return (database.query(query).get() as { n: number }).n;
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
  const expected = [
    ['orders', acknowledged.sales.length, count('SELECT count(*) AS n FROM orders')],
    [
      'refunded orders',
      acknowledged.refunds,
      count("SELECT count(*) AS n FROM orders WHERE state = 'refunded'"),
    ],
    ['notes', acknowledged.notes, count('SELECT count(*) AS n FROM notes')],
    ['accounts', ACCOUNTS + guests.length + 1, count('SELECT count(*) AS n FROM accounts')],
  ] as const;
  const sound = database.query('PRAGMA integrity_check').values().join(', ');
  // An edition's number is how many pushes were acknowledged before it.
  const pushed = [...new Bun.Glob('pushed/*/pushed/*/01.md').scanSync(data)].map((file) =>
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
    ...[...failures].map(([name, times]) => `${times} times failed: ${name}`),
    ...people.missing(database, killedAt),
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
    const rises = (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).flatMap((name) => {
      const most = (some: readonly Sample[]): number => Math.max(...some.map((one) => one[name]));
      const [early, late] = [most(judged.slice(0, half)), most(judged.slice(half))];
      return late - early <= BOUNDS[name] ? [] : [`${name} climb from ${early} to ${late}`];
    });
    const where = `in parts ${first} to ${last}`;
    console.log(`RSS ${where}: ${(slope / 1024 / 1024).toFixed(2)} MB more a minute`);
    const isShort = (minutes * MINUTE * (last - first + 1)) / PARTS < SHORTEST_LIFE;
    if (isShort) console.log('  (too short a life to judge by)');
    const climbs = isShort ? [] : [...rises, ...(slope < MOST_SLOPE ? [] : ['RSS climbs'])];
    return climbs.map((fault) => `${fault} ${where}`);
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
      temporary: String(Math.max(...own.map((one) => one.temporary))),
      sessions: String(Math.max(...own.map((one) => one.sessions))),
      tokens: String(Math.max(...own.map((one) => one.tokens))),
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
