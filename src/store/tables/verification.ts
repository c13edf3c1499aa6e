import type { Database } from 'bun:sqlite';
import { accountsByAddress } from './account-addresses.ts';
import { orderFolds } from './order-folds.ts';
import { type NewSession, passwordInserts } from './sessions.ts';

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

/** An account that somebody makes with a password; nobody has verified its address. */
export type JoiningAccount = { readonly id: string; readonly email: string; readonly passwordHash: string };

/** The part of a transaction that makes such an account and signs it in; false if the address has one. */
export function joinInserts(db: Database) {
  const [byAddress, followPassword] = [accountsByAddress(db), passwordInserts(db)];
  const add = db.prepare('INSERT INTO accounts (id, email, password_hash, created_at) VALUES (?, ?, ?, ?)');
  return ({ id, email, passwordHash }: JoiningAccount, session: NewSession, at: number): boolean => {
    if (byAddress(email) !== null) return false;
    add.run(id, email, passwordHash, at);
    followPassword(id, session, at);
    return true;
  };
}
