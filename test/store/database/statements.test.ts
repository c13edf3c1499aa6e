import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { statementsOf } from '../../../src/store/commit-counter.ts';

test('a statement runs on the present connection, like any other', () => {
  const [first, second] = ['Herons', 'Egrets'].map(() => new Database(':memory:', { strict: true }));
  let db = first!;
  const present = statementsOf(() => db);
  const add = present.prepare('INSERT INTO books (title) VALUES ($title) RETURNING id');
  const list = present.prepare<{ title: string }, []>('SELECT title FROM books');
  expect(() => list.all()).toThrow('no such table: books');
  present.run('CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)');
  expect([add.get({ title: 'Herons' }), add.all({ title: 'Egrets' })]).toEqual([{ id: 1 }, [{ id: 2 }]]);
  expect(add.run({ title: 'Ibises' }).changes).toBe(1);
  db = second!;
  present.run('CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)');
  expect([add.get({ title: 'Storks' }), list.values(), list.all()]).toEqual([
    { id: 1 },
    [['Storks']],
    [{ title: 'Storks' }],
  ]);
  expect(present.query('SELECT 1 AS one').get()).toEqual({ one: 1 });
  present.transaction(() => expect(present.inTransaction).toBeTrue())();
});
