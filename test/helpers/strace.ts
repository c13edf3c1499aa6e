// Faults and traces of system calls: strace(1), which .ci/run installs and Linux alone has.
import { test } from 'bun:test';

/** Whether this user may trace a process of their own; said loudly where not. */
const canTrace =
  Bun.which('strace') !== null && Bun.spawnSync(['strace', '-qq', '-o', '/dev/null', 'true']).exitCode === 0;
if (!canTrace)
  console.warn('SKIPPED: what a failing disk does, for strace is not installed or may not trace here');

export const testTraced = test.skipIf(!canTrace);

/** The words that run a program with every call of these names on this file failing; `when` as in strace(1), 3 for the third alone. */
export function failing(file: string, calls: string, error: string, when = '1+'): readonly string[] {
  const inject = `inject=${calls}:error=${error}:when=${when}`;
  return ['strace', '-qq', '-f', '-o', '/dev/null', '-P', file, '-e', `trace=${calls}`, '-e', inject];
}
