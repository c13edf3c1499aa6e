import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerAsked } from '../../src/passages/question-words.ts';
import {
  bestQuotes,
  quotableSentences,
  type ScoredPassage,
  verifyQuote,
} from '../../src/passages/best-quote.ts';
import { maskMarkup } from '../../src/passages/block.ts';
import type { FoundPassage } from '../../src/passages/split.ts';
import { isAfterNegation, quoteSentences, widenQuote } from '../../src/passages/quote-boundary.ts';
import { findQuote } from '../../src/passages/quote-match.ts';
import { normalizeText } from '../../src/passages/normalized-text.ts';
import { hideMarkup } from '../../src/passages/shown-text.ts';

const passage = (text: string, start = 0): FoundPassage => ({
  path: 'a.md',
  heading: 'A',
  start,
  end: start + text.length,
  text,
  score: 1,
});
const filler = `${'filler '.repeat(40)}end.`;
/** A passage whose sentences hold as much of a question as they hold of these words, each `share` of its weight. */
const judge = (one: FoundPassage, ...words: string[]): ScoredPassage => {
  const sentences = quotableSentences(maskMarkup(one.text));
  const overlaps = sentences.map(
    ({ start, end }) =>
      words.filter((word) => one.text.slice(start, end).toLowerCase().includes(word)).length / words.length,
  );
  return { passage: one, sentences, overlaps };
};
const quotes = (text: string, ...words: string[]) =>
  bestQuotes([judge(passage(text), ...words)], 1).map((quote) => quote.text);

