// Part "faults": the disk below a running server, or below one command, fails in one way at a time (strace -e inject=).
// Each write is refused with a message, reads continue, everything recovers without a restart, and refused writes stay refused.
import { auditDatabase, openDatabase } from './audit.ts';
import { FREE_BOOK, PAID, writeContent } from './content.ts';
import { failing, type Fault, inject, metIn } from './injection.ts';
import { runCommand, scratch, type Server, startServer } from './program.ts';

const WAL = 'bookstall.db-wal';
const FAULTS: readonly Fault[] = [
  { file: WAL, calls: 'pwrite64', error: 'EIO', refused: true },
  { file: WAL, calls: 'pwrite64', error: 'ENOSPC', refused: true },
  { file: WAL, calls: 'fsync,fdatasync', error: 'EIO', refused: true },
  { file: WAL, calls: 'fsync,fdatasync', error: 'ENOSPC', refused: true },
  { file: 'bookstall.db', calls: 'pwrite64', error: 'EIO', refused: false },
  { file: 'bookstall.db', calls: 'pwrite64', error: 'ENOSPC', refused: false },
  { file: 'bookstall.db', calls: 'fsync,fdatasync', error: 'EIO', refused: false },
];

/** Further faults that only a command meets, because it opens everything itself. */
const OPENING: readonly Fault[] = [
  { file: WAL, calls: 'openat', error: 'EIO', refused: true },
  { file: 'bookstall.db', calls: 'openat', error: 'EIO', refused: true },
  { file: 'bookstall.db', calls: 'pread64', error: 'EIO', refused: true },
];

type Stand = { readonly directory: string; readonly server: Server; readonly key: string };
type Table = { readonly rows: readonly string[]; readonly faults: readonly string[] };

/** Runs the part; the rows of its tables, and a sentence for each fault. */
export async function tortureByFaults(): Promise<Table> {
  const tables = [
    await eachFault('the running server', FAULTS, failServer),
    await eachFault(
      'the server, killed during the fault',
      FAULTS.filter(({ refused }) => refused),
      failAndKill,
    ),
    await eachFault('a command beside a server', [...FAULTS, ...OPENING], failCommand),
  ];
  return {
    rows: [
      '| process | failing calls | result |',
      '| --- | --- | --- |',
      ...tables.flatMap(({ rows }) => rows),
    ],
    faults: tables.flatMap(({ faults }) => faults),
  };
}

type Trial = (
  stand: Stand,
  fault: Fault,
) => Promise<{ readonly outcome: string; readonly faults: readonly string[] }>;

async function eachFault(below: string, faults: readonly Fault[], trial: Trial): Promise<Table> {
  const [rows, wrong]: [string[], string[]] = [[], []];
  for (const fault of faults) {
    const name = `${fault.calls} of ${fault.file}: ${fault.error}`;
    const found = await trial(await openStand(), fault);
    rows.push(`| ${below} | ${name} | ${found.outcome} |`);
    wrong.push(...found.faults.map((text) => `${below}, ${name}: ${text}`));
  }
  return { rows, faults: wrong };
}

async function openStand(): Promise<Stand> {
  const directory = scratch('fault');
  writeContent(directory);
  const server = await startServer(directory);
  await runCommand(directory, ['account', 'add', 'ann@example.org']);
  await runCommand(directory, ['grant', 'add', 'ann@example.org', PAID[0]]);
  const { out } = await runCommand(directory, ['key', 'create', 'ann@example.org', '--json']);
  return { directory, server, key: (JSON.parse(out) as { key: string }).key };
}

/** The status of a question; a few at a time, so that they share commits. */
async function ask({ server, key }: Stand, count: number): Promise<readonly number[]> {
  const init = {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: FREE_BOOK, query: 'Why does the heron stand on one leg?' }),
  };
  const statuses: number[] = [];
  for (let asked = 0; asked < count; asked += 3)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(3, count - asked) }, async () => {
          const answer = await fetch(`${server.url}/api/agent/fetch`, init);
          await answer.text();
          return answer.status;
        }),
      )),
    );
  return statuses;
}

