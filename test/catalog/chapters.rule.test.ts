import { expect, test } from 'bun:test';
import { readingOrder, referenceProblems, titleOfChapter } from '../../src/catalog/chapters.rule.ts';
import type { Manifest } from '../../src/catalog/item.rule.ts';
import { parseManifest } from '../../src/catalog/manifest.rule.ts';

function book(more = ''): Manifest {
  const yaml = `id: b\ntitle: T\ndescription: D\npublisher: P\nunitAmountCents: 0\n${more}`;
  const { manifest } = parseManifest({ kind: 'book', slug: 'b', yaml });
  if (manifest === null) throw new Error('The fixture must be a good book');
  return manifest;
}

const order = (textPaths: string[], summary: string | null = null, summaryPath = 'SUMMARY.md', more = '') =>
  readingOrder({ manifest: book(more), textPaths, summary, summaryPath }).map(({ path, title }) =>
    title === null ? path : `${path} = ${title}`,
  );

test('without chapters and summary, text files come in path order', () => {
  expect(order(['b.md', 'a/z.md', 'B.md', '😀.md', '\uE000.md'])).toEqual([
    'B.md',
    'a/z.md',
    'b.md',
    '\uE000.md',
    '😀.md',
  ]);
});

test('only the chapters of item.yaml are chapters, and they win over the summary', () => {
  const more = 'chapters: [z.md, {path: a.md, title: Start}]';
  expect(order(['a.md', 'b.md', 'z.md', 'SUMMARY.md'], '[B](b.md)', 'SUMMARY.md', more)).toEqual([
    'z.md',
    'a.md = Start',
  ]);
});

test('a named file that is not text is not a chapter', () => {
  expect(order(['a.md'], null, 'SUMMARY.md', 'chapters: [photo.png, a.md]')).toEqual(['a.md']);
});

const summary = `# Summary

[Preface](preface.md)

# Part one

- [One \`x\` & [y]](part/one.md#start)
    - [Two](<part/two words.md> "tip")
        - [Three](part/three%20words.md?x=1)
- [Draft]()
- [Again](part/one.md)
* [Outside](https://example.org/x.md)
* [Root](/etc/passwd)
* [Up](../../secret.md)
* [Lost](lost.md)
* [Itself](SUMMARY.md)
- ![image](cover.png)

\`\`\`
[Code](code.md)
\`\`\`

---

[Ways](./a/../ways.md)
[100%](100%.md)
`;

const linked = [
  'preface.md = Preface',
  'part/one.md = One x & [y]',
  'part/two words.md = Two',
  'part/three words.md = Three',
  'ways.md = Ways',
  '100%.md = 100%',
];
const texts = ['code.md', 'cover.png', 'secret.md', 'SUMMARY.md', 'etc/passwd'].concat(
  linked.map((row) => row.split(' = ')[0] ?? ''),
);

test.each([['\n'], ['\r\n']])(
  'the links of SUMMARY.md are read as mdBook does, lines ending %j',
  (ending) => {
    expect(order(texts, summary.replaceAll('\n', ending))).toEqual(linked);
  },
);

test('links of src/SUMMARY.md are relative to it', () => {
  const text = '\uFEFF- [One](one.md)\n- [License](../LICENSE)\n- [Out](../../x.md)\n';
  expect(order(['LICENSE', 'src/SUMMARY.md', 'src/one.md', 'x.md'], text, 'src/SUMMARY.md')).toEqual([
    'src/one.md = One',
    'LICENSE = License',
  ]);
});

test.each([
  [
    'chapters: [one.md, two.md, {path: Three.md}]',
    ['missing-chapters "two.md"', 'missing-chapters "Three.md"'],
  ],
  ['cover: cover.png', ['missing-cover "cover.png"']],
  ['sample: [one.md, ../x.md]', ['missing-sample "../x.md"']],
  ['include: [.a, .b/c, .d]', ['missing-include ".d"']],
  ['formats: [book.epub, book.pdf]', ['missing-formats "book.epub"', 'missing-formats "book.pdf"']],
  ['chapters: [one.md, three.md]\nsample: [three.md]', []],
])('references of %p that lead nowhere: %p', (more, expected) => {
  const paths = ['one.md', 'three.md', '.a', '.b/c/d'];
  const problems = referenceProblems(book(more), paths);
  expect(problems.map(({ code, sentence }) => `${code} ${sentence.match(/"[^"]*"/)?.[0]}`)).toEqual(expected);
  expect(problems.every(({ severity, path }) => severity === 'error' && path === 'item.yaml')).toBe(true);
});

test('a picture of a text about an author that is no file is a warning', () => {
  const about =
    'authors: [{name: Ada, about: "![a](one.md/../a.png) ![b](art/b.png) ![c](https://c.example/c.png)"}]';
  expect(referenceProblems(book(about), ['a.png'])).toMatchObject([
    { severity: 'warning', code: 'missing-picture', sentence: expect.stringContaining('"art/b.png"') },
  ]);
});

const placesOf = (more: string, text: string | null = null) =>
  readingOrder({
    manifest: book(more),
    textPaths: ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'],
    summary: text,
    summaryPath: 'SUMMARY.md',
  }).map(({ path, level, part }) => `${path} ${level} ${part}`);

