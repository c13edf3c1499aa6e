import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { maskMarkup } from '../../src/passages/block.ts';

const words = (text: string): string[] => [...(maskMarkup(text).match(/[\p{L}\p{N}]+/gu) ?? [])];

describe('maskMarkup', () => {
  test.each([
    ['a comment', 'one <!-- two --> three', ['one', 'three']],
    ['a comment over blank lines', 'one\n<!--\n\ntwo\n\n--> three', ['one', 'three']],
    ['two comments in a line', '<!--a-->one<!--b-->two', ['one', 'two']],
    ['a link and an image', '[one](https://two.example/x "three") ![four](five.png)', ['one', 'four']],
    ['a link reference', 'one\n\n[two]: https://three.example\n\nfour', ['one', 'four']],
    ['tags', 'one <a href="two">three</a><br/>four', ['one', 'three', 'four']],
    [
      'components',
      'one <Listing number="1" caption="two"> three </Listing> Vec<T> <T>',
      ['one', 'three', 'Vec', 'T', 'T'],
    ],
    ['entities', 'one&nbsp;two&#8212;three&#x2014;four', ['one', 'two', 'three', 'four']],
  ])('blanks %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test.each([
    ['a comment that never ends', 'one <!-- two\n\nthree'],
    ['fenced code', '```html\n<!-- one --> <a href="two">\n```'],
    ['code between backticks', 'Write `<!-- one -->` and `[a](b)`'],
    ['generics and comparisons', 'Vec<String> a < b && c > d'],
    ['a footnote', '[^1]: The note'],
    ['an address in angles', '<https://one.example>'],
  ])('leaves %s', (_, text) => {
    expect(maskMarkup(text)).toBe(text);
  });

  test('keeps the length and every character that it does not blank', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<!--',
        '-->',
        '](',
        ')',
        '`',
        '```',
        '\n',
        '\r\n',
        '<a ',
        '>',
        '&amp;',
        '[x]: y',
        '😀',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const masked = maskMarkup(text);
        expect(masked).toHaveLength(text.length);
        for (let i = 0; i < text.length; i++) if (!/[ \n]/.test(masked[i]!)) expect(masked[i]).toBe(text[i]);
      }),
    );
  });
});
