import type { Database } from 'bun:sqlite';
import { foldEmail } from '../../access/email-address.ts';
import { orderFolds } from './order-folds.ts';

/** The parts of a transaction that verify an account's address. */
export function verificationInserts(db: Database) {
  const folds = orderFolds(db);
  const byAddress = accountsByAddress(db);
  const add = db.prepare('INSERT INTO accounts (id, email, created_at) VALUES (?, ?, ?)');
  const isDoubtful = db.prepare<{ yes: 1 }, [string]>(
    'SELECT 1 AS yes FROM accounts WHERE id = ? AND verified_at IS NULL AND password_hash IS NOT NULL',
  );
  const revokeKeys = db.prepare('UPDATE keys SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL');
  const revokeTokens = db.prepare(
    'UPDATE tokens SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL',
  );
  const verify = db.prepare('UPDATE accounts SET verified_at = ? WHERE id = ? AND verified_at IS NULL');
  return {
    /** The account of an address; created without a password if it is new. */
    findOrAdd({
      id,
      email,
      at,
    }: {
      readonly id: string;
      readonly email: string;
      readonly at: number;
    }): string {
      const known = byAddress(email);
      if (known !== null) return known.id;
      add.run(id, email, at);
      return id;
    },
    /**
     * Revokes the keys and tokens of an unverified account before its password is replaced: somebody may have made it under
     * another's address. An account without a password keeps those that the owner made for it.
     */
    distrust(accountId: string, at: number): void {
      if (isDoubtful.get(accountId) === null) return;
      revokeKeys.run(at, accountId);
      revokeTokens.run(at, accountId);
    },
    /** Marks the account as verified, and gives it the order of the link that showed it and every waiting one of its address. */
    verify(accountId: string, orderId: number | null, at: number): void {
      verify.run(at, accountId);
      if (orderId !== null)
        folds.act({ orderId, fact: { kind: 'attach', accountId, by: 'mail' }, origin: 'buyer', at });
      folds.attachWaiting(accountId, { at });
    },
  };
}

type Known = { readonly id: string; readonly email: string };

/** Finds the account of an address in any spelling; of several, a verified one. */
export function accountsByAddress(db: Database) {
  const order = 'ORDER BY verified_at IS NULL, created_at';
  const plain = db.prepare<Known, [string, string]>(
    `SELECT id, email FROM accounts WHERE email IN (?, ?) ${order}`,
  );
  // SQLite compares only ASCII without case: an address with other letters is looked for among those.
  const foreign = db.prepare<Known, []>(
    `SELECT id, email FROM accounts WHERE email GLOB '*[^ -~]*' OR email LIKE '%xn--%' ${order}`,
  );
  return (address: string): Known | null => {
    const folded = foldEmail(address);
    const isPlain = /^[ -~]*$/.test(address) && !folded.includes('xn--');
    const found = isPlain ? plain.all(address.trim(), folded) : foreign.all();
    return found.find(({ email }) => foldEmail(email) === folded) ?? null;
  };
}
