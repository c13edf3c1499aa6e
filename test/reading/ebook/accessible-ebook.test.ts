import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { createVisitor } from '../../platform/site/visitor.ts';
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
  const { text: page } = await createVisitor(stall, { Cookie: '' }).open('/books/net');
  await stall.close();
  const read = (name: string): string => Buffer.from(zip[`EPUB/${name}`]!).toString();
  const told = Array.from(
    read('package.opf').matchAll(/<meta property="schema:(\w+)">([^<]*)</g),
    ([, name, value]) => [name, value],
  );
  return {
    told: (name: string) => told.filter(([one]) => one === name).map(([, value]) => value),
    read,
    statement: /(Ways of reading .*?) For your agent/.exec(page)?.[1] ?? page,
  };
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

const USUAL_PAGE = 'Navigation Table of contents Headings';
const READABLE = 'Appearance can be modified Readable in read aloud or dynamic braille';
const NOT_FULLY = 'Appearance can be modified Not fully readable in read aloud or dynamic braille';
const UNKNOWN = 'Conformance No information is available';

test.each<[string, string, string, string]>([
  [
    'text alone',
    'Text, `<img src="a.png">` and ```![](a.png)```',
    '',
    `${READABLE} ${UNKNOWN} ${USUAL_PAGE} Hazards No hazards`,
  ],
  [
    'a described picture',
    '![A knot](a.png)',
    'alternativeText',
    `${READABLE} Has alternative text ${UNKNOWN}`,
  ],
  [
    'pictures in HTML',
    `<figure><img alt='A knot' src=a.png></figure>`,
    'alternativeText',
    `${READABLE} Has alternative text`,
  ],
  ['a picture without words in HTML', 'A knot: <img src="a.png" alt="">', '', NOT_FULLY],
  ['a picture by reference', '![ ][knot]\n\n[knot]: a.png', '', NOT_FULLY],
  [
    'pictures that are not there',
    '![](none.png) ![](https://a.example/a.png) ![](a.mp3)',
    '',
    `${READABLE} ${UNKNOWN}`,
  ],
  [
    'a GIF',
    '![A knot](b.gif)',
    'alternativeText',
    `${USUAL_PAGE} Hazards The presence of hazards is unknown`,
  ],
  ['a formula', '$a^2$', 'MathML', `${USUAL_PAGE} Rich content Math as MathML Hazards No hazards`],
  ['a price', 'It is $5, or $6.', '', `${USUAL_PAGE} Hazards No hazards`],
])('the page of a book with %s says what its e-book says', async (_, text, feature, said) => {
  const { told, statement } = await openBook(`# One\n\n${text}\n`, { math: 'true' });
  expect(told('accessibilityFeature')).toEqual(feature === '' ? USUAL : [...USUAL, feature]);
  expect(told('accessModeSufficient')).toEqual(said.includes('Not fully') ? [] : ['textual']);
  expect(told('accessibilityHazard')).toEqual([said.includes('unknown') ? 'unknown' : 'none']);
  expect(statement).toContain(said);
});

test('a book conforms by the word of its publisher alone', async () => {
  const plain = await openBook('# One\n');
  expect(plain.read('package.opf')).not.toContain('conformsTo');
  const { read, statement } = await openBook('# One\n', { accessibility: '{certifiedBy: Quince & Sons}' });
  expect(read('package.opf')).toContain(
    `<meta property="dcterms:conformsTo" id="conforms">EPUB Accessibility 1.1 - WCAG 2.1 Level AA</meta>
<meta property="a11y:certifiedBy" refines="#conforms">Quince &amp; Sons</meta>`,
  );
  expect(statement).toContain(
    'Conformance This publication meets accepted accessibility standards The publication was certified by Quince & Sons',
  );
});
