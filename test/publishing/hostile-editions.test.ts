import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, itemYaml, openStall, skillMd, type Stall, writeFiles } from '../helpers/harness.ts';

const MEGABYTE = 1024 * 1024;

const kit = (version: string, more: Files = {}, slug = 'kit'): Files => ({
  [`skills/${slug}/item.yaml`]: itemYaml({ version: JSON.stringify(version) }),
  [`skills/${slug}/SKILL.md`]: skillMd(slug, `Version ${version}.\n`),
  ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`skills/${slug}/${path}`, text])),
});

async function openHistory(...states: readonly Files[]): Promise<Stall> {
  const stall = await openStall({ files: states[0] ?? {} });
  for (const files of states.slice(1)) await publish(stall, files);
  return stall;
}

async function publish(stall: Stall, files: Files): Promise<readonly string[]> {
  writeFiles(stall.content, files);
  return (await stall.app.publish()).flatMap(({ problems }) => problems.map(({ code }) => code));
}

const install = (stall: Stall, edition: string): Promise<Response> =>
  stall.fetch(`/api/install/kit?edition=${encodeURIComponent(edition)}`);

async function statesOf(stall: Stall): Promise<readonly string[]> {
  const { editions } = (await (await stall.fetch('/api/items/kit/editions')).json()) as {
    editions: readonly { version: string; state: string }[];
  };
  return editions.map(({ version, state }) => `${version} ${state}`);
}

async function notesOf(stall: Stall, slug = 'kit'): Promise<string | null> {
  const { editions } = (await (await stall.fetch(`/api/items/${slug}/editions`)).json()) as {
    editions: readonly { notes: string | null }[];
  };
  return editions[0]?.notes ?? null;
}

