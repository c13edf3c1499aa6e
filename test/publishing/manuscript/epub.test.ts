import { describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { makeEpub, opf, smallEpub, xhtml } from './make-epub.ts';
import { openImport } from './run-import.ts';

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const DOCUMENT = 'media-type="application/xhtml+xml"';

const EPUB3 = makeEpub({
  'OPS/book.opf': opf(
    '3.0',
    `<dc:title>Marsh &amp; Tide</dc:title><dc:creator id="a">Ada Heron</dc:creator><dc:creator id="b">Bo Egret</dc:creator>
     <meta refines="#b" property="role">ill</meta><dc:language>en_GB</dc:language><dc:publisher>Quince</dc:publisher>
     <dc:description>&lt;p&gt;About  birds&lt;/p&gt;</dc:description><dc:rights>CC BY 4.0</dc:rights>`,
    `<item id="nav" href="nav.xhtml" properties="nav" ${DOCUMENT}/>
     <item id="cover" href="img/cover.png" properties="cover-image" media-type="image/png"/>
     <item id="front" href="front.xhtml" ${DOCUMENT}/>
     <item id="one" href="text/one.xhtml" ${DOCUMENT}/>
     <item id="two" href="text/two%20%C3%A4.xhtml" ${DOCUMENT}/>
     <item id="three" href="text/three.xhtml" ${DOCUMENT}/>
     <item id="blank" href="text/blank.xhtml" ${DOCUMENT}/>
     <item id="twig" href="img/a b.png" media-type="image/png"/>`,
    `<spine><itemref idref="front"/><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/><itemref idref="blank"/><itemref idref="three"/></spine>`,
  ),
  'OPS/nav.xhtml': xhtml(`<nav epub:type="landmarks"><ol><li><a href="x.xhtml">No</a></li></ol></nav>
    <nav epub:type="toc"><ol>
      <li><span>Birds</span><ol>
        <li><a href="text/one.xhtml">The <em>grey</em> heron</a><ol><li><a href="text/two%20%C3%A4.xhtml">Its nest</a></li></ol></li>
      </ol></li>
      <li><a href="text/three.xhtml#x">Tide</a></li>
    </ol></nav>`),
  'OPS/front.xhtml': xhtml(
    '<svg xmlns="http://www.w3.org/2000/svg"><image xlink:href="img/cover.png"/></svg>',
  ),
  'OPS/text/one.xhtml': xhtml(`
    <section epub:type="chapter" id="start"><h1>The <em>grey</em> heron</h1>
    <p>It stands*on one leg, 1. &lt;b&gt;still&lt;/b&gt; &amp;amp; <strong>cold</strong>.<a epub:type="noteref" href="#n1">1</a></p>
    <p><a href="two%20%C3%A4.xhtml#twigs">Nest</a> <a href="#start">up</a> <a href="https://example.org/?a=1&amp;b=2">away</a> <a href="javascript:x()">no</a> <a href="gone.xhtml">gone</a></p>
    <p>H<sub>2</sub>O x<sup>2</sup> <img src="../img/a%20b.png" alt="two twigs"/> <img src="gone.png" alt="gone"/></p>
    <ol start="3"><li>three<ul><li>inner</li></ul></li><li>four</li></ol>
    <table><thead><tr><th>Bird</th><th>Leg|s</th></tr></thead><tbody><tr><td>Heron</td><td>2</td></tr></tbody></table>
    <pre><code class="language-rust">fn <span>main</span>() {<br/>  1 &lt; 2
}</code></pre>
    <blockquote><p>Said</p></blockquote>
    <p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <math alttext="x^2"><mi>x</mi></math><span epub:type="pagebreak" title="7"/></p>
    <script>alert(1)</script><style>p{}</style>
    <aside epub:type="footnote" id="n1"><p>Both, <em>if</em> warm.</p><p>Second paragraph. <a epub:type="backlink" href="#r">back</a></p></aside>
    </section>`),
  'OPS/text/two ä.xhtml': xhtml('<h2 id="twigs">Twigs &amp; reeds</h2><p>Of reeds.</p>'),
  'OPS/text/three.xhtml': xhtml('<p>High water.</p>'),
  'OPS/text/blank.xhtml': xhtml('<p> </p>'),
  'OPS/img/cover.png': PICTURE,
  'OPS/img/a b.png': PICTURE,
});

describe('an EPUB 3', () => {
  const book = openImport({ 'marsh.epub': EPUB3 });
  const imported = book.run(['--free'], 'marsh.epub');
  const item = 'books/marsh-tide';

  test('becomes a draft with its metadata, and the titles, parts and levels of its navigation', async () => {
    const { code, out } = await imported;
    expect([code, out]).toEqual([0, expect.stringContaining('as a draft from EPUB')]);
    expect(parse(book.read(`${item}/item.yaml`))).toMatchObject({
      id: 'bk_marsh_tide',
      title: 'Marsh & Tide',
      description: 'About birds',
      publisher: 'Quince',
      unitAmountCents: 0,
      status: 'draft',
      language: 'en-GB',
      license: 'CC BY 4.0',
      authors: ['Ada Heron'],
      cover: 'img/cover.png',
      formats: ['marsh-tide.epub'],
      chapters: [
        { part: 'Birds' },
        { path: 'text/one.md', title: 'The grey heron' },
        { path: 'text/two ä.md', title: 'Its nest', level: 2 },
        { end: 'part' },
        { path: 'text/three.md', title: 'Tide' },
      ],
    });
    expect(Buffer.from(book.read(`${item}/marsh-tide.epub`)).length).toBeGreaterThan(0);
  });

  test('has its text as Markdown: emphasis, links, images, lists, tables, code and footnotes', async () => {
    await imported;
    expect(book.read(`${item}/text/one.md`)).toBe(`# The *grey* heron

It stands\\*on one leg, 1. \\<b>still\\</b> \\&amp; **cold**.[^n1]

[Nest](two%20ä.md#twigs--reeds) [up](#the-grey-heron) [away](https://example.org/?a=1&b=2) no gone

H<sub>2</sub>O x<sup>2</sup> ![two twigs](../img/a%20b.png) gone

3.  three
    -   inner
4.  four

| Bird | Leg\\|s |
| --- | --- |
| Heron | 2   |

\`\`\`rust
fn main() {
  1 < 2
}
\`\`\`

> Said

漢(kan) \`x^2\`

[^n1]: Both, *if* warm.

    Second paragraph.
`);
    expect(book.read(`${item}/text/two ä.md`)).toBe('## Twigs & reeds\n\nOf reeds.\n');
  });

  test('is reported', async () => {
    const { out } = await imported;
    for (const line of [
      'The page of the cover: OPS/front.xhtml',
      'The table of contents, which the stall makes itself',
      'Documents without text: OPS/text/blank.xhtml',
      'Missing images: gone.png (in OPS/text/one.xhtml)',
      'Links that lead nowhere: gone.xhtml (in OPS/text/one.xhtml)',
      'images: 2',
    ])
      expect(out).toContain(line);
  });
});

test('an EPUB 2 has its titles and levels from the NCX, named characters, and its cover from the metadata', async () => {
  const { run, read } = openImport({
    'old.epub': makeEpub({
      'OPS/book.opf': opf(
        '2.0',
        '<dc:title>Old</dc:title><dc:creator opf:role="aut">Ada</dc:creator><dc:creator opf:role="edt">Ed</dc:creator><meta name="cover" content="c"/>',
        `<item id="one" href="one.html" ${DOCUMENT}/><item id="two" href="two.html" ${DOCUMENT}/><item id="c" href="c.jpg" media-type="image/jpeg"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`,
        '<spine toc="ncx"><itemref idref="one"/><itemref idref="two"/></spine>',
      ),
      'OPS/toc.ncx': `<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
        <ncx><navMap><navPoint><navLabel><text>First</text></navLabel><content src="one.html"/>
        <navPoint><navLabel><text>Inner</text></navLabel><content src="two.html#a"/></navPoint></navPoint></navMap></ncx>`,
      'OPS/one.html': `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html><body><p>caf&eacute;&nbsp;&mdash; na&#239;ve &Omega;&piv;</p></body></html>`,
      'OPS/two.html': '<html><body><p>two</p></body></html>',
      'OPS/c.jpg': PICTURE,
    }),
  });
  expect((await run(['--free'], 'old.epub')).code).toBe(0);
  expect(parse(read('books/old/item.yaml'))).toMatchObject({
    authors: ['Ada'],
    cover: 'c.jpg',
    chapters: [
      { path: 'one.md', title: 'First' },
      { path: 'two.md', title: 'Inner', level: 2 },
    ],
  });
  expect(read('books/old/one.md').replace('\u00a0', ' ')).toBe('café — naïve Ωϖ\n');
});

/** A book in one document, as https://github.com/IDPF/epub3-samples has The Waste Land; `more` are further entries of its contents. */
const oneDocument = (toc: string, more = ''): Uint8Array =>
  makeEpub({
    'OPS/book.opf': opf(
      '3.0',
      '<dc:title>The Marsh</dc:title>',
      `<item id="all" href="all.xhtml" ${DOCUMENT}/><item id="end" href="end.xhtml" ${DOCUMENT}/><item id="n" href="n.xhtml" properties="nav" ${DOCUMENT}/>`,
      '<spine><itemref idref="all"/><itemref idref="end"/></spine>',
    ),
    'OPS/n.xhtml': xhtml(`<nav epub:type="toc"><ol>${toc}${more}</ol></nav>`),
    'OPS/end.xhtml': xhtml('<p>The end of <a href="all.xhtml#turn">it</a>.</p>'),
    'OPS/all.xhtml': xhtml(`
      <section id="front"><h1>The Marsh</h1><p>For Ezra</p></section>
      <section id="body">
        <section><h2 id="ch1">I. Reeds</h2>
          <div class="linegroup">
            <div class="ln">April is a month,<a epub:type="noteref" href="#note-1">*</a></div>
            <div class="ln">- breeding<span class="lnum">10</span>
            </div>
            <blockquote><div><div class="ln">Frisch</div><div class="ln">weht</div></div></blockquote>
          </div>
          <div class="linegroup"><p>It stands.</p><p>It waits.</p></div>
        </section>
        <section id="ch2"><h2>II. Water</h2><h3 id="turn">The turn</h3><p>See <a href="#ch1">one</a>, <a href="#turn">here</a>.</p>
          <p>Prose of its own.</p><p>And more.<a epub:type="noteref" href="#note-2">*</a></p></section>
      </section>
      <section epub:type="rearnotes" id="notes"><h2>Notes</h2><section><h3>I. Reeds</h3>
        <div epub:type="rearnote" id="note-1"><p>A note.</p></div></section>
        <section><h3>II. Water</h3><div epub:type="rearnote" id="note-2"><p>Another.</p></div></section></section>`),
  });
const entry = (id: string, title: string, inner = ''): string =>
  `<li><a href="all.xhtml#${id}">${title}</a>${inner === '' ? '' : `<ol>${inner}</ol>`}</li>`;
const END = '<li><a href="end.xhtml">End</a></li>';

describe('an EPUB of one document', () => {
  const two = entry('ch1', 'Reeds') + entry('ch2', 'Water');
  test.each([
    ['side by side', two + entry('notes', 'Notes') + END, 1],
    ['below its title', entry('front', 'The Marsh', two) + END, 2],
  ])('is split at the entries of its contents, %s', async (_, toc, level) => {
    const book = openImport({ 'marsh.epub': oneDocument(toc) });
    expect((await book.run(['--free'], 'marsh.epub')).code).toBe(0);
    const text = (name: string) => book.read(`books/the-marsh/${name}.md`);
    const below = level === 1 ? {} : { level };
    expect(parse(book.read('books/the-marsh/item.yaml')).chapters).toEqual([
      { path: 'all.md', title: 'The Marsh' },
      { path: 'all-2.md', title: 'Reeds', ...below },
      { path: 'all-3.md', title: 'Water', ...below },
      { path: 'end.md', title: 'End' },
    ]);
    expect(text('all')).toBe('# The Marsh\n\nFor Ezra\n');
    expect(text('all-2')).toBe(
      '## I. Reeds\n\nApril is a month,[^note-1]  \n\\- breeding 10\n\n> Frisch  \n> weht\n\n' +
        'It stands.  \nIt waits.\n\n[^note-1]: A note.\n',
    );
    expect(text('all-3')).toBe(
      '## II. Water\n\n### The turn\n\nSee [one](all-2.md#i-reeds), [here](#the-turn).\n\n' +
        'Prose of its own.\n\nAnd more.[^note-2]\n\n[^note-2]: Another.\n',
    );
    expect(text('end')).toContain('[it](all-3.md#the-turn)');
  });

  test('stays one chapter if other documents have most of the entries', async () => {
    const book = openImport({
      'marsh.epub': oneDocument(entry('front', 'All', two), END.repeat(4)),
    });
    expect((await book.run(['--free'], 'marsh.epub')).code).toBe(0);
    expect(parse(book.read('books/the-marsh/item.yaml')).chapters).toEqual([
      { path: 'all.md', title: 'All' },
      { path: 'end.md', title: 'End' },
    ]);
  });
});

const encryption = (
  algorithm: string,
): string => `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
  <enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="OPS/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`;
const AES = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';

test.each(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])(
  'fonts obfuscated by %s are no DRM',
  async (algorithm) => {
    const { run } = openImport({
      'a.epub': smallEpub('<p>x</p>', { 'META-INF/encryption.xml': encryption(algorithm) }),
    });
    expect((await run([], 'a.epub')).code).toBe(0);
  },
);

