import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bestQuotes, type ScoredPassage } from '../../../src/passages/quote/best-quote.ts';
import { quotableSentences } from '../../../src/passages/quote/quotable-sentence.ts';
import { maskMarkup } from '../../../src/passages/text/markup.ts';
import type { FoundPassage } from '../../../src/passages/text/passage.ts';
import { verifyQuote } from '../../../src/passages/quote/quote.ts';

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
