import { describe, expect, test } from 'bun:test';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Files, temporaryDirectory } from '../../helpers/harness.ts';
import { openImport } from './run-import.ts';

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** A book with every directive of mdBook, hidden lines, parts, three levels, a draft, a redirect and images of each kind. */
const BOOK: Files = {
  'book.toml': `[book]
title = "Marsh & Tide"
authors = ["Ada Heron", "Bo Egret"]
description = "A book about birds"
language = "en"

[preprocessor.mermaid]

[output.html.redirect]
"/old.html" = "/new.html"

[output.html.code.hidelines]
python = "~"
`,
  'src/SUMMARY.md': `# Summary

[Preface](preface.md)

# Birds

- [The \`grey\` heron](heron.md)
  - [Its nest](nest/README.md)
    - [Its eggs](nest/eggs.md)
      - [Their colour](nest/colour.md)
- [Not written yet]()

# Tides

- [High tide](tide.md)
- [Lost](lost.md)

---

[Index of birds](birds.md)
`,
  'src/preface.md':
    '{{#title Another title}}# Preface\n\nSee [heron](heron.html#leg), [nest](nest/index.html) and `[code](heron.html)`.\n',
  'src/heron.md': `# The grey heron

{{#include ../code/all.rs}}
{{#include ../code/lines.rs:2}}
{{#include ../code/lines.rs:2:3}}
{{#include ../code/lines.rs::2}}
{{#include ../code/lines.rs:3:}}
{{#include ../code/anchors.rs:legs}}
{{#include outer.md}}

\`\`\`rust,ignore,editable
{{#rustdoc_include ../code/hidden.rs}}
\`\`\`

{{#playground ../code/lines.rs editable}}

\\{{#include shown.rs}}

{{#include ../code/missing.rs}}
{{#unknown thing}}
`,
  'src/outer.md': 'Outer {{#include inner/inner.md}}',
  'src/inner/inner.md': 'inner {{#include deepest.md}}',
  'src/inner/deepest.md': 'deepest',
  'src/nest/README.md': `# Nest

<Listing number="1-1" file-name="src/main.rs" caption="A \`nest\` of \\"twigs\\"">

\`\`\`python
~hidden = 1
shown = 2
\`\`\`

</Listing>

![twigs](../img/twigs.png) <img alt="a \`b\` > c" src="../img/html.png"> [sheet](sheet.csv) ![gone](gone.png)

<Mermaid>x</Mermaid> [nowhere](nowhere.html)
`,
  'src/nest/eggs.md': '# Eggs\n',
  'src/nest/colour.md': '# Colour\n',
  'src/nest/sheet.csv': 'a,b\n',
  'src/tide.md': '# Tide\n',
  'src/birds.md': '# Birds\n',
  'src/unnamed.md': '# Unnamed\n',
  'src/img/twigs.png': PICTURE,
  'src/img/html.png': PICTURE,
  'src/img/unused.png': PICTURE,
  'code/all.rs': 'let all = 1;\n',
  'code/lines.rs': 'line 1\nline 2\nline 3\n',
  'code/anchors.rs':
    'before\n// ANCHOR: legs\nlegs 1\n// ANCHOR: inner\nlegs 2\n// ANCHOR_END: inner\n// ANCHOR_END: legs\nafter\n',
  'code/hidden.rs':
    '# use std::io;\nfn main() {\n    # let x = 1;\n    ## shown;\n#\n    #[derive(Debug)]\n}\n',
};

