import { test } from 'bun:test';
import { type CI_ONLY, isCi } from './ci-only.ts';

/** A test that runs in CI only; elsewhere it is not even counted. */
export function testInCi(name: (typeof CI_ONLY)[number], body: () => Promise<unknown>): void {
  if (isCi) test(name, body);
}

/** The rows of a table of tests: all in CI and when pictures are taken, elsewhere the ones that `isHere` accepts. */
export function rowsHere<Row>(rows: readonly Row[], isHere: (row: Row) => boolean): readonly Row[] {
  return isCi || process.env['BOOKSTALL_PICTURES'] === '1' ? rows : rows.filter(isHere);
}
