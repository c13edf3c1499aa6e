import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, temporaryDirectory, writeFiles } from '../harness.ts';
import { type } from './type.ts';

describe('init', () => {
  test('makes a stall whose examples can be served, and a private data directory', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    const { code, out } = await type(['init', directory]);
    expect(code).toBe(0);
    expect(out).toContain(`cd ${directory} && bookstall serve`);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    const checked = await type(['check', '--content', join(directory, 'content'), '--json']);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.out)).toMatchObject([
      { kind: 'book', slug: 'example-book', problems: [] },
      { kind: 'skill', slug: 'example-skill', problems: [] },
    ]);
  });

  test('makes no account: a stall has only accounts that were added', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    await type(['init', directory]);
    const stall = await openStall({ directory, files: {} });
    expect(stall.publications.length).toBeGreaterThan(0);
    expect(await stall.app.admin.accounts.list()).toEqual([]);
  });

  test('is refused in a sentence if no directory can be made', async () => {
    const file = join(temporaryDirectory(), 'file');
    await Bun.write(file, 'x');
    const { code, err } = await type(['init', join(file, 'stall')]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Cannot run "init": ENOTDIR: .*; check what it names, its permissions and free space\n$/,
    );
  });

  test('refuses a directory that has content, and changes nothing in it', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'content/books/mine/item.yaml': 'title: Mine\n' });
    const { code, out, err } = await type(['init', directory]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('it has a "content" folder already');
    expect(existsSync(join(directory, 'data'))).toBeFalse();
    expect([...new Bun.Glob('**/*').scanSync(directory)]).toEqual(['content/books/mine/item.yaml']);
  });

  test('--json gives the directories', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    const { out } = await type(['init', directory, '--json']);
    expect(JSON.parse(out)).toEqual({ content: join(directory, 'content'), data: join(directory, 'data') });
  });
});

describe('new', () => {
  test.each(['book', 'skill'])('%s makes a draft that can be served unchanged', async (kind) => {
    const content = join(temporaryDirectory(), 'content');
    const { code, out } = await type(['new', kind, 'field-notes', '--content', content, '--json']);
    expect(code).toBe(0);
    const folder = join(content, `${kind}s`, 'field-notes');
    expect(JSON.parse(out)).toEqual({ kind, slug: 'field-notes', folder });
    expect(readFileSync(join(folder, 'item.yaml'), 'utf8')).toMatch(/^status: draft$/m);
    const checked = await type(['check', '--content', content, '--json']);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.out)).toMatchObject([{ kind, slug: 'field-notes', problems: [] }]);
  });

  test('writes to BOOKSTALL_CONTENT, unless a flag overrides it', async () => {
    const [one, other] = [temporaryDirectory(), temporaryDirectory()];
    await type(['new', 'book', 'first'], { BOOKSTALL_CONTENT: one });
    await type(['new', 'book', 'second', '--content', other], { BOOKSTALL_CONTENT: one });
    expect(existsSync(join(one, 'books/first/item.yaml'))).toBeTrue();
    expect(existsSync(join(other, 'books/second/item.yaml'))).toBeTrue();
    expect(existsSync(join(one, 'books/second'))).toBeFalse();
  });

  test.each([
    '../escape',
    'Upper',
    'a/b',
    'two--dashes',
    '-dash',
    'con',
    'ünï',
    '',
    'a'.repeat(65),
    '.',
    'nul\0',
  ])('refuses the slug %j and writes nothing', async (slug) => {
    const content = join(temporaryDirectory(), 'content');
    const { code, out, err } = await type(['new', 'book', '--content', content, '--', slug]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toStartWith('Cannot ');
    expect(existsSync(content)).toBeFalse();
  });

  test('refuses another kind, and an item that is there', async () => {
    const content = temporaryDirectory();
    const song = await type(['new', 'song', 'a', '--content', content]);
    expect(song.code).toBe(2);
    expect(song.err).toContain('give book or skill');
    await type(['new', 'book', 'a', '--content', content]);
    writeFiles(content, { 'books/a/01.md': 'Mine\n' });
    const { code, err } = await type(['new', 'book', 'a', '--content', content]);
    expect(code).toBe(1);
    expect(err).toContain('it exists already');
  });
});
