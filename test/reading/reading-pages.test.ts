import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Edition, type EditionFile, findBySlug } from '../../src/catalog/catalog.ts';
import { createReadingPages } from '../../src/reading/reading-pages.ts';
import { itemYaml, openStall } from '../helpers/harness.ts';

const stall = await openStall({
  files: {
    'books/b/item.yaml': itemYaml({ id: 'b' }),
    'books/b/a.md': '# First *title*\n\none two three\n',
    'books/b/brackets.md': '['.repeat(1_000_000),
    'books/b/stars.md': '*a_ '.repeat(250_000),
    'books/b/quotes.md': '>'.repeat(100_000),
    'books/b/cells.md': `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${`${'|a'.repeat(100)}|\n`.repeat(5000)}`,
    'books/b/zh.md': '你好世界\n====\n',
    'books/b/note.txt': '# no heading',
  },
});
const edition = findBySlug(stall.app.catalog(), 'b')!;
const fileAt = (path: string) => edition.files.find((file) => file.path === path)!;

let started = 0;
const startRenderer = () => {
  started++;
  return new Worker(new URL('../../src/renderer.ts', import.meta.url));
};
/** Pages whose renderer may take longer than a busy machine needs. */
const openPages = (times = { limit: 60_000, idle: 10_000 }) => {
  const pages = createReadingPages(stall.data, startRenderer, { verify: () => Promise.resolve(), times });
  afterAll(pages.close);
  const open = async (of: Edition, file: EditionFile) => (await pages.open(of, file))!.page;
  return { ...pages, open };
};
const text = (html: Uint8Array<ArrayBuffer>) => new TextDecoder().decode(html);

describe('a text that takes too long', () => {
  test.each(['brackets.md', 'quotes.md', 'cells.md'])(
    '%s is shown as it was written, and the next is rendered',
    async (path) => {
      const times = { limit: 850, idle: 10_000 };
      const pages = openPages(times);
      const page = await pages.open(edition, fileAt(path));
      times.limit = 60_000;
      expect(page.isPlain).toBeTrue();
      expect(text(page.html)).toContain('<pre class="lines"');
      expect(text((await pages.open(edition, fileAt('a.md'))).html)).toContain('<p>one two three</p>');
    },
  );

  test('ends the Worker with its job', async () => {
    const before = started;
    // No text is rendered within no time.
    const pages = openPages({ limit: 0, idle: 10_000 });
    expect((await pages.open(edition, fileAt('stars.md'))).isPlain).toBeTrue();
    expect(started - before).toBe(2);
  });
});

test('a page is rendered once for all who ask, kept on disk, and made again when its file is damaged', async () => {
  const before = started;
  const first = openPages();
  const [one, other] = await Promise.all([
    first.open(edition, fileAt('zh.md')),
    first.open(edition, fileAt('zh.md')),
  ]);
  expect(one).toBe(other);
  const second = openPages();
  expect((await second.open(edition, fileAt('zh.md'))).html).toEqual(one.html);
  expect(started - before).toBe(1);
  for (const name of readdirSync(join(stall.data, 'pages'), { recursive: true }) as string[])
    if (name.endsWith('.page')) writeFileSync(join(stall.data, 'pages', name), 'damaged');
  expect((await openPages().open(edition, fileAt('zh.md'))).html).toEqual(one.html);
  expect(started - before).toBe(2);
});

test('an idle Worker is ended, and another is started when it is needed', async () => {
  const ended: Promise<unknown>[] = [];
  const start = () => {
    const worker = startRenderer();
    ended.push(new Promise((resolve) => worker.addEventListener('close', resolve)));
    return worker;
  };
  const verify = () => Promise.resolve();
  const pages = createReadingPages(stall.data, start, { verify, times: { limit: 60_000, idle: 1 } });
  afterAll(pages.close);
  await pages.outlines(edition);
  await ended[0];
  await pages.outlines({ ...edition, digest: 'another' });
  expect(ended).toHaveLength(2);
});

test('outlines tell the first heading and count words', async () => {
  const outlines = await openPages().outlines(edition);
  expect(outlines.get('a.md')).toMatchObject({ title: 'First title', words: 5 });
  expect(outlines.get('zh.md')).toMatchObject({ title: '你好世界', words: 2 });
  expect(outlines.get('note.txt')).toMatchObject({ title: null, words: 2 });
});

// Before the test above wrote it whole: another digest has pages of its own.
test('a text that was cut is tried again after a while', async () => {
  const realNow = Date.now;
  const pages = openPages({ limit: 0, idle: 10_000 });
  const other = { ...edition, digest: 'another' };
  expect((await pages.open(other, fileAt('zh.md'))).cutAt).not.toBeNull();
  const patient = openPages();
  expect((await patient.open(other, fileAt('zh.md'))).isPlain).toBeTrue();
  try {
    Date.now = () => realNow() + 11 * 60_000;
    const again = await patient.open(other, fileAt('zh.md'));
    expect([again.isPlain, again.cutAt]).toEqual([false, null]);
  } finally {
    Date.now = realNow;
  }
});

test('a printed book with a text that was cut is made again after a while', async () => {
  const realNow = Date.now;
  const other = { ...edition, digest: 'printed' };
  const chapters = ['a.md', 'none.md', 'zh.md'].map((path) => ({ path, title: path, address: `/${path}` }));
  let made = 0;
  const print = async (pages: ReturnType<typeof openPages>) =>
    Bun.file((await pages.print(other, chapters, () => (made++, () => {}))).file).text();
  const cut = await print(openPages({ limit: 0, idle: 10_000 }));
  expect(cut.match(/<section|<h1>\w+\.md|<div class="[^"]*"/g)).toEqual([
    '<section',
    '<h1>a.md',
    '<div class="reading plain"',
    '<section',
    '<section',
    '<h1>zh.md',
    '<div class="reading plain"',
  ]);
  const patient = openPages();
  expect(await print(patient)).toBe(cut);
  expect(made).toBe(1);
  try {
    Date.now = () => realNow() + 11 * 60_000;
    const again = await print(patient);
    expect(again).not.toContain('reading plain');
    expect(again).toContain('你好世界');
    expect(await print(openPages())).toBe(again);
    expect(made).toBe(2);
  } finally {
    Date.now = realNow;
  }
});
