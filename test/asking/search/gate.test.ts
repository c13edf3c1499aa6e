import { expect, test } from 'bun:test';
import { neededCoverage } from '../../../src/asking/search/query.ts';

test('a larger book needs a better match, up to a limit', () => {
  expect(neededCoverage(30, 'porter')).toBeWithin(0.12, 0.16);
  expect(neededCoverage(500, 'porter')).toBeGreaterThan(neededCoverage(30, 'porter'));
  expect(neededCoverage(100_000, 'porter')).toBe(neededCoverage(10_000, 'porter'));
  expect(neededCoverage(0, 'word')).toBeGreaterThan(0);
  expect(neededCoverage(30, 'unspaced')).toBeGreaterThan(neededCoverage(30, 'word'));
});
