import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForWriting, SCHEMA } from '../../../src/platform/store/database.ts';
import { checkDatabase, isOurDatabase, valueOf } from '../../../src/office/doctor/database-check.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

/** Times are a start of the server at 7 and its stop at 9; a grant's begin, in the future, is none that has passed. */
function makeDatabase(directory = temporaryDirectory()) {
  const file = join(directory, 'bookstall.db');
  const db = openForWriting(file);
  db.run("INSERT INTO server_starts (id, version, started_at, stopped_at) VALUES ('s', '1', 7, 9)");
  db.run("INSERT INTO accounts (id, email, created_at) VALUES ('a', 'a@example.org', 5)");
  db.run("INSERT INTO known_items (kind, item_key, slug, published_at) VALUES ('book', 'b', 'b', 5)");
  db.run(
    "INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at) VALUES ('a', 'book', 'b', 's', 6, 9999999999999)",
  );
  return { db, file, directory };
}

test.each([
  ['beside a writer, from its WAL', false],
  ['alone', true],
])('reads a database %s', async (_, isClosed) => {
  const { db, file } = makeDatabase();
  if (isClosed) db.close();
  const { identity, damage, orphans } = await checkDatabase(file, 10_000);
  const found = valueOf(identity);
  if (found === undefined) throw new Error(JSON.stringify(identity));
  expect(isOurDatabase(found)).toBe(true);
  expect(found.schema).toBe(SCHEMA);
  expect(found.sqlite).toMatch(/^3\./);
  expect([damage, orphans]).toEqual([{ value: null }, { value: [] }]);
  if (!isClosed) db.close();
});

test('leaves no file behind where nobody has the database open, also under a name that a URL would read otherwise', async () => {
  const { db, directory } = makeDatabase();
  db.close();
  const name = 'a b?immutable=0#%41.db';
  Bun.spawnSync(['sh', '-c', 'mv bookstall.db "$1" && rm -f bookstall.db-* bookstall.lock', 'sh', name], {
    cwd: directory,
  });
  expect((await checkDatabase(join(directory, name), 10_000)).damage).toEqual({ value: null });
  expect(readdirSync(directory)).toEqual([name]);
});

test('a writer goes on while it is read', async () => {
  const { db, file } = makeDatabase();
  const examined = checkDatabase(file, 10_000);
  let isDone = false;
  void examined.finally(() => (isDone = true));
  let written = 0;
  for (; !isDone; written++) {
    db.run('INSERT INTO server_starts (id, version, started_at) VALUES (?, ?, ?)', [
      `w${written}`,
      '1',
      written,
    ]);
    await Bun.sleep(0);
  }
  expect((await examined).damage).toEqual({ value: null });
  expect(written).toBeGreaterThan(0);
  db.close();
});

test('what does not end in time is unfinished, and nobody waits for it', async () => {
  const { db, file } = makeDatabase();
  db.close();
  const examination = await checkDatabase(file, 0);
  expect(examination.orphans).toBeUndefined();
});

test('a table that is damaged hides nothing of the others', async () => {
  const { db, file } = makeDatabase();
  const { page } = db
    .query("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'fetch_logs_by_time'")
    .get() as {
    page: number;
  };
  db.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xaa, (page - 1) * 4096, page * 4096));
  const { identity, tokensToday, damage } = await checkDatabase(file, 10_000);
  expect(valueOf(identity)?.schema).toBe(SCHEMA);
  expect(tokensToday).toHaveProperty('reason');
  expect(valueOf(damage)).not.toBeNull();
});
