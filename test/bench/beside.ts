// `bun test/bench/beside.ts DIRECTORY`: this build beside that of another checkout, installed and built, in turns: installs,
// library, questions, start and memory at rest. Prints the medians of both, and their ratio.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from './child.ts';
import { median } from './rounds.ts';
import { LONG_BOOK, LONGER_PAID, openShop, PAID, type Shop, word } from './shop.ts';
import { scratch } from './stall-process.ts';
import { wrk } from './wrk.ts';

const ROUNDS = 9;
const FLAGS = ['--budget', '1000000000/60', '--route-budget', '1000000000/60'];

const other = resolve(process.argv[2] ?? '.');
const here = join(import.meta.dir, '../..');
const { openShop: openOther } = (await import(join(other, 'test/bench/shop.ts'))) as {
  readonly openShop: typeof openShop;
};
const shops = [await openOther({ flags: FLAGS }), await openShop({ flags: FLAGS })];
const get = (path: string) => (n: number) =>
  wrk(`${shops[n]!.url}${path}`, { headers: shops[n]!.key(), seconds: 2 });

console.log('| figure | the other | this | ratio |\n| --- | --- | --- | --- |');
await compare('paid install of 60 KB a second', get(`/api/install/${PAID}`));
await compare('paid install of 92 KB a second', get(`/api/install/${LONGER_PAID}`));
await compare('library of 50 grants a second', get('/api/cli/library'));
await compare('questions a second to a book of 1 MB, four at a time', (n) => askForAWhile(shops[n]!));
for (const shop of shops) await shop.stop();

const programs = [other, here].map((root) => {
  const directory = scratch('beside');
  cpSync(join(here, 'content'), join(directory, 'content'), { recursive: true });
  return { binary: join(root, 'dist/bookstall'), directory };
});
for (const n of [0, 1]) await start(n, 2500);
for (const n of [0, 1]) await start(n);
await compare('start to the first 200 of /readyz, ms', async (n) => (await start(n)).took);
await compare('RSS after five seconds, MB', async (n) => (await start(n, 5000)).rss, 3);

async function compare(figure: string, measure: (n: number) => Promise<number>, rounds = ROUNDS) {
  const figures: number[][] = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const n of round % 2 === 0 ? [0, 1] : [1, 0]) figures[n]!.push(await measure(n));
  const [before = Number.NaN, after = Number.NaN] = figures.map(median);
  console.log(`| ${figure} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${(after / before).toFixed(3)} |`);
}

async function askForAWhile({ url, key }: Shop): Promise<number> {
  const seconds = 2.5;
  const until = performance.now() + seconds * 1000;
  let asked = 0;
  const ask = async (): Promise<void> => {
    for (; performance.now() < until; asked++) {
      const query = `What does ${word(20 + (asked % 90))} say of ${word(110 + (asked % 70))}?`;
      const headers = { ...key(), 'Content-Type': 'application/json' };
      const body = JSON.stringify({ book_id: LONG_BOOK, query });
      const response = await fetch(`${url}/api/agent/fetch`, { method: 'POST', headers, body });
      if (!(await response.text()).includes('event: done')) throw new Error(`answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, ask));
  return asked / seconds;
}

/** Starts a program, waits until it is ready and then for a rest, and stops it; times in milliseconds, memory in MB. */
async function start(n: number, rest = 0): Promise<{ readonly took: number; readonly rss: number }> {
  const { binary, directory } = programs[n]!;
  const port = freePort();
  const began = performance.now();
  const child = Bun.spawn(
    [binary, 'serve', '--content', 'content', '--data', 'data', '--port', String(port)],
    { cwd: directory, stdout: 'ignore', stderr: 'ignore' },
  );
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok === true;
  while (!(await isReady())) await Bun.sleep(1);
  const took = performance.now() - began;
  await Bun.sleep(rest);
  const status = await Bun.file(`/proc/${child.pid}/status`).text();
  child.kill();
  await child.exited;
  return { took, rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}
