import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { migrations } from '../../src/platform/store/database.ts';
import { statementsOf } from '../../src/platform/store/statements.ts';
import { editionReads, editionWrites, serveEdition } from '../../src/catalog/edition.sql.ts';

const ITEM = { kind: 'book', itemKey: 'heron-id' } as const;

/** A book of three editions, of which the last is served. */
function openEditions() {
  const file = new Database(':memory:', { strict: true });
  for (const migration of migrations) file.run(migration);
  const db = statementsOf(() => file);
  const serve = (digest: string, at: number) =>
    serveEdition(
      db,
      {
        ...ITEM,
        digest,
        slug: 'heron',
        version: null,
        size: 10,
        files: 1,
        added: 0,
        changed: 1,
        removed: 0,
        notes: null,
        tar: `{"name":"${digest}"}`,
        tarSize: 10,
        manifest: '{}',
        changedFiles: null,
        staysVersion: false,
        wasFree: 0,
      },
      at,
    );
  ['a', 'b', 'c'].forEach((digest, at) => serve(digest, at));
  const states = async () =>
    Object.fromEntries(
      editionReads(db)
        .listEditions(ITEM.kind, ITEM.itemKey)
        .map(({ digest, state }) => [digest, state]),
    );
  return { serve, states, ...editionWrites(db), ...editionReads(db) };
}

test('a withdrawn edition is not served again, even if its files come back', async () => {
  const { serve, states, withdrawEdition } = openEditions();
  expect(withdrawEdition({ ...ITEM, digest: 'a' })).toBe('{"name":"a"}');
  serve('a', 9);
  expect(await states()).toMatchObject({ a: 'withdrawn' });
});

test('an edition that waits to be served again is not deleted for want of room', async () => {
  const { rollBack, trimEditions, states } = openEditions();
  rollBack({ ...ITEM, digest: 'a', at: 5 });
  expect(trimEditions({ editions: 9, bytes: 0, installedSince: 1, needed: [] })).toEqual(['{"name":"b"}']);
  expect(await states()).toEqual({ a: 'kept', b: 'gone', c: 'served' });
});

test('nor for being one too many', async () => {
  const { rollBack, trimEditions, states } = openEditions();
  rollBack({ ...ITEM, digest: 'a', at: 5 });
  expect(trimEditions({ editions: 1, bytes: 99, installedSince: 1, needed: [] })).toEqual(['{"name":"b"}']);
  expect(await states()).toEqual({ a: 'kept', b: 'gone', c: 'served' });
});

test('an edition that is withdrawn while it waits to be served again waits no more', async () => {
  const { rollBack, withdrawEdition, listRollbacks } = openEditions();
  rollBack({ ...ITEM, digest: 'a', at: 5 });
  expect(listRollbacks()).toHaveLength(1);
  withdrawEdition({ ...ITEM, digest: 'a' });
  expect(listRollbacks()).toEqual([]);
});

test('the served edition is not withdrawn', async () => {
  const { withdrawEdition, states } = openEditions();
  expect(withdrawEdition({ ...ITEM, digest: 'c' })).toBeNull();
  expect(await states()).toMatchObject({ c: 'served' });
});
