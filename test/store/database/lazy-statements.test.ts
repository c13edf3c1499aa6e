import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { prepareLazily } from '../../../src/store/database/lazy-statements.ts';

test('a statement is prepared when it first runs, once, and works like any other', () => {
  const db = new Database(':memory:', { strict: true });
  const prepared: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  };
  const lazy = prepareLazily(db);
  const early = lazy.prepare('INSERT INTO books (title) VALUES ($title) RETURNING id');
  const list = lazy.prepare<{ title: string }, []>('SELECT title FROM books');
  expect(prepared).toEqual([]);
  lazy.run('CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)');
  expect([early.get({ title: 'Herons' }), early.all({ title: 'Egrets' })]).toEqual([{ id: 1 }, [{ id: 2 }]]);
  expect([list.all(), list.values()]).toEqual([
    [{ title: 'Herons' }, { title: 'Egrets' }],
    [['Herons'], ['Egrets']],
  ]);
  expect(early.run({ title: 'Ibises' }).changes).toBe(1);
  expect(prepared).toHaveLength(2);
  expect(lazy.query('SELECT 1 AS one').get()).toEqual({ one: 1 });
  lazy.transaction(() => expect(lazy.inTransaction).toBeTrue())();
  const broken = lazy.prepare('SELECT title FROM nowhere');
  expect(() => broken.get()).toThrow('no such table: nowhere');
});
