import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { migrations, openForWriting } from '../../../src/platform/store/database.ts';
import { verifyDatabase } from '../../../src/platform/store/copy.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const FIRST = migrations.slice(0, 1);
const ADD_COLUMN = 'ALTER TABLE accounts ADD COLUMN note TEXT';

/** A stall's database as the first version wrote it: an account with a key, and its question in row 7. */
function oldDatabase(): string {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const db = openForWriting(file, FIRST);
  db.run("INSERT INTO accounts (id, email, created_at) VALUES ('ann', 'ann@example.org', 1)");
  db.run(
    "INSERT INTO keys (account_id, hash, prefix, name, created_at) VALUES ('ann', zeroblob(32), 'svc_', 'n', 1)",
  );
  db.run("INSERT INTO server_starts (id, version, started_at) VALUES ('s', '1', 1)");
  db.run(`INSERT INTO fetch_logs (rowid, id, server_start_id, account_id, key_id, book_id, asked_at, engine, outcome)
    VALUES (7, 'q', 's', 'ann', 1, 'b', 5, 'extractive', 'quoted')`);
  db.close();
  return file;
}

const copyOf = (file: string, migration: number): string =>
  join(file, '..', `before-migration-${migration}.db`);
const prove = (file: string) => verifyDatabase(file, (reason) => reason, migrations);

/** The rows in a file, opened by the program that knows these migrations. */
function look(file: string, list: readonly string[]) {
  const db = openForWriting(file, list);
  const questions = db.query('SELECT rowid, id, account_id, key_id, asked_at, outcome FROM fetch_logs').all();
  const tables = db.query("SELECT sql FROM sqlite_schema WHERE name = 'accounts'").get() as { sql: string };
  const keys = db.query('SELECT count(*) AS n FROM keys').get();
  db.close();
  return { questions, keys, hasNote: tables.sql.includes('note') };
}

const BEFORE = look(oldDatabase(), FIRST);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'not refused';
}

test('a database of the first version is brought up to this one, with every row in its place', () => {
  const file = oldDatabase();
  expect(look(file, migrations)).toEqual(BEFORE);
  expect(prove(file).schema).toBe(migrations.length);
});

test('what the owner of 0.4 gave to an imported account opens at once, to one that its holder made once it is proven', () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const old = openForWriting(file, migrations.slice(0, 37));
  for (const [id, hash] of [
    ['imported', null],
    ['joined', '$argon2id$'],
  ])
    old.run('INSERT INTO accounts (id, email, password_hash, created_at) VALUES (?, ?, ?, 1)', [
      id!,
      `${id}@x`,
      hash!,
    ]);
  old.run("INSERT INTO known_items (kind, item_key, slug, published_at) VALUES ('book', 'b', 'b', 1)");
  old.run(`INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at)
    SELECT id, 'book', 'b', 'import', 1, 1 FROM accounts`);
  old.close();
  const db = openForWriting(file, migrations);
  expect(db.query('SELECT account_id AS id, waits FROM all_grants ORDER BY id').all()).toEqual([
    { id: 'imported', waits: 0 },
    { id: 'joined', waits: 1 },
  ]);
  db.close();
});

test('a row of the audit log from before commands were in it reads as that of a page', () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const old = openForWriting(file, migrations.slice(0, 5));
  old.run("INSERT INTO audit_log (at, actor_id, action, subject) VALUES (1, 'ann', 'grant.add', 'x')");
  old.close();
  const db = openForWriting(file);
  expect(db.query('SELECT via, action FROM audit_log').all()).toEqual([{ via: 'page', action: 'grant.add' }]);
  db.close();
});

test('what test sales of 0.2.0 brought is in no figure any more', () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const old = openForWriting(file, migrations.slice(0, 21));
  const refs = [
    'cs_live_1',
    'cs_bookstall_1',
    'b0057a11-0000-4000-8000-000000000000',
    '900001234567890',
    '9000012',
  ];
  for (const [n, ref] of refs.entries()) {
    old.run(
      `INSERT INTO orders (id, chain, provider, provider_ref, ref, state, at, products, quantity, amount, tax, refunded, is_subscription)
        VALUES (${n}, ${n}, 'stripe', ?, ?, 'paid', 1, '[]', 1, 1900, 0, 0, 0)`,
      [ref, ref],
    );
    old.run(
      `INSERT INTO order_payments (order_id, at, amount, tax, refunded, currency) VALUES (${n}, 1, 1900, 0, 0, 'usd')`,
    );
  }
  old.close();
  const db = openForWriting(file);
  expect(db.query('SELECT id FROM orders WHERE is_test = 1').values()).toEqual([[1], [2], [3]]);
  expect(db.query('SELECT order_id FROM order_payments').values()).toEqual([[0], [4]]);
  db.close();
});