const LAUGHS = `<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`;
const opfOf = (spine: string): string =>
  opf('3.0', '<dc:title>T</dc:title>', `<item id="one" href="one.xhtml" ${DOCUMENT}/>`, spine);
const withDoctype = (doctype: string, body: string): string => `${doctype}<html><body>${body}</body></html>`;

describe('an EPUB is refused, and nothing is written, if it', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['is no zip', Buffer.from('no zip at all'), /it is damaged, or no zip; export the book again/],
    ['is cut short', smallEpub('<p>x</p>').subarray(0, 400), /it is damaged, or no zip/],
    [
      'has no container',
      smallEpub('', { 'META-INF/container.xml': null }),
      /it is no EPUB: it lacks META-INF\/container.xml/,
    ],
    ['has no package document', smallEpub('', { 'OPS/book.opf': null }), /it lacks OPS\/book.opf/],
    ['has no text', smallEpub(' '), /it holds no text/],
    [
      'is encrypted with Adobe ADEPT',
      smallEpub('x', { 'META-INF/encryption.xml': encryption(AES), 'META-INF/rights.xml': '<rights/>' }),
      /1 of its parts are encrypted \(DRM: Adobe ADEPT\); export the book without protection/,
    ],
    [
      'is encrypted with Readium LCP',
      smallEpub('x', { 'META-INF/encryption.xml': encryption(AES), 'META-INF/license.lcpl': '{}' }),
      /DRM: Readium LCP/,
    ],
    [
      'is encrypted with Apple FairPlay',
      smallEpub('x', { 'META-INF/encryption.xml': encryption(AES), 'META-INF/sinf.xml': '<sinf/>' }),
      /DRM: Apple FairPlay/,
    ],
    [
      'is encrypted by a method without a name',
      smallEpub('x', { 'META-INF/encryption.xml': encryption(AES) }),
      /DRM: http:\/\/www.w3.org\/2001\/04\/xmlenc#aes256-cbc/,
    ],
    [
      'laughs a billion times',
      smallEpub('', { 'OPS/one.xhtml': withDoctype(LAUGHS, '&c;') }),
      /"OPS\/one.xhtml": it declares entities of its own/,
    ],
    [
      'names an external entity',
      smallEpub('', {
        'OPS/one.xhtml': withDoctype('<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
      }),
      /it declares entities of its own/,
    ],
    [
      'has an unknown entity',
      smallEpub('<p>&unknown;</p>'),
      /"OPS\/one.xhtml": it is broken XML \(.*undefined entity/,
    ],
    [
      'has broken XML in a chapter',
      smallEpub('<p>a<b>c</p>'),
      /"OPS\/one.xhtml": it is broken XML \(line 2: unexpected close tag/,
    ],
    [
      'has broken XML in its package document',
      smallEpub('', { 'OPS/book.opf': '<package>' }),
      /"OPS\/book.opf": it is broken XML \(.*unclosed tag/,
    ],
    [
      'has elements nested too deep',
      smallEpub(`${'<div>'.repeat(5000)}${'</div>'.repeat(5000)}`),
      /elements nest deeper than 200/,
    ],
    ['has a chapter of very many elements', smallEpub('<b/>'.repeat(200_000)), /more than 200000 elements/],
    [
      'has a chapter of many elements with attributes',
      smallEpub('<b a="" b=""/>'.repeat(101_000)),
      /more than 200000 elements, or as many attributes/,
    ],
    [
      'has a chapter of 9 MB',
      smallEpub(`<p>${'heron '.repeat(1_500_000)}</p>`),
      /more than 8388608 bytes; divide it/,
    ],
    [
      'has 20,000 chapters in one document',
      smallEpub(Array.from({ length: 20_000 }, (_, n) => `<h2 id="h${n}">x</h2>y`).join(''), {
        'OPS/book.opf': opf(
          '3.0',
          '<dc:title>Small</dc:title><dc:language>en</dc:language>',
          '<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
          '<spine><itemref idref="one"/></spine>',
        ),
        'OPS/nav.xhtml': xhtml(
          `<nav epub:type="toc"><ol>${Array.from({ length: 20_000 }, (_, n) => `<li><a href="one.xhtml#h${n}">x</a></li>`).join('')}</ol></nav>`,
        ),
      }),
      /it has 20000 chapters, more than 10000/,
    ],
    [
      'has an element of very many attributes',
      smallEpub(`<b${Array.from({ length: 450_000 }, (_, n) => ` a${n}=""`).join('')}/>`),
      /more than 200000 elements, or as many attributes/,
    ],
    [
      'has a chapter that is no UTF-8',
      smallEpub('', { 'OPS/one.xhtml': Buffer.from([0x3c, 0xff, 0x3e]) }),
      /its text is neither UTF-8 nor UTF-16/,
    ],
    [
      'names 100,000 chapters',
      smallEpub('x', { 'OPS/book.opf': opfOf(`<spine>${'<itemref idref="one"/>'.repeat(100_000)}</spine>`) }),
      /it has 100000 chapters, more than 10000/,
    ],
    [
      'unpacks to far more than its size',
      smallEpub('x', {
        'OPS/zero.bin': new Uint8Array(34 * 1024 * 1024),
        'OPS/noise.bin': randomBytes(400_000),
      }),
      /it unpacks to more than 50 times its size/,
    ],
    ...['../evil.md', 'OPS/../../../evil.md', '/etc/evil.md', '..\\evil.md', 'C:evil.md'].map(
      (path) =>
        [
          `names a file ${path}`,
          smallEpub('x', { [path]: 'x' }),
          /"a\.epub": it holds ".*evil\.md", which leads out of the folder that it is unpacked in/,
        ] as [string, Uint8Array, RegExp],
    ),
    [
      'holds more files than an item may',
      smallEpub('x', Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`OPS/${n}`, '']))),
      /it holds more than 10000 files/,
    ],
  ])('%s', async (_, bytes, sentence) => {
    const { run, all } = openImport({ 'a.epub': bytes });
    const { code, err } = await run([], 'a.epub');
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
    expect(all()).toEqual([]);
  });

  test('unpacks to more than an item may have', async () => {
    const { run, all } = openImport({ 'a.epub': smallEpub('x', { 'OPS/a': new Uint8Array(2_000_000) }) });
    const { code, err } = await run(['--max-bytes', '1000000'], 'a.epub');
    expect([code, err]).toEqual([1, expect.stringContaining('it unpacks to more than 1000000 bytes')]);
    expect(all()).toEqual([]);
  });
});

