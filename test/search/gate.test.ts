import { expect, test } from 'bun:test';
import { neededCoverage } from '../../src/search/query.ts';

test('a larger book needs a better match, up to a limit', () => {
  expect(neededCoverage(30)).toBeWithin(0.11, 0.15);
  expect(neededCoverage(500)).toBeGreaterThan(neededCoverage(30));
  expect(neededCoverage(100_000)).toBe(neededCoverage(10_000));
  expect(neededCoverage(0)).toBeGreaterThan(0);
});
