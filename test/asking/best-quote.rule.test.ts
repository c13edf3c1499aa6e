import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bestExcerpts, EXCERPT_WORDS, verifyQuote } from '../../src/asking/best-quote.rule.ts';
import { maskMarkup } from '../../src/reading/block.rule.ts';
import type { FoundPassage } from '../../src/asking/split.rule.ts';
import { isAfterNegation, quoteSentences, widenQuote } from '../../src/asking/quote-boundary.rule.ts';
import { findQuote } from '../../src/asking/quote-match.rule.ts';
import { normalizeText } from '../../src/asking/normalized-text.rule.ts';
import { hideMarkup } from '../../src/reading/shown-text.rule.ts';

const passage = (text: string, start = 0): FoundPassage => ({
  path: 'a.md',
  heading: 'A',
  start,
  end: start + text.length,
  text,
  score: 1,
});
const plain = (one: FoundPassage) => ({ passage: one, plain: maskMarkup(one.text) });
/** A question whose weight is shared by these words. */
const about = (...words: string[]) => ({
  overlap: (sentence: string) =>
    words.filter((word) => sentence.toLowerCase().includes(word)).length / words.length,
  related: () => 0,
  isDefinition: null,
});
const excerpt = (text: string, ...words: string[]) =>
  bestExcerpts([plain(passage(text))], 1, about(...words))[0];
const excerptOf = (text: string, ...words: string[]) => excerpt(text, ...words)?.text;
const markedIn = (text: string, ...words: string[]) =>
  excerpt(text, ...words)?.marked.map(([start, end]) => text.slice(start, end));
/** A sentence of so many words. */
const long = (words: number): string => `${'On '.repeat(words - 1)}end.`;
const code = (lines: number): string => `\`\`\`js\n${'run(fox);\n'.repeat(lines)}\`\`\``;

