import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { conformText } from '../../../src/reading/ebook/conform.ts';
import { parseXhtml, writeXhtml } from '../../../src/reading/ebook/xhtml.ts';

const conformed = (markup: string): string => conformText(markup).xhtml;

test.each([
  ['a block in a line leaves its text', '<span>a<p>b</p>c</span>', '<span>ab<br/>c</span>'],
  ['a link in a link', '<a href="#a">x<a href="#b">y</a></a>', '<a href="#a">xy</a>'],
  ['what is no item of a list', '<ul>one<li>two</li></ul>', '<ul><li>one</li><li>two</li></ul>'],
  ['an empty list', '<ol>\n</ol>', ''],
  ['an item of no list', '<li>x</li>', '<div>x</div>'],
  ['a number in a list without numbers', '<ul><li value="3">x</li></ul>', '<ul><li>x</li></ul>'],
  ['a cell of no table', '<td>x</td>', '<div>x</div>'],
  [
    'rows of no group, and text between them',
    '<table>t<tr><td>a</td></tr><tfoot><tr><th>b</th></tr></tfoot></table>',
    't<table><tbody><tr><td>a</td></tr></tbody><tfoot><tr><th>b</th></tr></tfoot></table>',
  ],
  ['a table without cells', '<table><caption>c</caption><tr></tr></table>', '<p>c</p>'],
  [
    'a heading in a header cell',
    '<table><tr><th><h2>a</h2></th></tr></table>',
    '<table><tbody><tr><th><p>a</p></th></tr></tbody></table>',
  ],
  ['terms without definitions', '<dl><dt>a</dt></dl>', '<div><div>a</div></div>'],
  ['terms and definitions', '<dl><dt>a</dt><dd><p>b</p></dd></dl>', '<dl><dt>a</dt><dd><p>b</p></dd></dl>'],
  ['readings without a base', '<ruby><rt>x</rt></ruby>', '<span><span>x</span></span>'],
  ['readings', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '<ruby>漢<rt>kan</rt></ruby>'],
  [
    'a caption between pictures',
    '<figure>a<figcaption>b</figcaption>c</figure>',
    '<figure>a<p>b</p>c</figure>',
  ],
  ['folded text is open', '<details open=""><summary>s</summary>t</details>', '<div><p>s</p>t</div>'],
  ['a day', '<time datetime="2026-02-03">x</time>', '<time datetime="2026-02-03">x</time>'],
  ['a day that is none', '<time datetime="2026-02-30">x</time>', '<span>x</span>'],
  ['a language that is none', '<p lang="toolongtag">x</p>', '<p>x</p>'],
  ['a language', '<p lang="de">x</p>', '<p lang="de" xml:lang="de">x</p>'],
  [
    'the link of a heading to itself',
    '<h1 id="a">A <a class="anchor" href="#a"></a></h1>',
    '<h1 id="a">A </h1>',
  ],
  ['a link without words', '<p>a <a href="https://a.example/"></a></p>', '<p>a </p>'],
  ['attributes of pages', '<pre tabindex="0" role="group" aria-label="Code">x</pre>', '<pre>x</pre>'],
  [
    'notes have their types',
    '<sup><a href="#fn:1" id="fnref:1" class="note">1</a></sup><section class="notes" role="doc-endnotes"><ol><li id="fn:1">n</li></ol></section>',
    '<sup><a href="#fn:1" id="i1" class="note" epub:type="noteref" role="doc-noteref">1</a></sup><section class="notes" epub:type="endnotes" role="doc-endnotes"><ol><li id="i2" epub:type="endnote">n</li></ol></section>',
  ],
])('%s', (_, markup, expected) => {
  expect(conformed(markup)).toBe(expected);
});

test('ids that programs may not take get other names, and none is given twice', () => {
  const { xhtml, ids } = conformText('<p id="中文">a</p><p id="i1">b</p><p id="fn:1">c</p><p id="x.y">d</p>');
  expect(xhtml).toBe('<p id="i2">a</p><p id="i1">b</p><p id="i3">c</p><p id="x.y">d</p>');
  expect(ids).toEqual({ 中文: 'i2', i1: 'i1', 'fn:1': 'i3', 'x.y': 'x.y' });
});

test('markup is read as it was written', () => {
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('text', ' ', '&amp;', '\u{1f98a}', '<br/>', '<img src="a" alt="&quot;"/>'),
      fc
        .tuple(fc.constantFrom('p', 'b', 'h1'), fc.array(tie('node'), { maxLength: 4 }))
        .map(([tag, children]) => `<${tag} id="x">${children.join('')}</${tag}>`),
    ),
  })).node;
  fc.assert(
    fc.property(tree, (markup) => writeXhtml(parseXhtml(markup)) === markup),
    { numRuns: 200 },
  );
});
