import { expect } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, itemYaml, openStall, type Stall, temporaryDirectory } from '../../helpers/harness.ts';
import { openImport } from '../../publishing/manuscript/run-import.ts';
import { checkEpub, testChecked } from './epubcheck.ts';
import { hostileChapters } from './hostile-book.ts';

/** epubcheck takes seconds to start, and more on a busy machine. */
const PATIENCE = 300_000;

const epubOf = async (stall: Stall, id: string, headers = {}): Promise<string> => {
  const answer = await stall.fetch(`/api/books/${id}/epub`, { headers });
  expect(answer.status).toBe(200);
  const file = join(temporaryDirectory(), `${id}.epub`);
  await Bun.write(file, await answer.arrayBuffer());
  return file;
};

/** Alerts, and formulas with every element and attribute that temml has for common TeX. */
const FORMULAS = String.raw`
> [!NOTE]
> A $x^2$ in **it**.
>
> - [!TIP]

- > [!CAUTION]
  > $$ y $$

# $\sqrt[3]{x}$ in a heading, and [$a$](one.md)

| $\frac{1}{2}$ | $\binom n k$ |
|---|---|
| $\cancel{x} \xcancel{x} \sout{x} \boxed{x} \fbox{x}$ | $\color{red}x \textcolor{blue}{y} \colorbox{red}{z} \fcolorbox{red}{blue}{w}$ |

$$
\begin{align} a &= b \tag{1} \\ &= \sum_{i=1}^n \overbrace{c + d}^{e} \end{align}
$$

$$ \begin{array}{|c|r|} \hline 1 & 2 \\ \hline \end{array} \begin{pmatrix} 1 & 2 \end{pmatrix} \begin{cases} x & y \end{cases} $$

$$ \int_0^1 \lim_{x \to 0} \left\{ \vec{x}, \hat y, \widehat{abc}, \underline{ab}, \overline{cd}, f'(x) \right. \not= \mathbb R \mathcal L $$

$$ {}_a^b X \xrightarrow[a]{b} \phantom{x} \rule{1em}{1em} \large x \raisebox{1em}{a} \llap{a} \smash{b} \mathbin{+} \operatorname*{argmax}_x \begin{CD} A @>>> B \end{CD} $$

$$ x \\ y $$
`;

testChecked(
  'epubcheck has nothing to say of the books of this project',
  async () => {
    const directory = temporaryDirectory();
    cpSync(join(import.meta.dir, '../../../content'), join(directory, 'content'), { recursive: true });
    const stall = await openStall({ files: {}, directory });
    const books = stall.app.catalog().editions.filter(({ manifest }) => manifest.kind === 'book');
    expect(books.length).toBeGreaterThan(1);
    const slugs = books.map(({ manifest }) => manifest.slug);
    const { headers } = await stall.reader('reader@example.org', ...slugs);
    for (const { manifest } of books)
      expect(await checkEpub(await epubOf(stall, manifest.id!, headers))).toEqual([]);
  },
  PATIENCE,
);

testChecked(
  'epubcheck has nothing to say of an mdBook that was imported',
  async () => {
    const { run, content } = openImport({
      'book.toml':
        '[book]\ntitle = "Marsh & <Tide>"\nauthors = ["Ada"]\nlanguage = "en"\n[output.html]\nmath = true\n',
      'src/SUMMARY.md':
        '# Summary\n\n[Preface](preface.md)\n\n# Part one\n\n- [One](one.md)\n  - [Deep](deep/two.md)\n\n# Part two\n\n- [Three](three.md)\n',
      'src/preface.md': '# Preface\n\nSee [deep](deep/two.html#a-place).\n',
      'src/one.md': '# One\n\n```rust\n# hidden();\n{{#include ../listing.rs:2:3}}\n```\n\n![Art](art.svg)\n',
      'src/deep/two.md':
        '# Two\n\n## A place\n\nA note[^1].\n\n[^1]: Here.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n',
      'src/walk.mp3': 'ID3',
      'src/three.md': `# Three {#three}\n\n![A walk](walk.mp3)\n\n<audio src="walk.mp3"></audio>\n\n<details><summary>More</summary>Text</details>\n\n${FORMULAS}`,
      'src/art.svg': SVG,
      'listing.rs': 'one\ntwo\nthree\n',
    });
    expect((await run(['--slug', 'marsh', '--free', '--publisher', 'Marsh'])).code).toBe(0);
    const draft = readFileSync(join(content, 'books/marsh/item.yaml'), 'utf8');
    writeFileSync(
      join(content, 'books/marsh/item.yaml'),
      draft.replace('status: draft', 'status: published'),
    );
    const stall = await openStall({ files: {}, config: { content } });
    expect(await checkEpub(await epubOf(stall, 'bk_marsh'))).toEqual([]);
  },
  PATIENCE,
);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG =
  '<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:i" i:label="x" onload="alert(1)"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><script>x</script><rect width="1" height="1" fill="url(#g)"/><use href="#g" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#g"/><text x="1">a &amp; <tspan>b</tspan></text></svg>';

testChecked(
  'epubcheck has nothing to say of books whose text is any markup in any place',
  async () => {
    const chapters = hostileChapters(60, 20_261_122);
    const pictures =
      '![a](a.png) ![b](a.jpg) ![c](a.svg) ![d](b.svg) ![e](a.webp) ![f](cut.png) ![g](a.gif)\n';
    const entries = chapters.map(
      (_, n) => `{path: ${n}.md, level: ${(n % 3) + 1}, title: "${TITLES[n % TITLES.length]!}"}`,
    );
    const files: Files = {
      'books/hostile/item.yaml': itemYaml({
        id: 'hostile',
        title: '"a \u{1f98a} <i>b</i> & \\u202e ]]> \u05d0\u05d1"',
        description: '"<script>&nbsp;"',
        authors: '["<A>", "B & C"]',
        language: 'ar-EG',
        cover: 'a.svg',
        chapters: `[pictures.md, {part: "<P> & \u{1f98a}"}, ${entries.join(', ')}]`,
      }),
      'books/hostile/pictures.md': pictures,
      'books/hostile/a.png': PNG,
      'books/hostile/art.png': PNG,
      // The ending lies.
      'books/hostile/a.jpg': PNG,
      'books/hostile/a.gif': Buffer.from(
        'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
        'base64',
      ),
      'books/hostile/a.webp': await new Bun.Image(PNG).webp().bytes(),
      'books/hostile/cut.png': PNG.subarray(0, 12),
      'books/hostile/a.svg': SVG,
      'books/hostile/b.svg': '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>',
    };
    const texts = Object.fromEntries(chapters.map((text, n) => [`books/hostile/${n}.md`, text]));
    const stall = await openStall({ files: { ...files, ...texts } });
    expect(
      stall.publications.flatMap(({ problems }) => problems).filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    expect(await checkEpub(await epubOf(stall, 'hostile'))).toEqual([]);
  },
  PATIENCE,
);

const TITLES = ['<b>a</b>', '&amp; & &', '\u{1f98a}\u{10ffff}', '\u202e\u05d0', ']]>', 'x'];
