import { describe, expect, test } from 'bun:test';
import { soughtTokens, tokenize } from '../../../src/asking/search/tokens.sql.ts';

describe('tokenize', () => {
  test.each([
    ['porter', 'The Foxes were RUNNING', ['the', 'fox', 'were', 'run']],
    ['porter', 'snake_case 3.14', ['snake', 'case', '3', '14']],
    ['porter', 'Café naïve Łódź, Việt', ['cafe', 'naiv', 'łodz', 'viet']],
    ['word', 'Она читала книги', ['она', 'читала', 'книги']],
    ['word', 'लड़के किताबें', ['लड़के', 'किताबें']],
    ['word', '', []],
  ] as const)('%s %s', (tokenizer, text, expected) => {
    expect(tokenize(text, tokenizer)).toEqual(expected);
  });

  test.each([
    ['composed and decomposed letters', 'Café', 'Cafe\u0301'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['a Turkish capital', 'İstanbul', 'istanbul'],
  ])('spells %s alike', (_, one, other) => {
    expect(tokenize(one, 'word')).toEqual(tokenize(other, 'word'));
  });
});

test.each([
  ['word', 'Reihers Tür', ['reihe*', 'tur']],
  ['word', 'книгами', ['книга*']],
  ['word', 'مدارس', ['مدار*']],
  ['word', 'लड़कियाँ 123456 한국어책입니다', ['लड़कियाँ', '123456', '한국*']],
  ['porter', 'herons', ['heron']],
] as const)('%s looks for %s by its beginning', (tokenizer, text, expected) => {
  expect(soughtTokens(text, tokenizer)).toEqual(expected);
});