describe('bestExcerpts', () => {
  test('shows a short passage whole, its likeliest sentence marked', () => {
    const text = 'The owl slept.\n\nThe fox stole a goose. It was cold.\n\nThe hen slept.';
    expect(excerptOf(text, 'fox', 'goose')).toBe(text);
    expect(markedIn(text, 'fox', 'goose')).toEqual(['The fox stole a goose.']);
  });

  test('marks two sentences that are about as likely, in order', () => {
    expect(markedIn('A fox here.\n\nNo.\n\nA fox there.\n\nA fox.', 'fox')).toHaveLength(2);
  });

  test.each([
    ['paragraphs', `${long(70)}\n\nThe fox woke.\n\n${long(130)}`, `${long(70)}\n\nThe fox woke.`],
    [
      'sentences of the next paragraph',
      `${long(60)} The fox woke.\n\n${long(60)} ${long(40)}`,
      `${long(60)} The fox woke.\n\n${long(60)}`,
    ],
    ['what leads in', 'The fox woke up.\n\nThen she said:', 'The fox woke up.'],
    ['emphasis that ends with a sentence', `**The fox woke up.** ${long(128)}`, '**The fox woke up.**'],
    [
      'sentences of the paragraph before',
      `${long(100)} ${long(60)} An owl.\n\nThe fox woke.`,
      `${long(60)} An owl.\n\nThe fox woke.`,
    ],
    [
      'what precedes',
      `The hen is here. ${long(20)} ${long(110)} The fox woke. ${long(100)}`,
      `The fox woke. ${long(100)}`,
    ],
    ['sentences of a long paragraph', `${long(70)} The fox woke. ${long(130)}`, `${long(70)} The fox woke.`],
    ['sentences of a script without spaces', `${'鸟'.repeat(300)}。fox woke了。`, 'fox woke了。'],
    ['a comment', 'The fox. <!-- a secret --> The fox woke up.', 'The fox woke up.'],
  ])('cuts at %s', (_, text, expected) => {
    expect(excerptOf(text, 'fox', 'woke')).toBe(expected);
  });

  test.each([
    ['a sentence', `The fox ${long(150)}`],
    ['a sentence with the words that stand for its heading', `Long jump. The fox ${long(128)}`],
    ['a table', `| fox | den |\n| --- | --- |\n${'| a | b c d e f g h i |\n'.repeat(15)}`.trim()],
    ['code', code(50)],
    ['code with what introduces it', `Run the fox:\n\n${code(57)}`],
    ['code with what speaks of it', `${code(57)}\n\nThe code above runs the fox.`],
    ['code with what speaks of it in Chinese', `${code(57)}\n\n上面代码中，fox 跑了。`],
    ['code with what speaks of it in Japanese', `${code(57)}\n\n前のコードではfoxが走る。`],
    ['code with what speaks of it in German', `${code(57)}\n\nDer Code oben lässt fox laufen.`],
    ['code with what speaks of it in French', `${code(57)}\n\nLe code ci-dessus lance fox.`],
    ['code with what speaks of it in Spanish', `${code(57)}\n\nEl código anterior ejecuta fox.`],
  ])('shows %s whole', (_, text) => {
    expect(excerptOf(`${text}\n\n${long(90)}`, 'fox')).toBe(text);
  });

  test.each([
    [1, 6, 1900],
    [3, 39, 60],
  ])('has at most 400 words, and so has its mark, if %d sentences have %d links', (count, links, length) => {
    const link = ` [here](https://example.org/${'a'.repeat(length)})`;
    const text = Array.from({ length: count }, (_, i) => `The fox ${i}${link.repeat(links)}.`).join('\n\n');
    const { start, end, text: quote, marked } = excerpt(text, 'fox')!;
    expect(verifyQuote({ content: text, start, end, quote, most: EXCERPT_WORDS })).toBe(true);
    expect(marked).toEqual([[start, end]]);
  });

  test('shows 60 lines of longer code, without marks', () => {
    expect(excerptOf(code(90), 'fox')!.split('\n')).toHaveLength(60);
    expect(markedIn(code(90), 'fox')).toEqual([]);
  });

  test.each([
    ['code', '```\nfox fox\n```\n\nThe fox sleeps.'],
    ['the text in place of a picture', '![A fox. On one leg](fox.png "The fox")\n\nThe fox sleeps.'],
    ['such a text of two lines', '![A fox\non one leg](fox.png)\n\nThe fox sleeps.'],
    ['such a text of a picture named below', '![A fox on one leg][f]\n\n[f]: fox.png\n\nThe fox sleeps.'],
  ])('marks a sentence rather than %s', (_, text) => {
    expect(markedIn(text, 'fox', 'leg')).toEqual(['The fox sleeps.']);
  });

  test('is cut around a sentence rather than a row of a table that holds as much', () => {
    const text = `| fox | fox fox |\n\n${long(200)}\n\nThe fox sleeps.`;
    expect(excerptOf(text, 'fox')).toEndWith('The fox sleeps.');
  });

  test('marks the row of a table that holds one word in eight more than a sentence', () => {
    const text = 'The fox den is red here.\n\n| a | b | c |\n| --- | --- | --- |\n| fox | den owl | red |';
    const words = ['fox', 'den', 'owl', 'hare', 'hen', 'elk', 'yak', 'gnu'];
    expect(markedIn(text, ...words)).toContain('| fox | den owl | red |');
  });

  test('prefers a definition', () => {
    const text = 'The fox fought the fox.\n\nA fox is an animal.\n\nThe fox and the fox met.';
    const isDefinition = (sentence: string) => sentence.includes('is an');
    const [found] = bestExcerpts([plain(passage(text))], 1, { ...about('fox'), isDefinition });
    expect(text.slice(...found!.marked[0]!)).toBe('A fox is an animal.');
  });

  test('shows nothing twice, however its lines break, and nothing much less likely than the best', () => {
    const of = (text: string, start: number, score: number) => plain({ ...passage(text, start), score });
    const found = (score: number) =>
      bestExcerpts([of('The\nfox.', 0, 9), of('The fox.', 99, 9), of('A fox.', 200, score)], 3, about('fox'));
    expect(found(9).map(({ start }) => start)).toEqual([0, 200]);
    expect(found(5).map(({ start }) => start)).toEqual([0]);
  });

  test.each(['Nothing here.', '', 'Before ![A fox](fox.png)'])(
    'gives nothing for a passage without the words: %j',
    (text) => {
      expect(excerpt(text, 'fox')).toBeUndefined();
    },
  );

  test('returns only exact slices, its marks within them', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'fox',
        '. ',
        '\r\n',
        '\n\n',
        '🦊',
        '狐狸。',
        'ثعلب ',
        '\u202e',
        '\0',
        '\u00a0',
        '“Mr. ',
        '\ufeff',
        '```\n',
        '| a |\n',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.nat(90).map((count) => 'on '.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.string({ unit: 'binary' }), (pieces, before) => {
        const text = `fox ${pieces.join('')}`;
        const content = before + text;
        const found = bestExcerpts([plain(passage(text, before.length))], 3, about('fox'));
        expect(found).toHaveLength(1);
        for (const { start, end, text: quote, marked } of found) {
          expect(verifyQuote({ content, start, end, quote, most: EXCERPT_WORDS * 10 })).toBe(true);
          for (const [from, to] of marked) expect(start <= from && from < to && to <= end).toBe(true);
        }
      }),
    );
  });
});

