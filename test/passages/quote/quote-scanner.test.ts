import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSanitizer } from '../../../src/passages/prompt/sanitize-model-output.ts';
import { createQuoteScanner } from '../../../src/passages/quote/quote-scanner.ts';
import { createAnswerPrefix } from '../../../src/passages/prompt/answer-prefix.ts';

function hold(pieces: readonly string[]) {
  const held = createQuoteScanner();
  const all = [...pieces.flatMap((piece) => held.push(piece)), ...held.end()];
  const quotes = all.flatMap((piece) => (piece.type === 'quote' ? [[piece.quote, piece.number]] : []));
  return { text: all.map(({ text }) => text).join(''), quotes };
}

describe('holding quotes back', () => {
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
  ])('%j', (said, text, quotes) => {
    expect(hold([said])).toEqual({ text, quotes });
    expect(hold([...said])).toEqual({ text, quotes });
  });

  test('gives the same, however the text is cut', () => {
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
        expect(hold(words)).toEqual(hold([...words.join('')]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('keeping text from acting', () => {
  const ACTIVE = /<[A-Za-z/!?]|!\[|\][([:]|[\u0000-\u0008\u001b\u202e]/;

  test('nothing active comes through, however it is cut, and plain text is unchanged', () => {
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
        const inert = createSanitizer();
        expect(words.map(inert.push).join('') + inert.flush()).not.toMatch(ACTIVE);
      }),
      { numRuns: 3000 },
    );
    expect(createSanitizer().push('1 < 2, a > b! [x] “y”\n\tz')).toBe('1 < 2, a > b! [x] “y”\n\tz');
  });
});

describe('how an answer begins', () => {
  test.each([
    ['NOT_COVERED', '', false],
    ['  **NOT_COVERED** and more', '', false],
    ['<think>NOT_COVERED</think>\n\nIt is.', 'It is.', true],
    ['<think>never ends', '', true],
    ['NOT_COV', 'NOT_COV', true],
    ['<thin', '<thin', true],
    ['It is NOT_COVERED', 'It is NOT_COVERED', true],
  ])('%j', (said, text, isCovered) => {
    for (const pieces of [[said], [...said]]) {
      const verdict = createAnswerPrefix();
      const shown = pieces.map(verdict.push).join('') + verdict.end();
      expect([shown, verdict.isCovered()]).toEqual([text, isCovered]);
    }
  });
});
