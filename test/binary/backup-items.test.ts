import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { accountsIn, writeDatabase } from '../platform/store/database-file.ts';
import { writePushed } from '../publishing/pushed-item.ts';
import { buildProgram, PROGRAM, run } from './program.ts';

await buildProgram();

const isRoot = process.getuid?.() === 0;
const FILE = new Uint8Array(200_000);

/** A data directory with so many accounts and eight pushed books, whose texts are `text`. */
function stallOf(accounts: number, text: string): string {
  const data = join(temporaryDirectory(), 'data');
  mkdirSync(data);
  writeDatabase(join(data, 'bookstall.db'), accounts);
  for (let n = 0; n < 8; n++) {
    const files = Array.from({ length: 10 }, (_, at) => [`files/${at}.bin`, FILE.fill(at + n)] as const);
    writePushed(data, `book-${n}`, { ...Object.fromEntries(files), 'text.md': text });
  }
  return data;
}

/** Every pushed file of a folder by its path; staging is left out. */
const itemsOf = (folder: string): Readonly<Record<string, string>> =>
  !existsSync(join(folder, 'pushed/book'))
    ? {}
    : Object.fromEntries(
        readdirSync(join(folder, 'pushed/book'), { recursive: true, encoding: 'utf8' })
          .filter((path) => statSync(join(folder, 'pushed/book', path)).isFile())
          .toSorted()
          .map((path) => [path, Bun.hash(readFileSync(join(folder, 'pushed/book', path))).toString()]),
      );

const databasesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.db'));

/** Runs a command that is killed after an eighth to twice the time it took before. It is our own child, so that its id is free then. */
async function kill(usual: number, ...words: string[]): Promise<number> {
  const child = Bun.spawn([PROGRAM, ...words], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' });
  const late = setTimeout(() => child.kill('SIGKILL'), usual * 2 ** (4 * Math.random() - 3));
  const code = await child.exited;
  clearTimeout(late);
  return code;
}

async function timed(...words: string[]): Promise<number> {
  const begun = performance.now();
  expect((await run(words)).code).toBe(0);
  return performance.now() - begun;
}

test.each([
  ['the same disk', temporaryDirectory()],
  [
    'another disk',
    existsSync('/dev/shm') ? join('/dev/shm', `backups-${process.pid}`) : temporaryDirectory(),
  ],
])('kill -9 of backups to %s leaves only whole ones, and the next is rid of the rest', async (_, folder) => {
  const data = stallOf(3000, 'one');
  const items = itemsOf(data);
  const usual = await timed('backup', folder, '--data', data, '--keep', '99');
  const codes = new Set<number>();
  for (let n = 0; n < 15; n++) codes.add(await kill(usual, 'backup', folder, '--data', data, '--keep', '99'));
  expect(codes.size).toBeGreaterThan(1);
  for (const name of databasesIn(folder)) expect(itemsOf(join(folder, `${name}.files`))).toEqual(items);
  expect((await run(['backup', folder, '--data', data, '--keep', '1'])).code).toBe(0);
  const [name = ''] = databasesIn(folder);
  expect(readdirSync(folder).toSorted()).toEqual([name, `${name}.files`, `${name}.sha256`]);
  rmSync(folder, { recursive: true });
});

test('kill -9 of a restore leaves each item old or new, or both, and the next one has them all', async () => {
  const [old, next] = [stallOf(3, 'one'), stallOf(3000, 'two')];
  const folder = temporaryDirectory();
  for (const [data, name] of [
    [old, 'old.db'],
    [next, 'next.db'],
  ] as const)
    expect((await run(['backup', join(folder, name), '--data', data])).code).toBe(0);
  const [before, after] = [itemsOf(old), itemsOf(next)];
  const data = join(temporaryDirectory(), 'data');
  expect((await run(['restore', join(folder, 'old.db'), '--data', data])).code).toBe(0);
  const usual = await timed('restore', join(folder, 'next.db'), '--data', data, '--replace');
  const known = { ...before, ...after };
  const codes = new Set<number>();
  for (let n = 0; n < 15; n++) {
    const source = join(folder, n % 2 === 0 ? 'old.db' : 'next.db');
    codes.add(await kill(usual, 'restore', source, '--data', data, '--replace'));
    expect(accountsIn(join(data, 'bookstall.db')).length).toBeOneOf([3, 3000]);
    const present = itemsOf(data);
    for (const [path, hash] of Object.entries(present)) expect([before[path], after[path]]).toContain(hash);
    expect(Object.keys(present).every((path) => path in known)).toBe(true);
  }
  expect(codes.size).toBeGreaterThan(1);
  expect((await run(['restore', join(folder, 'next.db'), '--data', data, '--replace'])).code).toBe(0);
  expect(itemsOf(data)).toEqual(after);
});

test('two backups at once, to one folder or one name, are both whole or one is refused', async () => {
  const data = stallOf(3000, 'one');
  const items = itemsOf(data);
  const folder = temporaryDirectory();
  for (const to of [[folder, '--keep', '9'], [join(folder, 'one.db')]]) {
    const both = await Promise.all([1, 2].map(() => run(['backup', ...to, '--data', data])));
    for (const { code, err } of both.filter((one) => one.code !== 0))
      expect([code, err]).toEqual([1, expect.stringContaining('there is such a file already; name another')]);
    expect(both.some(({ code }) => code === 0)).toBe(true);
  }
  for (const name of databasesIn(folder)) {
    expect(itemsOf(join(folder, `${name}.files`))).toEqual(items);
    expect(accountsIn(join(folder, name))).toHaveLength(3000);
  }
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test.skipIf(!isRoot)(
  'a disk that fills up while items are copied ends in a sentence, and leaves nothing',
  async () => {
    const data = stallOf(3, 'one');
    const disk = temporaryDirectory();
    const mount = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk]);
    if (mount.exitCode !== 0) return console.warn('SKIPPED: a full disk, for this user may mount no tmpfs');
    try {
      const { code, err } = await run(['backup', join(disk, 'one.db'), '--data', data]);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(
          /^Cannot back up to ".*one\.db": ENOSPC: .*; free space there, or choose another place\n$/,
        ),
      ]);
      expect(readdirSync(disk)).toEqual([]);
      const file = join(temporaryDirectory(), 'one.db');
      expect((await run(['backup', file, '--data', data])).code).toBe(0);
      const restored = await run(['restore', file, '--data', join(disk, 'data')]);
      expect([restored.code, restored.err]).toEqual([
        1,
        expect.stringMatching(/^Cannot restore into ".*": ENOSPC: .*; check its permissions and free space/),
      ]);
      expect(existsSync(join(disk, 'data/bookstall.db'))).toBe(false);
      expect(itemsOf(join(disk, 'data'))).toEqual({});
    } finally {
      Bun.spawnSync(['umount', disk]);
    }
  },
);
