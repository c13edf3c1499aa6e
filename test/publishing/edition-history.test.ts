import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../src/platform/base/duration.ts';
import { openStore } from '../../src/store.ts';
import { type Files, itemYaml, openStall, skillMd, type Stall, writeFiles } from '../helpers/harness.ts';

const skill = (version: string, more: Files = {}): Files => ({
  'skills/kit/item.yaml': itemYaml({ version }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`skills/kit/${path}`, text])),
});

async function publish(stall: Stall, files: Files): Promise<void> {
  writeFiles(stall.content, files);
  await stall.app.publish();
}

/** The editions of the skill as the store has them, newest first. */
async function listEditions({ data }: Stall) {
  const store = await openStore(data);
  const editions = store.listEditions('skill', 'kit');
  await store.close();
  return editions;
}

const statesOf = async (stall: Stall): Promise<readonly string[]> =>
  (await listEditions(stall)).map(({ version, state }) => `${version} ${state}`);

function keptBodies({ data }: Stall): readonly string[] {
  const folder = join(data, 'kept');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tar'))
    : [];
}

describe('the editions of an item', () => {
  test('begin with the first one served, all its files added', async () => {
    const stall = await openStall({ files: skill('1.0') });
    const [first] = await listEditions(stall);
    expect(first).toMatchObject({
      version: '1.0',
      state: 'served',
      added: 1,
      changed: 0,
      removed: 0,
      slug: 'kit',
    });
    await stall.close();
  });

  test('count files against the edition before', async () => {
    const stall = await openStall({ files: skill('1.0', { 'a.md': 'a', 'b.md': 'b' }) });
    rmSync(join(stall.content, 'skills/kit/b.md'));
    await publish(stall, skill('1.1', { 'c.md': 'c', 'd.md': 'd' }));
    expect((await listEditions(stall))[0]).toMatchObject({
      version: '1.1',
      added: 2,
      changed: 1,
      removed: 1,
    });
    await stall.close();
  });

  test('keep the bodies of the newest, the served one included; older ones are gone', async () => {
    const stall = await openStall({
      files: skill('1'),
      config: { keepEditions: { editions: 3, bytes: 2 ** 31 } },
    });
    for (const version of ['2', '3', '4', '5']) await publish(stall, skill(version));
    expect(await statesOf(stall)).toEqual(['5 served', '4 kept', '3 kept', '2 gone', '1 gone']);
    expect(keptBodies(stall)).toHaveLength(2);
    await stall.close();
  });

  test('keep no more bytes than allowed, the newest first', async () => {
    const stall = await openStall({
      files: skill('1'),
      config: { keepEditions: { editions: 5, bytes: 400 } },
    });
    const sizes = (await listEditions(stall)).map(({ tarSize }) => tarSize);
    for (const version of ['2', '3', '4']) await publish(stall, skill(version));
    expect(sizes.every((size) => size > 134 && size < 400)).toBe(true);
    expect((await statesOf(stall)).filter((state) => state.endsWith('kept')).length).toBeLessThan(3);
    expect((await statesOf(stall)).at(-1)).toBe('1 gone');
    await stall.close();
  });

  test('are kept for 180 days after they were installed, though one too many', async () => {
    let now = Date.now();
    const keepEditions = { editions: 1, bytes: 2 ** 31 };
    const stall = await openStall({ files: skill('1'), config: { keepEditions }, now: () => now });
    await (await stall.fetch('/api/install/kit')).bytes();
    await stall.app.stall.downloads.flush();
    for (const version of ['2', '3']) await publish(stall, skill(version));
    expect(await statesOf(stall)).toEqual(['3 served', '2 gone', '1 kept']);
    now += 181 * DAY;
    await publish(stall, skill('4'));
    expect(await statesOf(stall)).toEqual(['4 served', '3 gone', '2 gone', '1 gone']);
    await stall.close();
  });

  test('are kept while a range that another item needs means them, though too many', async () => {
    const needing = (needs: string): Files => ({
      'skills/tool/item.yaml': itemYaml(),
      'skills/tool/SKILL.md': skillMd('tool').replace('\n---', `\nmetadata: {needs: "${needs}"}\n---`),
    });
    const config = { keepEditions: { editions: 1, bytes: 2 ** 31 } };
    const stall = await openStall({ files: { ...skill('1.0.0'), ...needing('kit@1') }, config });
    for (const version of ['1.1.0', '2.0.0', '2.1.0']) await publish(stall, skill(version));
    expect(await statesOf(stall)).toEqual(['2.1.0 served', '2.0.0 gone', '1.1.0 kept', '1.0.0 gone']);
    await publish(stall, { ...needing('kit'), ...skill('2.2.0') });
    expect((await statesOf(stall)).slice(0, 3)).toEqual(['2.2.0 served', '2.1.0 gone', '2.0.0 gone']);
    expect((await statesOf(stall)).at(-2)).toBe('1.1.0 gone');
    await stall.close();
  });

  test('survive a restart, and are not recorded again', async () => {
    const first = await openStall({ files: skill('1') });
    await publish(first, skill('2'));
    const before = await listEditions(first);
    await first.close();
    const second = await openStall({ directory: first.directory, files: {} });
    expect(await listEditions(second)).toEqual(before);
    expect(keptBodies(second)).toHaveLength(1);
    await second.close();
  });

  test('are served again when the old files come back, in the order of their first serving', async () => {
    const stall = await openStall({ files: skill('1') });
    await publish(stall, skill('2'));
    await publish(stall, skill('1'));
    expect(await statesOf(stall)).toEqual(['2 kept', '1 served']);
    await stall.close();
  });

  test('take a new version with the same files as a new label', async () => {
    const stall = await openStall({ files: skill('1') });
    await publish(stall, { 'skills/kit/item.yaml': itemYaml({ version: '1.0.1' }) });
    expect(await statesOf(stall)).toEqual(['1.0.1 served']);
    await stall.close();
  });

  test('do not include drafts', async () => {
    const draft = { 'skills/kit/item.yaml': itemYaml({ version: '1', status: 'draft' }) };
    const stall = await openStall({ files: { ...skill('1'), ...draft } });
    expect(await statesOf(stall)).toEqual([]);
    await stall.close();
  });
});