test('a table of very many cells becomes paragraphs, and is no work of minutes; a small one stays a table', async () => {
  const cells = (rows: number) => `<table>${'<tr><td>a</td><td><b>b</b></td></tr>'.repeat(rows)}</table>`;
  const tables = [2, 40_000, 300, 450].map(cells).join('');
  const { run, read } = openImport({ 'a.epub': smallEpub(`<h1>One</h1>${tables}`) });
  const { code, out } = await run(['--free'], 'a.epub');
  expect(code).toBe(0);
  expect(out).toContain(
    'Tables of more than 1000 cells, or very many, whose rows became paragraphs: OPS/one.xhtml\n',
  );
  const text = read('books/small/one.md');
  expect(text.match(/^a \| \*\*b\*\*$/gm)).toHaveLength(40_450);
  expect(text.match(/^\| a/gm)).toHaveLength(302);
  expect(text, 'no row of it is its head').toMatch(/^\|[ |]+\n\|[-| ]+\n\| a/m);
});

test('cells that span very many columns are no work of minutes', async () => {
  const cells = '<td colspan="999999">x</td><td colspan="100000000">y</td>'.repeat(50);
  const { run } = openImport({ 'wide.epub': smallEpub(`<table><tr>${cells}</tr></table>`) });
  expect((await run(['--free'], 'wide.epub')).code).toBe(0);
});