describe('bestQuotes', () => {
  test('chooses the sentence with the most weight', () => {
    const text = `The fox slept. ${filler} The fox stole a goose. ${filler} The goose slept.`;
    expect(quotes(text, 'fox', 'goose', 'steal', 'stole')[0]).toContain('The fox stole a goose.');
  });

  test('joins neighbours up to three sentences', () => {
    expect(quotes('Zero. A fox. Fox here. The fox. Four.', 'fox')).toEqual(['A fox. Fox here. The fox.']);
  });

  test.each([
    ['a sentence that holds nothing of the question', 'It rained. Fox here. It rained.'],
    ['another paragraph', 'A fox.\n\nFox here.\r\n\r\nA fox.'],
  ])('does not join %s', (_, text) => {
    expect(quotes(text, 'fox', 'here')).toEqual(['Fox here.']);
  });

  test.each([
    ['a list', 'Foxes eat these:\n\n- mice\n- owls\n\nThey sleep.', 'Foxes eat these:\n\n- mice\n- owls'],
    ['code', 'Run the fox:\n\n```sh\nrun it\n```\n\nThey sleep.', 'Run the fox:\n\n```sh\nrun it'],
    [
      'code that is too long',
      `Run the fox:\n\n\`\`\`\nrun\n${'on '.repeat(70)}\n\`\`\``,
      'Run the fox:\n\n```\nrun',
    ],
  ])('quotes a lead-in with %s', (_, text, expected) => {
    expect(quotes(text, 'fox', 'foxes')).toEqual([expected]);
  });

  test('quotes an item with the lead-in of its list', () => {
    expect(quotes('They eat:\n\n- owls\n- a fox\n\nNo more.', 'fox')).toEqual([
      'They eat:\n\n- owls\n- a fox',
    ]);
  });

  test.each([
    ['a table', '| fox | fox fox |\n\nThe fox sleeps.'],
    ['code', '```\nfox fox\n```\n\nThe fox sleeps.'],
  ])('prefers a sentence to %s', (_, text) => {
    expect(quotes(text, 'fox')).toEqual(['The fox sleeps.']);
  });

  test('quotes tables and code only if they are best', () => {
    const text = 'The owl sleeps.\n\n```\nfox den owl\n```\n\n```\nfox den\n```\n\nThe owl wakes.';
    const quoted = bestQuotes([judge(passage(text), 'fox', 'den')], 3);
    expect(quoted.map((quote) => quote.isCode)).toEqual([true, false, false]);
  });

  test('quotes the row of a table that holds one word in eight more than a sentence', () => {
    const text = `The fox den is red here.\n\n${filler}\n\n| a | b | c |\n| --- | --- | --- |\n| fox | den owl | red |`;
    const words = ['fox', 'den', 'owl', 'hare', 'hen', 'elk', 'yak', 'gnu'];
    expect(quotes(text, ...words)[0]).toContain('owl');
  });

  test.each([
    '![A heron. On one leg](heron.png)',
    '![A heron\non one leg](heron.png)',
    '![A heron on one leg][h]\n\n[h]: h.png',
  ])('quotes the words around a picture, never those in its place: %s', (picture) => {
    expect(quotes(`${picture}\n\nThe heron rests.`, 'heron', 'leg')).toEqual(['The heron rests.']);
    expect(quotes(`Before ${picture}\n`, 'heron')).toEqual([]);
  });

  test('prefers a definition to sentences that use the word', () => {
    const text = 'The fox and the fox met. A fox is an animal. The fox fought the fox, and the fox won.';
    const [best] = bestQuotes([judge(passage(text), 'fox')], 1, (sentence) => sentence.includes('is an'));
    expect(best?.text).toContain('A fox is an animal.');
  });

  test('prefers the kind of thing asked for to a sentence as good', () => {
    const text = 'The fox slept in its old den.\n\nThe fox slept for nine hours.';
    const [best] = bestQuotes(
      [judge(passage(text), 'fox', 'slept')],
      1,
      undefined,
      answerAsked('How long?')!,
    );
    expect(best?.text).toBe('The fox slept for nine hours.');
  });

  test('quotes nothing twice, however its lines break', () => {
    const [one, other] = [
      passage('The fox sleeps\nin a den.'),
      passage('The fox sleeps in a den.\n\nThe fox wakes.', 99),
    ];
    const quoted = bestQuotes([judge(one, 'fox', 'den'), judge(other, 'fox', 'den')], 3);
    expect(quoted.map(({ text }) => text.replace('\n', ' '))).toEqual([
      'The fox sleeps in a den.',
      'The fox wakes.',
    ]);
  });

  test('marks a sentence that goes on', () => {
    const [quote] = bestQuotes([judge(passage(`Fox ${'on '.repeat(100)}end.`), 'fox')], 1);
    expect(quote).toMatchObject({ isCutBefore: false, isCutAfter: true });
  });

  test('cuts a sentence of more than 60 words', () => {
    expect(quotes(`Fox ${'on '.repeat(100)}end.`, 'fox')[0]!.split(' ')).toHaveLength(60);
  });

  test.each([' ', '\n', '\r\n', '  '])(
    'begins the next 60 words of such a sentence behind the blank %j',
    (blank) => {
      expect(quotes(`${`on${blank}`.repeat(60)}fox${blank}end.`, 'fox')).toEqual([`fox${blank}end.`]);
    },
  );

  test.each([
    ['a passage without the words', 'Nothing here.'],
    ['an empty passage', ''],
  ])('gives nothing for %s', (_, text) => {
    expect(quotes(text, 'fox')).toEqual([]);
  });

  test('quotes the likelier passage first, and twice rather than an unlikely one', () => {
    const far = `A fox. ${filler} ${filler} The fox again.`;
    const judged = [
      judge({ ...passage(far), score: 9 }, 'fox'),
      judge({ ...passage('A fox, far off.'), path: 'b.md', score: 1 }, 'fox'),
    ];
    expect(bestQuotes(judged, 2).map(({ passage: { path } }) => path)).toEqual(['a.md', 'a.md']);
    const equal = judged.map((one) => ({ ...one, passage: { ...one.passage, score: 1 } }));
    expect(bestQuotes(equal, 1)[0]!.passage.path).toBe('b.md');
  });

  test('never quotes a comment or across one', () => {
    const text = 'The fox slept. <!-- the fox is a secret --> The fox woke.';
    const found = bestQuotes([judge(passage(text), 'fox')], 3).map((quote) => quote.text);
    expect(found.toSorted()).toEqual(['The fox slept.', 'The fox woke.']);
  });

  test('returns only exact slices of at most 60 words', () => {
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
        ' ',
        '“Mr. ',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.nat(90).map((count) => 'on '.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.string({ unit: 'binary' }), (pieces, before) => {
        const text = `fox ${pieces.join('')}`;
        const content = before + text;
        const found = bestQuotes([judge(passage(text, before.length), 'fox')], 3);
        expect(found.length).toBeWithin(1, 4);
        for (const { start, end, text: quote } of found)
          expect(verifyQuote({ content, start, end, quote })).toBe(true);
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
