import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dropQuotationMarks } from '../../src/asking/quote-boundary.rule.ts';
import { createQuoteScanner } from '../../src/asking/quote-scanner.rule.ts';
import { runs } from '../helpers/runs.ts';

/** The plain text with `_` for each quotation, and the quotations with their numbers. */
function scan(pieces: readonly string[]) {
  const scanner = createQuoteScanner();
  const all = [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end()];
  const quotes = all.flatMap((one) => (one.type === 'quote' ? [[one.quote, one.number]] : []));
  return { text: all.map((one) => (one.type === 'text' ? one.text : `_${one.after}`)).join(''), quotes };
}

describe('createQuoteScanner', () => {
  test.each<[string, string, [string, number | null][]]>([
    ['It rests: “one leg in water” [3].', 'It rests: _.', [['one leg in water', 3]]],
    [
      '"one leg" [1] and «two» [2]',
      '_ and _',
      [
        ['one leg', 1],
        ['two', 2],
      ],
    ],
    ['“He said “no” to me” [2]', '_', [['He said “no” to me', 2]]],
    ['“one leg.”【4】', '_', [['one leg.', 4]]],
    ['“one leg”, [P5]', '_,', [['one leg', 5]]],
    ['“one leg”[^6]', '_', [['one leg', 6]]],
    ['a “scare” word', 'a _ word', [['scare', null]]],
    [
      '„eins zwei“ [1] »drei« ‚vier‘',
      '_ _ _',
      [
        ['eins zwei', 1],
        ['drei', null],
        ['vier', null],
      ],
    ],
    [
      '「一本足」[2]と『鷺』',
      '_と_',
      [
        ['一本足', 2],
        ['鷺', null],
      ],
    ],
    ["the fox said 'it is red' [1]", 'the fox said _', [['it is red', 1]]],
    [
      '‘it’s red’ and ’so it is’',
      '_ and _',
      [
        ['it’s red', null],
        ['so it is', null],
      ],
    ],
    ["the dogs' food isn't here", "the dogs' food isn't here", []],
    ['a board 6" wide', 'a board 6" wide', []],
    ['code a[3] and b(x)[4]', 'code a[3] and b(x)[4]', []],
    ['“one\n\ntwo” [1]', '“one\n\ntwo” [1]', []],
    ['“no end', '“no end', []],
  ])('%j', (answer, text, quotes) => {
    expect(scan([answer])).toEqual({ text, quotes });
    expect(scan([...answer])).toEqual({ text, quotes });
  });

  test('returns the same for any split of the text', () => {
    const marks = ['“', '”', '"', "'", '’', '‘', '«', '»', '„'];
    const word = fc.constantFrom(
      ...marks,
      '[1]',
      '[',
      ']',
      ' [23]',
      ' ',
      'leg',
      'a',
      '.',
      '\n',
      '9',
      '【2】',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        expect(scan(words)).toEqual(scan([...words.join('')]));
      }),
      { numRuns: runs(2000) },
    );
  });
});

test.each([
  ['“a lie', '', 'a lie'],
  ['lie” and «more»', '', 'lie and more'],
  ["it's the dogs' food", '', "it's the dogs' food"],
  ["'tis a ‘lie’", '', 'tis a lie’'],
  ['6" wide', '', '6" wide'],
  ['" wide', '6', '" wide'],
  ['" wide', 'x', ' wide'],
  ['「嘘」', '', '嘘'],
  ['❝a lie❞ ″a lie″ 🙶a lie🙷 ❮a lie❯', '', 'a lie a lie a lie a lie'],
  ['״שקר.״ של צה״ל', '', 'שקר. של צה״ל'],
  ['6″ wide', '', '6″ wide'],
])('dropQuotationMarks of %j after %j is %j', (text, before, expected) => {
  expect(dropQuotationMarks(text, before)).toBe(expected);
});
