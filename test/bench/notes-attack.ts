// The harm that one account can do to others with notes: the longest wait for /livez and the memory of each
// attack. By hand: bun test/bench/notes-attack.ts [PROGRAM…], such as `bun src/main.ts`; the default is the
// compiled one.
import { Database } from 'bun:sqlite';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret } from '../../src/access/session.ts';
import { openSocket } from '../http/raw-socket.ts';
import { freePort } from './child.ts';
import { word } from './shop.ts';
import { BINARY, scratch } from './stall-process.ts';

const PROGRAM = Bun.argv.length > 2 ? Bun.argv.slice(2) : [BINARY];
const MIB = 2 ** 20;
/** The bounds that no attack may reach: milliseconds that others wait, and bytes. */
const [LONGEST_WAIT, MOST_BYTES] = [150, 120 * MIB];

const prose = (bytes: number, seed: number): string => {
  let text = '# A chapter\n\n';
  for (let n = seed; text.length < bytes; n++) text += n % 90 === 0 ? '.\n\n' : `${word(2 + (n % 997))} `;
  return text;
};
const yaml = (id: string): string =>
  `id: ${id}\ntitle: A title\ndescription: A description\npublisher: A publisher\nunitAmountCents: 0\n`;

const [content, data] = [scratch('attack-content'), scratch('attack-data')];
const tome = prose(4 * MIB - 200, 1);
const page = prose(40_000, 5);
const write = async (path: string, text: string) => Bun.write(join(content, path), text);
for (const id of ['tome', 'short', 'page', 'moved']) await write(`books/${id}/item.yaml`, yaml(id));
for (const n of [1, 2]) await write(`books/tome/0${n}.md`, tome);
for (let n = 0; n < 900; n++) await write(`books/short/${1000 + n}.md`, prose(1_000, n));
await write('books/page/01.md', page);
const writeMoved = async (seed: number) => {
  for (let n = 0; n < 8; n++)
    await write(`books/moved/0${n}.md`, prose(MIB, n).replaceAll('a', seed === 1 ? 'a' : 'aa'));
};
await writeMoved(1);

const office = async (...words: string[]) => {
  const child = Bun.spawn([...PROGRAM, ...words, '--data', data, '--json'], { stdout: 'pipe' });
  return JSON.parse(await new Response(child.stdout).text()) as Record<string, string>;
};
const port = freePort();
const flags = ['--content', content, '--data', data, '--port', `${port}`];
const server = Bun.spawn([...PROGRAM, 'serve', ...flags, '--budget', 'off', '--route-budget', 'off'], {
  stdio: ['ignore', 'ignore', 'ignore'],
});
process.on('exit', () => server.kill());
const url = `http://127.0.0.1:${port}`;
while (
  !(await fetch(`${url}/readyz`)
    .then(({ ok }) => ok)
    .catch(() => false))
)
  await Bun.sleep(50);
const addReader = async (email: string) => {
  await office('account', 'add', email);
  const { key = '' } = await office('key', 'create', email);
  return { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
};
const headers = await addReader('ann@example.org');
// Whose notes are not full.
const writer = await addReader('ben@example.org');
const mover = await addReader('cy@example.org');

const post = (book: string, note: object, as = writer) =>
  fetch(`${url}/api/books/${book}/notes`, { method: 'POST', headers: as, body: JSON.stringify(note) });

/** Notes by the way of the database: as many as an account of an older stall may have. */
async function keepMany(
  book: string,
  path: string,
  text: string,
  count: number,
  bytes: number,
  as = headers,
) {
  const made = (await (await post(book, { path, start: 20, end: 24 }, as)).json()) as { id: string };
  const db = new Database(join(data, 'bookstall.db'));
  const columns = 'account_id, book_id, edition, path, alike, placed_in, placed_path, created_at, updated_at';
  const insert =
    db.query(`INSERT INTO notes (${columns}, id, start, placed_start, exact, prefix, suffix, text, bytes)
    SELECT ${columns}, ?1, ?2, ?2, ?3, '', '', ?4, ?5 FROM notes WHERE id = '${made.id}'`);
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const start = 20 + ((n * 7919) % (text.length - 2_100));
      const exact = text.slice(start, start + 2_000);
      insert.run(randomUUID(), start, exact, bytes === 0 ? null : 'x'.repeat(bytes), 2_000 + bytes);
    }
  })();
  db.close();
}
const SECRET = 'A'.repeat(43);
function signIn(email: string, id: string): string {
  const db = new Database(join(data, 'bookstall.db'));
  db.run(
    `INSERT INTO sessions SELECT ?, id, ?, NULL, NULL, ?3, ?3, ?3 + 90000000, NULL FROM accounts WHERE email = ?4`,
    [id, hashSecret(SECRET), Date.now(), email],
  );
  db.close();
  return `bookstall=${id}.${SECRET}`;
}
await keepMany('short', '1000.md', tome, 2_500, 6_000);
await keepMany('page', '01.md', page, 4_990, 0);
await keepMany('moved', '00.md', prose(MIB, 0), 4_990, 0, mover);
const cookie = `Cookie: ${signIn('ann@example.org', `${'A'.repeat(21)}A`)}`;
const writerCookie = signIn('ben@example.org', `${'A'.repeat(21)}Q`);
const bearer = `Authorization: ${headers.Authorization}`;

