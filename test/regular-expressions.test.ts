import { expect, test } from 'bun:test';
import { analyse } from 'scslre';
import { found } from './regular-expressions.ts';

/** Expressions whose texts are short, as they begin. */
const REVIEWED: readonly string[] = [
  // The program's own list of attributes.
  '/[^ ]+(?=!)/',
  // An excerpt of 130 words.
  '/^( {0,3}(`{3,})',
  // Reads 40 characters (`REACH`).
  '/(?:(?<![\\p{L}\\p{N}])(?:no|not|never|',
  '/^[ \\t\\u00a0*_`\\u00ad]*(?:\\r?\\n[ \\t>]*)?[*_`\\u00ad]*(?:(?<![\\p{L}\\p{N}])(?:no|not|never|',
];

/** Whether its structure tells that some text takes longer than in proportion to its length; `bench:expressions` attacks them. */
const isSlow = (expression: RegExp): boolean => analyse(expression).reports.length > 0;

test('the search for slow expressions sees those that are', () => {
  const slow = [/\s+$/, /^(?:a+)+$/, /\[[^\]]*\]/g, /とは何.*\s*[?.]*\s*$/];
  expect(slow.map(isSlow)).toEqual(slow.map(() => true));
  const quick = [/(?<!\s)\s+$/, /^a+$/, /"[^"\n]{0,99}"/g, /\s+/g];
  expect(quick.map(isSlow)).toEqual(quick.map(() => false));
});

test('every regular expression takes linear time', () => {
  expect(found.size).toBeGreaterThan(300);
  const slow = [...found.values()].filter(({ expression }) => isSlow(expression));
  const unknown = slow.filter(
    ({ expression }) => !REVIEWED.some((begin) => String(expression).startsWith(begin)),
  );
  expect(unknown).toEqual([]);
  expect(slow.length).toBe(REVIEWED.length);
});
