// A stall with 2 GB of pushed items makes its scheduled backup, on the same disk (links) and on another (copies): how long it
// takes, how long /livez waits meanwhile, and how much memory the server takes more. `bun test/bench/backup-items.ts [OTHER_DISK]`
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePushed } from '../publishing/pushed-item.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { BINARY, scratch } from './stall-process.ts';

const [ITEMS, FILES, BYTES] = [20, 50, 2 ** 21];
const directory = scratch('backup-items');
const data = join(directory, 'data');

/** Files that are compiled fast, since they are compressed fast. */
const filesOf = (item: number): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(
    Array.from({ length: FILES }, (_, n) => [`files/${n}.bin`, new Uint8Array(BYTES).fill(item + n)]),
  );

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The port of the running server; 0 before there is one. */
function portOf(): number {
  const file = join(data, 'serve.json');
  if (!existsSync(file)) return 0;
  return Number((JSON.parse(readFileSync(file, 'utf8')) as { settings: { port: string } }).settings.port);
}

async function measure(what: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const words = [
    '--port',
    '0',
    '--backup-every',
    '1m',
    '--backup-dir',
    folder,
    '--base-url',
    'http://127.0.0.1',
  ];
  const stall = Bun.spawn(
    [BINARY, 'serve', '--data', data, '--content', join(directory, 'content'), ...words],
    {
      stdout: 'ignore',
      stderr: 'pipe',
      env: { ...process.env, BOOKSTALL_LOG: 'json' },
    },
  );
  let said = '';
  const reading = (async () => {
    for await (const piece of stall.stderr) said += Buffer.from(piece).toString();
  })();
  const { promise: made, resolve } = Promise.withResolvers<void>();
  const began = performance.now();
  const isThere = async (): Promise<boolean> => {
    return (await fetch(`http://127.0.0.1:${portOf()}/readyz`).catch(() => null))?.status === 200;
  };
  while (!(await isThere())) await Bun.sleep(200);
  const port = portOf();
  console.log(`  ready after ${Math.round(performance.now() - began)} ms`);
  // The first backup is made at the start. Without it the next look, a minute later, makes one that has none to link to.
  while (!said.includes('"event":"backup')) await Bun.sleep(50);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  await Bun.sleep(Math.max(0, 57_000 - (performance.now() - began)));
  said = '';
  const before = memoryOf(stall.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(stall.pid));
    if (/"event":"backup(-failed)?"/.test(said)) resolve();
  }, 10);
  const streams = [{ name: 'livez', rate: 200, requests: [request('/livez')] }] as const;
  const { livez } = await runOpenLoop({ port, seconds: 600, streams }, { until: made });
  clearInterval(watch);
  console.log(`${what}: ${said.split('\n').find((line) => line.includes('"event":"backup'))}`);
  console.log(`  /livez ${describe(livez)}; memory ${Math.round(before)} MB, at most ${Math.round(most)} MB`);
  stall.kill('SIGTERM');
  await Promise.all([stall.exited, reading]);
}

mkdirSync(join(directory, 'content/books'), { recursive: true });
for (let n = 0; n < ITEMS; n++) writePushed(data, `item-${n}`, filesOf(n));
const other = join(process.argv[2] ?? '/dev/shm', `backups-${process.pid}`);
await measure('same disk', join(directory, 'backups'));
await measure('other disk', other);
const newest = new Bun.Glob('*.db').scanSync(other);
const [file = ''] = [...newest].toSorted().reverse();
const begun = performance.now();
const restore = Bun.spawnSync([BINARY, 'restore', join(other, file), '--data', join(directory, 'restored')]);
const same = Bun.spawnSync([
  'diff',
  '-r',
  '-x',
  'new',
  join(data, 'pushed'),
  join(directory, 'restored/pushed'),
]);
console.log(
  restore.stdout.toString(),
  `restored in ${Math.round(performance.now() - begun)} ms, diff -r: ${same.exitCode}`,
);
rmSync(other, { recursive: true });
