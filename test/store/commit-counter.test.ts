import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { createCommitCounter } from '../../src/store/commit-counter.ts';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { temporaryDirectory } from '../harness.ts';

const WRITE =
  "INSERT INTO server_starts (id, version, started_at) VALUES (lower(hex(randomblob(8))), '1', 1)";

function open() {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const writer = openForWriting(file);
  const reader = openForReading(file);
  return { file, writer, reader };
}

/** Where memory cannot be mapped there is no such file: then the database is asked. */
const ways = [
  ['read from the wal-index', (file: string) => file],
  ['asked of the database', () => 'no-such-file'],
] as const;

test.each(ways)('commit counter, %s, stays while nobody writes and rises with every commit', (_, name) => {
  const { file, writer, reader } = open();
  const count = createCommitCounter(reader, name(file));
  const seen = [count()];
  for (let n = 0; n < 50; n++) {
    expect(count()).toBe(seen.at(-1) ?? -1);
    writer.run(WRITE);
    seen.push(count());
  }
  expect(new Set(seen).size).toBe(51);
});

test.each(ways)('commit counter, %s, hears other processes at once', async (_, name) => {
  const { file, reader } = open();
  const count = createCommitCounter(reader, name(file));
  const before = count();
  const script = `new (require('bun:sqlite').Database)(${JSON.stringify(file)}).run(${JSON.stringify(WRITE)})`;
  expect(await Bun.spawn([process.execPath, '-e', script]).exited).toBe(0);
  expect(count()).not.toBe(before);
});

test.each(ways)('commit counter, %s, hears commits after the log was emptied and begun again', (_, name) => {
  const { file, writer, reader } = open();
  const count = createCommitCounter(reader, name(file));
  writer.run(WRITE);
  for (let n = 0; n < 5; n++) {
    writer.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = count();
    new Database(file).run(WRITE);
    expect(count()).not.toBe(before);
  }
});

test('commit counter hears nothing of a transaction that is rolled back', () => {
  const { file, writer, reader } = open();
  const count = createCommitCounter(reader, file);
  const before = count();
  writer.run('BEGIN IMMEDIATE');
  writer.run(WRITE);
  writer.run('ROLLBACK');
  expect(count()).toBe(before);
});