const rss = (): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]);

async function measure(name: string, attack: () => Promise<unknown>): Promise<boolean> {
  // Memory left by the last attack is given back first.
  await Bun.sleep(3_000);
  const before = rss();
  let [isRunning, wait, most] = [true, 0, before];
  const probing = (async () => {
    while (isRunning) {
      const began = performance.now();
      await (await fetch(`${url}/livez`)).text();
      wait = Math.max(wait, performance.now() - began);
      most = Math.max(most, rss());
      await Bun.sleep(2);
    }
  })();
  const began = performance.now();
  const said = await attack();
  const took = performance.now() - began;
  isRunning = false;
  await probing;
  const isMet = wait < LONGEST_WAIT && most - before < MOST_BYTES;
  const memory = `+${Math.round((most - before) / MIB)} MB`;
  console.log(
    `${isMet ? 'ok ' : 'BAD'} ${name}: wait ${Math.round(wait)} ms, ${memory}, ${(took / 1000).toFixed(1)} s, ${String(said)}`,
  );
  return isMet;
}

/** Asks many times at once and reads nothing for a while. */
const stall = (count: number, path: string, header: string) => async () => {
  const sockets = Array.from({ length: count }, () =>
    openSocket(url, [`GET ${path} HTTP/1.1`, 'Host: x', header]).pause(),
  );
  await Bun.sleep(4_000);
  for (const socket of sockets) socket.destroy();
  return 'stalled';
};
const counted = (statuses: readonly number[]): string =>
  [...Map.groupBy(statuses, (one) => one)].map(([status, all]) => `${all.length} x ${status}`).join(', ');
const atOnce = (count: number, ask: (n: number) => Promise<Response>) => async () =>
  counted(
    await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const response = await ask(n);
        await response.arrayBuffer();
        return response.status;
      }),
    ),
  );
const tool = (name: string, given: object) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
const form = (fields: Record<string, string>) =>
  fetch(`${url}/books/tome/notes`, {
    method: 'POST',
    headers: { Cookie: writerCookie, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ path: '01.md', edition: '', ...fields }),
    redirect: 'manual',
  });
const e = prose(1_000, 7).indexOf('e', 300);

const attacks: Readonly<Record<string, () => Promise<unknown>>> = {
  '60 stalled readers of /api/notes': stall(60, '/api/notes', bearer),
  '240 stalled readers of /api/notes': stall(240, '/api/notes', bearer),
  '60 stalled readers of Markdown': stall(60, '/api/notes?format=markdown', bearer),
  '12 readers of /api/notes': atOnce(12, () => fetch(`${url}/api/notes`, { headers })),
  '12 x my_notes': atOnce(12, () => tool('my_notes', {})),
  '12 x my_notes with words': atOnce(12, () => tool('my_notes', { query: 'no such words' })),
  '40 stalled readers of data.json': stall(40, '/dashboard/account/data.json', cookie),
  '40 stalled readers of /dashboard/notes': stall(40, '/dashboard/notes', cookie),
  '40 notes on 4 MiB': atOnce(40, (n) => post('tome', { path: '01.md', start: MIB + n, end: MIB + n + 4 })),
  '40 refused notes on 4 MiB': atOnce(40, () => post('tome', { path: '01.md', start: 5, end: 4 * MIB })),
  '40 forms on part 4': atOnce(40, (n) => form({ part: '4', from: `${900_000 - n}`, count: '9' })),
  '40 notes on "e"': atOnce(40, () => post('short', { path: '1007.md', start: e, end: e + 1 })),
  '12 views of 5,000 overlapping notes': atOnce(12, () => fetch(`${url}/books/page/read/01.md`, { headers })),
  'a new edition of 8 MiB without 5,000 notes': async () => {
    const response = await fetch(`${url}/api/books/moved/notes`, { headers: mover });
    return `${(await response.text()).split('"state":"lost"').length - 1} of the first are lost`;
  },
};
let isMet = true;
await writeMoved(2);
await office('reindex');
// Its archives are made beside.
await Bun.sleep(8_000);
for (const [name, attack] of Object.entries(attacks)) isMet = (await measure(name, attack)) && isMet;
writeFileSync(1, isMet ? 'All bounds hold.\n' : 'Not all bounds hold.\n');
process.exit(isMet ? 0 : 1);
