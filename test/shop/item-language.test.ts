import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { coverDocument, navDocument } from '../../src/reading/ebook/ebook-pages.ts';
import { itemYaml, openStall, writeFiles } from '../helpers/harness.ts';

const TEXT =
  '# Reiher\n\nAuf einem Bein.[^1]\n\n- [x] gesehen\n\n| A |\n|---|\n| B |\n\n[^1]: Meist.\n\n> [!WARNING]\n> $x$\n';

/** An e-book without a title. */
const UNTITLED = { id: 'a', title: ' ', authors: [], publisher: '', description: '', tags: [] };

const yaml = (id: string, language: string) => itemYaml({ id, language, description: JSON.stringify(TEXT) });
const stall = await openStall({
  files: {
    'books/deutsch/item.yaml': yaml('deutsch', 'de-AT'),
    'books/deutsch/01.md': TEXT,
    'books/deutsch/02.md': '#\n\nOhne Überschrift.\n',
    'books/english/item.yaml': yaml('english', 'en'),
    'books/english/01.md': TEXT,
    'books/other/item.yaml': yaml('other', 'sv'),
    'books/other/01.md': TEXT,
  },
});

const GERMAN = ['Anmerkungen', 'Erledigt', 'Tabelle', 'Zurück zum Text'];
const ENGLISH = ['Back to the text', 'Done', 'Notes', 'Table'];
const labels = (html: string) => {
  const all = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, label = '']) => label);
  return [...GERMAN, ...ENGLISH].filter((label) => all.includes(label)).toSorted();
};
const open = async (path: string) => (await stall.fetch(path)).text();

test.each([
  ['deutsch', GERMAN],
  ['english', ENGLISH],
  ['other', ENGLISH],
])('the stall’s words in a text of %s are in its language, else English', async (slug, words) => {
  expect(labels(await open(`/books/${slug}/read/01.md`))).toEqual(words);
  // A text on a page of another kind has no way back.
  expect(labels(await open(`/books/${slug}`))).toEqual(words.filter((one) => !/Zurück|Back/.test(one)));
});

test('another language of an item makes its pages anew', async () => {
  writeFiles(stall.content, { 'books/other/item.yaml': yaml('other', 'de') });
  await stall.app.publish();
  expect(labels(await open('/books/other/read/01.md'))).toEqual(GERMAN);
});

test('an alert has its title in the language of its text', async () => {
  const titles = async (slug: string) =>
    [...(await open(`/books/${slug}/read/01.md`)).matchAll(/class="alert-title">(\w+)/g)].map(
      ([, one]) => one,
    );
  expect([await titles('deutsch'), await titles('english')]).toEqual([['Warnung'], ['Warning']]);
});

test('formulas of a book are read, or are money, as item.yaml says, in the same edition', async () => {
  const { headers } = await stall.reader('reader@example.org', 'english');
  const chapterOf = async () => {
    const file = await (await stall.fetch('/api/books/english/epub', { headers })).bytes();
    const [chapter, opf] = ['chapter-0001.xhtml', 'package.opf'].map((name) =>
      Buffer.from(unzipSync(file)[`EPUB/${name}`] ?? []).toString(),
    );
    return [
      chapter?.includes('<math xmlns="http://www.w3.org/1998/Math/MathML">'),
      opf?.includes('properties="mathml"'),
    ];
  };
  const found = async () => ({
    page: (await open('/books/english/read/01.md')).includes('<math><mi>x</mi></math>'),
    description: (await open('/books/english')).includes('<math><mi>x</mi></math>'),
    epub: await chapterOf(),
    index: stall.app.catalog().editions.find(({ manifest }) => manifest.slug === 'english')?.artefacts.index
      ?.name,
  });
  const editions = async () => (await stall.fetch('/api/items/english/editions')).text();
  const [before, edition] = [await found(), await editions()];
  expect(before).toMatchObject({ page: false, description: false, epub: [false, false] });
  writeFiles(stall.content, { 'books/english/item.yaml': `${yaml('english', 'en')}math: true\n` });
  await stall.app.publish();
  const after = await found();
  expect(after).toMatchObject({ page: true, description: true, epub: [true, true] });
  expect(after.index).not.toBe(before.index);
  expect(await editions()).toBe(edition);
});

test('what has no title in an EPUB has one in the language of the book', () => {
  const book = {
    ...UNTITLED,
    language: 'de',
    direction: 'ltr',
    license: null,
    certifiedBy: null,
    modified: 0,
  } as const;
  const nav = navDocument(book, [{ title: '\u00a0', level: 1, part: null }]);
  expect(nav).toContain('<h1>Inhalt</h1>');
  expect(nav).toContain('<a href="chapter-0001.xhtml">Ohne Titel</a>');
  expect(coverDocument(book, { file: 'cover.svg', type: 'image/svg+xml' })).toContain('alt="Umschlag"');
  expect(navDocument({ ...book, language: 'und' }, [])).toContain('<h1>Contents</h1>');
});
