import { describe, expect, test } from 'bun:test';
import { matchExpression, queryTerms } from '../../src/passages/query.ts';

describe('queryTerms', () => {
  test.each([
    ['stop words', 'What did the Snow Man say?', ['snow', 'man', 'say']],
    ['only stop words', 'what is it, and why?', []],
    ['only punctuation', '?!* "" () :^-', []],
    ['control characters', 'red\u0000fox\u0007\u001b[31m', ['red', 'fox', '31m']],
    ['operators as words', 'NEAR(fox AND "den", 5) text:fur*', ['near', 'fox', 'den', '5', 'text', 'fur']],
    ['repeated words', 'Fox fox FOX', ['fox']],
    ['compatibility forms', 'ﬁre Ｆｏｘ ①', ['fire', 'fox', '1']],
    ['emoji', '😀 fox 🦊', ['fox']],
    ['right-to-left words', '\u202eأين البيت؟', ['أين', 'البيت']],
    ['contractions', "Why didn't Jane’s fox run?", ['jane', 'fox', 'run']],
  ])('reads %s', (_, question, terms) => {
    expect(queryTerms(question)).toEqual(terms);
  });

  test('keeps at most 64 terms', () => {
    expect(queryTerms(Array.from({ length: 900 }, (_, i) => `word${i}`).join(' '))).toHaveLength(64);
  });
});

describe('matchExpression', () => {
  test('joins quoted terms with OR and doubles quotation marks', () => {
    expect(matchExpression(['a', 'b"c'])).toBe('"a" OR "b""c"');
  });

  test('is null without a term', () => {
    expect(matchExpression([])).toBeNull();
  });
});