describe('an mdBook', () => {
  const book = openImport(BOOK);
  const imported = book.run(['--publisher', 'Quince', '--price', '1900']);
  const item = 'books/marsh-tide';

  test('becomes a draft with the titles, parts, levels and numbers of SUMMARY.md', async () => {
    const { code, out } = await imported;
    expect(code).toBe(0);
    expect(out).toContain('Made books/marsh-tide as a draft from mdBook: 10 files, 7 chapters in 2 parts');
    expect(parse(book.read(`${item}/item.yaml`))).toEqual({
      id: 'bk_marsh_tide',
      title: 'Marsh & Tide',
      description: 'A book about birds',
      publisher: 'Quince',
      unitAmountCents: 1900,
      status: 'draft',
      language: 'en',
      authors: ['Ada Heron', 'Bo Egret'],
      chapters: [
        { path: 'preface.md', title: 'Preface' },
        { part: 'Birds' },
        { path: 'heron.md', title: 'The grey heron', number: 1 },
        { path: 'nest/README.md', title: 'Its nest', level: 2, number: 1.1 },
        { path: 'nest/eggs.md', title: 'Its eggs', level: 3, number: '1.1.1' },
        { path: 'nest/colour.md', title: 'Their colour', level: 3, number: '1.1.1.1' },
        { part: 'Tides' },
        { path: 'tide.md', title: 'High tide', number: 3 },
        { end: 'part' },
        { path: 'birds.md', title: 'Index of birds' },
      ],
    });
  });

  test('has its includes resolved: ranges, anchors, files in files, and playgrounds', async () => {
    await imported;
    expect(book.read(`${item}/heron.md`)).toBe(`# The grey heron

let all = 1;
line 2
line 2
line 3
line 1
line 2
line 3
legs 1
legs 2
Outer inner deepest

\`\`\`rust
fn main() {
    # shown;
    #[derive(Debug)]
}
\`\`\`

\`\`\`rust
line 1
line 2
line 3
\`\`\`

{{#include shown.rs}}


{{#unknown thing}}
`);
  });

  test('has links to chapters, captions of listings, and no lines that mdBook hides', async () => {
    await imported;
    expect(book.read(`${item}/preface.md`)).toBe(
      '# Preface\n\nSee [heron](heron.md#leg), [nest](nest/README.md) and `[code](heron.html)`.\n',
    );
    const nest = book.read(`${item}/nest/README.md`);
    expect(nest).toContain('Filename: **src/main.rs**\n\n\n```python\nshown = 2\n```\n');
    expect(nest).toContain('**Listing 1-1**: A `nest` of "twigs"');
    expect(nest).not.toMatch(/Listing (?:number|file)|<\/Listing/);
  });

  test('brings the files that chapters name, and no others', async () => {
    await imported;
    const paths = book.all().filter((path) => path.startsWith(`${item}/`) && /\.\w+$/.test(path));
    expect(paths.map((path) => path.slice(item.length + 1))).toEqual([
      'birds.md',
      'heron.md',
      'img/html.png',
      'img/twigs.png',
      'item.yaml',
      'nest/README.md',
      'nest/colour.md',
      'nest/eggs.md',
      'nest/sheet.csv',
      'preface.md',
      'tide.md',
    ]);
  });

  test('is reported: what was left out, and what a person should look at', async () => {
    const { out } = await imported;
    for (const line of [
      'includes resolved: 11',
      'Chapters without a file: Not written yet',
      'Chapters of SUMMARY.md without a file: lost.md',
      'Texts that SUMMARY.md does not name: src/inner/deepest.md, src/inner/inner.md, src/outer.md, src/unnamed.md',
      'Redirects of book.toml: 1',
      'Includes of files that are not there: ../code/missing.rs (in src/heron.md)',
      'Directives that mdBook itself does not know: {{#unknown}} (in src/heron.md)',
      'Preprocessors of book.toml did not run, so that their marks are in the text: mermaid',
      'Missing images: gone.png (in nest/README.md)',
      'Links that lead nowhere: nowhere.html (in nest/README.md)',
      'Tags that no page shows: <Mermaid> (in nest/README.md)',
      'books/marsh-tide: 10 files, $19, whole as a skill',
    ])
      expect(out).toContain(line);
  });
});

const book = (src: Files): Files => ({
  'book.toml': '[book]\ntitle = "Marsh"\n',
  'src/SUMMARY.md': '[One](one.md)\n',
  'src/one.md': 'one\n',
  ...src,
});
const nested = Object.fromEntries(
  Array.from({ length: 10 }, (_, n) => [`src/n${n}.md`, `{{#include n${n + 1}.md}}`]),
);

