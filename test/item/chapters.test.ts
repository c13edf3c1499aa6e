import { expect, test } from 'bun:test';
import { readingOrder, referenceProblems } from '../../src/item/chapters.ts';
import type { Manifest } from '../../src/item/item.ts';
import { parseManifest } from '../../src/item/manifest.ts';

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

test('chapters of item.yaml come first and win over the summary, which is not a chapter', () => {
  const more = 'chapters: [z.md, {path: a.md, title: Start}]';
  expect(order(['a.md', 'b.md', 'z.md', 'SUMMARY.md'], '[B](b.md)', 'SUMMARY.md', more)).toEqual([
    'z.md',
    'a.md = Start',
    'b.md',
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
    expect(order(texts, summary.replaceAll('\n', ending))).toEqual([
      ...linked,
      'code.md',
      'cover.png',
      'etc/passwd',
      'secret.md',
    ]);
  },
);

test('links of src/SUMMARY.md are relative to it', () => {
  const text = '\uFEFF- [One](one.md)\n- [License](../LICENSE)\n- [Out](../../x.md)\n';
  expect(order(['LICENSE', 'src/SUMMARY.md', 'src/one.md', 'x.md'], text, 'src/SUMMARY.md')).toEqual([
    'src/one.md = One',
    'LICENSE = License',
    'x.md',
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
  ['chapters: [one.md, three.md]\nsample: [three.md]', []],
])('references of %p that lead nowhere: %p', (more, expected) => {
  const paths = ['one.md', 'three.md', '.a', '.b/c/d'];
  const problems = referenceProblems(book(more), paths);
  expect(problems.map(({ code, sentence }) => `${code} ${sentence.match(/"[^"]*"/)?.[0]}`)).toEqual(expected);
  expect(problems.every(({ severity, path }) => severity === 'error' && path === 'item.yaml')).toBe(true);
});
