// The pages of a stall that is full, asked by its owner and by a reader who has much.
import { join } from 'node:path';
import { writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { ms, type Row } from './figure.ts';
import { HELD_BY_ALL, type makeFullHouse, READER } from './full-house.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { BINARY, probe, quantile, startStall } from './stall-process.ts';

const PASSWORD = 'seven herons in the marsh';

const DASHBOARD = {
  'library of 50 grants': '/dashboard',
  '20 keys': '/dashboard/api-keys',
  'questions, 100,000 rows': '/dashboard/logs',
  'downloads, 100,000 rows': '/dashboard/downloads',
  'account and sessions': '/dashboard/account',
};
const PAGES_A_SECOND = 100;
const SECONDS = 4;
const SLOWEST_P99 = 15;

const OFFICE = [
  '/admin',
  '/admin/items',
  '/admin/items?q=heron&page=150',
  `/admin/items/${HELD_BY_ALL}`,
  `/admin/items/${HELD_BY_ALL}?span=months&grants=all`,
  '/admin/accounts',
  '/admin/accounts?page=190',
  '/admin/accounts?q=reader-99',
  '/admin/accounts/:id',
  '/admin/logs',
  '/admin/logs?from=2026-01-01&outcome=failed',
  '/admin/downloads',
  '/admin/audit',
];
const SEARCHES = ['/?q=heron', '/?q=heron+999&price=free', '/?q=nowhere', '/?page=270'];
const TIMES = 200;
const SLOWEST = 50;

const IMPORTED = 15_000;
const LONGEST_WAIT = 20;
const SWAPS = 3;
const SLOWEST_AFTER_SWAP = 25;

const SIGN_INS = 20;
/** The stall verifies no more than twenty passwords a second. */
const PAIRS_EVERY = 100;

type Measured = Omit<Row, 'ratio' | 'command'>;

/** Opens the full house; both of its people choose a password. */
export async function openPages({ content, data, links, key, accountId }: House) {
  const port = freePort();
  const stall = await startStall(content, data, port);
  const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    const body = new URLSearchParams(fields);
    const answer = await fetch(stall.url + path, {
      ...{ method: 'POST', headers: { Origin: stall.url }, redirect: 'manual', body },
    });
    if (answer.status !== 303) throw new Error(`${path} answered ${answer.status}`);
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const choose = (code: string) => post('/invite', { code, password: PASSWORD, again: PASSWORD });
  const signIn = () => post('/sign-in', { email: READER, password: PASSWORD });
  const [owner, reader] = [await choose(links.owner), await choose(links.reader)];
  const alone = async (path: string, headers: Readonly<Record<string, string>>): Promise<Measured> => {
    const sorted = await timeAlone(stall.url + path.replace(':id', accountId), headers);
    return {
      figure: `\`${path}\`, one at a time`,
      bound: `< ${SLOWEST} ms`,
      measured: quantiles(sorted),
      isMet: quantile(sorted, 0.99) < SLOWEST,
    };
  };

  return {
    stop: stall.stop,
    /** Each page by itself. */
    async measureDashboard(): Promise<readonly Measured[]> {
      const rows: Measured[] = [];
      for (const [name, path] of Object.entries(DASHBOARD)) {
        const requests = [request(path, { Cookie: reader })];
        const stream = { name, rate: PAGES_A_SECOND, requests };
        const { [name]: page } = await runOpenLoop({ port, seconds: SECONDS, streams: [stream] });
        if (page === undefined) throw new Error(`${path} was not measured`);
        rows.push({
          figure: `\`${path}\` (${name}), ${PAGES_A_SECOND} a second`,
          bound: `p99 < ${SLOWEST_P99} ms`,
          measured: describe(page),
          isMet: page.failed === 0 && quantile(page.sorted, 0.99) < SLOWEST_P99,
        });
      }
      return rows;
    },
    /** Over 10,000 items, 10,000 accounts and 200,000 rows in each log. */
    async measureOffice(): Promise<readonly Measured[]> {
      return inTurn(OFFICE, (path) => alone(path, { Cookie: owner }));
    },
    /** The window's pages that are made for each request, over 10,000 items. */
    async measureSearch(): Promise<readonly Measured[]> {
      return inTurn(SEARCHES, (path) => alone(path, {}));
    },
    /** The CSV of 10,000 holders, beside which others ask for something small. */
    async measureHolders(): Promise<readonly Measured[]> {
      const others = probe(`${stall.url}/livez`, {}, 1);
      let rows = 0;
      const took = await time(async () => {
        const path = `/admin/items/${HELD_BY_ALL}/holders.csv`;
        rows =
          (await (await fetch(stall.url + path, { headers: { Cookie: owner } })).text()).split('\n').length -
          2;
      });
      return [
        besideRow(`${rows.toLocaleString('en')} holders are saved as CSV (${ms(took)})`, await others.stop()),
      ];
    },
    /** A CSV of 15,000 past sales, beside which others ask for something small. */
    async measureImport(): Promise<readonly Measured[]> {
      const lines = Array.from({ length: IMPORTED }, (_, n) => `${n},${READER},book-${n % 50}`);
      const body = new URLSearchParams({ act: 'import', csv: ['ref,email,slug', ...lines].join('\n') });
      const others = probe(`${stall.url}/livez`, {}, 1);
      const took = await time(async () => {
        const headers = { Origin: stall.url, Cookie: owner };
        const init = { method: 'POST', redirect: 'manual', headers, body } as const;
        const { status } = await fetch(`${stall.url}/admin/orders/import`, init);
        if (status !== 200) throw new Error(`The import answered ${status}`);
      });
      const act = `a CSV of ${IMPORTED.toLocaleString('en')} past sales is imported (${ms(took)})`;
      return [besideRow(act, await others.stop())];
    },
    /** The window's first request after one of its 10,000 items has changed. */
    async measureSwap(): Promise<readonly Measured[]> {
      const times: number[] = [];
      for (let n = 0; n < SWAPS; n++) {
        writeFiles(join(content, 'books/book-7'), { '01.md': `# Edition ${n}\n` });
        if ((await Bun.spawn([BINARY, 'reindex', '--data', data], { stdout: 'ignore' }).exited) !== 0)
          throw new Error('The content was not reloaded');
        times.push(await time(async () => void (await (await fetch(stall.url)).bytes())));
      }
      return [
        {
          figure: 'the first `/` after one of 10,000 items has changed',
          bound: `max < ${SLOWEST_AFTER_SWAP} ms`,
          measured: quantiles(sorted(times)),
          isMet: Math.max(...times) < SLOWEST_AFTER_SWAP,
        },
      ];
    },
    /** Alone, then two at once every tenth of a second beside readers. */
    async measureSignIn(): Promise<readonly Measured[]> {
      const times: number[] = [];
      for (let n = 0; n < SIGN_INS; n++) times.push(await time(signIn));
      const load = runOpenLoop({
        port,
        seconds: SECONDS,
        streams: [
          {
            ...{ name: 'library', rate: PAGES_A_SECOND },
            requests: [request('/api/cli/library', { Authorization: `Bearer ${key}` })],
          },
        ],
      });
      const pairs = await signInUntil(load, signIn);
      const { library } = await load;
      const many = `${(pairs.length / SECONDS).toFixed(0)} a second, took ${quantiles(pairs)}`;
      return [
        {
          figure: 'sign-in with a password, one at a time',
          bound: '',
          measured: quantiles(sorted(times)),
          isMet: null,
        },
        {
          figure: `library by key, ${PAGES_A_SECOND} a second, while two sign in at once (${many})`,
          bound: '',
          measured: describe(library),
          isMet: null,
        },
      ];
    },
  };
}

function besideRow(act: string, waits: readonly number[]): Measured {
  return {
    figure: `\`/livez\` while ${act}`,
    bound: `max < ${LONGEST_WAIT} ms`,
    measured: quantiles(waits),
    isMet: (waits.at(-1) ?? Number.NaN) < LONGEST_WAIT,
  };
}

type House = Awaited<ReturnType<typeof makeFullHouse>>;

async function signInUntil(end: Promise<unknown>, signIn: () => Promise<string>): Promise<readonly number[]> {
  let isRunning = true;
  end.finally(() => (isRunning = false)).catch(() => {});
  const times: number[] = [];
  while (isRunning) {
    const pause = Bun.sleep(PAIRS_EVERY);
    times.push(...(await Promise.all([time(signIn), time(signIn)])));
    await pause;
  }
  return sorted(times);
}

async function inTurn<Result>(paths: readonly string[], measure: (path: string) => Promise<Result>) {
  const results: Result[] = [];
  for (const path of paths) results.push(await measure(path));
  return results;
}

/** The first one counts too: it makes what is kept for the next. */
async function timeAlone(url: string, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++)
    times.push(
      await time(async () => {
        const answer = await fetch(url, { headers });
        await answer.bytes();
        if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
      }),
    );
  return sorted(times);
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

function sorted(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b);
}

function quantiles(times: readonly number[]): string {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return `p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(times.at(-1) ?? Number.NaN)}`;
}
