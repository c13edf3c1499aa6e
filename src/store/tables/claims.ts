import type { Database } from 'bun:sqlite';
import { orderFolds } from './order-folds.ts';
import { sessionInserts, type NewSession } from './sessions.ts';
import { accountsByAddress } from './verification.ts';

/** An order claimed on the return page with a new account, whose address nobody has verified yet. */
type ClaimWithAccount = {
  readonly orderId: number;
  readonly account: { readonly id: string; readonly email: string; readonly passwordHash: string };
  readonly session: NewSession;
  /** The order must have been paid at this time or later. */
  readonly since: number;
  readonly at: number;
};

/** An order claimed for the account that is signed in. */
type ClaimForAccount = {
  readonly orderId: number;
  readonly accountId: string;
  readonly since: number;
  readonly at: number;
};

export function claimWrites(db: Database) {
  const folds = orderFolds(db);
  const sessions = sessionInserts(db);
  const byAddress = accountsByAddress(db);
  const isOpen = db.prepare<{ yes: 1 }, [number, number]>(
    `SELECT 1 AS yes FROM orders WHERE id = ? AND account_id IS NULL AND state = 'paid' AND paid_at >= ? AND erased_at IS NULL`,
  );
  const add = db.prepare('INSERT INTO accounts (id, email, password_hash, created_at) VALUES (?, ?, ?, ?)');
  const attach = (orderId: number, accountId: string, at: number): void => {
    folds.act({ orderId, fact: { kind: 'attach', accountId, by: 'return' }, origin: 'buyer', at });
  };
  return {
    /** Makes the account, signs it in and gives it the order. `closed` if the order was claimed, `known` if the address has an account. */
    claimWithAccount({
      orderId,
      account,
      session,
      since,
      at,
    }: ClaimWithAccount): 'claimed' | 'closed' | 'known' {
      if (isOpen.get(orderId, since) === null) return 'closed';
      if (byAddress(account.email) !== null) return 'known';
      add.run(account.id, account.email, account.passwordHash, at);
      sessions.insert(session);
      attach(orderId, account.id, at);
      return 'claimed';
    },
    /** Gives the order to the account; false if it was claimed. */
    claimForAccount({ orderId, accountId, since, at }: ClaimForAccount): boolean {
      if (isOpen.get(orderId, since) === null) return false;
      attach(orderId, accountId, at);
      return true;
    },
  };
}
