import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { type Files, itemYaml, openStall } from '../../helpers/harness.ts';

const PNG = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
);
const GIF = new Uint8Array(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'));

async function openBook(text: string, more: Readonly<Record<string, string | number>> = {}) {
  const files: Files = {
    'books/net/item.yaml': itemYaml({ id: 'net', title: 'Nets', license: 'CC-BY-4.0', ...more }),
    'books/net/01.md': text,
    'books/net/a.png': PNG,
    'books/net/b.gif': GIF,
  };
  const stall = await openStall({ files });
  const zip = unzipSync(await (await stall.fetch('/api/books/net/epub')).bytes());
  await stall.close();
  const read = (name: string): string => Buffer.from(zip[`EPUB/${name}`]!).toString();
  const told = Array.from(
    read('package.opf').matchAll(/<meta property="schema:(\w+)">([^<]*)</g),
    ([, name, value]) => [name, value],
  );
  return { told: (name: string) => told.filter(([one]) => one === name).map(([, value]) => value), read };
}

const USUAL = ['tableOfContents', 'readingOrder', 'structuralNavigation', 'displayTransformability'];

test.each<[string, string, Readonly<Record<string, readonly string[]>>]>([
  [
    'text alone',
    '# One\n\nText.\n',
    {
      accessMode: ['textual'],
      accessModeSufficient: ['textual'],
      accessibilityFeature: USUAL,
      accessibilityHazard: ['none'],
      accessibilitySummary: ['The whole text can be read by speech or braille, with a table of contents.'],
    },
  ],
  [
    'described pictures',
    '# One\n\n![A knot](a.png)\n',
    {
      accessMode: ['textual', 'visual'],
      accessModeSufficient: ['textual'],
      accessibilityFeature: [...USUAL, 'alternativeText'],
      accessibilityHazard: ['none'],
    },
  ],
  [
    'a picture without a description',
    '# One\n\n![A knot](a.png)\n\n![](a.png)\n',
    { accessMode: ['textual', 'visual'], accessModeSufficient: [], accessibilityFeature: USUAL },
  ],
  ['a GIF, which may flash', '# One\n\n![A knot](b.gif)\n', { accessibilityHazard: ['unknown'] }],
])('an e-book of %s says how it can be read', async (_, text, expected) => {
  const { told } = await openBook(text);
  for (const [name, values] of Object.entries(expected))
    expect([name, told(name)]).toEqual([name, [...values]]);
});

test('an e-book with formulas tells of them, and says so in its language', async () => {
  const { told } = await openBook('# Eins\n\n$a^2$\n', { math: 'true', language: 'de' });
  expect(told('accessibilityFeature')).toContain('MathML');
  expect(told('accessibilitySummary')[0]).toEndWith('Formeln sind in MathML.');
});

test('an e-book has a title page, among its landmarks', async () => {
  const { read } = await openBook('# One\n\nText.\n', { authors: '[Ines Calder]' });
  expect(read('title.xhtml')).toContain('<h1>Nets</h1>\n<p>Ines Calder</p>');
  expect(read('title.xhtml')).toContain('<p>CC-BY-4.0</p>');
  expect(read('nav.xhtml')).toContain('<a epub:type="titlepage" href="title.xhtml">Nets</a>');
});
