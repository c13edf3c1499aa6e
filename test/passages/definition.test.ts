import { expect, test } from 'bun:test';
import { definitionAsked } from '../../src/passages/question-words.ts';

test.each([
  [
    'What is ownership?',
    '_Ownership_ is a set of rules that govern memory.',
    'Without ownership there is no safety.',
  ],
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
