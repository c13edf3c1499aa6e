import { afterAll, expect, test } from 'bun:test';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdOpenLock } from '../../../src/platform/store/file-lock.ts';
import { announceServer, isServed, lockDataDirectory } from '../../../src/platform/store/server-note.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const MODULE = JSON.stringify(join(import.meta.dir, '../../../src/platform/store/server-note.ts'));

/** A process that holds the lock, or says why it cannot; it ends with its test at the latest. */
async function holder(
  directory: string,
  script = "try { lockDataDirectory(dir); console.log('held'); setInterval(() => {}, 1000); } catch (e) { console.log(e.message); }",
) {
  const child = Bun.spawn(
    [
      process.execPath,
      '-e',
      `const { lockDataDirectory, isServed } = await import(${MODULE}); const dir = ${JSON.stringify(directory)}; ${script}`,
    ],
    { stdout: 'pipe' },
  );
  afterAll(() => child.kill('SIGKILL'));
  const { value } = await child.stdout.getReader().read();
  return {
    child,
    said: Buffer.from(value ?? [])
      .toString()
      .trim(),
  };
}

test('a second lock is refused, in this process and in another, and freed by release', async () => {
  const directory = temporaryDirectory();
  const lock = lockDataDirectory(directory);
  const sentence = `Cannot serve from "${directory}": another bookstall serves from it; stop that one, or choose another directory with --data`;
  expect(() => lockDataDirectory(directory)).toThrow(sentence);
  expect((await holder(directory)).said).toBe(sentence);
  expect(isServed(directory)).toBe(true);
  lock.release();
  expect(isServed(directory)).toBe(false);
  lockDataDirectory(directory).release();
});

test('looking whether it is held neither frees the lock nor takes it', async () => {
  const directory = temporaryDirectory();
  expect(isServed(directory)).toBe(false);
  const lock = lockDataDirectory(directory);
  for (let n = 0; n < 5; n++) expect(isServed(directory)).toBe(true);
  expect((await holder(directory)).said).toStartWith('Cannot serve');
  lock.release();
});

test('garbage collection in the holder does not free it, kill -9 does', async () => {
  const directory = temporaryDirectory();
  const { child, said } = await holder(
    directory,
    "lockDataDirectory(dir); Bun.gc(true); console.log('held'); setInterval(() => Bun.gc(true), 20);",
  );
  expect(said).toBe('held');
  await Bun.sleep(100);
  expect(() => lockDataDirectory(directory)).toThrow('another bookstall serves from it');
  child.kill('SIGKILL');
  await child.exited;
  lockDataDirectory(directory).release();
});

test('a server starts while another process looks every millisecond whether one runs', async () => {
  const directory = temporaryDirectory();
  lockDataDirectory(directory).release();
  const { child } = await holder(
    directory,
    "console.log('looking'); for (;;) { isServed(dir); Bun.sleepSync(1); }",
  );
  try {
    for (let n = 0; n < 100; n++) lockDataDirectory(directory).release();
  } finally {
    child.kill('SIGKILL');
    await child.exited;
  }
});

test('the files of locks and of the process id are for nobody else, also those that an earlier version made', () => {
  const directory = temporaryDirectory();
  const modeOf = (name: string): number => statSync(join(directory, name)).mode & 0o777;
  writeFileSync(join(directory, 'bookstall.lock'), '', { mode: 0o644 });
  const before = process.umask(0o022);
  const lock = lockDataDirectory(directory);
  const { withdraw } = announceServer(directory);
  holdOpenLock(directory, () => {});
  process.umask(before);
  expect(['serve.lock', 'serve.pid', 'bookstall.lock'].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
  withdraw();
  lock.release();
});
