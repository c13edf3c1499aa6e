import { isCi } from '../suite/ci-only.ts';

/** How often a property test runs: a fifth of `full` on a developer's machine, all of it in CI. */
export function runs(full: number): number {
  return isCi ? full : Math.ceil(full / 5);
}
