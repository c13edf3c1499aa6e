import { expect, test } from 'bun:test';
import { verificationInserts } from '../../../src/store/tables/verification.ts';
import { AT, openSaleDatabase } from '../../sales/sale-database.ts';
import { completed } from '../../sales/stripe-events.ts';

/** A key and a token of an account, by whoever has it; `live` counts those that are not revoked. */
function openCredentials(accountId: string, passwordHash: string | null) {
  const { db, ...sales } = openSaleDatabase();
  db.run('UPDATE accounts SET password_hash = ? WHERE id = ?', [passwordHash, accountId]);
  const values = [accountId, new Uint8Array(32)];
  db.run("INSERT INTO keys (account_id, hash, prefix, name, created_at) VALUES (?, ?, 'p', 'n', 1)", values);
  db.run(
    "INSERT INTO tokens (account_id, hash, prefix, name, reads, created_at) VALUES (?, ?, 'p', 'n', 0, 1)",
    values,
  );
  const count = (table: string) =>
    db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table} WHERE revoked_at IS NULL`).get()!.n;
  return { ...sales, ...verificationInserts(db), live: () => [count('keys'), count('tokens')] };
}

test.each([
  ['eve', 'a hash', 'invite', 0],
  ['eve', 'a hash', 'reset', 0],
  ['eve', 'a hash', 'claim', 0],
  ['eve', null, 'claim', 0],
  ['eve', null, 'open', 0],
  // The owner made them for an account that nobody else has had.
  ['eve', null, 'invite', 1],
  ['eve', null, 'reset', 1],
  ['ada', 'a hash', 'claim', 1],
  ['ada', null, 'open', 1],
] as const)(
  'of %s with the password %p, the link to %s leaves %d key and token',
  (id, hash, purpose, left) => {
    const { distrust, live } = openCredentials(id, hash);
    distrust(id, purpose, AT);
    expect(live()).toEqual([left, left]);
  },
);

test('an account that is verified by the link of an order does not get it from its holder', async () => {
  const { deliver, writes, verify, orders } = openCredentials('eve', null);
  deliver('stripe', completed('s', 0));
  verify('eve', 1, AT);
  expect((await orders())[0]?.accountId).toBe('ada');
  deliver('stripe', completed('t', 0, { customer_details: { email: 'new@example.net' } }));
  writes.eraseOrder({ orderId: 2, at: AT });
  verify('eve', 2, AT);
  expect((await orders())[1]?.accountId).toBeNull();
});
