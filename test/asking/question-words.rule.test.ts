import { describe, expect, test } from 'bun:test';
import { definitionAsked, questionWords } from '../../src/asking/question-words.rule.ts';

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
    ['right-to-left words', '\u202eأين البيت؟', ['أين', 'بيت']],
    ['contractions', "Why didn't Jane’s fox run?", ['jane', 'fox', 'run']],
  ])('reads %s', (_, question, terms) => {
    expect(questionWords(question).map(({ word }) => word)).toEqual(terms);
  });

  test.each([
    ['German', 'Welche Farbe hat das Haus, und wofür?', ['farbe', 'haus']],
    ['French', 'Pourquoi le ciel est-il bleu ?', ['ciel', 'bleu']],
    ['Spanish', '¿Cuándo se plantan los tomates?', ['plantan', 'tomates']],
    ['Russian', 'Отчего умер Базаров?', ['умер', 'базаров']],
    ['Chinese', '哪位作者何时出生？', ['作者', '出生']],
    ['Japanese', 'constとvarの違いは何ですか？', ['const', 'var', '違い']],
    ['Japanese, about an English word', 'thisとは何ですか？', ['this']],
    ['Spanish, in English', 'What is a closure?', ['closure']],
    ['Hindi', 'घर कहाँ है?', ['घर']],
  ])('reads a question to a book in %s', (_, question, terms) => {
    expect(questionWords(question, 'word').map(({ word }) => word)).toEqual(terms);
  });

  test('keeps English words that say nothing in another language', () => {
    expect(questionWords('Did the war die?').map(({ word }) => word)).toEqual(['war', 'die']);
  });

  test('keeps at most 512 words', () => {
    expect(questionWords(Array.from({ length: 900 }, (_, i) => `word${i}`).join(' '))).toHaveLength(512);
  });

  test('keeps the positions of words and marks names and function words', () => {
    expect(questionWords('Where did the King of France feel cold after Paris?')).toEqual([
      { word: 'where', at: 1, share: 0.5, isName: false, isPart: false },
      { word: 'king', at: 4, share: 1, isName: true, isPart: false },
      { word: 'france', at: 6, share: 1, isName: true, isPart: false },
      { word: 'feel', at: 7, share: 0.3, isName: false, isPart: false },
      { word: 'cold', at: 8, share: 1, isName: false, isPart: false },
      { word: 'after', at: 9, share: 0.5, isName: false, isPart: false },
      { word: 'paris', at: 10, share: 1, isName: true, isPart: false },
    ]);
  });

  test('marks the parts of a camelCase word', () => {
    const parts = questionWords('Does JavaScript have Java?').filter(({ isPart }) => isPart);
    expect(parts.map(({ word, at }) => [word, at])).toEqual([
      ['java', 3],
      ['script', 4],
    ]);
  });
});

test.each([
  [
    'What is ownership?',
    '_Ownership_ is a set of rules that govern memory.',
    'Without ownership there is no safety.',
  ],
  [
    'What is closure in JavaScript?',
    'Closure is when a function remembers its variables.',
    'JavaScript is a language.',
  ],
  [
    'What is a prototype?',
    'Where it is of a call, a prototype is a part of an object.',
    'Prototypes link objects.',
  ],
  ['What is kvass in the cookbook?', '[Kvass](https://example.org) is a drink.', 'Add some kvass.'],
  ['What is a branch in Git?', '3. A *branch* is simply a movable pointer.', 'Git is a program.'],
  ['What is a goroutine?', 'It runs in a process called a *goroutine*.', 'Start a goroutine.'],
  ['What is an edition?', 'Every state that was served is an edition.', 'An edition is served for good.'],
  ['what are traits', 'A **trait** is a kind of interface.', 'He has traits that are rare.'],
  ['What is the borrow checker?', 'The borrow checker (or checker) compares scopes.', null],
  [
    'What is a trait object?',
    'A trait object is a pointer.',
    'Using State as a trait object, the trait does not know.',
  ],
  ['What are closures?', 'Rust’s closures are functions.', 'We use closures.'],
  ['What is a closure?', 'Closures are anonymous functions.', 'Closures are typically short.'],
  ['What is a trait?', 'Traits are a kind of interface.', 'Traits are implemented by types.'],
  ['What is a halo?', 'Its sign is the halo, a ring around the moon.', 'There is no halo.'],
  ['What does WMI mean?', 'WMI means what it says.', 'We mean WMI.'],
  ['Who was Anna?', 'Anna, the eldest, was a keeper of geese.', 'It was Anna.'],
  ['Was ist ein Kurhaus?', 'Ein Kurhaus ist ein Haus für Gäste.', 'Das Haus ist kein Kurhaus.'],
  ["Qu'est-ce que la foi ?", 'La foi est une lumière.', 'Il est sans foi.'],
  ['¿Qué es un virus?', 'Un virus es un agente.', 'No es un virus.'],
  ['Что такое дом?', 'Дом — это место.', 'Это был дом.'],
  ['什么是所有权？', '所有权是一组规则。', '没有所有权就不是安全的。'],
  ['所有権とは何ですか？', '所有権とは、メモリの規則である。', 'その所有権は移る。'],
])('%s is answered by a definition', (question, definition, other) => {
  const isDefinition = definitionAsked(question)!;
  if (other === null) expect(isDefinition(definition)).toBeFalse();
  else {
    expect(isDefinition(definition)).toBeTrue();
    expect(isDefinition(other)).toBeFalse();
  }
});

test.each([
  'Where is the fox?',
  'What happened?',
  'What is the name of the boy who stole the goose from the miller?',
  '(((*?',
  'What is a fox-den?',
  'What is x/y^z$ (or) {a}|b\\?',
  'What is [a-z]* {2}(?:',
  '',
])('no definition breaks on %s', (question) => {
  expect(definitionAsked(question)?.('The fox is here.') ?? false).toBeFalse();
});