test.each([
  ['About rain: 3 &lt; 5 &amp; 7 &gt; 2', 'About rain: 3 < 5 & 7 > 2'],
  [
    '&lt;p class="a"&gt;It&amp;#39;s a &lt;b&gt;bird&lt;/b&gt;&lt;br/&gt;&amp;amp; &amp;mdash; &amp;#x2014; more&lt;/p&gt;',
    "It's a bird & — — more",
  ],
])('the description %j is %j', async (written, shown) => {
  const { run, read } = openImport({
    'd.epub': smallEpub('x', {
      'OPS/book.opf': opf(
        '3.0',
        `<dc:title>D</dc:title><dc:description>${written}</dc:description>`,
        `<item id="one" href="one.xhtml" ${DOCUMENT}/>`,
        '<spine><itemref idref="one"/></spine>',
      ),
    }),
  });
  expect((await run(['--free'], 'd.epub')).code).toBe(0);
  expect(parse(read('books/d/item.yaml')).description).toBe(shown);
});

test('a picture may have the name of item.yaml', async () => {
  const { run, read, has } = openImport({
    'd.epub': smallEpub('<p>x</p><img src="item.yaml" alt="p"/>', {
      'OPS/book.opf': opf(
        '3.0',
        '<dc:title>D</dc:title>',
        `<item id="one" href="one.xhtml" ${DOCUMENT}/><item id="p" href="item.yaml" media-type="image/png"/>`,
        '<spine><itemref idref="one"/></spine>',
      ),
      'OPS/item.yaml': PICTURE,
    }),
  });
  const { code, err } = await run(['--free'], 'd.epub');
  expect([code, err]).toEqual([0, expect.not.stringContaining('EEXIST')]);
  expect(read('books/d/one.md')).toContain('](item-2.yaml)');
  expect(has('books/d/item-2.yaml')).toBeTrue();
});

