import { expect, test } from 'bun:test';
import { answerAsked } from '../../src/passages/question-words.ts';

test.each([
  ['How long does a session last?', 'It ends after 12 hours.', 'It ends when you sign out.'],
  ['How many wolves were there?', 'He met seven wolves.', 'He met wolves.'],
  ['In what year was it built?', 'It was built in 1802.', 'It was built of stone.'],
  ['Where did the Huguenots settle?', 'The Huguenots settled in Prussia.', 'The Huguenots settled well.'],
])('%s: %s', (question, answer, other) => {
  const fits = answerAsked(question)!;
  expect([fits(answer), fits(other)]).toEqual([true, false]);
});

test.each(['Why did it rain?', 'Who was Hans?', 'What is a fox?', 'Wie lange?'])(
  '%s says no kind',
  (question) => {
    expect(answerAsked(question)).toBeNull();
  },
);
