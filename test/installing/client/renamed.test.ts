import { beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../../helpers/harness.ts';

/** Nothing but what is inside each item. */
const INSIDE = /^(?:"\w+" holds .*\n"\w+" names .*\n)+$/;

// A busy machine publishes slowly.

const book = (slug: string, id: string, version: string, price = 0): Files => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id, version, unitAmountCents: price }),
  [`books/${slug}/01.md`]: `# ${id}\n\nVersion ${version} of the heron stands on one leg in the cold water.\n`,
});
const kit = (slug: string, more: Readonly<Record<string, string>> = {}): Files => ({
  [`skills/${slug}/item.yaml`]: itemYaml({ version: slug, ...more }),
  [`skills/${slug}/SKILL.md`]: skillMd(slug),
});

/** A stall whose book was installed as "birds" and is now "herons", in version 2.0 or another one. */
async function open(others: Files = {}, version = '2.0') {
  const stall = await openStall({ files: book('birds', 'birds-id', '1.0') });
  const target = temporaryDirectory();
  const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory() };
  const say = (...typed: string[]) => type(typed, environment);
  await say('install', 'birds', '--dir', target);
  renameSync(join(stall.content, 'books/birds'), join(stall.content, 'books/herons'));
  writeFiles(stall.content, { ...book('herons', 'birds-id', version), ...others });
  await stall.app.publish();
  const read = (slug: string): string => readFileSync(join(target, slug, '01.md'), 'utf8');
  return { stall, target, say, read };
}

let opened: Awaited<ReturnType<typeof open>>;

