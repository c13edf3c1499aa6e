import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { renderMarkdown } from '../../../src/reading/markup/markdown.ts';
import {
  createMarker,
  findMarks,
  type Marking,
  type Rendered,
} from '../../../src/reading/markup/rendered.ts';
import { putAll, putMarks } from './put-marks.ts';
import { renderPlain } from '../../../src/reading/markup/plain-text.ts';
import { shownBy, wordsOf } from './oracle.ts';
import { runs } from '../../helpers/runs.ts';

const links = { href: (target: string) => target, image: (target: string) => target };

function markedIn(html: string): string[] {
  return [...html.matchAll(/<mark(?: id="mark")?>(.*?)<\/mark>/gs)].map(([, text = '']) =>
    text.replace(/<math.*?<\/math>/gs, (formula) => formula.replace(/<[^>]*>/g, '')),
  );
}

/** The HTML with the first place of `slice` marked. */
function markText(source: string, slice: string): string {
  const rendered = renderMarkdown(source, { links, anchors: false, math: true })!;
  const start = source.indexOf(slice);
  const marking = findMarks(rendered, { start, end: start + slice.length });
  return marking === null ? rendered.html : putMarks(rendered.html, marking);
}

describe('a slice of the source is marked, and nothing else', () => {
  test.each([
    ['across emphasis', 'a **b c** d', 'b c** d', ['b c', ' d']],
    ['in a quotation over two lines', '> a b\n> c d', 'b\n> c', ['b\nc']],
    ['with an entity and an escape', 'a &amp; \\* b', '&amp; \\*', ['&amp; *']],
    ['that cuts an entity', 'a &amp; b', 'p; b', [' b']],
    ['within code', 'a `` b `c` `` d', 'b `c`', ['b `c`']],
    ['of a cell with a pipe', '|x|y|\n|-|-|\n|a|b \\| c|', '\\| c', ['| c']],
    ['of one of two like cells in a quotation', '> - |a|a|\n>   |-|-|\n>   |b|b|', 'b|\n', []],
    ['of a link, without its address', 'a [b c](d "e") f', 'c](d "e") f', ['c', ' f']],
    ['of fenced code', 'x\n\n```\na b\nc d\n```', 'b\nc', ['b\nc']],
    ['of indented code with tabs', '-\ta\n\n\t\tb c', 'b c', ['b c']],
    ['of an autolink', 'see https://a.example/b now', 'a.example/b now', ['a.example/b', ' now']],
    ['of HTML', '<div>a &lt; <b>b</b></div>', '&lt; <b>b', ['&lt; ', 'b']],
    ['after a surrogate pair', '😀 *a* b', 'a* b', ['a', ' b']],
    ['of a note', 'a[^1]\n\n[^1]: b c', 'b c', ['b c']],
    ['with CRLF', 'a b\r\nc d', 'b\r\nc', ['b\nc']],
    ['after emphasis that is none', '2 * 3 * 4 = x_y_z', '3 * 4 = x_y', ['3 * 4 = x_y']],
    ['in a task', '- [x] a b', 'b', ['b']],
    ['in an alert', 'a\n\n> [!NOTE]\n> b *c*\n> d', 'b *c*\n> d', ['b ', 'c', 'd']],
    ['across an alert, without its title', 'a\n\n> [!NOTE]\n> b', 'a\n\n> [!NOTE]\n> b', ['a', 'b']],
    ['with a formula, whole', 'a $x_1$ b', 'a $x_1$', ['a x1']],
    ['that cuts a formula', 'a $x_1$ b', '1$ b', [' b']],
    ['of a formula over two lines of a quotation', '> a $x\n> y$ b', '$x\n> y$ b', ['xy b']],
    ['of a formula in a cell', '|a|\n|-|\n|$x$ b|', '$x$', ['x']],
    ['of a formula on lines of its own', 'a\n\n$$\nx\n$$\n', '$$\nx\n$$', ['x']],
    ['of a formula in a fence', '- ```math\n  x\n  ```', '```math\n  x\n  ```', ['x']],
    ['within a formula that cannot be read', 'a $\\no x$ b', 'no x$ b', ['no x$', ' b']],
  ])('%s', (_, source, slice, marked) => {
    if (marked.length > 0) expect(markedIn(markText(source, slice))).toEqual(marked);
  });
});

