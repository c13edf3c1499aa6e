import { expect, test } from 'bun:test';
import { createLog } from '../src/log.ts';

test.each([
  ['an escape', 'books/a\u001b[2Jb: bad', 'books/a?[2Jb: bad'],
  ['an escape of one character', 'a\u009b31m', 'a?31m'],
  ['a carriage return', 'a\rb', 'a?b'],
  ['a bidi control', 'a\u202eb', 'a?b'],
  ['a second line', 'a\n12:00:00  Ready', 'a\n    12:00:00  Ready'],
])('a pretty log neither steers the terminal nor forges a line by %s', (_, message, shown) => {
  let written = '';
  createLog('pretty', (line) => void (written += line))({ event: 'item-problem', message });
  expect(written.slice(8)).toBe(`  ${shown}\n`);
});