describe('the client, of a book that was renamed', () => {
  beforeEach(async () => {
    opened = await open();
  });

  test('renames the folder that it installed', async () => {
    const { say, read, target } = opened;
    expect((await say('outdated')).out).toContain('2.0');
    expect((await say('update', '--diff')).out).toContain('Version 2.0');
    const { code, out } = await say('update');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Updated birds 1.0 to 2.0, which is now herons, in ${join(target, 'herons')}`),
    ]);
    expect([readdirSync(target), read('herons')]).toEqual([
      ['herons'],
      expect.stringContaining('Version 2.0'),
    ]);
    expect((await say('list', '--json')).out).toContain(join(target, 'herons'));
    expect((await say('verify')).code).toBe(0);
    expect((await say('update')).out).toContain('Up to date: herons');
    expect((await say('open', 'birds')).out).toContain('/books/herons');
  });

  test.each([
    ['a folder of the reader', [], (at: string) => mkdirSync(at)],
    ['a file, though forced', ['--force'], (at: string) => writeFileSync(at, 'mine')],
  ])('leaves everything as it is for %s in the way', async (_, words, make) => {
    const { say, read, target } = opened;
    make(join(target, 'herons'));
    const { code, err } = await say('update', ...words);
    expect([code, err]).toEqual([1, expect.stringContaining('is there already')]);
    expect([readdirSync(target).toSorted(), read('birds')]).toEqual([
      ['birds', 'herons'],
      expect.stringContaining('Version 1.0'),
    ]);
    rmSync(join(target, 'herons'), { recursive: true });
    expect((await say('update')).code).toBe(0);
    expect(readdirSync(target)).toEqual(['herons']);
  });

  test('loses changed files only with --force', async () => {
    const { say, read, target } = opened;
    writeFileSync(join(target, 'birds/01.md'), 'mine');
    expect((await say('update')).out).toContain('"01.md" was changed');
    expect(read('birds')).toBe('mine');
    expect((await say('update', '--force')).code).toBe(0);
    expect([readdirSync(target), read('herons')]).toEqual([
      ['herons'],
      expect.stringContaining('Version 2.0'),
    ]);
  });

  test('names its new slug to who installs it by the old one: no folder is made that nobody asked for', async () => {
    const { say } = opened;
    const target = temporaryDirectory();
    const { code, err } = await say('install', 'birds', '--dir', target);
    expect([code, err]).toEqual([1, expect.stringContaining('install "herons" by its name')]);
    expect(readdirSync(target)).toEqual([]);
    expect((await say('install', 'herons', '--dir', target)).code).toBe(0);
    expect(readdirSync(target)).toEqual(['herons']);
  });

  test('leaves the folder of another stall where it is, though forced', async () => {
    const { say, stall } = opened;
    const other = await openStall({ files: book('birds', 'birds-id', '1.0') });
    const target = temporaryDirectory();
    expect((await say('install', 'birds', '--dir', target, '--url', other.url)).code).toBe(0);
    const { code, err } = await say('install', 'birds', '--dir', target, '--url', stall.url, '--force');
    expect([code, err]).toEqual([1, expect.stringContaining(`did not install it from ${stall.url}`)]);
    expect(readdirSync(target)).toEqual(['birds']);
  });

  test('replaces its own folder by an earlier edition, in the folder that it had, and comes back', async () => {
    const { say, read, target } = opened;
    await say('update');
    expect((await say('install', 'herons@1.0', '--dir', target)).code).toBe(0);
    expect([readdirSync(target), read('birds')]).toEqual([['birds'], expect.stringContaining('Version 1.0')]);
    expect((await say('update')).out).toContain('Pinned: birds 1.0');
    expect((await say('update', '--force')).code).toBe(0);
    expect([readdirSync(target), read('herons')]).toEqual([
      ['herons'],
      expect.stringContaining('Version 2.0'),
    ]);
  });
});

test('the client renames the folder of a book whose files are the same', async () => {
  const { say, target } = await open({}, '1.0');
  expect(await say('update')).toMatchObject({
    code: 0,
    out: `Renamed birds 1.0 to herons, in ${join(target, 'herons')}\n`,
  });
  expect(readdirSync(target)).toEqual(['herons']);
  expect((await say('update')).out).toContain('Up to date: herons');
});

test('the client renames the folders of a skill, and of a book as a skill', async () => {
  const stall = await openStall({ files: { ...kit('kit'), ...book('birds', 'birds-id', '1.0') } });
  const home = temporaryDirectory();
  const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory(), HOME: home };
  const say = (...typed: string[]) => type(typed, environment);
  expect((await say('install', 'kit', 'birds', '--agent', 'claude', '-g')).code).toBe(0);
  rmSync(join(stall.content, 'skills/kit'), { recursive: true });
  renameSync(join(stall.content, 'books/birds'), join(stall.content, 'books/herons'));
  writeFiles(stall.content, kit('tool', { formerly: 'kit' }));
  await stall.app.publish();
  expect(await say('update')).toMatchObject({ code: 0, err: expect.stringMatching(INSIDE) });
  const skills = join(home, '.claude/skills');
  expect(readdirSync(skills).toSorted()).toEqual(['herons', 'tool']);
  for (const slug of ['herons', 'tool'])
    expect(readFileSync(join(skills, slug, 'SKILL.md'), 'utf8')).toContain(`name: ${slug}`);
  expect((await say('verify')).code).toBe(0);
  expect((await say('update')).out.match(/Up to date/g)).toHaveLength(2);
});

describe.each([
  ['free', 0],
  ['paid', 500],
])('the client, of a book whose old slug is that of another %s item', (_, price) => {
  beforeEach(async () => {
    opened = await open(book('birds', 'other-id', '9.0', price));
  });

  test('follows its id into its new folder', async () => {
    const { say, read, target } = opened;
    expect((await say('outdated')).out).toContain('2.0');
    const { code, out, err } = await say('update');
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('Updated birds 1.0 to 2.0'),
      expect.stringMatching(INSIDE),
    ]);
    expect(read('herons')).toContain('# birds-id\n\nVersion 2.0');
    expect(existsSync(join(target, 'birds'))).toBe(false);
    expect((await say('update')).out).toContain('Up to date');
  });

  test('never takes the other item, though the book is gone', async () => {
    const { stall, say, read } = opened;
    rmSync(join(stall.content, 'books/herons'), { recursive: true });
    await stall.app.publish();
    const { code, err } = await say('update');
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining('Cannot')]);
    expect(code).not.toBe(0);
    expect(read('birds')).toContain('Version 1.0');
  });
});
