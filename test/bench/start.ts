// From spawn to the first answer, and memory at rest, over the content of this project and beside a bare program.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { BINARY, quantile, scratch } from './stall-process.ts';

const STARTS = 20;
const PROJECT = join(import.meta.dir, '../..');

type Program = {
  readonly name: string;
  readonly command: readonly string[];
  readonly answers: readonly string[];
};

const directory = scratch('start');
// A copy, whose files are older than their hashes by the second start: what a stall at rest looks like.
cpSync(join(PROJECT, 'content'), join(directory, 'content'), { recursive: true });

const programs: readonly Program[] = [
  {
    name: 'Bookstall',
    command: [BINARY, 'serve', '--content', 'content', '--data', 'data', '--port', '7480'],
    answers: ['http://127.0.0.1:7480/readyz', 'http://127.0.0.1:7480/api/install/handbook'],
  },
  {
    name: 'bare',
    command: [buildBare(), join(directory, 'bare.db'), '7481'],
    answers: ['http://127.0.0.1:7481/'],
  },
];

for (const program of programs) await (await start(program)).stop();
await Bun.sleep(2500);
for (const program of programs) await (await start(program)).stop();

const times = new Map(programs.map(({ name, answers }) => [name, answers.map(() => [] as number[])]));
// In turns, so that both meet the same machine.
for (let n = 0; n < STARTS; n++) {
  for (const program of programs) {
    const { elapsed, stop } = await start(program);
    elapsed.forEach((ms, at) => times.get(program.name)?.[at]?.push(ms));
    await stop();
  }
}
for (const program of programs) {
  const running = await start(program);
  await Bun.sleep(5000);
  const rss = (running.rss() / 2 ** 20).toFixed(1);
  const medians = times.get(program.name)?.map((one) => describe(one));
  console.log(`${program.name}: ${medians?.join(', ')}; RSS ${rss} MiB after 5 s`);
  await running.stop();
}

/** Milliseconds from spawn to the first 200 of each address, asked in order. */
async function start({ command, answers }: Program) {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], { cwd: directory, env: {}, stdio: ['ignore', 'ignore', 'ignore'] });
  const elapsed: number[] = [];
  for (const url of answers) {
    while (!(await isAnswered(url))) {
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

function describe(unsorted: readonly number[]): string {
  const sorted = unsorted.toSorted((a, b) => a - b);
  return `${quantile(sorted, 0.5).toFixed(0)} ms (${quantile(sorted, 0).toFixed(0)} to ${quantile(sorted, 1).toFixed(0)})`;
}

/** Builds the bare program with the flags that `bun run build` has. */
function buildBare(): string {
  const outfile = join(PROJECT, 'dist/bare');
  const flags =
    scripts.build.match(
      /--(?:compile|production|minify|sourcemap|bytecode|format|splitting|no-compile)\S*/g,
    ) ?? [];
  const build = Bun.spawnSync([
    process.execPath,
    'build',
    ...flags,
    `--outfile=${outfile}`,
    join(import.meta.dir, 'bare.ts'),
  ]);
  if (!build.success) throw new Error(`Cannot build the bare program: ${build.stderr.toString()}`);
  return outfile;
}
