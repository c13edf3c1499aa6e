import type { Database } from 'bun:sqlite';
import { foldEmail } from '../../access/email-address.ts';
import { orderFolds } from './order-folds.ts';
import { mailRepeats, outboxInserts } from './outbox.ts';
import { saleOffers } from './sales.ts';
import type { NewSession } from './sessions.ts';
import { joinInserts, type JoiningAccount } from './accounts.ts';

/** An order claimed on the return page with a new account, whose address nobody has verified yet. */
type ClaimWithAccount = {
  readonly orderId: number;
  readonly account: JoiningAccount;
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
  const outbox = outboxInserts(db);
  const repeat = mailRepeats(db);
  const settings = saleOffers(db);
  const newest = db.prepare<{ id: number; email: string; isVerified: 0 | 1 }, [string, number]>(
    `SELECT orders.id, orders.email, coalesce(verified_at IS NOT NULL, 0) AS isVerified
     FROM orders LEFT JOIN accounts ON accounts.id = account_id
     WHERE email_key = ?1 AND state = 'paid' AND (until IS NULL OR until > ?2) AND erased_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'gift')
     ORDER BY account_id IS NULL DESC, at DESC, orders.id DESC LIMIT 1`,
  );
  const mailOf = db.prepare<{ id: number }, [string, number, string]>(
    'SELECT id FROM outbox WHERE kind = ? AND order_id = ? AND address = ?',
  );
  const folds = orderFolds(db);
  const join = joinInserts(db);
  const isOpen = db.prepare<{ yes: 1 }, [number, number]>(
    `SELECT 1 AS yes FROM orders WHERE id = ? AND account_id IS NULL AND state = 'paid' AND paid_at >= ? AND erased_at IS NULL`,
  );
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
      if (!join(account, session, at)) return 'known';
      attach(orderId, account.id, at);
      return 'claimed';
    },
    /** Gives the order to the account; false if it was claimed. */
    claimForAccount({ orderId, accountId, since, at }: ClaimForAccount): boolean {
      if (isOpen.get(orderId, since) === null) return false;
      attach(orderId, accountId, at);
      return true;
    },
    /** Queues the mail of an address's newest order once more, of one that waits for its account first; false if there is none. */
    repeatOrderMail({ address, at }: { readonly address: string; readonly at: number }): boolean {
      const order = newest.get(foldEmail(address), at);
      if (order === null) return false;
      const kind = order.isVerified === 1 ? 'library' : 'claim';
      const earlier = mailOf.get(kind, order.id, order.email);
      if (earlier !== null) return repeat(earlier.id, at);
      const mail = { kind, subject: `order:${order.id}`, address: order.email, orderId: order.id } as const;
      const { mail: state } = settings.settings();
      return outbox.queue({ ...mail, accountId: null, details: {}, state, at }) !== null;
    },
  };
}
