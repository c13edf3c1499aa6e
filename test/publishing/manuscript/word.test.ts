import { describe, expect, test } from 'bun:test';
import { zipSync } from 'fflate';
import { writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { openImport } from './run-import.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const NAMES = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${RELATIONS}"
  xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml"
  xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
  xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"
  xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`;

/** A .docx as Word packs it; `relations` are those of the document, by id. */
function makeDocx(
  parts: Readonly<Record<string, string>>,
  relations: readonly (readonly [id: string, type: string, target: string])[] = [],
): Uint8Array {
  const rels = (rows: typeof relations): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows
      .map(
        ([id, type, target]) =>
          `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`,
      )
      .join('')}</Relationships>`;
  const files = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="emf" ContentType="image/x-emf"/></Types>',
    '_rels/.rels': rels([['r', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': rels(relations),
    ...parts,
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])),
  );
}

const documentOf = (body: string): string => `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`;
const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (runs: string, style = '', more = ''): string =>
  `<w:p><w:pPr>${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}${more}</w:pPr>${runs}</w:p>`;
const words = (text: string): string => p(run(text));
const bookmark = (name: string): string =>
  `<w:bookmarkStart w:id="1" w:name="${name}"/><w:bookmarkEnd w:id="1"/>`;
const item = (text: string, list: number, level = 0): string =>
  p(run(text), '', `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${words(text)}</w:tc>`;
const picture = (relation: string): string =>
  p(
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="two twigs"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip ${relation}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
  );
const note = (kind: 'foot' | 'end', id: number): string =>
  `<w:r><w:${kind}noteReference w:id="${id}"/></w:r>`;
const notes = (kind: 'foot' | 'end', texts: readonly string[]): string =>
  `<w:${kind}notes ${NAMES}><w:${kind}note w:id="0" w:type="separator">${words('no')}</w:${kind}note>${texts
    .map((text, n) => `<w:${kind}note w:id="${n + 1}">${words(text)}</w:${kind}note>`)
    .join('')}</w:${kind}notes>`;
const style = (id: string, name: string, more = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;

const MARSH = makeDocx(
  {
    'docProps/core.xml': `<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>An old title</dc:title><dc:creator>Ada Heron; Bo Egret</dc:creator><dc:description>Of birds.</dc:description></p>`,
    'word/document.xml': documentOf(
      [
        p(run('Marsh &amp; Tide'), 'Titel'),
        p(run('The heron\t3'), 'Verzeichnis1'),
        words('Read it outside.'),
        p(`${run('The ')}${run('grey', '<w:i/>')}${run(' heron')}${note('foot', 1)}`, 'berschrift1'),
        p(
          `${run('It stands*on one leg, ')}<w:del w:id="1"><w:r><w:delText>GONE</w:delText></w:r></w:del><w:ins w:id="2">${run('&lt;b&gt;very&lt;/b&gt;', '<w:b/>')}</w:ins>${run(' still')}${note('end', 1)}<w:commentRangeStart w:id="0"/>${run('.')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r><m:oMath><m:r><m:t>EQUATION</m:t></m:r></m:oMath>`,
        ),
        p(run('Its legs'), 'berschrift2'),
        p(
          `<w:hyperlink w:anchor="nest">${run('Nest')}</w:hyperlink>${run(' ')}<w:hyperlink r:id="web">${run('away')}</w:hyperlink>${run(' ')}<w:hyperlink r:id="file">${run('no')}</w:hyperlink>${run(' H')}${run('2', '<w:vertAlign w:val="subscript"/>')}${run('O')}`,
        ),
        picture('r:embed="png"') + picture('r:embed="png"') + picture('r:embed="emf"'),
        `<w:tbl><w:tr>${cell('Bird')}${cell('Size', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('Heron', '<w:vMerge w:val="restart"/>')}${cell('2 kg')}${cell('1 m')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('1 kg')}${cell('90 cm')}</w:tr></w:tbl>`,
        item('one', 1) + item('inner', 2, 1) + item('two', 1),
        p(`${bookmark('nest')}${run('Its nest')}`, 'Kapitel'),
        p(run('Nothing is lighter.'), 'Zitat'),
        p(run('fn main() {'), 'Code') + p(run('  1 &lt; 2'), 'Code') + p(run('}'), 'Code'),
        p(`${run('one line')}<w:r><w:br/></w:r>${run('two lines')}${note('foot', 2)}`),
        `<mc:AlternateContent><mc:Choice Requires="wps">${words('no')}</mc:Choice><mc:Fallback>${p(`<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${words('In a box.')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`)}</mc:Fallback></mc:AlternateContent>`,
        `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${words('x')}</w:sdtContent></w:sdt>`,
      ].join(''),
    ),
    'word/styles.xml': `<w:styles ${NAMES}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>${[
      style('Titel', 'Title'),
      style('Verzeichnis1', 'toc 1'),
      style('berschrift1', 'heading 1', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
      style('berschrift2', 'heading 2'),
      style('Kapitel', 'Our Chapter', '<w:basedOn w:val="berschrift1"/>'),
      style('Zitat', 'Quote', '<w:basedOn w:val="Zitat"/>'),
      style('Code', 'Source Code'),
    ].join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${NAMES}>${['decimal', 'bullet'].map((form, n) => `<w:abstractNum w:abstractNumId="${n}">${[0, 1].map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${form}"/></w:lvl>`).join('')}</w:abstractNum><w:num w:numId="${n + 1}"><w:abstractNumId w:val="${n}"/></w:num>`).join('')}</w:numbering>`,
    'word/footnotes.xml': notes('foot', ['By its &lt;beak&gt;.', 'Or three.']),
    'word/endnotes.xml': notes('end', ['At the end.']),
    'word/comments.xml': `<w:comments ${NAMES}><w:comment w:id="0">${words('REMARK')}</w:comment></w:comments>`,
    'word/media/image 1.png': 'png',
    'word/media/image2.emf': 'emf',
    'mammoth/style-map': "p[style-name='Our Chapter'] => p",
  },
  [
    ['web', 'hyperlink', 'https://example.org/?a=1&amp;b=2'],
    ['file', 'hyperlink', 'file:///etc/passwd'],
    ['png', 'image', 'media/image 1.png'],
    ['emf', 'image', 'media/image2.emf'],
  ],
);

describe('a Word document', () => {
  const book = openImport({ 'marsh.docx': MARSH });
  const imported = book.run([], 'marsh.docx');
  const at = 'books/marsh-tide';

  test('becomes a draft with a chapter for each main heading, whatever the name of its style', async () => {
    expect((await imported).out).toContain('as a draft from Word');
    expect(parse(book.read(`${at}/item.yaml`))).toMatchObject({
      title: 'Marsh & Tide',
      description: 'Of birds.',
      language: 'en-GB',
      authors: ['Ada Heron', 'Bo Egret'],
      chapters: [
        { path: 'book.md', title: 'Marsh & Tide' },
        { path: 'the-grey-heron.md', title: 'The grey heron' },
        { path: 'its-nest.md', title: 'Its nest' },
      ],
    });
    expect(book.read(`${at}/book.md`)).toBe('Read it outside.\n');
    expect(book.read(`${at}/media/image 1.png`)).toBe('png');
    expect(book.has(`${at}/media/image2.emf`)).toBe(false);
  });

  test('has its text as Markdown, with its changes accepted and notes beside their calls', async () => {
    await imported;
    expect(book.read(`${at}/the-grey-heron.md`)).toBe(`# The *grey* heron[^fn1]

It stands\\*on one leg, **\\<b>very\\</b>** still[^en1].

## Its legs

[Nest](its-nest.md#its-nest) [away](https://example.org/?a=1&b=2) no H<sub>2</sub>O

![two twigs](media/image%201.png)

![two twigs](media/image%201.png)

| Bird | Size |     |
| --- | --- | --- |
| Heron | 2 kg | 1 m |
|     | 1 kg | 90 cm |

1.  one
    -   inner
2.  two

[^fn1]: By its \\<beak>.

[^en1]: At the end.
`);
    expect(book.read(`${at}/its-nest.md`)).toBe(`# Its nest

> Nothing is lighter.

\`\`\`
fn main() {
  1 < 2
}
\`\`\`

one line  
two lines[^fn2]

In a box.

☑

[^fn2]: Or three.
`);
  });

  test('says what it left out', async () => {
    const { out } = await imported;
    for (const line of [
      'tracked changes accepted: 2',
      'The table of contents, which the stall makes itself',
      'Comments, which no chapter has: 1',
      'Equations, which were left out: write them into their chapters: 1',
      'Pictures that no browser shows, paste them as PNG: word/media/image2.emf',
    ])
      expect(out).toContain(line);
    expect(out).not.toContain('example.org');
  });
});

const heading = (level: number, text: string): string => p(run(text), `Heading${level}`);

test.each([
  [
    'one main heading over others is the title',
    [heading(1, 'Weeds'), heading(2, 'Nettle'), words('Stings.'), heading(2, 'Dock'), words('Cures.')],
    {
      title: 'Weeds',
      chapters: [
        { path: 'nettle.md', title: 'Nettle' },
        { path: 'dock.md', title: 'Dock' },
      ],
    },
  ],
  [
    'parts hold chapters',
    [
      heading(1, 'Part One'),
      heading(2, 'A'),
      words('a'),
      heading(1, 'Part Two'),
      heading(2, 'A'),
      words('b'),
    ],
    {
      title: 'Weeds in file',
      chapters: [
        { part: 'Part One' },
        { path: 'a.md', title: 'A' },
        { part: 'Part Two' },
        { path: 'a-1.md', title: 'A' },
      ],
    },
  ],
  ['no heading makes one chapter', [words('Only words.')], { chapters: [{ path: 'book.md' }] }],
])('%s', async (_, body, expected) => {
  const { run, read } = openImport({
    'weeds-in-file.docx': makeDocx({ 'word/document.xml': documentOf(body.join('')) }),
  });
  const { code } = await run(['--free', '--slug', 'weeds'], 'weeds-in-file.docx');
  expect(code).toBe(0);
  expect(parse(read('books/weeds/item.yaml'))).toMatchObject(expected);
});

test('nothing outside of the document is read', async () => {
  const asked: string[] = [];
  const server = Bun.serve({ port: 0, fetch: ({ url }) => new Response(String(asked.push(url))) });
  const web = `http://127.0.0.1:${server.port}/x.png`;
  const targets = [`file://${import.meta.path}`, web, `/${web}`, '../../../../etc/passwd.png'];
  const body = targets.map((_, n) => picture(`r:link="e${n}"`) + picture(`r:embed="e${n}"`)).join('');
  const relations = targets.map((target, n) => [`e${n}`, 'image', target] as const);
  const source = makeDocx({ 'word/document.xml': documentOf(words('Words.') + body) }, relations);
  const { run, all, read } = openImport({ 'a.docx': source });
  const { code, out } = await run([], 'a.docx');
  await server.stop(true);
  expect([code, asked]).toEqual([0, []]);
  expect(out).toContain(`Pictures outside of the document, which are not read: ${targets[0]}, ${web}`);
  expect(all()).toEqual(['books', 'books/a', 'books/a/book.md', 'books/a/item.yaml']);
  expect(read('books/a/book.md')).not.toMatch(/!\[|http|passwd/);
});

const small = (body: string): Uint8Array => makeDocx({ 'word/document.xml': documentOf(body) });

test.each([
  [
    'a broken zip',
    small(words('x')).subarray(0, 300),
    'it is damaged, or no zip; save it again as a Word document',
  ],
  ['a zip of something else', zipSync({ 'a.txt': new Uint8Array(1) }), 'it is no Word document'],
  ['no document', makeDocx({}), 'its parts do not fit together'],
  [
    'a zip that unpacks to 50 times its size',
    small(words(' '.repeat(2 ** 26))),
    'it unpacks to more than 50 times its size',
  ],
  ['broken XML', makeDocx({ 'word/document.xml': '<w:document>' }), 'it is broken XML (line 1: '],
  [
    'entities',
    makeDocx({
      'word/document.xml': `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${documentOf(words('&a;'))}`,
    }),
    'it declares entities of its own',
  ],
  [
    '50,000 elements in each other',
    small('<w:sdt>'.repeat(50_000) + '</w:sdt>'.repeat(50_000)),
    'elements nest deeper than 200',
  ],
  [
    'a thousand calls of one long note',
    makeDocx(
      {
        'word/document.xml': documentOf(heading(1, 'x') + p(note('foot', 1).repeat(1000))),
        'word/footnotes.xml': notes('foot', ['long '.repeat(10_000)]),
      },
      [['n', 'footnotes', 'footnotes.xml']],
    ),
    'it calls the same notes too often',
  ],
  ['another kind of XML', makeDocx({ 'word/document.xml': '<html/>' }), 'its parts do not fit together'],
  ['no text', small(p('')), 'it holds no text'],
])('%s is refused with its reason, and leaves nothing', async (_, source, reason) => {
  const { run, all } = openImport({ 'a.docx': source });
  const { code, err } = await run([], 'a.docx');
  expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
  expect(all()).toEqual([]);
});

test('more chapters than an item may have files are refused', async () => {
  const { run, all } = openImport({ 'a.docx': small(heading(1, 'x').repeat(11)) });
  const { code, err } = await run(['--max-files', '10'], 'a.docx');
  expect([code, err]).toEqual([1, expect.stringContaining('it has 12 chapters, more than 10')]);
  expect(all()).toEqual([]);
});

/** Words that deflate badly, so that what surrounds them may deflate well. */
const filler = Array.from({ length: 3000 }, (_, n) => Bun.hash(String(n)).toString(36)).join(' ');

test.each([
  [
    '400,000 pieces of text',
    run('x').repeat(400_000),
    'more than 150000 paragraphs, cells and pieces of text',
  ],
  [
    '900,000 elements in a piece of text',
    `<w:r>${'<w:t/>'.repeat(900_000)}</w:r>`,
    'more than 600000 elements',
  ],
  [
    '1,100,000 attributes of 11,000 pieces of text',
    `<w:r${Array.from({ length: 100 }, (_, n) => ` a${n}=""`).join('')}/>`.repeat(11_000),
    'more than 1000000 attributes',
  ],
])('%s are refused before they take memory', async (_, body, reason) => {
  const { from, content, all } = openImport({ 'a.docx': small(words(filler) + `<w:p>${body}</w:p>`) });
  const preload = `${from}/peak.ts`;
  const peak = `/VmHWM:\\s+(\\d+)/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]`;
  writeFileSync(preload, `process.on('exit', () => console.log(${peak}));`);
  const program = Bun.spawn(
    [
      process.execPath,
      `--preload=${preload}`,
      'src/main.ts',
      'import',
      `${from}/a.docx`,
      '--content',
      content,
    ],
    { stdout: 'pipe', stderr: 'pipe' },
  );
  expect([await program.stderr.text(), await program.exited]).toEqual([expect.stringContaining(reason), 1]);
  expect(Number(await program.stdout.text())).toBeWithin(1, 250 * 1024);
  expect(all()).toEqual([]);
});