test('the second of two like cells is marked when it is meant', () => {
  const source = '> - |a|a|\n>   |-|-|\n>   |b|b|';
  const rendered = renderMarkdown(source, { links, anchors: false })!;
  const start = source.lastIndexOf('b');
  const html = putMarks(rendered.html, findMarks(rendered, { start, end: start + 1 })!);
  expect(html).toContain('<td>b</td>\n<td><mark id="mark">b</mark></td>');
});

test('a frame is around what is shown, and not around a comment', () => {
  const rendered = renderMarkdown('\n- </b><!-- c -->', { links })!;
  expect(putMarks(rendered.html, findMarks(rendered, { start: 1, end: 2 })!)).toBe(
    '<div class="marked" id="mark"><ul><li></li>\n</ul>\n</div>',
  );
});

test('the first mark alone has the id', () => {
  expect(markText('a *b* c', 'a *b* c').match(/id="mark"/g)).toHaveLength(1);
});

test('a slice without words frames the smallest block around it', () => {
  expect(markText('a\n\n> b [c](address) d', 'addr')).toBe(
    '<p>a</p>\n<blockquote><div class="marked" id="mark"><p>b <a href="address">c</a> d</p>\n</div></blockquote>\n',
  );
});

test('a slice of a plain text is marked between its line numbers', () => {
  const source = 'a b\nc < d\ne';
  const rendered = renderPlain(source, 'x.txt');
  const html = putMarks(rendered.html, findMarks(rendered, { start: 2, end: 9 })!);
  expect(markedIn(html)).toEqual(['b\n', 'c &lt; d']);
});

/** The pieces of Markdown. */
const PIECES = fc.constantFrom(
  ...[
    'word ',
    'two words ',
    '*',
    '**',
    '_',
    '`',
    '``',
    '[',
    '](x) ',
    '![',
    '&amp;',
    '\\*',
    '\\',
    '\n',
    '\n\n',
    '\n> ',
  ],
  ...[
    '\n- ',
    '\n1. ',
    '\n    ',
    '\t',
    '# ',
    '\n## ',
    '|',
    '\n|a|b|\n|-|-|\n|c|d\\|e|\n',
    '~~',
    '\n```js\nlet x\n```\n',
  ],
  ...[
    'é',
    '漢字',
    '😀',
    '<b>',
    '</b>',
    '<br>',
    '<!-- c -->',
    'https://a.example/x ',
    '\r\n',
    '  \n',
    '"',
    '.',
    ' ',
  ],
  ...['\n> [!NOTE]\n> ', '[!TIP]', ' $q$ '],
);

/** Formulas in all their marks, and what is none. */
const WITH_MATH = fc.oneof(
  PIECES,
  fc.constantFrom(
    ...['$', '$$', '$x_1$ ', '\\(y\\)', '\n$$\nz\n$$\n', '\\[', '$\\no$', '\n```math\nw\n```\n', '$5 '],
  ),
);

/** The oracle takes the marker of an empty list item for text: letters alone are compared. */
const letters = (text: string): string => text.replace(/\P{L}+/gu, '');

/** The same for the oracle, which knows no alerts, and shows code as it is. */
const forOracle = (text: string): string =>
  text
    .replace(/(?<=^>[ >]*)\[!(?:NOTE|TIP)\](?=\s*$)/gm, (mark) => ' '.repeat(mark.length))
    .replaceAll('$q$', '`q`');