test('titles of a table of contents that are longer than item.yaml takes are cut, and said', async () => {
  const nav = `<nav epub:type="toc"><ol><li><a href="one.xhtml">${'long '.repeat(100)}</a></li></ol></nav>`;
  const items = `<item id="one" href="one.xhtml" ${DOCUMENT}/><item id="n" href="n.xhtml" properties="nav" ${DOCUMENT}/>`;
  const { run, read } = openImport({
    'a.epub': smallEpub('<h1>One</h1>', {
      'OPS/book.opf': opf(
        '3.0',
        '<dc:title>Small</dc:title>',
        items,
        '<spine><itemref idref="one"/></spine>',
      ),
      'OPS/n.xhtml': xhtml(nav),
    }),
  });
  const { code, out } = await run(['--free'], 'a.epub');
  expect([code, out]).toEqual([0, expect.stringContaining('Titles of chapters cut to 200 characters: 1\n')]);
  const { chapters } = parse(read('books/small/item.yaml')) as { chapters: { title: string }[] };
  expect(chapters[0]?.title).toHaveLength(200);
});

test('an EPUB of a fixed layout is said to be one', async () => {
  const metadata = '<dc:title>Small</dc:title><meta property="rendition:layout">pre-paginated</meta>';
  const items = '<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>';
  const spine = '<spine><itemref idref="one"/></spine>';
  const { run } = openImport({
    'a.epub': smallEpub('<h1>One</h1>', { 'OPS/book.opf': opf('3.0', metadata, items, spine) }),
  });
  expect((await run(['--free'], 'a.epub')).out).toContain(
    'The EPUB has a fixed layout: the text of its pages became flowing chapters\n',
  );
});