test('a copy of what was there lies beside, for its owner alone, and the earlier program opens it', () => {
  const file = oldDatabase();
  openForWriting(file).close();
  const copy = copyOf(file, 2);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(prove(copy).schema).toBe(1);
  expect(look(copy, FIRST)).toEqual(BEFORE);
});

test('a new database and one that is up to date are not copied', () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  openForWriting(file).close();
  openForWriting(file).close();
  expect(readdirSync(join(file, '..')).filter((name) => name.startsWith('before'))).toEqual([]);
});

describe('a migration that fails changes nothing, and says so', () => {
  test.each([
    [
      'of which half is wrong',
      [`${ADD_COLUMN}; INSERT INTO nowhere VALUES (1)`],
      2,
      'no such table: nowhere',
    ],
    ['after another that went well', [ADD_COLUMN, 'nonsense'], 3, 'near "nonsense": syntax error'],
    [
      'that leaves rows without what they name',
      ['DROP TABLE accounts; CREATE TABLE accounts (id TEXT PRIMARY KEY)'],
      2,
      'a row of "keys" would name nothing',
    ],
  ])('one %s', (_, more, number, reason) => {
    const file = oldDatabase();
    const error = refusal(() => openForWriting(file, [...FIRST, ...more]));
    expect(error).toBe(
      `Cannot bring "${file}" up to this version, migration ${number} failed: ${reason}; nothing was changed; go on with the earlier program, and report this`,
    );
    expect(look(file, FIRST)).toEqual(BEFORE);
    expect(prove(copyOf(file, 2)).schema).toBe(1);
    expect(look(file, [...FIRST, ADD_COLUMN]).hasNote).toBe(true);
  });

  test('one before which no copy can be made', () => {
    const file = oldDatabase();
    mkdirSync(join(copyOf(file, 2), 'in-the-way'), { recursive: true });
    const error = refusal(() => openForWriting(file));
    expect(error).toStartWith(`Cannot bring "${file}" up to this version, migration 2 failed: `);
    expect(error).toEndWith('nothing was changed; mend that, then start again');
    expect(look(file, FIRST)).toEqual(BEFORE);
  });
});

test('a table that is made again takes none of the rows along that name it', () => {
  const file = oldDatabase();
  const renewed = `CREATE TABLE renewed (id TEXT PRIMARY KEY, email TEXT, is_owner INTEGER, created_at INTEGER, disabled_at INTEGER, note TEXT);
    INSERT INTO renewed SELECT id, email, is_owner, created_at, disabled_at, NULL FROM accounts;
    DROP TABLE accounts; ALTER TABLE renewed RENAME TO accounts`;
  const db = openForWriting(file, [...FIRST, renewed]);
  expect(db.query('SELECT count(*) AS n FROM keys').get()).toEqual({ n: 1 });
  expect(db.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  db.close();
});

test('four programs that start at once bring it up together, and the copy is of what was before', async () => {
  const file = oldDatabase();
  const script = `const { openForWriting } = await import(${JSON.stringify(join(import.meta.dir, '../../../src/platform/store/database.ts'))}); openForWriting(${JSON.stringify(file)}).close();`;
  const starts = [1, 2, 3, 4].map(() => Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' }));
  expect(await Promise.all(starts.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  expect(prove(copyOf(file, 2)).schema).toBe(1);
  expect(look(file, migrations)).toEqual(BEFORE);
  expect(existsSync(`${copyOf(file, 2)}.unfinished`)).toBe(false);
});

test('a write-ahead log that grew beside a long reader is cut back once that has ended', () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const db = openForWriting(file);
  const reader = new Database(file, { readonly: true });
  reader.run('BEGIN');
  reader.query('SELECT count(*) FROM accounts').get();
  const start = 'INSERT INTO server_starts (id, version, started_at) VALUES (?, ?, 0)';
  for (let n = 0; n < 40; n++) db.run(start, [`s${n}`, 'x'.repeat(1_000_000)]);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(30_000_000);
  reader.run('ROLLBACK');
  reader.close();
  for (let n = 0; n < 3; n++) db.run(start, [`t${n}`, 'x'.repeat(10_000)]);
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(16 << 20);
  db.close();
});
