import { expect, test } from 'bun:test';
import { CREDENTIALS, proveAddress } from '../../src/accounts/address-proof.sql.ts';
import { statementsOf } from '../../src/platform/store/statements.ts';
import { saleFollowers } from '../../src/selling/account-follow-up.sql.ts';
import { AT, openSaleDatabase } from '../selling/sale-database.ts';

/** The tables of accounts whose rows open none of them. */
const RECORDS = [
  'code_networks',
  'code_uses',
  'device_places',
  'downloads',
  'fetch_logs',
  'grants',
  'group_members',
  'notes',
  'orders',
  'outbox',
  'reading_places',
  'reports',
  'wrong_codes',
  // An account with a second step is the owner's or an editor's, whose address is proven.
  'recovery_codes',
  'second_steps',
];

/** Everything that opens an account, by whoever has it; `open` lists the tables of what is left. */
function openCredentials(accountId: string) {
  const { db, ...sales } = openSaleDatabase();
  db.run("UPDATE accounts SET password_hash = 'a hash' WHERE id = ?", [accountId]);
  const hash = (byte: number) => `zeroblob(31) || x'${byte.toString(16).padStart(2, '0')}'`;
  const blob = (byte: number) => `cast(${hash(byte)} AS BLOB)`;
  for (const table of ['keys', 'tokens', 'publish_keys']) {
    const more = { keys: ['', ''], tokens: [', reads', ', 0'], publish_keys: [', sets_terms', ', 0'] }[
      table
    ]!;
    db.run(
      `INSERT INTO ${table} (account_id, hash, prefix, name, created_at${more[0]})
      VALUES (?, ${blob(1)}, 'p', 'n', 1${more[1]})`,
      [accountId],
    );
  }
  db.run(
    `INSERT INTO sessions (id, account_id, secret_hash, created_at, last_seen_at, expires_at)
      VALUES ('s', ?, ${blob(2)}, 1, 1, 9000000000000000)`,
    [accountId],
  );
  db.run(`INSERT INTO device_keys (account_id, prefix, hash, created_at) VALUES (?, 'p', ${blob(5)}, 1)`, [
    accountId,
  ]);
  db.run("INSERT INTO second_steps VALUES (?, 'secret', 0, 1)", [accountId]);
  db.run(`INSERT INTO pending_sign_ins VALUES ('p', ?, ${blob(3)}, 9000000000000000)`, [accountId]);
  db.run(
    `INSERT INTO connections (id, account_id, client_id, name, host, asks, notes, created_at)
      VALUES ('c', ?, 'client', 'n', 'h', 0, 0, 1)`,
    [accountId],
  );
  db.run(
    `INSERT INTO links (purpose, account_id, secret_hash, created_at, expires_at)
      VALUES ('reset', ?, ${blob(4)}, 1, 9000000000000000)`,
    [accountId],
  );
  db.run(
    `INSERT INTO links (purpose, address, secret_hash, created_at, expires_at)
      SELECT 'open', upper(email), ${blob(6)}, 1, 9000000000000000 FROM accounts WHERE id = ?
      UNION ALL SELECT 'open', 'other@example.org', ${blob(7)}, 1, 9000000000000000`,
    [accountId],
  );
  const ends: Readonly<Record<string, string>> = {
    keys: 'revoked_at',
    tokens: 'revoked_at',
    publish_keys: 'revoked_at',
    sessions: 'ended_at',
    connections: 'ended_at',
    links: 'used_at',
  };
  const count = (table: string) => {
    const open = ends[table] === undefined ? '' : `AND ${ends[table]} IS NULL`;
    return db
      .query<{ n: number }, [string]>(`SELECT count(*) AS n FROM ${table} WHERE account_id = ? ${open}`)
      .get(accountId)!.n;
  };
  const statements = statementsOf(() => db);
  return {
    ...sales,
    db,
    prove: () => proveAddress(statements, saleFollowers(statements), accountId, AT),
    open: () => Object.keys(CREDENTIALS).filter((table) => count(table) > 0),
    /** How many links to addresses are open. */
    mailed: () =>
      db
        .query<{ n: number }, []>(
          'SELECT count(*) AS n FROM links WHERE address IS NOT NULL AND used_at IS NULL',
        )
        .get()!.n,
    password: () =>
      db
        .query<{ hash: string | null }, [string]>('SELECT password_hash AS hash FROM accounts WHERE id = ?')
        .get(accountId)!.hash,
  };
}

test('the first proof of an address ends everything that opened its account, and its password', () => {
  const { prove, open, password, mailed } = openCredentials('eve');
  expect([open(), mailed()]).toEqual([Object.keys(CREDENTIALS), 2]);
  prove();
  expect([open(), password(), mailed()]).toEqual([[], null, 1]);
});

test('a later proof ends nothing', () => {
  const { prove, open, password } = openCredentials('ada');
  prove();
  expect([open(), password()]).toEqual([Object.keys(CREDENTIALS), 'a hash']);
});

test('each table of accounts is known to open them or not', () => {
  const { db } = openSaleDatabase();
  const tables = db
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table'
        AND EXISTS (SELECT 1 FROM pragma_table_info(sqlite_schema.name) AS one WHERE one.name = 'account_id')`,
    )
    .all()
    .map(({ name }) => name);
  expect(tables.toSorted()).toEqual([...Object.keys(CREDENTIALS), ...RECORDS].toSorted());
});