const lettersOf = ({ html }: Rendered, marking: Marking): string =>
  letters(markedIn(putMarks(html, marking)).join('').replace(/&\w+;/g, ''));

test('any slice of any Markdown marks what an independent parser shows of it', () => {
  const cases = fc.record({
    text: fc.array(PIECES, { minLength: 1, maxLength: 30 }).map((parts) => parts.join('')),
    from: fc.nat(200),
    length: fc.integer({ min: 1, max: 80 }),
  });
  fc.assert(
    fc.property(cases, ({ text, from, length }) => {
      const rendered = renderMarkdown(text, { links, math: true });
      const shown = shownBy(forOracle(text), 0);
      const all = rendered && findMarks(rendered, { start: 0, end: text.length });
      // Where the two read a text differently, there is nothing to compare.
      fc.pre(
        all?.kind !== 'marks' || lettersOf(rendered!, all) === letters(wordsOf(shown, text, 0, text.length)),
      );
      const start = from % text.length;
      const end = Math.min(text.length, start + length);
      // A formula is marked as a whole.
      fc.pre(![start, end].some((at) => /\$q?$/.test(text.slice(0, at)) && /^q?\$/.test(text.slice(at))));
      const marking = rendered === null ? null : findMarks(rendered, { start, end });
      if (rendered === null || marking?.kind !== 'marks') return;
      expect(lettersOf(rendered, marking)).toBe(letters(wordsOf(shown, text, start, end)));
    }),
    { numRuns: runs(3000) },
  );
});

/** The text between the tags of HTML whose elements are in each other; throws if they are not. */
function textOf(html: string): string {
  const open: string[] = [];
  return html.replace(/<(\/?)([\w-]+)[^>]*?(\/?)>/g, (tag, end: string, name: string, isEmpty: string) => {
    if (end === '' && isEmpty === '') open.push(name);
    else if (end !== '' && open.pop() !== name) throw new Error(`${tag} ends nothing in ${html}`);
    return '';
  });
}

test('any notes on any Markdown, with a citation, leave a page well-formed, and each is named once', () => {
  const slice = fc.record({ from: fc.nat(200), length: fc.integer({ min: 1, max: 80 }) });
  const cases = fc.record({
    text: fc.array(WITH_MATH, { minLength: 1, maxLength: 40 }).map((parts) => parts.join('')),
    slices: fc.array(slice, { maxLength: 8 }),
  });
  fc.assert(
    fc.property(cases, ({ text, slices }) => {
      const rendered = renderMarkdown(text, { links, math: true });
      if (rendered === null) return;
      const find = createMarker(rendered);
      const markings = slices.flatMap(({ from, length }, n) => {
        const start = from % text.length;
        const marking = find({ start, end: Math.min(text.length, start + length) });
        return marking === null ? [] : [{ id: n === 0 ? 'mark' : `note-${n}`, marking }];
      });
      const html = putAll(rendered.html, markings);
      expect(textOf(html)).toBe(textOf(rendered.html));
      const ids = [...html.matchAll(/ id="(mark|note-\d+)"/g)].map(([, id = '']) => id);
      expect(ids.toSorted()).toEqual(markings.map(({ id }) => id).toSorted());
      // All that any of them marks is within a mark, and nothing else is.
      const marks = markings.filter(({ marking: { kind } }) => kind === 'marks');
      const covered = (at: number) =>
        marks.some(({ marking: { ranges } }) => ranges.some(({ from, to }) => from <= at && at < to));
      const wanted =
        [...rendered.html].length === rendered.html.length
          ? rendered.html
              .split('')
              .filter((_, at) => covered(at))
              .join('')
          : null;
      const inMarks = [...html.matchAll(/<mark[^>]*>(.*?)<\/mark>/gs)]
        .map(([, inside = '']) => inside)
        .join('');
      if (wanted !== null) expect(textOf(inMarks)).toBe(textOf(wanted));
    }),
    { numRuns: runs(3000) },
  );
});
