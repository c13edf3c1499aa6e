import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { isRoot } from './ordinary-user.ts';
import { buildProgram, run } from './program.ts';

await buildProgram();
const NAMES = 'archive of a paid item|streams an answer|chat completions';
const TESTS = ['./test/binary.test.ts', './test/binary/model-engine.test.ts'];
/** Runs a command where the loopback interface is the only one, and there is no route. */
const INSIDE = 'ip link set lo up && test -z "$(ip route)" && exec "$@"';

test.skipIf(!isRoot)(
  'the program starts, installs and answers in a network namespace without a route',
  async () => {
    const test = [process.execPath, 'test', '--timeout=60000', '-t', NAMES, ...TESTS];
    const words = ['--net', 'sh', '-c', INSIDE, 'sh', ...test];
    const { code, err } = await run(words, {
      program: ['unshare'],
      cwd: join(import.meta.dir, '../..'),
      env: { NODE_ENV: 'production' },
    });
    expect([code, /^ (\d+) pass$/m.exec(err)?.[1]]).toEqual([0, '3']);
  },
);
