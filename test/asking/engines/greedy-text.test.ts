// Hostile texts. Each would take minutes if a step read the whole text again.
import { expect, test } from 'bun:test';
import { quoteParser } from '../../../src/asking/engines/compat.ts';
import { createEventReader } from '../../../src/asking/engines/message-stream.ts';
import { createQuoteScanner } from '../../../src/asking/quote-scanner.rule.ts';
import { createCoverageFilter } from '../../../src/asking/prompt.rule.ts';
import { createMarkerFilter, createReasoningFilter } from '../../../src/asking/model-output.rule.ts';

const SOURCES = Array.from({ length: 24 }, (_, n) => ({
  path: 'a.md',
  heading: '',
  start: 0,
  end: 1,
  text: `Heron ${n} stands on one leg in the marsh and waits. `.repeat(22),
}));
const scan = (text: string) => () => {
  const scanner = createQuoteScanner();
  scanner.push(text);
  scanner.end();
};
const inPieces = (push: (text: string) => unknown, piece: string) => () => {
  for (let n = 0; n < 60_000; n++) push(piece);
};

test.each<[string, () => void]>([
  ['opening marks', scan('“'.repeat(100_000))],
  ['opening marks with words', scan('“a '.repeat(100_000))],
  ['blanks', scan(`${' '.repeat(300_000)}x`)],
  ['line ends in a quote', scan(`“${'\n'.repeat(300_000)}x`)],
  ['numbers in brackets', scan(`[1${',1'.repeat(300_000)}`)],
  ['a thought without an end', inPieces(createReasoningFilter().push, '<think>abc')],
  ['tags that are none', inPieces(createReasoningFilter().push, '<|a <b <think x')],
  ['marks before a word', inPieces(createCoverageFilter().push, '*****')],
  ['brackets', inPieces(createMarkerFilter(100).push, '[[[[[')],
  ['numbers in a bracket', inPieces(createMarkerFilter(100).push, '[1,1')],
  ['numbers in brackets in brackets', inPieces(createMarkerFilter(100).push, '[1] [')],
  ['single marks', scan(" 'a".repeat(100_000))],
  ['marks of all kinds', scan('“ „ « ‘ "'.repeat(20_000))],
  [
    'lies',
    () => quoteParser(SOURCES, false).text('“stands on two legs in a marsh and waits” [1] '.repeat(10_000)),
  ],
  [
    'one line in pieces',
    () => {
      const reader = createEventReader();
      for (let n = 0; n < 60_000; n++) reader.push(Buffer.from('0123456789'));
    },
  ],
])('%s without end are read to the end', (_, read) => {
  read();
});

test('a line longer than a megabyte is refused', () => {
  const reader = createEventReader();
  reader.push(Buffer.from('data: '));
  expect(() => reader.push(Buffer.alloc(1_000_001, 'x'))).toThrow('a line without an end');
});

test('lines are read for any split and line ending', () => {
  const bytes = Buffer.from('event: a\r\ndata: 1\r\n\r\ndata: 2\rdata: 3\r\rdata: 4\n\n');
  for (let size = 1; size < bytes.length; size++) {
    const reader = createEventReader();
    const events = [];
    for (let at = 0; at < bytes.length; at += size)
      events.push(...reader.push(bytes.subarray(at, at + size)));
    expect(events).toEqual([
      { name: 'a', data: '1' },
      { name: 'message', data: '2\n3' },
      { name: 'message', data: '4' },
    ]);
  }
});