describe('an mdBook is refused, and nothing is written, if it has', () => {
  test.each<[string, Files, RegExp]>([
    [
      'an include loop',
      book({ 'src/one.md': '{{#include two.md}}', 'src/two.md': '{{#include one.md}}' }),
      /go round in a circle \(src\/one.md -> src\/two.md -> src\/one.md\)/,
    ],
    [
      'a file that includes itself',
      book({ 'src/one.md': 'x\n{{#include one.md:2:}}' }),
      /go round in a circle/,
    ],
    [
      'an include outside of the folder',
      book({ 'src/one.md': '{{#include ../../secret.txt}}' }),
      /"..\/..\/secret.txt", which is outside of the folder/,
    ],
    [
      'an include by a whole path',
      book({ 'src/one.md': '{{#include /etc/passwd}}' }),
      /outside of the folder/,
    ],
    [
      'an include by a path of Windows',
      book({ 'src/one.md': '{{#include ..\\..\\secret}}' }),
      /outside of the folder/,
    ],
    [
      'includes deeper than 8',
      book({ ...nested, 'src/one.md': '{{#include n0.md}}', 'src/n10.md': 'x' }),
      /nest deeper than 8/,
    ],
    [
      'includes that grow without bound',
      book({
        'src/one.md': '{{#include a.md}}'.repeat(50),
        'src/a.md': '{{#include b.md}}'.repeat(50),
        'src/b.md': 'x'.repeat(20_000),
      }),
      /its includes are too many or too long/,
    ],
    [
      'includes of nothing without end',
      book({
        ...Object.fromEntries(
          [1, 2, 3, 4].map((n) => [`src/n${n}.md`, `{{#include n${n + 1}.md}}`.repeat(20)]),
        ),
        'src/one.md': '{{#include n1.md}}',
        'src/n5.md': '',
      }),
      /its includes are too many or too long/,
    ],
    [
      'a src outside of its folder',
      book({ 'book.toml': '[book]\nsrc = "../other"\n' }),
      /its "src", "..\/other", is outside/,
    ],
    ['a book.toml that is no TOML', book({ 'book.toml': '[book\n' }), /"book.toml": it is not TOML/],
    ['no SUMMARY.md', { 'book.toml': '' }, /"src\/SUMMARY.md": there is no such file; write it/],
    [
      'a chapter outside of the folder',
      book({ 'src/SUMMARY.md': '- [One](one.md)\n- [Two](../../secret.md)\n' }),
      /"src\/SUMMARY.md": it names "..\/..\/secret.md", which is outside of the folder/,
    ],
    [
      'a chapter by its path on the disk',
      book({ 'src/SUMMARY.md': '- [One](one.md)\n- [Two](/etc/secret.md)\n' }),
      /"src\/SUMMARY.md": it names "\/etc\/secret.md", which is outside of the folder/,
    ],
    [
      'a chapter by an address of the disk',
      book({ 'src/SUMMARY.md': '- [One](one.md)\n- [Two](file:///etc/secret.md)\n' }),
      /"src\/SUMMARY.md": it names "file:.*secret.md", which is outside of the folder/,
    ],
    ['no chapter', book({ 'src/SUMMARY.md': '# Summary\n' }), /it names no chapter that has a file/],
    [
      '100,000 chapters',
      book({ 'src/SUMMARY.md': Array.from({ length: 100_000 }, (_, n) => `- [${n}](${n}.md)`).join('\n') }),
      /it has 100000 chapters, more than 10000/,
    ],
    [
      'broken UTF-8',
      book({ 'src/one.md': Buffer.from([0x61, 0xff, 0x62]) }),
      /"src\/one.md": its text is neither UTF-8 nor UTF-16 with a byte order mark; save it as UTF-8/,
    ],
    [
      'broken UTF-16',
      book({ 'src/one.md': Buffer.from([0xff, 0xfe, 0x00, 0xd8]) }),
      /neither UTF-8 nor UTF-16/,
    ],
    [
      'a name with a control character',
      book({ 'src/SUMMARY.md': '[One](<a\u0001b.md>)\n', 'src/a\u0001b.md': 'x' }),
      /control character; rename it/,
    ],
  ])('%s', async (_, files, sentence) => {
    const { run, all } = openImport(files);
    const { code, err } = await run(['--max-bytes', '1000000']);
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
    expect(all().filter((path) => path !== 'books')).toEqual([]);
  });

  test.each(['src/one.md', 'code.rs'])('a link out of its folder at %s', async (place) => {
    const { from, run, all } = openImport({
      ...book({ 'src/SUMMARY.md': '[One](one.md)\n[Two](two.md)', 'src/two.md': '{{#include ../code.rs}}' }),
      'code.rs': 'x',
    });
    const secret = join(temporaryDirectory(), 'secret.txt');
    writeFileSync(secret, 'secret');

    rmSync(join(from, place));
    symlinkSync(secret, join(from, place));
    const { code, err } = await run();
    expect([code, err]).toEqual([1, expect.stringContaining('it is a link that leads out of its folder')]);
    expect(all()).toEqual([]);
  });
});

test.each([
  [
    '[output.html]\nmathjax-support = true\n',
    '$$x\\_1 \\\\\\\\ y$$ \\\\(a\\\\) `\\\\(c\\\\)`',
    '$$x_1 \\\\ y$$ \\(a\\) `\\\\(c\\\\)`',
  ],
  ['[output.html]\nmath = true\n', '$$x\\_1$$ $a$', '$$x\\_1$$ $a$'],
  ['[preprocessor.katex]\n[output.html]\nmathjax-support = true\n', '$$x\\_1$$ $a$', '$$x\\_1$$ $a$'],
])('formulas of %j are those of a page, and the item says that it has some', async (toml, text, shown) => {
  const { run, read } = openImport({
    'book.toml': `[book]\ntitle = "B"\n${toml}`,
    'src/SUMMARY.md': '- [One](one.md)\n',
    'src/one.md': `# One\n\n${text}\n`,
  });
  const { out } = await run(['--slug', 'b', '--free']);
  expect(out).not.toContain('Preprocessors');
  expect(read('books/b/one.md')).toBe(`# One\n\n${shown}\n`);
  expect(read('books/b/item.yaml')).toContain('\nmath: true\n');
});

test('UTF-16 with a byte order mark is read, and becomes UTF-8', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('# Réiher\n', 'utf16le')]);
  const { run, read } = openImport(book({ 'src/one.md': utf16 }));
  expect((await run()).code).toBe(0);
  expect(read('books/marsh/one.md')).toBe('# Réiher\n');
});

test('a link inside of its folder is followed', async () => {
  const { from, run, read } = openImport(
    book({ 'src/SUMMARY.md': '[Two](two.md)', 'other.md': '# Other\n' }),
  );
  symlinkSync('../other.md', join(from, 'src/two.md'));
  expect((await run()).code).toBe(0);
  expect(read('books/marsh/two.md')).toBe('# Other\n');
});