test.each([
  ['at the very start of a text', 'Not a soul was there', 'a soul was there'],
  ['at the end of its reach', `${'x'.repeat(35)} not a soul was there`, 'a soul was there'],
])('a negation right before a quote is seen %s, however long the text', (_, text, quote) => {
  const long = `${text}${' The fox is red.'.repeat(50)}`;
  const start = long.indexOf(quote);
  expect(isAfterNegation(long, start)).toBe(true);
});

describe('verifyQuote', () => {
  const content = 'The fox 🦊 is red.\r\nIt is not blue.';

  test.each([
    ['the exact slice', 0, 7, 'The fox', true],
    ['a slice that ends after an emoji', 4, 10, 'fox 🦊', true],
    ['a slice across CRLF', 14, 22, 'red.\r\nIt', true],
    ['half an emoji at its end', 4, 9, 'fox \ud83e', false],
    ['half an emoji at its start', 9, 10, '\udd8a', false],
    ['another case', 0, 7, 'the fox', false],
    ['a flipped negation', 20, 34, 'It is now blue', false],
    ['the right words at the wrong place', 1, 8, 'The fox', false],
    ['an empty slice', 3, 3, '', false],
    ['a reversed range', 7, 0, 'The fox', false],
    ['an end past the text', 0, 99, content, false],
    ['a negative start', -4, 3, 'The', false],
    ['a fraction', 0.5, 7, 'The fox', false],
    ['NaN', Number.NaN, 7, 'The fox', false],
  ])('judges %s', (_, start, end, quote, verified) => {
    expect(verifyQuote({ content, start, end, quote })).toBe(verified);
  });

  test.each([
    [60, true],
    [61, false],
  ])('judges a quote of %d words', (words, verified) => {
    const text = Array.from({ length: words }, () => 'word').join(' ');
    expect(verifyQuote({ content: text, start: 0, end: text.length, quote: text })).toBe(verified);
  });

  test('accepts no changed character', () => {
    const long = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(long, long, (text, other) => {
        const claim = { content: text, start: 0, end: text.length };
        expect(verifyQuote({ ...claim, quote: other })).toBe(other === text);
      }),
    );
  });
});

/** The slice that is shown for a quote, with "…" at its cuts. */
function show(text: string, quote: string): string {
  const source = normalizeText(text);
  const { start, end, isCutBefore, isCutAfter } = widenQuote(
    source,
    quoteSentences(source),
    findQuote(source, normalizeText(quote))!,
  );
  return `${isCutBefore ? '…' : ''}${text.slice(start, end)}${isCutAfter ? '…' : ''}`;
}

const LONG = 'The old man who had lived in the small house by the sea for many years';

test.each([
  ['a whole sentence', 'He came. The fox is red. So it is.', 'The fox is red.', 'The fox is red.'],
  ['a sentence without its full stop', 'The fox is red. So it is.', 'The fox is red', 'The fox is red'],
  ['a negation before it', 'Not a soul was there', 'A soul was there', 'Not a soul was there'],
  [
    'a negation in the line before',
    'He was *not*\n> in the house',
    'in the house',
    'He was *not*\n> in the house',
  ],
  ['a negation after it', 'I knew the man not', 'I knew the man', 'I knew the man not'],
  ['a Chinese negation', '他不喜欢吃这种东西', '喜欢吃这种东西', '他不喜欢吃这种东西'],
  [
    'a negation far into a sentence',
    `${LONG} did not go home again.`,
    'go home again',
    `${LONG} did not go home again`,
  ],
  [
    'few',
    'Few people of the village trust it.',
    'people of the village trust it',
    'Few people of the village trust it',
  ],
  [
    'if',
    'If the river is low, you may cross it.',
    'the river is low',
    'If the river is low, you may cross it.',
  ],
  [
    'unless',
    'It is safe to cross unless it rains.',
    'It is safe to cross',
    'It is safe to cross unless it rains.',
  ],
  [
    'a condition far away',
    `If you ask ${LONG}, it is safe to cross here.`,
    'it is safe to cross',
    '…it is safe to cross here.',
  ],
  [
    'a cut after it',
    `It is safe to cross if ${LONG} has said so.`,
    'is safe to cross',
    'It is safe to cross…',
  ],
  [
    'a heading before it',
    '# The fox\n\nThe fox is red and old.',
    'The fox is red',
    'The fox is red and old.',
  ],
  ['a list item', '- one\n- the fox is red and it is old\n', 'it is old', 'the fox is red and it is old'],
  [
    'a language without a list',
    'Mbweha si mwekundu kabisa hapa.',
    'mwekundu kabisa hapa',
    'Mbweha si mwekundu kabisa hapa',
  ],
  [
    'sixty words',
    `No ${'word '.repeat(59)}is it.`,
    'word '.repeat(59).trim(),
    `No ${'word '.repeat(59).trim()}…`,
  ],
  [
    'more than sixty words',
    `No ${'word '.repeat(70)}is it.`,
    'word '.repeat(60).trim(),
    `…${'word '.repeat(60).trim()}…`,
  ],
  [
    'a passage that begins inside a sentence',
    'and so the fox is red.',
    'and so the fox is red.',
    '…and so the fox is red.',
  ],
])('shows %s', (_, text, quote, expected) => {
  expect(show(text, quote)).toBe(expected);
});