async function read({ server, key }: Stand, path: string): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** A thousand pages: enough for a checkpoint of the log during the fault. */
const MANY = 700;

async function failServer(stand: Stand, fault: Fault) {
  const wrong: string[] = [];
  const want = (is: unknown, wanted: unknown, what: string): void => {
    if (!Bun.deepEquals(is, wanted))
      wrong.push(`${what}: ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`);
  };
  const kept = await ask(stand, 6);
  const stop = await inject(stand, fault);
  const during = await ask(stand, fault.refused ? 9 : MANY);
  want([...new Set(during)], [fault.refused ? 503 : 200], 'questions meanwhile');
  want(
    [await read(stand, `/api/install/${PAID[0]}`), await read(stand, '/api/cli/library')],
    [200, 200],
    'reads meanwhile',
  );
  await Bun.sleep(200);
  want(stand.server.said().includes('"event":"downloads-lost"'), fault.refused, 'a lost download is told');
  await stop();
  const after = await ask(stand, 9);
  want([...new Set(after)], [200], 'questions after it');
  want(await read(stand, `/api/install/${PAID[0]}`), 200, 'an install after it');
  want(stand.server.said().includes('internal-error'), false, 'an internal error is logged');
  want(await stand.server.stop(), 0, 'the exit code');
  const acknowledged = [...kept, ...during, ...after].filter((status) => status === 200).length;
  return examine(
    stand,
    wrong,
    acknowledged,
    fault.refused ? 1 : 2,
    `${during.length} asked: ${during[0]}; then 200 again`,
  );
}

async function failAndKill(stand: Stand, fault: Fault) {
  const kept = await ask(stand, 6);
  const stop = await inject(stand, fault);
  const during = await ask(stand, 3);
  stand.server.kill('SIGKILL');
  // It would wait for threads that are gone, and so would the kill.
  await stop('SIGKILL');
  await stand.server.exited;
  const server = await startServer(stand.directory);
  await server.stop();
  const wrong = during.every((status) => status === 503) ? [] : [`questions meanwhile: ${during.join(', ')}`];
  return examine(
    stand,
    wrong,
    kept.length,
    0,
    `${during.length} asked: ${during[0]}; none of them there after the restart`,
  );
}

function examine(
  { directory }: Stand,
  wrong: readonly string[],
  questions: number,
  installs: number,
  outcome: string,
) {
  const db = openDatabase(directory);
  const count = (table: string): number =>
    db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1;
  const rows = [count('fetch_logs'), count('downloads')];
  const faults = [...wrong, ...auditDatabase(db, [])];
  db.close();
  if (metIn(directory) === 0) faults.push('the fault was never met');
  if (!Bun.deepEquals(rows, [questions, installs]))
    faults.push(`${rows.join(' and ')} rows of ${questions} questions and ${installs} installs`);
  return { outcome: `${outcome}; met ${metIn(directory)} times`, faults };
}

async function failCommand({ directory, server }: Stand, fault: Fault) {
  const { code, out, err } = await runCommand(
    directory,
    ['key', 'create', 'ann@example.org', '--json', '--name', 'hard-won'],
    failing(directory, fault),
  );
  const keys = JSON.parse(
    (await runCommand(directory, ['key', 'list', 'ann@example.org', '--json'])).out,
  ) as { name: string }[];
  const isThere = keys.some(({ name }) => name === 'hard-won');
  const isSentence = /^Cannot [^\n]*; [^\n]*\n$/.test(err) && out === '';
  const faults = [
    ...(code === (fault.refused ? 1 : 0) ? [] : [`the command ended with ${code}`]),
    ...(isThere === (code === 0) ? [] : [`the key is ${isThere ? '' : 'not '}there after ${code}`]),
    ...(code === 0 || isSentence ? [] : [`it said: ${err}`]),
  ];
  if ((await runCommand(directory, ['key', 'create', 'ann@example.org'])).code !== 0)
    faults.push('the next command fails too');
  await server.stop();
  if (metIn(directory) === 0) faults.push('the fault was never met');
  return { outcome: code === 0 ? 'done' : `1: ${err.trim().replace(directory, '')}`, faults };
}
