import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { sql, statementsOf, values, where } from '../../src/store/statements.ts';
import { createCommitCounter } from '../../src/store/generation.ts';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryDirectory } from '../harness.ts';

test('a statement runs on the present connection, with its values in place', () => {
  const [first, second] = ['Herons', 'Egrets'].map(() => new Database(':memory:', { strict: true }));
  let current = first!;
  const db = statementsOf(() => current);
  const list = () => db.all<{ title: string }>`SELECT title FROM books ORDER BY title`;
  const add = (title: string) =>
    db.one<{ id: number }>`INSERT INTO books (title) VALUES (${title}) RETURNING id`;
  expect(list).toThrow('no such table: books');
  db.run`CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)`;
  expect([add('Herons'), add("Egrets'; --")]).toEqual([{ id: 1 }, { id: 2 }]);
  expect(db.run`INSERT INTO books ${values({ title: 'Ibises', id: 7 })}`.changes).toBe(1);
  expect(list().map(({ title }) => title)).toEqual(["Egrets'; --", 'Herons', 'Ibises']);
  current = second!;
  db.run`CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)`;
  expect([add('Storks'), list()]).toEqual([{ id: 1 }, [{ title: 'Storks' }]]);
  expect([db.isInTransaction(), db.has`SELECT 1 FROM books WHERE id = ${2}`]).toEqual([false, false]);
});

test('a piece of SQL carries its values, in the order of their places', () => {
  const late = sql`until > ${9}`;
  const piece = sql`SELECT ${sql`id, title`} FROM books ${where(sql`id = ${1}`, null, late)} LIMIT ${5}`;
  expect([piece.text, piece.values]).toEqual([
    'SELECT id, title FROM books WHERE id = ? AND until > ? LIMIT ?',
    [1, 9, 5],
  ]);
  expect(where(null).text).toBe('');
});

test('a value is the first column of the first row', () => {
  const file = new Database(':memory:', { strict: true });
  const db = statementsOf(() => file);
  db.run`CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)`;
  expect(db.value<number>`INSERT INTO books (title) VALUES (${'Herons'}) RETURNING id`).toBe(1);
  expect([db.value`SELECT title FROM books`, db.value`SELECT title FROM books WHERE id = ${2}`]).toEqual([
    'Herons',
    null,
  ]);
});

const WRITE =
  "INSERT INTO server_starts (id, version, started_at) VALUES (lower(hex(randomblob(8))), '1', 1)";

/** It looks once a turn of the event loop. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const writer = openForWriting(file);
  const reader = openForReading(file);
  return { file, writer, reader };
}

test('commit counter stays while nobody writes and rises with every commit', async () => {
  const { writer, reader } = open();
  const { count } = createCommitCounter(statementsOf(() => reader));
  const seen = [count()];
  for (let n = 0; n < 50; n++) {
    await nextTurn();
    expect(count()).toBe(seen.at(-1) ?? -1);
    writer.run(WRITE);
    await nextTurn();
    seen.push(count());
  }
  expect(new Set(seen).size).toBe(51);
});

test('commit counter hears other processes at once', async () => {
  const { file, reader } = open();
  const { count } = createCommitCounter(statementsOf(() => reader));
  const before = count();
  const script = `new (require('bun:sqlite').Database)(${JSON.stringify(file)}).run(${JSON.stringify(WRITE)})`;
  expect(await Bun.spawn([process.execPath, '-e', script]).exited).toBe(0);
  await nextTurn();
  expect(count()).not.toBe(before);
});

test('commit counter hears commits after the log was emptied and begun again', async () => {
  const { file, writer, reader } = open();
  const { count } = createCommitCounter(statementsOf(() => reader));
  writer.run(WRITE);
  for (let n = 0; n < 5; n++) {
    writer.run('PRAGMA wal_checkpoint(TRUNCATE)');
    await nextTurn();
    const before = count();
    new Database(file).run(WRITE);
    await nextTurn();
    expect(count()).not.toBe(before);
  }
});

test('commit counter hears nothing of a transaction that is rolled back', async () => {
  const { writer, reader } = open();
  const { count } = createCommitCounter(statementsOf(() => reader));
  const before = count();
  writer.run('BEGIN IMMEDIATE');
  writer.run(WRITE);
  writer.run('ROLLBACK');
  await nextTurn();
  expect(count()).toBe(before);
});

test('a write of our own is heard within its turn', async () => {
  const store = await openStore(temporaryDirectory());
  const before = store.generation();
  const account = { id: crypto.randomUUID(), version: '1', startedAt: 1 };
  const written = store.write.addServerStart(account).then(() => store.generation());
  store.generation();
  expect(await written).not.toBe(before);
  await store.close();
});

/** What this process holds of a file, as Linux tells it. */
function locksOf(file: string): readonly string[] {
  const { ino } = statSync(file);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
}

test.skipIf(process.platform !== 'linux')(
  'an open store holds the lock of its wal-index, or another program would cut it from under us',
  async () => {
    const directory = temporaryDirectory();
    const store = await openStore(directory);
    store.generation();
    expect(locksOf(join(directory, 'bookstall.db-shm')).length).toBeGreaterThan(0);
    expect(locksOf(join(directory, 'bookstall.db')).length).toBeGreaterThan(0);
    await store.close();
  },
);
