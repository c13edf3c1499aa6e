// Readers, connections and senders that are as slow as they can be, all at once, and another reader's library.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './child.ts';
import { mb, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { LARGE, MIDDLE, openShop, type Shop } from './shop.ts';
import { quantile } from './stall-process.ts';

const READERS = 500;
const SECONDS = 60;
const MOST_RSS = 200 * 1024 * 1024;
/** Readers a second, until all are there: 500 in one instant would be another test. */
const ARRIVALS = 50;
const COMMAND = 'bun run bench crowd';

/** Connections that say nothing, and those that send a head or a body a byte a second; a body needs one of four places of a key. */
export type CrowdPlan = {
  readonly port: number;
  readonly idle: number;
  readonly heads: number;
  readonly bodies: number;
  readonly keys: readonly string[];
};

/** 500 readers at 1 KB/s, 2,000 idle connections and 200 slow senders together. */
export async function measureCrowd(): Promise<readonly Row[]> {
  const shop = await openShop({ readers: 26 });
  const before = shop.rss();
  const [, ...keys] = shop.keys;
  const crowd = await gather({ port: shop.port, idle: 2000, heads: 100, bodies: 100, keys });
  const streams = [
    { name: 'library', rate: 100, requests: [request('/api/cli/library', shop.key())] },
  ] as const;
  // Asked from the first reader's arrival on: their buffers fill then.
  const [{ library }, readers] = await Promise.all([
    runOpenLoop({ port: shop.port, seconds: SECONDS, streams }),
    startReaders(shop, READERS),
  ]);
  const peak = shop.peakRss();
  const served = readers.filter(({ exitCode }) => exitCode === null).length;
  readers.forEach((reader) => reader.kill());
  const opened = await crowd.leave();
  await shop.stop();
  const p99 = quantile(library.sorted, 0.99);
  return [
    {
      figure: `library beside ${READERS} readers at 1 KB/s, 2,000 idle connections, 100 slow heads and 100 slow bodies`,
      bound: 'p99 < 50 ms',
      measured: describe(library),
      ratio: '',
      isMet: p99 < 50 && library.failed === 0,
      command: COMMAND,
    },
    {
      figure: `RSS before, and its peak; readers still served after ${SECONDS} s`,
      bound: 'peak < 200 MB, all served',
      measured: `${mb(before)}, ${mb(peak)}; ${served} of ${READERS}; reopened: ${opened.idle - 2000} idle, ${opened.heads - 100} heads, ${opened.bodies - 100} bodies`,
      ratio: '',
      isMet: peak < MOST_RSS && served === READERS,
      command: COMMAND,
    },
  ];
}

/** Starts the crowd and waits until all of it is connected; `leave` returns how many connections it took. */
export async function gather(plan: CrowdPlan) {
  const client = own(
    Bun.spawn([process.execPath, join(import.meta.dir, 'slow-crowd-client.ts')], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  void client.stdin.write(`${JSON.stringify(plan)}\n`);
  void client.stdin.flush();
  const lines = client.stdout.pipeThrough(new TextDecoderStream()).getReader();
  if ((await lines.read()).done) throw new Error('The crowd did not gather');
  return {
    async leave(): Promise<Readonly<Record<'idle' | 'heads' | 'bodies', number>>> {
      void client.stdin.end();
      return JSON.parse((await lines.read()).value ?? '');
    },
  };
}

/** Readers at 1 KB/s, half of an archive that is sent from memory, half of one that is streamed; kept when all are served. */
export async function startReaders({ url, pid }: Shop, count: number) {
  const connections = (): number => readdirSync(`/proc/${pid}/fd`).length;
  const before = connections();
  const readers = [];
  for (let n = 0; n < count; n++) {
    const archive = `${url}/api/install/${n % 2 === 0 ? MIDDLE : LARGE}`;
    const curl = ['curl', '-sS', '--limit-rate', '1K', '-o', '/dev/null', archive];
    readers.push(own(Bun.spawn(curl, { stdio: ['ignore', 'ignore', 'ignore'] })));
    await Bun.sleep(1000 / ARRIVALS);
  }
  while (connections() < before + count * 0.98) await Bun.sleep(50);
  return readers;
}
