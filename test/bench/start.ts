// From spawn to the first answer, and memory at rest, over the content of this project and beside a bare program.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBare } from './bare-build.ts';
import { freePort, own } from './child.ts';
import { mb, ms, ratio, type Row } from './figure.ts';
import { median } from './rounds.ts';
import { BINARY, scratch } from './stall-process.ts';

const STARTS = 20;
const COMMAND = 'bun run bench start';

/** A program with the paths it is asked for, in order. */
type Program = {
  readonly command: readonly string[];
  readonly port: number;
  readonly paths: readonly string[];
};

/** The median of twenty starts in turns, and resident memory after five seconds at rest. */
export async function measureStart(): Promise<readonly Row[]> {
  const directory = scratch('start');
  // A copy, whose files are older than their hashes by the second start: what a stall at rest looks like.
  cpSync(join(import.meta.dir, '../../content'), join(directory, 'content'), { recursive: true });
  const [port, barePort] = [freePort(), freePort()];
  const serve = [BINARY, 'serve', '--content', 'content', '--data', 'data', '--port', String(port)];
  const ours = { command: serve, port, paths: ['/readyz', '/api/install/handbook'] };
  const bareCommand = [buildBare('bare.ts'), join(directory, 'bare.db'), String(barePort)];
  const bare = { command: bareCommand, port: barePort, paths: ['/'] };
  for (const pause of [2500, 0]) {
    for (const program of [ours, bare]) await (await start(program, directory)).stop();
    await Bun.sleep(pause);
  }
  const elapsed = await startInTurns([ours, bare], directory);
  const [ready = Number.NaN, installed = Number.NaN] = elapsed[0] ?? [];
  const [bareReady = Number.NaN] = elapsed[1] ?? [];
  const [rss, bareRss] = [await restingRss(ours, directory), await restingRss(bare, directory)];
  return [
    {
      figure: `start over the demo content, artefacts held, to the first 200 of /readyz, against a bare Elysia and SQLite program`,
      bound: '<= 150 ms',
      measured: `${ms(ready)} (${ms(installed)} to a whole install as well) against ${ms(bareReady)}`,
      ratio: ratio(ready, bareReady),
      isMet: ready <= 150,
      command: COMMAND,
    },
    {
      figure: 'RSS after five seconds at rest, against the same',
      bound: '<= 100 MB',
      measured: `${mb(rss)} against ${mb(bareRss)}`,
      ratio: ratio(rss, bareRss),
      isMet: rss <= 100 * 2 ** 20,
      command: COMMAND,
    },
  ];
}

/** The median of every path's time, by program. */
async function startInTurns(programs: readonly Program[], directory: string): Promise<readonly number[][]> {
  const times: number[][][] = programs.map(({ paths }) => paths.map(() => []));
  for (let n = 0; n < STARTS; n++) {
    for (const [which, program] of programs.entries()) {
      const { elapsed, stop } = await start(program, directory);
      elapsed.forEach((time, path) => times[which]?.[path]?.push(time));
      await stop();
    }
  }
  return times.map((paths) => paths.map(median));
}

async function restingRss(program: Program, directory: string): Promise<number> {
  const running = await start(program, directory);
  await Bun.sleep(5000);
  const rss = running.rss();
  await running.stop();
  return rss;
}

/** Milliseconds from spawn to the first 200 of each path, asked in order. */
async function start({ command, port, paths }: Program, directory: string) {
  const startedAt = performance.now();
  const child = own(
    Bun.spawn([...command], { cwd: directory, env: {}, stdio: ['ignore', 'ignore', 'ignore'] }),
  );
  const elapsed: number[] = [];
  for (const path of paths) {
    while (!(await isAnswered(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error(`${command[0]} ended with ${child.exitCode}`);
      await Bun.sleep(1);
    }
    elapsed.push(performance.now() - startedAt);
  }
  return {
    elapsed,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

async function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => (await response.bytes()).length > 0 && response.status === 200,
    () => false,
  );
}
