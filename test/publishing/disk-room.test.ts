import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  until,
  writeFiles,
} from '../helpers/harness.ts';
import { fill, mountTmpfs } from '../binary/faulty-disk.ts';

const probe = mountTmpfs(temporaryDirectory());
probe?.[Symbol.dispose]();
if (probe === null) console.warn('SKIPPED: a full disk, for this user may mount no tmpfs');
const testFull = test.skipIf(probe === null);

/** A version with so many bytes that cannot be compressed. */
const kit = (version: string, bytes: number): Files => ({
  'skills/kit/item.yaml': itemYaml({ version }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  'skills/kit/noise.bin': randomBytes(bytes),
});

/** A stall on a small disk that has served four versions of 1 MB, whose artefacts are gone, except for the last. */
async function openHistory(first = kit('1.0', 1_000_000)) {
  const directory = temporaryDirectory();
  const disk = mountTmpfs(join(directory, 'data'))!;
  const stall = await openStall({ directory, files: first, grace: 20 });
  const bodies = (folder: string): number =>
    readdirSync(join(disk.path, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tar'),
    ).length;
  const publish = async (files: Files): Promise<readonly string[]> => {
    writeFiles(stall.content, files);
    return (await stall.app.publish()).flatMap(({ problems }) => problems.map(({ sentence }) => sentence));
  };
  const settle = () => until(() => bodies('artefacts') === 1);
  for (const version of ['1.1', '1.2', '1.3']) await publish(kit(version, 1_000_000));
  await settle();
  return {
    stall,
    disk,
    publish,
    settle,
    bodies,
    states: async () =>
      stall.app.admin.editions.list('kit').map(({ version, state }) => `${version} ${state}`),
    async install(edition = ''): Promise<number | string> {
      const response = await stall.fetch(`/api/install/kit${edition}`);
      const tar = response.ok ? Buffer.from(Bun.gunzipSync(await response.arrayBuffer())) : null;
      return tar === null ? response.status : (/Version [\d.]+\d/.exec(tar.toString('latin1'))?.[0] ?? '');
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await stall.close();
      disk[Symbol.dispose]();
    },
  };
}

testFull('a full disk costs the oldest kept editions before it refuses a publish', async () => {
  await using history = await openHistory();
  const { stall, disk, publish, install, states, bodies } = history;
  expect([await states(), bodies('kept')]).toEqual([['1.3 served', '1.2 kept', '1.1 kept', '1.0 kept'], 3]);
  fill(disk);
  expect(await publish(kit('1.4', 100_000))).toEqual([]);
  expect(await install()).toBe('Version 1.4');
  expect(await states()).toEqual(['1.4 served', '1.3 kept', '1.2 kept', '1.1 kept', '1.0 gone']);
  expect([await install('?edition=1.0'), await install('?edition=1.1')]).toEqual([410, 'Version 1.1']);
  expect(stall.log.find(({ event }) => event === 'editions-dropped')?.message).toContain(': kit 1.0');
});

testFull('a publish too large for the disk is refused, and what was served is served on', async () => {
  await using history = await openHistory();
  const { disk, publish, install, states, bodies, settle } = history;
  expect(await publish(kit('2.0', 30_000_000))).toEqual([expect.stringContaining('ENOSPC')]);
  expect([await install(), bodies('kept')]).toEqual(['Version 1.3', 0]);
  expect(await states()).toEqual(['1.3 served', '1.2 gone', '1.1 gone', '1.0 gone']);
  expect(readdirSync(join(disk.path, 'artefacts/new'))).toEqual([]);
  expect(await publish(kit('2.1', 100_000))).toEqual([]);
  await settle();
  expect([await install(), await install('?edition=1.3')]).toEqual(['Version 2.1', 'Version 1.3']);
});

testFull('a rollback on a full disk takes the room of other editions, not of the one it wants', async () => {
  const small = { 'skills/kit/noise.bin': randomBytes(100_000) };
  await using history = await openHistory({ ...kit('1.0', 1), ...small });
  const { stall, disk, publish, install, states } = history;
  await stall.app.admin.editions.rollBack('kit', '1.0');
  fill(disk);
  expect(await publish({})).toEqual([expect.stringContaining('was rolled back')]);
  expect([await install(), (await states()).at(-1)]).toEqual(['Version 1.0', '1.0 served']);
  expect((await states())[2]).toBe('1.1 gone');
});