describe('the name of an edition', async () => {
  const stall = await openHistory(kit('1.0'), kit('1.1'));

  test.each([
    ['of 10 KB', 'x'.repeat(10 * 1024)],
    ['of 10 KB of hex', `sha256:${'a'.repeat(10 * 1024)}`],
    ['of 10 KB of characters outside of ASCII', '版'.repeat(1200)],
    ['with control characters', '1.0\u0000\r\nX-Evil: 1'],
    ['with half of a character', '%ED%A0%80'],
    ['of a path', '../../kept/1.0'],
    ['with spaces around it', ' 1.0 '],
  ])('%s is unknown, and the answer is short', async (_, edition) => {
    const response = await install(stall, edition);
    const text = await response.text();
    expect([response.status, (JSON.parse(text) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
    expect(text.length).toBeLessThan(1000);
    expect(response.headers.get('x-evil')).toBeNull();
  });

  test('given twice is one edition', async () => {
    const tags = await Promise.all(
      ['1.0', '1.1'].map(async (one) => (await install(stall, one)).headers.get('etag')),
    );
    const both = await stall.fetch('/api/install/kit?edition=1.0&edition=1.1');
    expect(tags).toContain(both.headers.get('etag'));
  });
});

describe('a changelog', () => {
  test('of 10 MB is published, and its first section is found', async () => {
    const long = `# 2.0\n\nNew\n\n${'# 1.9\n\nOld\n'.repeat((10 * MEGABYTE) / 11)}`;
    const stall = await openHistory(kit('1.0'));
    expect(await publish(stall, kit('2.0', { 'CHANGELOG.md': long }))).toEqual([]);
    expect(await notesOf(stall)).toBe('New');
    await stall.close();
  });

  test.each([
    ['one line', 'x'.repeat(10 * MEGABYTE)],
    ['one heading', `# ${'2.0 '.repeat(2.5 * MEGABYTE)}`],
    ['brackets', `# ${'['.repeat(10 * MEGABYTE)}`],
    ['bytes that are no text', randomBytes(10 * MEGABYTE)],
  ])('of 10 MB of %s is published', async (_, changelog) => {
    const stall = await openHistory(kit('1.0'));
    await publish(stall, kit('2.0', { 'CHANGELOG.md': changelog }));
    expect(await statesOf(stall)).toEqual(['2.0 served', '1.0 kept']);
    expect((await notesOf(stall))?.length ?? 0).toBeLessThan(5000);
    expect((await stall.fetch('/skills/kit')).status).toBe(200);
    await stall.close();
  });

  test('has the notes below the heading of its version alone', async () => {
    const rows: readonly (readonly [heading: string, changelog: string, notes: string | null])[] = [
      ['inside a fence', '```\n# 2.0\n```\n\n# 1.0\n\nOld\n', null],
      ['of a longer version', '# 2.0.1\n\nNo\n\n# 12.0\n\nNo\n\n# 2.0-rc\n\nNo\n', null],
      ['with markup in it', '# <b>2.0</b>\n\nYes\n', 'Yes'],
      ['that is repeated', '# 2.0\n\nYes\n\n# 2.0\n\nNo\n', 'Yes'],
      ['below an empty one', '# 2.0\n# 1.0\n\nNo\n', null],
      ['that an address only looks like', '[2.0]: https://example.org/2.0\n\nNo\n', null],
    ];
    const files = rows.map(([, text], n) => kit('2.0', { 'CHANGELOG.md': text }, `kit-${n}`));
    const stall = await openStall({ files: Object.assign({}, ...files) as Files });
    for (const [n, [heading, , notes]] of rows.entries())
      expect([heading, await notesOf(stall, `kit-${n}`)]).toEqual([heading, notes]);
    await stall.close();
  });
});

describe('a kept body', () => {
  /** The only kept body. */
  const bodyOf = (stall: Stall): string => {
    const folder = join(stall.data, 'kept');
    const [name = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.tar'),
    );
    return join(folder, name);
  };
  const flip = (file: string): void => {
    const descriptor = openSync(file, 'r+');
    const at = Math.floor(statSync(file).size / 2);
    const byte = Buffer.alloc(1);
    readSync(descriptor, byte, 0, 1, at);
    writeSync(descriptor, Buffer.of(byte[0]! ^ 1), 0, 1, at);
    closeSync(descriptor);
  };
  const cut = (file: string): void => truncateSync(file, statSync(file).size - 1);

  test.each([
    ['cut', cut],
    ['flipped', flip],
  ])('that is %s is gone, and said so; the served edition is unharmed', async (_, damage) => {
    // Short ones are kept in memory, where a process that has opened one is not harmed.
    for (const [bytes, isTaken] of [
      [100, false],
      [MEGABYTE, false],
      [MEGABYTE, true],
    ] as const) {
      const stall = await openHistory(kit('1.0', { 'noise.bin': randomBytes(bytes) }), kit('1.1'));
      if (isTaken) expect((await (await install(stall, '1.0')).bytes()).length).toBeGreaterThan(bytes);
      damage(bodyOf(stall));
      const response = await install(stall, '1.0');
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
        410,
        'Cannot install "kit" as "1.0": it can no longer be had; the nearest is "1.1"; "1.1" can be had',
      ]);
      expect(await statesOf(stall)).toEqual(['1.1 served', '1.0 gone']);
      expect(stall.log.filter(({ event }) => event === 'edition-lost')).toHaveLength(1);
      expect((await install(stall, '1.1')).status).toBe(200);
      await stall.close();
    }
  });

  test('that is flipped cannot be rolled back to, and the item is served on', async () => {
    const stall = await openHistory(kit('1.0'), kit('1.1'));
    flip(bodyOf(stall));
    await stall.app.admin.editions.rollBack('kit', '1.0');
    expect(await publish(stall, {})).toEqual(['cannot-roll-back']);
    expect((await statesOf(stall))[0]).toBe('1.1 served');
    expect(await publish(stall, {})).toEqual([]);
    await stall.close();
  });
});
