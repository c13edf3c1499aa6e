// bun run soak [MINUTES]: a stall under a mixed load for half an hour, its item edited all the time. Prints what its memory,
// descriptors and threads did; ends with 1 if one of them grows.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTinyWindows } from '../helpers/tiny-windows.ts';
import { own } from './child.ts';
import { mb } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { LARGE, LONG_BOOK, MIDDLE, openShop, PAID, type Shop } from './shop.ts';

const MINUTE = 60_000;
const SAMPLE = 5_000;
const EDIT = 30_000;
/** The part of the run that fills caches and is not judged. */
const WARM_UP = 1 / 3;
const MOST_SLOPE = 1024 * 1024;

type Sample = {
  readonly at: number;
  readonly rss: number;
  readonly descriptors: number;
  readonly threads: number;
};

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes >= 1)) {
  console.error('Cannot soak for less than a minute: give minutes, such as 30');
  process.exit(2);
}
const shop = await openShop({ readers: 26 });
const end = performance.now() + minutes * MINUTE;
const [latencies, samples] = await Promise.all([runLoad(shop), sample(shop), edit(shop), comeAndGo(shop)]);
await shop.stop();
for (const [name, found] of Object.entries(latencies)) console.log(`${name}: ${describe(found)}`);
process.exit(report(samples) ? 0 : 1);

function runLoad({ port, key }: Shop) {
  const each = (path: string, body?: unknown) =>
    Array.from({ length: 26 }, (_, reader) => request(path, key(reader), body));
  const streams = [
    { name: 'installs', rate: 50, requests: each(`/api/install/${PAID}`) },
    { name: 'free installs of 4 MB', rate: 2, requests: each(`/api/install/${MIDDLE}`) },
    { name: 'free installs of 20 MB', rate: 0.5, requests: each(`/api/install/${LARGE}`) },
    { name: 'libraries', rate: 50, requests: each('/api/cli/library') },
    { name: 'catalogs', rate: 20, requests: [request('/api/items')] },
    { name: 'files', rate: 5, requests: each(`/api/books/${LONG_BOOK}/files`) },
    {
      name: 'pages',
      rate: 10,
      requests: [request('/'), request(`/skills/${PAID}`), request(`/books/${LONG_BOOK}`)],
    },
    {
      name: 'questions',
      rate: 1,
      requests: each('/api/agent/fetch', { book_id: LONG_BOOK, query: 'Where is the heron?' }),
    },
    {
      name: 'unknown keys',
      rate: 5,
      requests: [request('/api/cli/library', { Authorization: 'Bearer svc_no' })],
      expected: 401,
    },
    { name: 'unknown items', rate: 5, requests: [request('/api/install/nothing')], expected: 404 },
  ] as const;
  return runOpenLoop({ port, seconds: minutes * 60, streams });
}

async function sample({ pid, rss }: Shop): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (; performance.now() < end; await Bun.sleep(SAMPLE))
    samples.push({
      at: performance.now(),
      rss: rss(),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      threads: readdirSync(`/proc/${pid}/task`).length,
    });
  return samples;
}

/** Edits a book and has the stall read it, so that editions come and go. */
async function edit({ content, signal }: Shop): Promise<void> {
  for (let n = 0; performance.now() < end; n++) {
    writeFileSync(join(content, 'books', 'book-0', '01.md'), `# The heron\n\nEdition ${n % 7}.\n`);
    signal('SIGHUP');
    await Bun.sleep(EDIT);
  }
}

/** Clients that take nothing of what they ask for, and leave after a while. */
async function comeAndGo({ port }: Shop): Promise<void> {
  while (performance.now() < end) {
    const { client, leave } = await openTinyWindows(port, 20, `/api/install/${LARGE}`);
    own(client);
    await Bun.sleep(SAMPLE);
    await leave();
  }
}

/** Prints what the samples say; whether nothing grows. */
function report(all: readonly Sample[]): boolean {
  const samples = all.slice(Math.floor(all.length * WARM_UP));
  const slope = slopeOf(leastByMinute(samples));
  const half = Math.floor(samples.length / 2);
  const rises = (['descriptors', 'threads'] as const).map((name) => {
    const most = (part: readonly Sample[]): number => Math.max(...part.map((one) => one[name]));
    const [early, late] = [most(samples.slice(0, half)), most(samples.slice(half))];
    console.log(`${name}: at most ${early} in the first half, ${late} in the second`);
    return late - early;
  });
  const memory = samples.map(({ rss }) => rss);
  console.log(
    `RSS, the least of each minute: ${leastByMinute(all)
      .map(([, rss]) => mb(rss))
      .join(', ')}`,
  );
  console.log(
    `RSS: ${mb(Math.min(...memory))} to ${mb(Math.max(...memory))}, ${(slope / 1024 / 1024).toFixed(2)} MB more a minute`,
  );
  // The slow clients are counted at different moments.
  return slope < MOST_SLOPE && rises.every((rise) => rise <= 25);
}

/** The least memory of each minute: between two collections it goes up and down by tens of megabytes. */
function leastByMinute(samples: readonly Sample[]): readonly (readonly [number, number])[] {
  const minutes = Map.groupBy(samples, ({ at }) => Math.floor(at / MINUTE));
  return [...minutes].map(([minute, all]) => [minute, Math.min(...all.map(({ rss }) => rss))] as const);
}

/** Of the line through the points, by least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const covariance = mean(points.map(([at, value]) => (at - x) * (value - y)));
  return covariance / mean(points.map(([at]) => (at - x) ** 2));
}