test('names of an archive never leave the item', async () => {
  const evil = makeEpub({
    'OPS/book.opf': opf(
      '3.0',
      '<dc:title>Evil</dc:title>',
      `<item id="one" href="../../../one.xhtml" ${DOCUMENT}/><item id="two" href="con:x/..%2f..%2fb.xhtml" ${DOCUMENT}/>`,
      '<spine><itemref idref="one"/><itemref idref="two"/></spine>',
    ),
    'one.xhtml': xhtml('<p>one</p><img src="/etc/passwd" alt="p"/>'),
    'OPS/con:x/..%2f..%2fb.xhtml': xhtml('<p>two</p>'),
    'b.xhtml': xhtml('<p>two</p>'),
  });
  const { run, all } = openImport({ 'evil.epub': evil });
  const { code } = await run(['--free'], 'evil.epub');
  expect(code).toBe(0);
  expect(
    all()
      .filter((path) => path.endsWith('.md'))
      .every((path) => path.startsWith('books/evil/')),
  ).toBe(true);
});

test.each(['', "jekyll & hyde's/src/"])(
  'an e-book that is not packed in "%s" is refused with a line that packs it',
  async (under) => {
    const parts = Object.entries(unzipSync(smallEpub('<h1>One</h1><p>Text.</p>')));
    const { run, from } = openImport(Object.fromEntries(parts.map(([path, bytes]) => [under + path, bytes])));
    const { code, err } = await run([], under.replace(/\/src\/$/, ''));
    expect(code).toBe(1);
    const cwd = temporaryDirectory();
    expect(Bun.spawnSync(['sh', '-c', err.slice(err.indexOf('(cd '))], { cwd }).exitCode).toBe(0);
    renameSync(join(cwd, 'book.epub'), join(from, 'book.epub'));
    expect(await run([], 'book.epub')).toMatchObject({
      code: 0,
      out: expect.stringContaining('books/small'),
    });
  },
);

test('a document that the package names by two ids is one chapter', async () => {
  const named = (id: string): string =>
    `<item id="${id}" href="one.xhtml" media-type="application/xhtml+xml"/>`;
  const { run, all } = openImport({
    'a.epub': smallEpub('<p>A heron.</p>', {
      'OPS/book.opf': opf(
        '3.0',
        '<dc:title>Small</dc:title><dc:language>en</dc:language>',
        named('one') + named('two'),
        '<spine><itemref idref="one"/><itemref idref="two"/></spine>',
      ),
    }),
  });
  expect((await run([], 'a.epub')).code).toBe(0);
  expect(all().filter((path) => path.endsWith('.md'))).toHaveLength(1);
});
