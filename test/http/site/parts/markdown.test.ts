import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type MarkdownHome, renderMarkdown } from '../../../../src/http/site/parts/markdown.ts';

const home: MarkdownHome = {
  from: 'guide/SKILL.md',
  has: (path) => ['guide/a b.png', 'guide/SKILL.md', 'guide/x.svg', 'refs/api.md', 'c%2e.md'].includes(path),
  files: '/skills/heron/files/',
};
const render = (text: string) => renderMarkdown(text, { level: 3, home });

/** The only markup that may come out: listed tags, their few attributes, and URLs whose scheme runs nothing. */
const TAG =
  /^<\/?(h[3-6]|p|br|hr|blockquote|pre|ul|ol|li|span|em|strong|i|b|del|s|code|kbd|sub|sup|mark|abbr|a|img|table|thead|tbody|tr|th|td|details|summary|dl|dt|dd)( (href="(https?:\/\/|mailto:|\/skills\/heron\/files\/|\/(books|skills)\/[a-z0-9-]+")[^"<>]*"?|src="\/skills\/heron\/files\/[^"<>]*"|(title|alt)="[^"<>]*"|rel="nofollow noopener"|loading="lazy"|start="[^"<>]*"|scope="col"|tabindex="0"))*( \/)?>$/;

function strangersIn(html: string): string[] {
  return (html.match(/<[^>]*>?/g) ?? []).filter((tag) => !TAG.test(tag));
}

const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<SCRIPT SRC=//evil/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="https://evil.example/track.png">',
  '<img src="//evil.example/track.png">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<img srcset="https://evil.example/a.png 2x" src="a%20b.png">',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1)></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="x.swf"></object><embed src="x.swf">',
  '<form action="https://evil.example"><input name=q><button>Go</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<style>*{background:url(https://evil.example)}</style>',
  '<p style="position:fixed;inset:0">x</p>',
  '<div class="notice bad" id="main">x</div>',
  '<link rel=stylesheet href=//evil>',
  '<meta http-equiv=refresh content="0;url=//evil">',
  '<base href="https://evil.example/">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<a href="\\\\evil.example">x</a>',
  '<a href="/sign-out">x</a>',
  '<a href="/admin?x">x</a>',
  '<a href="https://good.example" onclick="alert(1)" target="_blank" ping="//evil" download>x</a>',
  '<a href="../../../etc/passwd">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '![x](javascript:alert(1))',
  '![x" onerror="alert(1)](a%20b.png)',
  '![x](a%20b.png "t\\" onerror=\\"alert(1)")',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '<https://x.example/"onmouseover="alert(1)>',
  '[x](https://x.example/"onmouseover="alert(1))',
  '```"><script>alert(1)</script>\ncode\n```',
  '`<script>alert(1)</script>`',
  '# <script>alert(1)</script>',
  '| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?><x:script>alert(1)</x:script>',
  '<template><script>alert(1)</script></template>',
  '<video src=x onerror=alert(1)><source onerror=alert(1)></video>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<ol start=\'1" onx="\'><li>x</ol>',
  '<p\u0000 onclick=alert(1)>x',
  '\u0000<\u0000script>alert(1)</script>',
];

describe('hostile Markdown becomes plain markup', () => {
  test.each(HOSTILE)('%j', async (text) => {
    const html = await render(text);
    expect(strangersIn(html)).toEqual([]);
    expect(html).not.toMatch(/href="[^"]*(javascript|vbscript|data|evil|sign-out|admin|passwd)/i);
  });

  test('in any combination of its pieces', async () => {
    const pieces = HOSTILE.flatMap((text) => text.split(/(?=[<>"'&\n])/)).concat('\n\n', '    ', '> ', '- ');
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(strangersIn(await render(text))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

test.each([
  ['# One\n\n###### Six', '<h3>One</h3>\n<h6>Six</h6>\n'],
  ['<h1>One</h1>', '<h3>One</h3>\n'],
  [
    '[a](https://a.example "t")',
    '<p><a title="t" href="https://a.example" rel="nofollow noopener">a</a></p>\n',
  ],
  ['me@a.example', '<p><a href="mailto:me@a.example" rel="nofollow noopener">me@a.example</a></p>\n'],
  ['[a](../refs/api.md#part)', '<p><a href="/skills/heron/files/refs/api.md">a</a></p>\n'],
  ['[a](../nothing.md) [b](#part)', '<p><span>a</span> <span>b</span></p>\n'],
  ['[a](/books/other-book)', '<p><a href="/books/other-book">a</a></p>\n'],
  ['[a](../c%252e.md)', '<p><a href="/skills/heron/files/c%252e.md">a</a></p>\n'],
  [
    '![A heron](a%20b.png)',
    '<p><img src="/skills/heron/files/guide/a%20b.png" alt="A heron" loading="lazy" /></p>\n',
  ],
  ['![A <heron>](https://a.example/x.png)', '<p><span>A &lt;heron&gt;</span></p>\n'],
  ['![drawn](x.svg)', '<p><span>drawn</span></p>\n'],
  ['- [x] done', '<ul>\n<li><span>☑ </span>done</li>\n</ul>\n'],
  ['\ufeff# BOM', '<h3>BOM</h3>\n'],
])('%j becomes %j', async (text, html) => {
  expect(await render(text)).toBe(html);
});

test('without a home there are no files, and headings begin at the given level', async () => {
  const html = await renderMarkdown('# T\n\n[a](a.md) ![b](b.png)', { level: 2, home: null });
  expect(html).toBe('<h2>T</h2>\n<p><span>a</span> <span>b</span></p>\n');
});

test.each(['> ', '<div>', '<i><!-- </i> -->', '<i title="</i>">', '- '])(
  'a text nested too deep by %j is shown as it was written',
  async (piece) => {
    const text = `${piece.repeat(2000)}heron`;
    expect(await render(text)).toBe(`<pre tabindex="0">${Bun.escapeHTML(text)}</pre>`);
  },
);

test('a wide table of short rows, which Bun would fill up, is shown as it was written', async () => {
  const [wide, many] = [100, 201];
  const text = (rows: number) => `${'|a'.repeat(wide)}|\n${'|-'.repeat(wide)}|\n${'a\n'.repeat(rows)}`;
  expect(await render(text(many))).toBe(`<pre tabindex="0">${text(many)}</pre>`);
  expect(await render(text(many - 1))).toContain('<td>a</td>');
});
