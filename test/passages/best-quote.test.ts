import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bestQuotes } from '../../src/passages/best-quote.ts';
import type { FoundPassage } from '../../src/passages/passage.ts';
import { verifyQuote } from '../../src/passages/quote.ts';

const passage = (text: string, start = 0): FoundPassage => ({
  path: 'a.md',
  heading: 'A',
  start,
  end: start + text.length,
  text,
  score: 1,
});
const filler = `${'filler '.repeat(40)}end.`;
const quotes = (text: string, ...terms: string[]) =>
  bestQuotes(
    [passage(text)],
    terms.map((term) => ({ term, weight: 1 })),
    3,
  ).map((quote) => quote.text);

describe('bestQuotes', () => {
  test('chooses the sentence that holds most of the weight', () => {
    const text = `The fox slept. ${filler} The fox stole a goose. ${filler} The goose slept.`;
    expect(quotes(text, 'fox', 'goose', 'steal', 'stole')[0]).toContain('The fox stole a goose.');
  });

  test('prefers the rarer word', () => {
    const text = `A fox. ${filler} ${filler} A basilisk.`;
    const terms = [
      { term: 'fox', weight: 1 },
      { term: 'basilisk', weight: 5 },
    ];
    expect(bestQuotes([passage(text)], terms, 1)[0]!.text).toEndWith('A basilisk.');
  });

  test.each([
    ['a plural', 'foxes', 'A fox came.'],
    ['a participle', 'running', 'He runs fast.'],
    ['a past tense', 'stopped', 'He stops.'],
    ['an accent', 'café', 'One cafe is open.'],
  ])('knows %s', (_, term, text) => {
    expect(quotes(text, term)).toEqual([text]);
  });

  test('joins neighbours up to three sentences', () => {
    expect(quotes('Zero. One. Fox here. Three. Four.', 'fox')).toEqual(['Fox here. Three. Four.']);
  });

  test('cuts a sentence of more than 60 words', () => {
    expect(quotes(`Fox ${'on '.repeat(100)}end.`, 'fox')[0]!.split(' ')).toHaveLength(60);
  });

  test.each([
    ['a passage without the words', 'Nothing here.'],
    ['an empty passage', ''],
  ])('gives nothing for %s', (_, text) => {
    expect(quotes(text, 'fox')).toEqual([]);
  });

  test('gives one quote a passage, best first, no more than asked', () => {
    const found = ['A fox.', 'A fox and a hen.', 'None.', 'A hen, a fox, an owl.'].map((text) =>
      passage(text),
    );
    const terms = ['fox', 'hen', 'owl'].map((term) => ({ term, weight: 1 }));
    expect(bestQuotes(found, terms, 2).map(({ text }) => text)).toEqual([
      'A hen, a fox, an owl.',
      'A fox and a hen.',
    ]);
  });

  test('gives only true slices of at most 60 words', () => {
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
        const found = bestQuotes([passage(text, before.length)], [{ term: 'fox', weight: 1 }], 3);
        expect(found).toHaveLength(1);
        for (const { start, end, text: quote } of found)
          expect(verifyQuote({ content, start, end, quote })).toBe(true);
      }),
    );
  });
});
