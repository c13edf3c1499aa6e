import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../../src/platform/base/duration.ts';

test.each([
  ['90s', 90_000, '90 seconds'],
  ['60s', 60_000, '1 minute'],
  ['30m', 1_800_000, '30 minutes'],
  ['24h', 86_400_000, '1 day'],
  ['36h', 129_600_000, '36 hours'],
  ['365d', 31_536_000_000, '365 days'],
])('%s is %p ms, in words %s', (text, milliseconds, words) => {
  expect(parseDuration(text, '1s')).toBe(milliseconds);
  expect(formatDuration(milliseconds)).toBe(words);
});

test.each(['', '0s', '5', '1.5h', '-1d', '5 m', '5M', '1w', 'off', '1e3s', '9999999s', '٣s'])(
  '%j is refused with how to write it',
  (text) => {
    expect(() => parseDuration(text, '1s')).toThrow(
      `Cannot take "${text}" as a length of time: write it as 90s, 30m, 24h or 7d, of at least 1s`,
    );
  },
);

test('less than the least is refused', () => {
  expect(() => parseDuration('59s', '1m')).toThrow('of at least 1m');
  expect(parseDuration('60s', '1m')).toBe(60_000);
});

test('what is said is read back as the same length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('s', 'm', 'h', 'd'), (count, unit) => {
      const duration = parseDuration(`${count}${unit}`, '1s');
      const [number, word = ''] = formatDuration(duration).split(' ');
      return Number(number) > 999_999 || parseDuration(`${number}${word[0]}`, '1s') === duration;
    }),
  );
});
