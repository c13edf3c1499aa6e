// `bun test/bench/beside.ts DIRECTORY… [--only=WORD]`: this build beside those of other checkouts, built, in turns: processor
// time of the main thread for a request, which holds where requests a second waver by half; starts, and memory at rest.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { freePort, own } from './child.ts';
import { startPeer } from './peer.ts';
import { median } from './rounds.ts';
import { LONG_BOOK, LONGER_PAID, PAID, SLUGS, word, writeShelf } from './shop.ts';
import { scratch } from './stall-process.ts';
import { countWrk } from './wrk.ts';

const ROUNDS = 9;
/** How long one build is asked in a round, in whole seconds. */
const SECONDS = 1;
const STARTS = 40;
const RESTS = 5;
/** How long a stall rests before its memory is read, in milliseconds. */
const REST = 5000;

/** A directory for each build, with a copy of this project's content. */
const homes = new Map<string, string>();

/** The requests to every build; with `isBare` also to a bare `Bun.serve` that holds the bytes. */
const PAGES: readonly {
  readonly figure: string;
  readonly path: string;
  readonly isBare?: true;
  readonly isMember?: true;
}[] = [
  { figure: 'paid install of 59 KB', path: `/api/install/${PAID}`, isBare: true },
  { figure: 'paid install of 92 KB', path: `/api/install/${LONGER_PAID}`, isBare: true },
  { figure: 'library of 50 grants', path: '/api/cli/library' },
  { figure: 'reading page', path: '/books/handbook/read/2e-selling.md' },
  { figure: 'item page', path: '/books/handbook' },
  { figure: '`/`', path: '/' },
  { figure: '`/api/items`', path: '/api/items' },
  { figure: 'library page of 50 grants', path: '/dashboard', isMember: true },
];

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const here = join(import.meta.dir, '../..');
const roots = [...positionals.map((root) => resolve(root)), here];
const names = roots.map((root) => (root === here ? 'this' : basename(root)));
const wanted = <Row extends { readonly figure: string }>(rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ figure }) => figure.includes(values.only ?? ''));

console.log(`| | bare Bun | ${names.join(' | ')} | this / ${names[0]} |`);
console.log(`| --- | ---: |${names.map(() => ' ---: |').join('')} ---: |`);

const shelf = scratch('shelf');
writeShelf(shelf);
cpSync(join(here, 'content/books/handbook'), join(shelf, 'books/handbook'), { recursive: true });
const stalls = await Promise.all(roots.map(openStall));
for (const { figure, path, isBare, isMember } of wanted(PAGES)) {
  const ask = (stall: Asked) => () =>
    timeOf(stall.pid, () =>
      countWrk(`${stall.url}${path}`, { headers: isMember ? stall.cookie : stall.headers, seconds: SECONDS }),
    );
  const body = await (await fetch(`${stalls[0]!.url}${path}`, stalls[0])).bytes();
  const bare = isBare === true ? await startPeer('bun', body) : null;
  await compare(`${figure}, µs`, stalls.map(ask), bare && ask({ ...bare, headers: {}, cookie: {} }));
  await bare?.stop();
}
for (const { figure } of wanted([{ figure: 'question to a book of 1 MB, four at a time' }]))
  await compare(
    `${figure}, µs`,
    stalls.map((stall) => () => timeOf(stall.pid, () => askForAWhile(stall))),
  );
for (const { child } of stalls) child.kill();
for (const { figure, rounds, measure } of wanted([
  {
    figure: 'start to the first 200 of /readyz, ms',
    rounds: STARTS,
    measure: async (root: string) => (await start(root)).took,
  },
  {
    figure: 'memory after five seconds at rest, MB',
    rounds: RESTS,
    measure: async (root: string) => (await start(root, REST)).rss,
  },
])) {
  for (const root of roots) await start(root, REST / 2);
  await compare(
    figure,
    roots.map((root) => () => measure(root)),
    null,
    rounds,
  );
}
process.exit(0);

