// `bun run bench:tokens`: what it takes to check an assistant's token where a key is checked, in processor
// time of the main thread; and registrations by the hundred thousand, which must store nothing.
import { Database } from 'bun:sqlite';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, isGood, openAway, registerAt } from '../agents/assistant.ts';
import { headersOf, messageOf } from '../agents/mcp/raw-message.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { formatTable, mb, type Row } from './figure.ts';
import { median } from './rounds.ts';
import { office, scratch, startStall } from './stall-process.ts';
import { countWrk } from './wrk.ts';

const COMMAND = 'bun run bench:tokens';
const EMAIL = 'reader@example.org';
const ROUNDS = 24;
const REGISTRATIONS = 100_000;
const AT_ONCE = 32;
/** How much more memory 100,000 registrations may leave, in bytes: a heap that grew once, not one that keeps them. */
const MOST_LEFT = 48 * 1024 ** 2;
const READ = { name: 'read_chapter', arguments: { item: 'heron', path: '01.md' } };

const content = scratch('tokens');
const data = join(scratch('tokens-data'), 'data');
mkdirSync(data);
writeFiles(content, {
  'books/heron/item.yaml': itemYaml({ id: 'heron' }),
  'books/heron/01.md': `# The heron\n\n${'The grey heron stands on one leg. '.repeat(76)}`,
});
const stall = await startStall(content, data, freePort());
await office(data, 'account', 'add', EMAIL);
const { key = '' } = await office(data, 'key', 'create', EMAIL);
const { url = '' } = await office(data, 'account', 'link', EMAIL);
const reader = await openAway(stall.url, url);
const { access_token: token } = (await (await connect(reader)).exchange()).body;

const rows = [...(await measureChecks()), await measureRegistrations()];
console.log(formatTable(rows));
await stall.stop();
process.exit(rows.some(({ isMet }) => isMet === false) ? 1 : 0);

/** The same call with a key and with a token in turns: the median of the rounds, and of their ratios. */
async function measureChecks(): Promise<readonly Row[]> {
  const calls = [
    { name: 'the key once more', path: '/mcp', credential: key, isBound: false },
    { name: 'a token', path: '/mcp', credential: token, isBound: true },
    { name: 'a token at /mcp/library', path: '/mcp/library', credential: token, isBound: true },
  ];
  const rounds: number[][] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const taken = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    for (let place = 0; place < taken.length; place++) {
      const n = (round + 1 + place) % taken.length;
      const { path, credential } = calls[n - 1] ?? { path: '/mcp', credential: key };
      taken[n] = await timeOf(path, credential);
    }
    if (round >= 0) rounds.push(taken);
  }
  return calls.map(({ name, isBound }, n) => {
    const share = median(rounds.map((taken) => taken[n + 1]! / taken[0]!));
    const [own, keys] = [
      median(rounds.map((taken) => taken[n + 1]!)),
      median(rounds.map(([first]) => first!)),
    ];
    return {
      figure: `tools/call of 2.6 KB with ${name}, against a key, main thread`,
      bound: isBound ? '<= 1.05 x' : '',
      measured: `${own.toFixed(1)} µs against ${keys.toFixed(1)} µs`,
      ratio: `${share.toFixed(3)} x`,
      isMet: isBound ? share <= 1.05 : null,
      command: COMMAND,
    };
  });
}

/** The processor time of the main thread for a call, in microseconds. */
async function timeOf(path: string, credential: unknown): Promise<number> {
  const message = messageOf('2026-07-28', 'tools/call', READ);
  const headers = { ...headersOf(message), Authorization: `Bearer ${String(credential)}` };
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`);
  const script = join(scratch('tokens-wrk'), 'call.lua');
  writeFileSync(script, `wrk.method = "POST"\nwrk.body = [[${JSON.stringify(message)}]]\n${lines.join('')}`);
  const before = spent();
  const count = await countWrk(`${stall.url}${path}`, { script, seconds: 1 });
  return (spent() - before) / 1000 / count;
}

function spent(): number {
  return Number(readFileSync(`/proc/${stall.pid}/task/${stall.pid}/schedstat`, 'utf8').split(' ')[0]);
}

/** Registers clients with a name and a redirect of their own; an honest one after them signs in. */
async function measureRegistrations(): Promise<Row> {
  for (let n = 0; n < 2_000; n++) await registerAt(reader.stall, { client_name: `warm ${n}` });
  await Bun.sleep(2_000);
  const [rowsBefore, before] = [countRows(), stall.rss()];
  let next = 0;
  const ids = new Set<string>();
  const send = async (): Promise<void> => {
    while (next < REGISTRATIONS) {
      const n = next++;
      const redirect_uris = [`https://client${n}.example/callback`];
      const { body } = await registerAt(reader.stall, { client_name: `Client ${n}`, redirect_uris });
      ids.add(String(body['client_id']));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await Bun.sleep(5_000);
  const [rowsAfter, after] = [countRows(), stall.rss()];
  const client = String((await registerAt(reader.stall, { client_name: 'Honest' })).body['client_id']);
  const { body } = await (await connect({ ...reader, client })).exchange();
  const isHonestIn = await isGood(reader, body['access_token']);
  return {
    figure: `${ids.size.toLocaleString('en')} registrations, and an honest one after them`,
    bound: 'no row; memory',
    measured: `${rowsAfter - rowsBefore} rows, RSS ${mb(before)}, then ${mb(after)}; the honest one ${isHonestIn ? 'reads' : 'is refused'}`,
    ratio: '',
    isMet: ids.size === REGISTRATIONS && rowsAfter === rowsBefore && after - before < MOST_LEFT && isHonestIn,
    command: COMMAND,
  };
}

/** The rows of all tables. */
function countRows(): number {
  const db = new Database(join(data, 'bookstall.db'), { readonly: true });
  const names = db
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .all();
  const counts = names.map(
    ({ name }) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0,
  );
  db.close();
  return counts.reduce((sum, n) => sum + n, 0);
}
