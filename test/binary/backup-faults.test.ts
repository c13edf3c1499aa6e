import { describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountsIn } from '../platform/store/database-file.ts';
import { backedUp, json } from './backed-up.ts';
import { buildProgram, PROGRAM, run, stallDirectory } from './program.ts';

await buildProgram();

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test('kill -9 of restore --replace leaves the old or the new, whole, and the next one works', async () => {
  const [few, many] = [await backedUp(3), await backedUp(20_000)];
  const directory = stallDirectory();
  const place = join(directory, 'data/bookstall.db');
  expect((await run(['restore', join(few, 'one.db')], { cwd: directory })).code).toBe(0);
  const begun = performance.now();
  await run(['restore', join(many, 'one.db'), '--replace'], { cwd: directory });
  const usual = performance.now() - begun;
  const [codes, left]: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let n = 0; n < 30; n++) {
    const source = join(n % 2 === 0 ? few : many, 'one.db');
    const args = [
      '-s',
      'KILL',
      String((usual * (0.3 + Math.random())) / 1000),
      PROGRAM,
      'restore',
      source,
      '--replace',
    ];
    codes.add((await run(args, { cwd: directory, program: ['timeout'] })).code);
    const accounts = accountsIn(place).length;
    expect(accounts).toBeOneOf([3, 20_000]);
    left.add(accounts);
    if (n % 10 === 9) await json(directory, 'account', 'list');
  }
  expect(left.size).toBe(2);
  expect(codes.has(0)).toBe(true);
  expect(codes.size).toBeGreaterThan(1);
  expect((await run(['restore', join(few, 'one.db'), '--replace'], { cwd: directory })).code).toBe(0);
  expect(existsSync(`${place}.restoring`)).toBe(false);
});

describe('where it cannot be written', () => {
  test('a limit on the size of files ends in a sentence, and leaves nothing', async () => {
    const directory = await backedUp(3000);
    const limited = ['sh', '-c', 'trap "" XFSZ; ulimit -f 100; exec "$0" "$@"', PROGRAM];
    const { code, err } = await run(['backup', 'two.db'], { cwd: directory, program: limited });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^Cannot back up to ".*two\.db": .*; free space there, or choose another place\n$/,
      ),
    ]);
    expect(readdirSync(directory).toSorted()).toEqual(['content', 'data', 'one.db', 'one.db.sha256']);

    const restored = await run(['restore', 'one.db', '--data', 'other'], {
      cwd: directory,
      program: limited,
    });
    expect([restored.code, restored.err]).toEqual([
      1,
      expect.stringMatching(/^Cannot restore into "other": .*; check its permissions and free space/),
    ]);
    expect(readdirSync(join(directory, 'other')).filter((name) => !name.endsWith('.lock'))).toEqual([]);
    const replaced = await run(['restore', 'one.db', '--replace'], { cwd: directory, program: limited });
    expect(replaced.code).toBe(1);
    expect(accountsIn(join(directory, 'data/bookstall.db'))).toHaveLength(3000);
  });

  test.skipIf(!isRoot)('a full disk too, and the backups that lie there stay', async () => {
    const directory = await backedUp(3000);
    const disk = join(directory, 'disk');
    mkdirSync(disk);
    const mount = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    if (mount.exitCode !== 0) return console.warn('SKIPPED: a full disk, for this user may mount no tmpfs');
    try {
      const backups = () =>
        readdirSync(disk)
          .filter((name) => name.startsWith('bookstall-'))
          .toSorted();
      expect((await run(['backup', 'disk', '--keep', '1'], { cwd: directory })).code).toBe(0);
      const before = backups();
      const free = (1 << 20) - statSync(join(disk, before[0] ?? '')).size;
      writeFileSync(join(disk, 'filler'), new Uint8Array(free - 100_000));
      const { code, err } = await run(['backup', 'disk', '--keep', '1'], { cwd: directory });
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('full; free space there, or choose another place'),
      ]);
      expect(backups()).toEqual(before);
    } finally {
      Bun.spawnSync(['umount', '-l', disk]);
    }
  });

  test('a folder that others own is told', async () => {
    const directory = await backedUp(3);
    const program = isRoot
      ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', PROGRAM]
      : [PROGRAM];
    const owned = ['', 'data', ...readdirSync(join(directory, 'data')).map((name) => `data/${name}`)];
    if (isRoot) for (const name of owned) chownSync(join(directory, name), NOBODY, NOBODY);
    mkdirSync(join(directory, 'locked'));
    if (!isRoot) chmodSync(join(directory, 'locked'), 0o500);
    const { code, err } = await run(['backup', 'locked/two.db'], { cwd: directory, program });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/": EACCES: permission denied; check who may write in that folder\n$/),
    ]);
  });
});
