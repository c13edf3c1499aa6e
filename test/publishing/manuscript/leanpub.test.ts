import { describe, expect, test } from 'bun:test';
import { parse } from 'yaml';
import type { Files } from '../../helpers/harness.ts';
import { openImport } from './run-import.ts';

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

const BOOK: Files = {
  'manuscript/Book.txt': `{frontmatter}
preface.txt

mainmatter:
# a comment
part-one.md
birds/heron.md
egret.markua
part-two.md
lost.md
`,
  'manuscript/Sample.txt': 'preface.txt\n',
  'manuscript/preface.txt':
    '{::encoding="utf-8" /}\n# Preface\n\nSee [the legs](#legs), [this](#here) and [reeds](#nowhere).\n\n{#here}\n## Here\n',
  'manuscript/part-one.md': '-# Birds\n',
  'manuscript/birds/heron.md': `{sample: true, id: heron}
# The heron

A> ## An aside
A>
A> of two paragraphs.

W> Mind the beak.
W>
W> \`\`\`
W> {width: 60%}
W> \`\`\`

C> centred

{blurb, class: tip}
A *tip*.
{/blurb}

{width=60%,float=left}
![two twigs](images/twigs.png)

![reeds](reeds.png){width: 50%} and {i: "heron"}more.

{lang=ruby, title="A listing"}
~~~~~~~~
leanpub-start-insert
puts "{sample: true}"
leanpub-end-insert
~~~~~~~~

<<[A file](code/run.py)

![](tool.rs)

<<(code/gone.py)

%% a comment
{ "json": [1, 2] }

{pagebreak}

{$$}x^2{/$$}
`,
  'manuscript/egret.markua': '# The egret {#egret}\n\nText.\n\n## Its legs {#legs}\n',
  'manuscript/part-two.md': '{class: part}\n# Tides\n\nAn introduction to tides.\n',
  'manuscript/images/twigs.png': PICTURE,
  'manuscript/images/title_page.gif': PICTURE,
  'manuscript/resources/reeds.png': PICTURE,
  'manuscript/resources/tool.rs': 'fn main() {}\n',
  'manuscript/code/run.py': 'print("```")\n',
  'manuscript/unnamed.md': '# Unnamed\n',
  'README.md': 'A repository',
};

describe('a Leanpub book', () => {
  const book = openImport(BOOK);
  const imported = book.run(['--slug', 'marsh', '--publisher', 'Ada']);

  test('has the chapters of Book.txt, its parts, and the sample of Sample.txt and of its marks', async () => {
    const { code, out } = await imported;
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('as a draft from Leanpub: 7 files, 4 chapters in 2 parts'),
    ]);
    expect(parse(book.read('books/marsh/item.yaml'))).toMatchObject({
      cover: 'images/title_page.gif',
      sample: ['preface.md', 'birds/heron.md'],
      chapters: [
        { path: 'preface.md', title: 'Preface' },
        { part: 'Birds' },
        { path: 'birds/heron.md', title: 'The heron' },
        { path: 'egret.md', title: 'The egret' },
        { part: 'Tides' },
        { path: 'part-two.md', title: 'Part two' },
      ],
    });
  });

  test('is plain Markdown', async () => {
    await imported;
    expect(book.read('books/marsh/birds/heron.md')).toBe(`# The heron

> ## An aside
>
> of two paragraphs.

> **Warning**
>
> Mind the beak.
>
> \`\`\`
> {width: 60%}
> \`\`\`

centred

> **Tip**
>
> A *tip*.

![two twigs](../images/twigs.png)

![reeds](../reeds.png) and more.

**A listing**

~~~~~~~~ruby
puts "{sample: true}"
~~~~~~~~

**A file**

\`\`\`\`py
print("\`\`\`")
\`\`\`\`

\`\`\`rs
fn main() {}
\`\`\`

{ "json": [1, 2] }

$$x^2$$
`);
  });

  test('has links from one file to an id in another', async () => {
    await imported;
    expect(book.read('books/marsh/preface.md')).toBe(
      '# Preface\n\nSee [the legs](egret.md#its-legs), [this](#here) and [reeds](#nowhere).\n\n## Here\n',
    );
  });

  test('is reported', async () => {
    const { out } = await imported;
    for (const line of [
      'boxes made quotations: 3',
      'code files taken into chapters: 2',
      'Chapters of Book.txt without a file: lost.md',
      'Code files that are not there: code/gone.py (in birds/heron.md)',
      'The title is the name of the file or folder',
    ])
      expect(out).toContain(line);
  });
});

test('a folder manuscript without Book.txt has its chapters in natural order', async () => {
  const { run, read } = openImport({ 'manuscript/ch10.md': '# Ten\n', 'manuscript/ch2.txt': '# Two\n' });
  const { out } = await run(['--slug', 'b', '--free']);
  expect(out).toContain('There is no Book.txt: the chapters are in the order of their names');
  expect(parse(read('books/b/item.yaml')).chapters.map(({ title }: { title: string }) => title)).toEqual([
    'Two',
    'Ten',
  ]);
});

test.each([
  ['Book.txt', '../../secret.md', '# Two\n', 'manuscript/Book.txt'],
  ['a chapter', '', '# Two\n\n<<(../../secret.txt)\n', 'two.md'],
])('%s that leads out of the source is refused, and nothing is written', async (_, listed, two, place) => {
  const { run, all } = openImport({
    'manuscript/Book.txt': `${listed}\ntwo.md`,
    'manuscript/two.md': two,
  });
  const { code, err } = await run(['--slug', 'b', '--free']);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(`Cannot import "${place}": it names "../../secret`),
  ]);
  expect(all()).toEqual([]);
});

test('code files that grow without bound are refused', async () => {
  const { run, all } = openImport({
    'manuscript/Book.txt': 'one.md',
    'manuscript/one.md': `# One\n\n${'<<(code/x.js)\n\n'.repeat(400)}`,
    'manuscript/code/x.js': 'heron();\n'.repeat(10_000),
  });
  const { code, err } = await run();
  expect([code, err]).toEqual([1, expect.stringContaining('its includes are too many or too long')]);
  expect(all()).toEqual([]);
});
