import { expect, spyOn, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, writeFiles } from '../harness.ts';
import { BEATS, watchForHangs } from './hang.ts';

test.each([
  ['a loop in a test', `test('a', () => {}); test('b', () => { for (;;); });`, 'behind its test number 2'],
  ['a load without end', `setInterval(() => {}, 99); await new Promise(() => {});`, 'before its first test'],
])('%s is ended, and the file is named', async (_, body, where) => {
  const directory = temporaryDirectory();
  const beats = join(directory, 'beats');
  mkdirSync(beats);
  writeFiles(directory, { 'test/hangs.test.ts': `import { test } from 'bun:test';\n${body}` });
  const said = spyOn(console, 'error').mockImplementation(() => {});
  const endWatch = watchForHangs(beats, 1500);
  const run = Bun.spawn([process.execPath, 'test', `--preload=${join(import.meta.dir, 'beat.ts')}`], {
    cwd: directory,
    stdout: 'ignore',
    stderr: 'ignore',
    env: { ...process.env, [BEATS]: beats },
  });
  await run.exited;
  endWatch();
  const words = said.mock.calls.flat().join('\n');
  said.mockRestore();
  expect(run.signalCode).toBe('SIGKILL');
  expect(words).toContain('hangs.test.ts');
  expect(words).toContain(where);
});
