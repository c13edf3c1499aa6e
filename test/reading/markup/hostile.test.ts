import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createItemLinks } from '../../../src/reading/item-links.ts';
import { renderMarkdown } from '../../../src/reading/markup/markdown.ts';
import { HOSTILE } from './hostile.ts';
import { OWASP } from './owasp.ts';
import { runs } from '../../helpers/runs.ts';

const links = createItemLinks({
  kind: 'skill',
  slug: 'heron',
  from: 'guide/SKILL.md',
  files: new Set(['guide/a.png', 'guide/SKILL.md', 'refs/api.md']),
  texts: new Set(['guide/SKILL.md', 'refs/api.md']),
});

const htmlOf = (text: string): string => renderMarkdown(text, { links })?.html ?? '';

/** All that may be in the page: a tag of the list, its few attributes, each address of a scheme that runs nothing. */
const TAG =
  /^<\/?(?:h[1-6]|p|br|hr|blockquote|pre|[uod]l|li|d[td]|div|section|article|aside|header|footer|fig(?:ure|caption)|span|em|strong|[ibsuq]|del|ins|code|kbd|samp|var|su[bp]|mark|small|abbr|cite|dfn|bdi|ruby|r[tp]|wbr|a|img|table|caption|t(?:head|body|foot|[hdr])|details|summary|time)(?: (?:href="(?:https?:\/\/[^"\s\\<>]+|mailto:[^"\s<>]+|#[^"\s<>]+|\/skills\/heron\/(?:read|files)\/[^"\s<>]*|\/(?:books|skills)\/[a-z0-9-]+)"|src="\/skills\/heron\/files\/guide\/a\.png"|(?:title|alt|aria-label)="[^"<>]*"|id="[^"\s<>]+"|class="(?:scroll|alert (?:note|tip|important|warning|caution)|alert-title|anchor|notes?|back|task|left|right|center|language-[\w+#.-]+|hljs-[\w -]+)"|role="(?:group|img|note|doc-endnotes)"|tabindex="(?:0|-1)"|aria-hidden="true"|rel="nofollow noopener"|loading="lazy"|(?:start|value|width|height|colspan|rowspan)="-?\d+"|scope="\w+"|open=""|reversed=""|dir="(?:ltr|rtl|auto)"|lang="[\w-]+"|datetime="[\d:.TZ+-]+"))*(?: \/)?>$/;

function strangersIn(html: string): string[] {
  return (html.match(/<[^>]*>?/g) ?? []).filter((tag) => !TAG.test(tag));
}

/** The elements that are still open where they should not be. */
function unbalancedIn(html: string): string[] {
  const open: string[] = [];
  for (const [, end, name = '', , empty] of html.matchAll(/<(\/?)([a-z\d]+)([^>]*?)( \/)?>/g)) {
    if (empty !== undefined) continue;
    if (end === '') open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

const EVASIONS = OWASP.flatMap(([heading, ...texts]) => texts.map((text) => [heading, text] as const));

test('the lists are long', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThan(170);
  expect(new Set(EVASIONS.map(([, text]) => text)).size).toBeGreaterThan(150);
});

describe('hostile Markdown becomes plain markup', () => {
  const expectHarmless = (text: string): void => {
    const html = htmlOf(text);
    expect(strangersIn(html)).toEqual([]);
    expect(unbalancedIn(html)).toEqual([]);
    expect(html).not.toMatch(/href="[^"]*(?:javascript|vbscript|data:|sign-out|admin|passwd)/i);
    expect(html).not.toMatch(/src="[^"]*evil|id="(?:main|mark)"/i);
  };
  test.each(HOSTILE)('%j', expectHarmless);
  test.each(EVASIONS)('OWASP, %s: %j', (_, text) => expectHarmless(text));

  test('also in whatever is put together of its pieces', () => {
    const pieces = HOSTILE.flatMap((text) => text.split(/(?=[<>"'&\n])/)).concat(
      '\n\n',
      '    ',
      '> ',
      '- ',
      '|',
    );
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const html = htmlOf(text);
        expect(strangersIn(html)).toEqual([]);
        expect(unbalancedIn(html)).toEqual([]);
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('a text that is too deep or too much is not rendered', () => {
  test.each([
    ['nested quotes', '>'.repeat(100_000)],
    ['nested quotes with spaces', '> '.repeat(100_000)],
    ['nested lists', Array.from({ length: 300 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n')],
    ['nested elements', '<div>'.repeat(2000)],
    ['nested inline elements', `a ${'<b>'.repeat(2000)}`],
    ['500,000 cells', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${`${'|a'.repeat(100)}|\n`.repeat(5000)}`],
    ['cells that rows leave out', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|a\n'.repeat(501)}`],
    ['a note named 200,000 times', `${'[^a]'.repeat(200_000)}\n\n[^a]: x`],
  ])('%s', (_, text) => {
    expect(renderMarkdown(text, { links })).toBeNull();
  });
});

describe('a hostile formula stands as it is written, and takes no time', () => {
  const many = (count: number, text: string): string => text.repeat(count);
  test.each([
    ['deep braces', `$${many(2000, '{')}x${many(2000, '}')}$`],
    ['deep fractions', `$$${many(200, '\\frac{1}{')}x${many(200, '}')}$$`],
    ['deep brackets', `$$${many(200, '\\left(')}x${many(200, '\\right)')}$$`],
    ['a macro of itself', '$\\def\\a{\\a\\a}\\a$'],
    ['a macro that grows', `$\\def\\a#1{${many(50, '#1')}}\\a{\\a{\\a{\\a{xxxxxxxxxx}}}}$`],
    ['a macro in itself', `$\\def\\a#1{${many(100, '#1')}}\\a{\\a{\\a{xxxxxxxxxxxxxxxxxxxxx}}}$`],
    ['a long macro', `$\\newcommand\\a[1]{${many(200, '#1')}}\\a{${many(200, 'x')}}$`],
    ['a megabyte', `$$${many(500_000, 'x+')}1$$`],
    ['a link', '$\\href{javascript:alert(1)}{x}$'],
    ['a link by another name', '$\\url{javascript:alert(1)}$'],
    ['a class', '$\\class{menu}{x}$'],
    ['a style', '$\\style{position:fixed}{x}$'],
    ['an id', '$\\id{mark}{x}$'],
    ['data', '$\\data{a=b}{x}$'],
    ['a picture', '$\\includegraphics{https://a.example/x.png}$'],
    ['a reference', '$\\ref{x}$'],
  ])('%s', (_, text) => {
    const start = performance.now();
    const html = renderMarkdown(text, { links, math: true })?.html ?? '';
    expect(html).not.toContain('<math');
    expect(strangersIn(html)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test.each([
    ['dollars that close nothing', many(300_000, '$a ')],
    ['brackets that close nothing', many(100_000, '\\[\n')],
    ['brackets in a line', many(200_000, '\\(')],
    ['a hundred thousand formulas', many(100_000, '$x$ ')],
    ['bombs one after the other', many(2000, `$\\def\\a#1{${many(30, '#1')}}\\a{\\a{x}}$ `)],
  ])('%s', (_, text) => {
    const start = performance.now();
    renderMarkdown(text, { links, math: true });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('sizes end somewhere, and what is in a formula stays text', () => {
    const html = renderMarkdown('$\\rule{9999em}{9999em} \\text{<script>&"</script>}$', {
      links,
      math: true,
    })?.html;
    expect(html).toContain('width="20em" height="20em"');
    expect(html).toContain('&lt;script&gt;&amp;&quot;&lt;/script&gt;');
  });
});
