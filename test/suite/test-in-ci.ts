import { test } from 'bun:test';
import { type CI_ONLY, isCi } from './ci-only.ts';

/** A test that runs in CI only; elsewhere it is not even counted. */
export function testInCi(name: (typeof CI_ONLY)[number], body: () => Promise<unknown>): void {
  if (isCi) test(name, body);
}