/** Prints the medians, each round beginning with the next one, after a round that does not count. */
async function compare(
  figure: string,
  builds: readonly (() => Promise<number>)[],
  bare: (() => Promise<number>) | null = null,
  rounds = ROUNDS,
): Promise<void> {
  const contestants = [...builds, ...(bare === null ? [] : [bare])];
  const figures: number[][] = contestants.map(() => []);
  for (let round = -1; round < rounds; round++)
    for (let place = 0; place < contestants.length; place++) {
      const n = (round + 1 + place) % contestants.length;
      const taken = await contestants[n]!();
      if (round >= 0) figures[n]!.push(taken);
    }
  const medians = figures.map(median);
  const [first = Number.NaN, last = Number.NaN] = [medians[0], medians[builds.length - 1]];
  const cells = [bare === null ? Number.NaN : medians.at(-1)!, ...medians.slice(0, builds.length)];
  const shown = cells.map((cell) => (Number.isNaN(cell) ? '' : cell.toFixed(1)));
  console.log(`| ${figure} | ${shown.join(' | ')} | ${(last / first).toFixed(3)} |`);
}

type Asked = {
  readonly url: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookie: Readonly<Record<string, string>>;
};

/** A stall over the shelf, with a reader who holds all that is sold; `headers` are those of the reader's key. */
async function openStall(root: string) {
  const [binary, data, port] = [join(root, 'dist/bookstall'), join(scratch('data'), 'data'), freePort()];
  const run = (...words: readonly string[]): string => {
    const { stdout, stderr, success } = Bun.spawnSync([binary, ...words, '--data', data, '--json']);
    if (!success) throw new Error(`${words.join(' ')}: ${stderr.toString()}`);
    return stdout.toString();
  };
  const flags = [
    '--content',
    shelf,
    '--data',
    data,
    '--port',
    String(port),
    '--budget',
    'off',
    '--route-budget',
    'off',
  ];
  const child = own(Bun.spawn([binary, 'serve', ...flags], { stdout: 'ignore', stderr: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  run('account', 'add', 'reader@example.org');
  const list = join(scratch('grants'), 'grants.csv');
  writeFileSync(list, ['email,slug', ...SLUGS.map((slug) => `reader@example.org,${slug}`)].join('\n'));
  run('grant', 'import', list);
  const { key } = JSON.parse(run('key', 'create', 'reader@example.org')) as { readonly key: string };
  const { url: invitation } = JSON.parse(run('account', 'link', 'reader@example.org')) as {
    readonly url: string;
  };
  const cookie = { Cookie: await acceptInvitation(url, invitation) };
  return { child, url, pid: child.pid, headers: { Authorization: `Bearer ${key}` }, cookie };
}

async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`).catch(() => null))?.ok !== true) await Bun.sleep(1);
}

/** The processor time of a process's main thread for each of the requests that `ask` counts, in microseconds. */
async function timeOf(pid: number, ask: () => Promise<number>): Promise<number> {
  const spent = (): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]);
  const before = spent();
  const requests = await ask();
  return (spent() - before) / 1000 / requests;
}

async function askForAWhile({ url, headers }: Asked): Promise<number> {
  const until = performance.now() + SECONDS * 1000;
  let asked = 0;
  const ask = async (): Promise<void> => {
    for (; performance.now() < until; asked++) {
      const query = `What does ${word(20 + (asked % 90))} say of ${word(110 + (asked % 70))}?`;
      const response = await fetch(`${url}/api/agent/fetch`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ book_id: LONG_BOOK, query }),
      });
      if (!(await response.text()).includes('event: done')) throw new Error(`answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, ask));
  return asked;
}

/** Starts a build over this project's content, waits until it is ready and then for a rest; milliseconds, and memory in MB. */
async function start(root: string, rest = 0): Promise<{ readonly took: number; readonly rss: number }> {
  const directory = homes.getOrInsertComputed(root, () => {
    const made = scratch('beside');
    cpSync(join(here, 'content'), join(made, 'content'), { recursive: true });
    return made;
  });
  const port = freePort();
  const began = performance.now();
  const child = own(
    Bun.spawn(
      [
        join(root, 'dist/bookstall'),
        'serve',
        '--content',
        'content',
        '--data',
        'data',
        '--port',
        String(port),
      ],
      {
        cwd: directory,
        stdout: 'ignore',
        stderr: 'ignore',
      },
    ),
  );
  await untilReady(`http://127.0.0.1:${port}`);
  const took = performance.now() - began;
  await Bun.sleep(rest);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.kill();
  await child.exited;
  return { took, rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}
