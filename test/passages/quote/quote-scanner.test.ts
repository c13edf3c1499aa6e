import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSanitizer } from '../../../src/passages/prompt/sanitize-model-output.ts';
import { createQuoteScanner } from '../../../src/passages/quote/quote-scanner.ts';
import { createAnswerPrefix } from '../../../src/passages/prompt/answer-prefix.ts';

function scan(pieces: readonly string[]) {
  const scanner = createQuoteScanner();
  const all = [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end()];
  const quotes = all.flatMap((piece) => (piece.type === 'quote' ? [[piece.quote, piece.number]] : []));
  return { text: all.map(({ text }) => text).join(''), quotes };
}

describe('createQuoteScanner', () => {
  test.each<[string, string, [string, number][]]>([
    ['It rests: “one leg in water” [3].', 'It rests: “one leg in water”.', [['one leg in water', 3]]],
    [
      '"one leg" [1] and «two» [2]',
      '"one leg" and «two»',
      [
        ['one leg', 1],
        ['two', 2],
      ],
    ],
    ['“He said “no” to me” [2]', '“He said “no” to me”', [['He said “no” to me', 2]]],
    ['“one leg.”【4】', '“one leg.”', [['one leg.', 4]]],
    ['“one leg”, [P5]', '“one leg”,', [['one leg', 5]]],
    ['“one leg”[^6]', '“one leg”', [['one leg', 6]]],
    ['a “scare” word', 'a “scare” word', []],
    ['code a[3] and b(x)[4]', 'code a[3] and b(x)[4]', []],
    ['bare [3]. And [1][2], [3, 4]!', 'bare. And,!', []],
    ['“one\n\ntwo” [1]', '“one\n\ntwo”', []],
    ['“no end', '“no end', []],
    ['[not a number] and [1a]', '[not a number] and [1a]', []],
  ])('%j', (answer, text, quotes) => {
    expect(scan([answer])).toEqual({ text, quotes });
    expect(scan([...answer])).toEqual({ text, quotes });
  });

  test('returns the same for any split of the text', () => {
    const word = fc.constantFrom(
      '“',
      '”',
      '"',
      '[1]',
      '[',
      ']',
      ' [23]',
      ' ',
      'leg',
      'a',
      '.',
      '\n',
      '«',
      '»',
      '9',
      '【2】',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        expect(scan(words)).toEqual(scan([...words.join('')]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('createSanitizer', () => {
  const ACTIVE = /<[A-Za-z/!?]|!\[|\][([:]|[\u0000-\u0008\u001b\u202e]/;

  test('lets nothing active through, for any split of the text, and leaves plain text unchanged', () => {
    const word = fc.constantFrom(
      '<',
      '!',
      '[',
      ']',
      '(',
      ':',
      'a',
      '/',
      '?',
      ' ',
      '\u0000',
      '\u202e',
      '\u200b',
      '\u001b',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const sanitizer = createSanitizer();
        expect(words.map(sanitizer.push).join('') + sanitizer.flush()).not.toMatch(ACTIVE);
      }),
      { numRuns: 3000 },
    );
    expect(createSanitizer().push('1 < 2, a > b! [x] “y”\n\tz')).toBe('1 < 2, a > b! [x] “y”\n\tz');
  });
});

describe('createAnswerPrefix', () => {
  test.each([
    ['NOT_COVERED', '', false],
    ['  **NOT_COVERED** and more', '', false],
    ['<think>NOT_COVERED</think>\n\nIt is.', 'It is.', true],
    ['<think>never ends', '', true],
    ['NOT_COV', 'NOT_COV', true],
    ['<thin', '<thin', true],
    ['It is NOT_COVERED', 'It is NOT_COVERED', true],
  ])('%j', (answer, text, isCovered) => {
    for (const pieces of [[answer], [...answer]]) {
      const prefix = createAnswerPrefix();
      const shown = pieces.map(prefix.push).join('') + prefix.end();
      expect([shown, prefix.isCovered()]).toEqual([text, isCovered]);
    }
  });
});
