import { describe, expect, test } from 'bun:test';
import { createItemLinks } from '../../../src/reading/item-links.ts';
import { renderMarkdown } from '../../../src/reading/markup/markdown.ts';
import { renderPlain } from '../../../src/reading/markup/plain-text.ts';
import { directionOf } from '../../../src/platform/base/direction.ts';

const links = createItemLinks({
  kind: 'book',
  slug: 'heron',
  from: 'guide/one.md',
  files: new Set([
    'guide/one.md',
    'guide/a b.png',
    'guide/x.svg',
    'refs/api.md',
    'c%2e.md',
    'refs/README.md',
    'x.pdf',
  ]),
  texts: new Set(['guide/one.md', 'refs/api.md', 'refs/README.md']),
});
const htmlOf = (text: string): string => renderMarkdown(text, { links, anchors: false })?.html.trim() ?? '';

test.each([
  ['a heading with closing marks', '## Two ##', '<h2>Two</h2>'],
  ['hard and soft line ends', 'a  \nb\\\nc\nd', '<p>a<br />\nb<br />\nc\nd</p>'],
  ['a tight list', '- a\n- b', '<ul><li>a</li>\n<li>b</li>\n</ul>'],
  ['a list that begins at three', '3. a', '<ol start="3"><li>a</li>\n</ol>'],
  ['one tilde and two', '~a~ ~~b~~ ~~~c~~~ 3~5', '<p><del>a</del> <del>b</del> ~~~c~~~ 3~5</p>'],
  [
    'tasks',
    '- [x] a\n- [ ] b\n- [y] c',
    '<ul><li><span class="task" role="img" aria-label="Done">☑</span> a</li>\n<li><span class="task" role="img" aria-label="To do">☐</span> b</li>\n<li>[y] c</li>\n</ul>',
  ],
  [
    'a table with columns to the side',
    '| a | b |\n|:-:|--:|\n| 1 \\| 2 | `x\\|y` |',
    '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col" class="center">a</th>\n<th scope="col" class="right">b</th>\n</tr>\n</thead>\n<tbody><tr><td class="center">1 | 2</td>\n<td class="right"><code>x|y</code></td>\n</tr>\n</tbody>\n</table></div>',
  ],
  [
    'code, highlighted by its first word',
    '```rust,ignore\nlet x = 1;\n```',
    '<pre tabindex="0" role="group" aria-label="Code"><code class="language-rust"><span class="hljs-keyword">let</span> <span class="hljs-variable">x</span> = <span class="hljs-number">1</span>;\n</code></pre>',
  ],
  [
    'code of no known language',
    '```whatever\n<b> & "c"\n```',
    '<pre tabindex="0" role="group" aria-label="Code"><code>&lt;b&gt; &amp; &quot;c&quot;\n</code></pre>',
  ],
  ['entities and escapes', '&copy; \\* &lt;b&gt; &#0;', '<p>© * &lt;b&gt; \ufffd</p>'],
  ['HTML around Markdown', '<details>\n\n*a*\n\n</details>', '<details>\n<p><em>a</em></p>\n</details>'],
  ['an element that is never closed', '<b>a\n\nc', '<p><b>a</b></p>\n<p>c</p>'],
  ['tags GFM shows', 'the <title> tag', '<p>the &lt;title&gt; tag</p>'],
  ['elements whose end is left out', '<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
  ['ruby', '<ruby>漢<rt>かん</rt></ruby>', '<p><ruby>漢<rt>かん</rt></ruby></p>'],
  ['front matter', '---\ntitle: x\n---\n\na', '<p>a</p>'],
  ['a rule first, which is no front matter', '---\nno key\n---', '<hr />\n<h2>no key</h2>'],
  ['a byte order mark', '\ufeff# a', '<h1>a</h1>'],
  [
    'an alert',
    '> [!note]\n> a\n> - b',
    '<aside class="alert note" role="note"><p class="alert-title">Note</p><p>a</p>\n<ul><li>b</li>\n</ul>\n</aside>',
  ],
  [
    'an alert of a mark alone, and what is none',
    '> [!TIP]\n\n> [!TIP] a\n\n> [!BIRD]\n\n[!NOTE]',
    '<aside class="alert tip" role="note"><p class="alert-title">Tip</p></aside>\n<blockquote><p>[!TIP] a</p>\n</blockquote>\n<blockquote><p>[!BIRD]</p>\n</blockquote>\n<p>[!NOTE]</p>',
  ],
  ['dollars where nobody says that they are formulas', '$x$ \\(y\\)', '<p>$x$ (y)</p>'],
  ['CRLF and CR', 'a\r\nb\rc\r\n\r\nd', '<p>a\nb\nc</p>\n<p>d</p>'],
])('%s', (_, text, html) => {
  expect(htmlOf(text)).toBe(html);
});

describe('links and images', () => {
  test.each([
    ['[a](https://a.example "t")', '<a href="https://a.example" rel="nofollow noopener" title="t">a</a>'],
    ['me@a.example', '<a href="mailto:me@a.example" rel="nofollow noopener">me@a.example</a>'],
    [
      'see www.a.example/b_c_d.',
      'see <a href="http://www.a.example/b_c_d" rel="nofollow noopener">www.a.example/b_c_d</a>.',
    ],
    [
      '(https://a.example/(b))',
      '(<a href="https://a.example/(b)" rel="nofollow noopener">https://a.example/(b)</a>)',
    ],
    [
      'https://a.example/x。下',
      '<a href="https://a.example/x" rel="nofollow noopener">https://a.example/x</a>。下',
    ],
    ['main.rs and README.md', 'main.rs and README.md'],
    ['[a](../refs/api.md#A%20part)', '<a href="/books/heron/read/refs/api.md#A%20part">a</a>'],
    ['[a](../refs/api.html)', '<a href="/books/heron/read/refs/api.md">a</a>'],
    ['<a href="#part">www.a.example</a>', '<a href="#part">www.a.example</a>'],
    ['[a](../refs/)', '<a href="/books/heron/read/refs/README.md">a</a>'],
    ['[a](#part)', '<a href="#part">a</a>'],
    ['[a](../x.pdf)', '<a href="/books/heron/files/x.pdf">a</a>'],
    ['[a](../nothing.md)', '<span>a</span>'],
    ['[a](/books/other-book)', '<a href="/books/other-book">a</a>'],
    ['[a](../c%252e.md)', '<a href="/books/heron/files/c%252e.md">a</a>'],
    [
      '![A heron](a%20b.png)',
      '<img alt="A heron" src="/books/heron/files/guide/a%20b.png" loading="lazy" />',
    ],
    [
      '![A <heron>](https://a.example/x.png)',
      '<a href="https://a.example/x.png" rel="nofollow noopener">A </a>',
    ],
    [
      '[![A](https://a.example/x.png)](https://a.example)',
      '<a href="https://a.example" rel="nofollow noopener">A</a>',
    ],
    ['![gone](gone.png)', 'gone'],
  ])('%j', (text, html) => {
    expect(htmlOf(text)).toBe(`<p>${html}</p>`);
  });
});

describe('headings', () => {
  const idsOf = (text: string) => renderMarkdown(text, { links })?.headings.map(({ id }) => id);

  test('have ids by GitHub’s rules, none of them twice or the page’s own', () => {
    expect(
      idsOf('# Hello, *World* & `co_de`\n# mark\n# Main\n# a\n# a\n# a-1\n# 漢字 かな\n# !?\n# Ünï-cödé'),
    ).toEqual([
      'hello-world--co_de',
      'mark-1',
      'main-1',
      'a',
      'a-1',
      'a-1-1',
      '漢字-かな',
      'section',
      'ünï-cödé',
    ]);
  });

  test('link to themselves', () => {
    expect(renderMarkdown('# A b', { links })?.html).toBe(
      '<h1 id="a-b">A b <a class="anchor" href="#a-b" aria-hidden="true" tabindex="-1"></a></h1>\n',
    );
  });

  test('are as far down as the page wants them', () => {
    const html = renderMarkdown('# A\n###### F\n<h1>G</h1>', { links, shift: 2, anchors: false })?.html;
    expect(html).toBe('<h3>A</h3>\n<h6>F</h6>\n<h3>G</h3>');
  });
});

test('footnotes stand at the end, with links there and back', () => {
  expect(renderMarkdown('a[^x] b[^x]\n\n[^x]: c\n[^y]: never named', { links })?.html).toBe(
    '<p>a<sup><a href="#fn:1" id="fnref:1" class="note">1</a></sup> b<sup><a href="#fn:1" id="fnref:1:2" class="note">1</a></sup></p>\n' +
      '<section class="notes" role="doc-endnotes" aria-label="Notes"><ol><li id="fn:1"><p>c' +
      ' <a href="#fnref:1" class="back" aria-label="Back to the text">↩\ufe0e</a>' +
      ' <a href="#fnref:1:2" class="back" aria-label="Back to the text">↩\ufe0e</a></p>\n</li>\n</ol></section>\n',
  );
});

test('a plain text is shown as it is, with a number and a link on each line', () => {
  expect(renderPlain('\ufeffa <b>\n\nc\n', 'notes.txt').html).toBe(
    '<pre class="lines" tabindex="0" role="group" aria-label="Text">' +
      '<a id="L1" href="#L1">1</a>a &lt;b&gt;\n<a id="L2" href="#L2">2</a>\n<a id="L3" href="#L3">3</a>c\n</pre>',
  );
});

test('a program is highlighted, across lines as well', () => {
  const { html } = renderPlain('/* a\nb */\nlet x', 'x.ts');
  expect(html).toContain('<span class="hljs-comment">/* a\n<a id="L2" href="#L2">2</a>b */</span>\n');
});

test.each([
  ['ar', 'rtl'],
  ['fa-IR', 'rtl'],
  ['he', 'rtl'],
  ['ur-PK', 'rtl'],
  ['ps', 'rtl'],
  ['yi', 'rtl'],
  ['az-Arab-IR', 'rtl'],
  ['ur-Latn', 'ltr'],
  ['uz-arab', 'rtl'],
  ['en', 'ltr'],
  ['zh-Hant', 'ltr'],
  ['arn', 'ltr'],
  [null, 'ltr'],
] as const)('the direction of %p is %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});

describe('formulas', () => {
  const shown = (text: string): string =>
    renderMarkdown(text, { links, math: true, anchors: false })
      ?.html.replace(
        /<math( display="block")?>.*?<\/math>/gs,
        (all, block = '') =>
          `{${block === '' ? '' : 'block '}${all.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ')}}`,
      )
      .trim() ?? '';
  const block = (math: string): string =>
    `<div class="scroll formula" role="group" aria-label="Formula" tabindex="0">{block ${math}}</div>`;
  test.each([
    ['in a line', '$x_1$, \\(y\\), $$z$$ and \\[w\\]', '<p>{x1}, {y}, {block z} and {block w}</p>'],
    ['on lines of their own', 'a\n$$\nx\n- y\n$$\nb', `<p>a</p>\n${block('x−y')}\n<p>b</p>`],
    ['in brackets on lines of their own', '> \\[\n> x\n> \\]', `<blockquote>${block('x')}\n</blockquote>`],
    ['in a fence', '```math\nx\n```', block('x')],
    ['after a list item that they end', '1. a\n$$\nx\n$$', `<ol><li>a</li>\n</ol>\n${block('x')}`],
    ['with numbers', '$0 < x$ $2x$ $5$', '<p>{0&lt;x} {2x} {5}</p>'],
    ['that are money', 'from $5 and $6, US$7 and 8$, $9 a month or 10$', null],
    ['with blanks inside their ends', '$ x$ $y $ $ $', null],
    ['in code', '`$x$` $`', '<p><code>$x$</code> $`</p>'],
    ['with escaped dollars', '\\$x$ $\\text{\\$5}$', '<p>$x$ {$5}</p>'],
    ['that cannot be read', '$\\no$', '<p><code>$\\no$</code></p>'],
    [
      'that cannot be read, on lines of their own',
      '$$\n\\no\n$$',
      '<pre tabindex="0" role="group" aria-label="Code"><code>$$\n\\no\n$$</code></pre>',
    ],
    ['of words with signs', '$\\text{a_b 5%}$', '<p>{a_b 5%}</p>'],
    ['of two lines', '$$x \\\\ y$$', block('xy')],
  ])('%s', (_, text, html) => {
    expect(shown(text)).toBe(html ?? `<p>${text}</p>`);
  });

  test('no style reaches the page, and colours and columns do', () => {
    const html = renderMarkdown('$$\\color{red}x \\begin{array}{|l|}\\hline y\\end{array} \\tag{1}$$', {
      links,
      math: true,
    });
    expect(html?.html).not.toContain(' style=');
    expect(html?.html).toContain('mathcolor="#ff0000"');
    expect(html?.html).toMatch(/<mtd class="tml-left [^"]*top[^"]*left[^"]*right/);
  });
});
