import { describe, expect, test } from 'bun:test';
import { formsOf, searchable } from '../../src/asking/searchable.rule.ts';
import { tokenizerFor } from '../../src/reading/sentence.rule.ts';

const words = (text: string) => searchable(text).trim().split(/\s+/);

test.each([
  ['camelCase', 'DiffExecutor', ['DiffExecutor', 'Diff', 'Executor']],
  ['an acronym', 'HTTPServer2', ['HTTPServer2', 'HTTP', 'Server2']],
  ['camelCase among words', 'the getX call', ['the', 'getX', 'get', 'X', 'call']],
  ['ordinary words', 'The Snow Man', ['The', 'Snow', 'Man']],
  ['Chinese', '压力项包括在公式里面', ['压力', '项', '包括', '在', '公式', '里面']],
  ['a sign between Latin words', 'letとvar', ['let', 'と', 'var']],
  ['Thai', 'นกกระสายืนขาเดียว', ['นก', 'กระสา', 'ยืน', 'ขา', 'เดียว']],
  ['Arabic articles', 'والكتاب الكتاب كتاب', ['تاب', 'تاب', 'تاب']],
  ['Hebrew beginnings', 'ביער הבית יער', ['יער', 'בית', 'יער']],
  ['words around emoji', 'fox🦊owl 🦊', ['fox', 'owl']],
  ['Hindi endings', 'लड़के लड़का', ['लड़क', 'लड़क']],
])('searchable parts %s', (_, text, expected) => {
  expect(words(text)).toEqual(expected);
});

describe('tokenizerFor', () => {
  test.each([
    ['en', '', 'porter'],
    ['en-GB', '', 'porter'],
    ['de', '', 'word'],
    ['tr', '', 'word'],
    ['zh-Hans', '', 'word'],
    ['hi', '', 'word'],
    [null, 'The heron stands.', 'porter'],
    [null, 'Цапля стоит на одной ноге.', 'word'],
    [null, 'يقف مالك الحزين', 'word'],
    [null, '苍鹭用一条腿站立', 'word'],
    [null, 'बगुला एक पैर पर', 'word'],
    ['und', '蒼鷺は一本足で立つ', 'word'],
    [null, '', 'porter'],
  ])('%p, %p', (language, sample, expected) => {
    expect(tokenizerFor(language, sample)).toBe(expected as ReturnType<typeof tokenizerFor>);
  });
});

test.each([
  ['stole', ['steal', 'stole', 'stolen']],
  ['wolves', ['wolf', 'wolves']],
  ['walked', ['walked']],
])('formsOf %p', (word, forms) => {
  expect(formsOf(word)).toEqual(forms);
});

test.each([
  ['Cyrillic', 'Чай и йод'],
  ['Korean', '한국어 책'],
  ['Japanese', 'ガラスのビン'],
  ['Latin', 'Café à Göteborg'],
])('decomposed and composed letters are the same: %s', (_, text) => {
  expect(searchable(text.normalize('NFD'))).toBe(searchable(text));
});
