import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { verifyQuote } from '../../src/passages/best-quote.ts';

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
