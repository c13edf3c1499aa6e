import { expect, test } from 'bun:test';
import { statementsOf } from '../../src/platform/store/statements.ts';
import { distrustAccount } from '../../src/accounts/account.sql.ts';
import { AT, openSaleDatabase } from '../selling/sale-database.ts';

/** A key, a token and a device key of an account, by whoever has it; `live` counts those that are not ended. */
function openCredentials(accountId: string, passwordHash: string | null) {
  const { db, ...sales } = openSaleDatabase();
  db.run('UPDATE accounts SET password_hash = ? WHERE id = ?', [passwordHash, accountId]);
  const values = [accountId, new Uint8Array(32)];
  db.run("INSERT INTO keys (account_id, hash, prefix, name, created_at) VALUES (?, ?, 'p', 'n', 1)", values);
  db.run(
    "INSERT INTO tokens (account_id, hash, prefix, name, reads, created_at) VALUES (?, ?, 'p', 'n', 0, 1)",
    values,
  );
  db.run("INSERT INTO device_keys (account_id, hash, prefix, created_at) VALUES (?, ?, 'p', 1)", values);
  const count = (rows: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${rows}`).get()!.n;
  const live = 'WHERE revoked_at IS NULL';
  return {
    ...sales,
    distrust: () =>
      distrustAccount(
        statementsOf(() => db),
        accountId,
        AT,
      ),
    live: () => [count(`keys ${live}`), count(`tokens ${live}`), count('device_keys')],
  };
}

test.each([
  ['eve', 'a hash', 0],
  // The owner made them for an account that nobody else has had.
  ['eve', null, 1],
  ['ada', 'a hash', 1],
  ['ada', null, 1],
] as const)('a new password for %s after %p leaves %d key, token and device key', (id, hash, left) => {
  const { distrust, live } = openCredentials(id, hash);
  distrust();
  expect(live()).toEqual([left, left, left]);
});
