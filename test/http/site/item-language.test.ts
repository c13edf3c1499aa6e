import { expect, test } from 'bun:test';
import { navDocument } from '../../../src/ebook/package-document.ts';
import { coverDocument } from '../../../src/ebook/xhtml.ts';
import { itemYaml, openStall, writeFiles } from '../../harness.ts';

const TEXT = '# Reiher\n\nAuf einem Bein.[^1]\n\n- [x] gesehen\n\n| A |\n|---|\n| B |\n\n[^1]: Meist.\n';

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
    'books/other/item.yaml': yaml('other', 'fr'),
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

test('what has no title in an EPUB has one in the language of the book', () => {
  const book = { ...UNTITLED, language: 'de', direction: 'ltr', license: null, modified: 0 } as const;
  const nav = navDocument(book, [{ title: '\u00a0', level: 1, part: null }]);
  expect(nav).toContain('<h1>Inhalt</h1>');
  expect(nav).toContain('<a href="chapter-0001.xhtml">Ohne Titel</a>');
  expect(coverDocument(book, { file: 'cover.svg', type: 'image/svg+xml' })).toContain('alt="Umschlag"');
  expect(navDocument({ ...book, language: 'und' }, [])).toContain('<h1>Contents</h1>');
});
