import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { skillMd, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import {
  breakExt4,
  clear,
  fill,
  fillButOneBlock,
  mountExt4,
  mountTmpfs,
  remount,
  type SmallDisk,
} from './faulty-disk.ts';
import { addReader, buildProgram, run, serve, stallDirectory, type Served } from './program.ts';

beforeAll(buildProgram, 300_000);

const canTmpfs = (() => {
  using disk = mountTmpfs(temporaryDirectory());
  return disk !== null;
})();
const canExt4 = (() => {
  using disk = mountExt4(temporaryDirectory());
  return disk !== null;
})();
if (!canTmpfs || !canExt4) console.warn('SKIPPED: faulty disks, for this user may not mount them');

const ask = ({ fetch }: Served, headers: Record<string, string>) =>
  fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' }),
  });

/** The -wal and -shm that a stop leaves or takes, depending on who read the database last. */
function removeLogs(data: string): void {
  for (const name of readdirSync(data)) if (/-(wal|shm)$/.test(name)) rmSync(join(data, name));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds());) {
    if (performance.now() > end) throw new Error('It did not recover');
    await Bun.sleep(100);
  }
}

const doctor = async (directory: string) => {
  const { code, out } = await run(['doctor'], { cwd: directory });
  return { code, out };
};

type Fault = readonly [
  name: string,
  can: boolean,
  mount: (path: string) => SmallDisk | null,
  fail: (disk: never) => void,
  mend: ((disk: SmallDisk) => void) | null,
  sentence: RegExp,
];

const FAULTS: readonly Fault[] = [
  ['full tmpfs', canTmpfs, mountTmpfs, fill, clear, /disk is full/],
  ['full ext4', canExt4, mountExt4, fill, clear, /disk is full/],
  [
    'tmpfs mounted for reading alone',
    canTmpfs,
    mountTmpfs,
    (disk: SmallDisk) => remount(disk, 'ro'),
    (disk) => remount(disk, 'rw'),
    /file system is read-only/,
  ],
  ['ext4 that found an error', canExt4, mountExt4, breakExt4, null, /file system is read-only/],
];

const ENDS = ['killed', 'stopped', 'stopped, its log removed'] as const;

// How the last server ended decides which files there are, whatever is wrong with the disk: one disk sees all ends.
describe.each(FAULTS)('a start on a %s', (name, can, mount, breakDisk, mend, sentence) => {
  test.skipIf(!can).each(name === 'full ext4' ? ENDS : ENDS.slice(0, 1))(
    'after the server was %s serves what it can, says so, and recovers',
    async (how) => {
      const directory = stallDirectory();
      const data = join(directory, 'data');
      using disk = mount(data)!;
      const first = await serve(directory);
      const ann = await addReader(first, 'ann@example.org', 'paid-book');
      const bob = await addReader(first, 'bob@example.org', 'paid-book');
      await first.command('key', 'revoke', bob.id);
      if (how === 'killed') first.kill('SIGKILL');
      else first.kill('SIGTERM');
      await first.exited;
      if (how === 'stopped, its log removed') removeLogs(data);
      breakDisk(disk as never);

      const server = await serve(directory);
      expect((await server.fetch('/readyz')).status).toBe(200);
      expect(server.err.text()).toMatch(sentence);
      const install = (headers: Record<string, string>) =>
        server.fetch('/api/install/paid-book', { headers });
      expect((await install(ann.headers)).status).toBe(200);
      expect((await install(bob.headers)).status).toBe(401);
      expect((await server.fetch('/api/cli/library', { headers: ann.headers })).status).toBe(200);
      if (breakDisk === (fill as never)) fill(disk);
      expect((await ask(server, ann.headers)).status).toBe(503);
      const refused = await run(['key', 'create', 'ann@example.org'], { cwd: directory });
      expect([refused.code, refused.out]).toEqual([1, '']);
      expect(refused.err).toMatch(sentence);
      // A start on a full disk frees a few blocks.
      if (breakDisk === (fill as never)) fill(disk);
      const sick = await doctor(directory);
      expect([sick.code, sick.out]).toEqual([1, expect.stringMatching(sentence)]);
      const reindex = await run(['reindex'], { cwd: directory });
      expect([reindex.code, reindex.err]).toEqual([1, expect.stringMatching(/Cannot|ha(?:s|ve) errors/)]);
      expect(reindex.err).not.toContain('Internal error');
      // To stop that one would be the worst advice: it serves.
      expect(reindex.err).not.toContain('another bookstall serves from it');

      if (mend === null) return;
      mend(disk);
      await until(async () => (await ask(server, ann.headers)).status === 200);
      expect(server.err.text()).toContain('"event":"storage-available"');
      const carl = await addReader(server, 'carl@example.org', 'paid-book');
      expect((await install(carl.headers)).status).toBe(200);
      await server.command('key', 'revoke', carl.id);
      expect((await install(carl.headers)).status).toBe(401);
      writeFiles(join(directory, 'content/skills/free-skill'), {
        'SKILL.md': skillMd('free-skill', 'Changed'),
      });
      expect((await run(['reindex'], { cwd: directory })).code).toBe(0);
      expect((await doctor(directory)).out).not.toMatch(sentence);
      expect(await server.stop()).toBe(0);
    },
  );
});

test.skipIf(!canExt4)(
  'a start on a disk with room for one block serves what it can, and recovers',
  async () => {
    const directory = stallDirectory();
    const data = join(directory, 'data');
    using disk = mountExt4(data)!;
    const first = await serve(directory);
    const ann = await addReader(first, 'ann@example.org', 'paid-book');
    await first.stop();
    removeLogs(data);
    fillButOneBlock(disk);
    const server = await serve(directory);
    expect((await server.fetch('/readyz')).status).toBe(200);
    expect((await server.fetch('/api/install/paid-book', { headers: ann.headers })).status).toBe(200);
    clear(disk);
    await until(async () => (await ask(server, ann.headers)).status === 200);
    expect(await server.stop()).toBe(0);
  },
);
