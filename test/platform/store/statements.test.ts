import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { sql, statementsOf, values, where } from '../../../src/platform/store/statements.ts';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/store.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

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

/** The memory of a file in this process, as Linux reports it. */
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
    store.countNotes('nobody');
    expect(locksOf(join(directory, 'bookstall.db-shm')).length).toBeGreaterThan(0);
    expect(locksOf(join(directory, 'bookstall.db')).length).toBeGreaterThan(0);
    await store.close();
  },
);
