import { expect, test } from 'bun:test';
import { isAfterNegation } from '../../src/passages/quote-boundary.ts';

test.each([
  ['at the very start of a text', 'Not a soul was there', 'a soul was there'],
  ['at the end of its reach', `${'x'.repeat(35)} not a soul was there`, 'a soul was there'],
])('a negation right before a quote is seen %s, however long the text', (_, text, quote) => {
  const long = `${text}${' The fox is red.'.repeat(50)}`;
  const start = long.indexOf(quote);
  expect(isAfterNegation(long, start)).toBe(true);
});