test('chapters of item.yaml have the level they name and the part above them', () => {
  const more =
    'chapters: [a.md, {part: Basics}, {path: b.md, level: 2, title: B}, c.md, {part: More}, {path: d.md, level: 3}]';
  expect(placesOf(more)).toEqual(['a.md 1 null', 'b.md 2 Basics', 'c.md 1 Basics', 'd.md 3 More']);
});

test('{end: part} ends a part, as often as there are parts', () => {
  const more = 'chapters: [{part: A}, a.md, {end: part}, b.md, {part: B}, c.md, {end: part}, d.md]';
  const textPaths = ['a.md', 'b.md', 'c.md', 'd.md'];
  const chapters = readingOrder({ manifest: book(more), textPaths, summary: null, summaryPath: '' });
  expect(chapters.map(({ part }) => part)).toEqual(['A', null, 'B', null]);
});

test('links of SUMMARY.md have the depth of their list and the part above them', () => {
  const text =
    '# Summary\n\n[A](a.md)\n\n# Basics\n\n- [B](b.md)\n  - [C](c.md)\n\n# More\n\n- [D](d.md)\n\n---\n\n[E](e.md)\n';
  expect(placesOf('', text)).toEqual([
    'a.md 1 null',
    'b.md 1 Basics',
    'c.md 2 Basics',
    'd.md 1 More',
    'e.md 1 null',
  ]);
});

test('links deeper than three levels have the third', () => {
  const text = '- [A](a.md)\n\t- [B](b.md)\n\t\t- [C](c.md)\n\t\t\t- [D](d.md)\n- [E](e.md)\n';
  expect(placesOf('', text)).toEqual([
    'a.md 1 null',
    'b.md 2 null',
    'c.md 3 null',
    'd.md 3 null',
    'e.md 1 null',
  ]);
});

test('without named pages, prose and source code are chapters, and nothing else', () => {
  const texts = [
    ...[
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'LICENSE-MIT.txt',
      'CONTRIBUTING.md',
      'code-of-conduct.md',
      'SECURITY.md',
      'support.md',
      'guide/README.md',
      '01.md',
      'a.txt',
      'b.rst',
    ],
    ...[
      'c.adoc',
      'main.rs',
      'lib.min.js',
      'jquery-min.js',
      'app.bundle.js',
      'style.css',
      'logo.svg',
      'data.json',
    ],
    ...['table.csv', 'page.html', 'conf.toml', 'api.pb.go', 'Makefile', 'dist/app.js', 'book.toml'],
  ];
  expect(order(texts)).toEqual([
    '01.md',
    'a.txt',
    'b.rst',
    'c.adoc',
    'guide/README.md',
    'main.rs',
    'support.md',
  ]);
});

test('named pages are chapters whatever they are', () => {
  expect(
    order(['logo.svg', 'README.md', '01.md'], null, 'SUMMARY.md', 'chapters: [README.md, logo.svg]'),
  ).toEqual(['README.md', 'logo.svg']);
});

test('the README of a book without other prose is its chapter', () => {
  expect(order(['README.md', 'LICENSE', 'data.json'])).toEqual(['README.md']);
});

test('a summary without links to texts names no pages', () => {
  expect(order(['SUMMARY.md', '01.md'], '# Summary\n\n- [Lost](lost.md)\n')).toEqual(['01.md']);
});

test.each([
  ['{path: a.md, level: 4}', 'bad-choice'],
  ['{path: a.md, level: one}', 'bad-choice'],
  ['{part: A, path: a.md}', 'unknown-key'],
  ['{part: ""}', 'blank-value'],
  ['{end: book}', 'bad-choice'],
  ['{end: part, part: A}', 'unknown-key'],
  ['{path: a.md, depth: 1}', 'unknown-key'],
])('the chapter %s is refused', (entry, code) => {
  const yaml = `id: b\ntitle: T\ndescription: D\npublisher: P\nunitAmountCents: 0\nchapters: [${entry}]`;
  expect(parseManifest({ kind: 'book', slug: 'b', yaml }).problems.map((problem) => problem.code)).toContain(
    code,
  );
});

test.each([
  ['01-the_first-day.md', 'No heading.', 'The first day'],
  [
    'a.md',
    '---\nlayout: X\n---\n\ntext\n\n# The **fox** and [the `den`](den.md) {#fox}\n',
    'The fox and the den',
  ],
  ['a.md', '---\ntitle: "X: a" # one\ndate: 2026-01-01\n---\n\n# Y\n', 'X: a'],
  ['a.md', '---\ntitle: [x]\n---\n\n# Y\n', 'Y'],
  ['a.md', 'The fox\n=======\n', 'The fox'],
  ['a.md', '```\n# no\n```\n\n## Yes ##\n', 'Yes'],
  ['a.adoc', '= The owl\n', 'The owl'],
  ['2024.md', '', '2024'],
  ['src/main.rs', '# [derive]\n', 'main.rs'],
])('the title of %s with %j is %j', (path, text, title) => {
  expect(titleOfChapter(path, text)).toBe(title);
});

test.each([
  ['FathersAndSons.txt', 'He slept.', 'Fathers and Sons'],
  ['FathersAndSons.md', '# Title: Fathers', 'Fathers'],
  ['sons.rs', '', 'sons.rs'],
])('the title of %s with %j, alone in its book, is %j', (path, text, title) => {
  expect(titleOfChapter(path, text, 'Fathers and Sons')).toBe(title);
});
