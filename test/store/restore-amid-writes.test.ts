import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeBackup, restoreDatabase } from '../../src/store/backup.ts';
import { verifyDatabase } from '../../src/store/copy.ts';
import { temporaryDirectory } from '../harness.ts';
import { accountsIn, writeDatabase } from './database-file.ts';

const AT = Date.parse('2026-11-20T18:19:00.123Z');
const WRITER = join(import.meta.dir, './opening-writer.ts');
const ROUNDS = 25;

test('commands that write while a database is replaced again and again lose nothing that they were told is written', async () => {
  const data = temporaryDirectory();
  const place = join(data, 'bookstall.db');
  writeDatabase(place, 1);
  const { path } = makeBackup({
    dataDirectory: data,
    at: AT,
    to: { file: join(temporaryDirectory(), 'one.db') },
  });
  const writers = [1, 2].map((n) =>
    Bun.spawn([process.execPath, WRITER, place, String(n * 1_000_000)], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  let restored = 0;
  for (let n = 0; restored < ROUNDS && n < ROUNDS * 20; n++) {
    await Bun.sleep(Math.random() * 10);
    try {
      restoreDatabase({ file: path, dataDirectory: data, replace: true, at: AT + n });
      restored++;
    } catch (error) {
      expect(String(error)).toContain('a command works on it');
    }
  }
  for (const { stdin } of writers) await stdin.end();
  const acknowledged = (await Promise.all(writers.map(({ stdout }) => stdout.text()))).flatMap((text) =>
    text.trim().split('\n').map(Number),
  );
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0]);
  const files = readdirSync(data).filter((name) => name.endsWith('.db'));
  for (const name of files) verifyDatabase(join(data, name), (reason) => `${name}: ${reason}`, null);
  const there = new Set(files.flatMap((name) => accountsIn(join(data, name))));
  expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(files).toHaveLength(ROUNDS + 1);
});
