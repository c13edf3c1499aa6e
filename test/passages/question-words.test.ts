import { describe, expect, test } from 'bun:test';
import { questionWords } from '../../src/passages/question-words.ts';

describe('questionWords', () => {
  test.each([
    ['stop words', 'What did the Snow Man say?', ['snow', 'man', 'say']],
    ['only stop words', 'what is it, and why?', []],
    ['only punctuation', '?!* "" () :^-', []],
    ['control characters', 'red\u0000fox\u0007\u001b[31m', ['red', 'fox', '31m']],
    ['operators as words', 'NEAR(fox AND "den", 5) text:fur*', ['near', 'fox', 'den', '5', 'text', 'fur']],
    ['repeated words', 'Fox fox FOX', ['fox', 'fox', 'fox']],
    ['camelCase', 'the DiffExecutor', ['diffexecutor', 'diff', 'executor']],
    ['snake_case', 'merge_tables()', ['merge', 'tables']],
    ['Chinese', '什么与垂直力有关？', ['垂直', '力', '有关']],
    ['Japanese', 'メモリを解放するにはどうすればよいのですか', ['メモリ', '解放']],
    ['a Japanese question of form alone', '何ですか', []],
    ['compatibility forms', 'ﬁre Ｆｏｘ ①', ['fire', 'fox', '1']],
    ['emoji', '😀 fox 🦊', ['fox']],
    ['right-to-left words', '\u202eأين البيت؟', ['أين', 'البيت']],
    ['contractions', "Why didn't Jane’s fox run?", ['jane', 'fox', 'run']],
  ])('reads %s', (_, question, terms) => {
    expect(questionWords(question).map(({ word }) => word)).toEqual(terms);
  });

  test('keeps at most 512 words', () => {
    expect(questionWords(Array.from({ length: 900 }, (_, i) => `word${i}`).join(' '))).toHaveLength(512);
  });

  test('keeps the positions of words and marks names and function words', () => {
    expect(questionWords('Where did the King of France feel cold after Paris?')).toEqual([
      { word: 'where', at: 1, share: 0.5, isName: false },
      { word: 'king', at: 4, share: 1, isName: true },
      { word: 'france', at: 6, share: 1, isName: true },
      { word: 'feel', at: 7, share: 0.3, isName: false },
      { word: 'cold', at: 8, share: 1, isName: false },
      { word: 'after', at: 9, share: 0.5, isName: false },
      { word: 'paris', at: 10, share: 1, isName: true },
    ]);
  });
});