const shownOf = (text: string): string => hideMarkup(text).replaceAll('\u00ad', '');

describe('hideMarkup', () => {
  test.each([
    ['emphasis', '**bold** *it* ***both*** _it_ __bo ld__', 'bold it both it bo ld'],
    ['emphasis within emphasis', '(**bold *it* bold**) **_x_**', '(bold it bold) x'],
    ['emphasis over a line end', 'an *old\nman* here', 'an old\nman here'],
    ['emphasis in Chinese', '这是**重点**内容', '这是重点内容'],
    ['emphasis and a footnote', '**bold**[^1], it[^a-b].', 'bold, it.'],
    ['code', 'run `git push` or ``a``', 'run git push or a'],
    ['no marks in code', '`*x*` and `<b>x</b>` and `[a](b.c)`', '*x* and <b>x</b> and [a](b.c)'],
    ['links', '[the docs](http://a/b_(c) "Title") and [one](#two).', 'the docs and one.'],
    ['images', '![a fox](fox.png) and [![fox](f.png)](g.md)', 'a fox and fox'],
    ['tags', '<b>bold</b> <a href="x">link</a> <em><b>x</b></em>', 'bold link x'],
    ['line breaks', 'one<br>two<br />\nthree', 'one two \nthree'],
    ['headings and quotations', '## Head\n> one\n> > two\n>three', ' Head\n one\n  two\nthree'],
    ['lists', '- one\n  * two\n+ three\n• four', ' one\n   two\n+ three\n four'],
    ['lists of numbers', 'Buy:\n\n- 5 apples\n- 6 pears', 'Buy:\n\n 5 apples\n 6 pears'],
    ['fences, rules and underlines', '```sh\nbun *a*\n```\n---\nHead\n====', '\nbun a\n\n\nHead\n'],
    ['escapes', 'a\\_b \\*c \\"d\\" \\d+\\.\\w', 'a_b *c "d" \\d+\\.\\w'],
    ['ellipses', 'a... b . . . c [...] d (…) e…', 'a… b … c … d … e…'],
    ['a full stop before an ellipsis', 'a.... b. . . . c', 'a.… b.… c'],
  ])('hides %s', (_, text, shown) => {
    expect(shownOf(text)).toBe(shown);
  });

  test.each([
    ['products', '2*3*4 and a * b and 2 * 3 * 4'],
    ['pointers and arguments', 'int *p, *q; f(*args, **kwargs)'],
    ['globs', 'src/*.ts and test/*.ts'],
    ['identifiers', 'snake_case_name __init__ __all__ _private'],
    ['types and comparisons', 'Vec<u8> a < b > c if (a<b && b>c)'],
    ['tags that are left open', 'Use <b> rather than <strong>'],
    ['powers and indices', '10<sup>6</sup> and H<sub>2</sub>O'],
    ['struck text', '~~not~~ allowed'],
    ['calls that look like links', 'handlers[name](event.type) and a[i](x.y)'],
    ['brackets', 'an array[0] [citation needed] [a](b)'],
    ['arithmetic over a line end', 'x = a\n  - 5\n  > 4\n  + b'],
    ['hash signs', 'C# and #include and #5'],
    ['emphasis over paragraphs', '*one\n\ntwo*'],
    ['two dots', 'a..b 0..5'],
  ])('leaves %s', (_, text) => {
    expect(hideMarkup(text)).toBe(text);
  });

  test('keeps every offset', () => {
    const marks = fc.constantFrom(
      ...'*_`[](){}<>!\\#->+~=. \n\r\t…^"\'ab12中/:'.split(''),
      'br',
      '```',
      '...',
      '](a.b)',
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const hidden = hideMarkup(text);
        expect(hidden).toHaveLength(text.length);
        expect([...hidden].every((unit, i) => unit === text[i] || '\u00ad … .'.includes(unit))).toBe(true);
      }),
    );
  });
});
