import { expect, test } from 'bun:test';
import { findQuote } from '../../src/passages/quote-match.ts';
import { normalizeText } from '../../src/passages/normalized-text.ts';
import { quoteSentences, widenQuote } from '../../src/passages/quote-boundary.ts';

/** The slice that is shown for a quote, with "…" at its cuts. */
function show(text: string, quote: string): string {
  const source = normalizeText(text);
  const { start, end, isCutBefore, isCutAfter } = widenQuote(
    source,
    quoteSentences(source),
    findQuote(source, normalizeText(quote))!,
  );
  return `${isCutBefore ? '…' : ''}${text.slice(start, end)}${isCutAfter ? '…' : ''}`;
}

const LONG = 'The old man who had lived in the small house by the sea for many years';

test.each([
  ['a whole sentence', 'He came. The fox is red. So it is.', 'The fox is red.', 'The fox is red.'],
  ['a sentence without its full stop', 'The fox is red. So it is.', 'The fox is red', 'The fox is red'],
  ['a negation before it', 'Not a soul was there', 'A soul was there', 'Not a soul was there'],
  [
    'a negation in the line before',
    'He was *not*\n> in the house',
    'in the house',
    'He was *not*\n> in the house',
  ],
  ['a negation after it', 'I knew the man not', 'I knew the man', 'I knew the man not'],
  ['a Chinese negation', '他不喜欢吃这种东西', '喜欢吃这种东西', '他不喜欢吃这种东西'],
  [
    'a negation far into a sentence',
    `${LONG} did not go home again.`,
    'go home again',
    `${LONG} did not go home again`,
  ],
  [
    'few',
    'Few people of the village trust it.',
    'people of the village trust it',
    'Few people of the village trust it',
  ],
  [
    'if',
    'If the river is low, you may cross it.',
    'the river is low',
    'If the river is low, you may cross it.',
  ],
  [
    'unless',
    'It is safe to cross unless it rains.',
    'It is safe to cross',
    'It is safe to cross unless it rains.',
  ],
  [
    'a condition far away',
    `If you ask ${LONG}, it is safe to cross here.`,
    'it is safe to cross',
    '…it is safe to cross here.',
  ],
  [
    'a cut after it',
    `It is safe to cross if ${LONG} has said so.`,
    'is safe to cross',
    'It is safe to cross…',
  ],
  [
    'a heading before it',
    '# The fox\n\nThe fox is red and old.',
    'The fox is red',
    'The fox is red and old.',
  ],
  ['a list item', '- one\n- the fox is red and it is old\n', 'it is old', 'the fox is red and it is old'],
  [
    'a language without a list',
    'Mbweha si mwekundu kabisa hapa.',
    'mwekundu kabisa hapa',
    'Mbweha si mwekundu kabisa hapa',
  ],
  [
    'sixty words',
    `No ${'word '.repeat(59)}is it.`,
    'word '.repeat(59).trim(),
    `No ${'word '.repeat(59).trim()}…`,
  ],
  [
    'more than sixty words',
    `No ${'word '.repeat(70)}is it.`,
    'word '.repeat(60).trim(),
    `…${'word '.repeat(60).trim()}…`,
  ],
  [
    'a passage that begins inside a sentence',
    'and so the fox is red.',
    'and so the fox is red.',
    '…and so the fox is red.',
  ],
])('shows %s', (_, text, quote, expected) => {
  expect(show(text, quote)).toBe(expected);
});
