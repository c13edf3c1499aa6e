import type { Statements } from '../statements.ts';
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

export function claimWrites(db: Statements) {
  const outbox = outboxInserts(db);
  const repeat = mailRepeats(db);
  const settings = saleOffers(db);
  const folds = orderFolds(db);
  const join = joinInserts(db);
  const isOpen = (orderId: number, since: number) => db.has`SELECT 1 FROM orders
    WHERE id = ${orderId} AND account_id IS NULL AND state = 'paid' AND paid_at >= ${since} AND erased_at IS NULL`;
  const attach = (orderId: number, accountId: string, at: number): void => {
    folds.act({ orderId, fact: { kind: 'attach', accountId, by: 'return' }, origin: 'buyer', at });
  };
  return {
    /** Makes the account, signs it in and gives it the order. `closed` if the order was claimed, `known` if the address has an account. */
    claimWithAccount({ orderId, account, session, since, at }: ClaimWithAccount) {
      if (!isOpen(orderId, since)) return 'closed' as const;
      if (!join(account, session, at)) return 'known' as const;
      attach(orderId, account.id, at);
      return 'claimed' as const;
    },
    /** Gives the order to the account; false if it was claimed. */
    claimForAccount({ orderId, accountId, since, at }: ClaimForAccount): boolean {
      if (!isOpen(orderId, since)) return false;
      attach(orderId, accountId, at);
      return true;
    },
    /** Queues the mail of an address's newest order once more, of one that waits for its account first; false if there is none. */
    repeatOrderMail({ address, at }: { readonly address: string; readonly at: number }): boolean {
      const order = db.one<{ id: number; email: string; isVerified: 0 | 1 }>`
        SELECT orders.id, orders.email, coalesce(verified_at IS NOT NULL, 0) AS isVerified
        FROM orders LEFT JOIN accounts ON accounts.id = account_id
        WHERE email_key = ${foldEmail(address)} AND state = 'paid' AND (until IS NULL OR until > ${at})
          AND erased_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'gift')
        ORDER BY account_id IS NULL DESC, at DESC, orders.id DESC LIMIT 1`;
      if (order === null) return false;
      const kind = order.isVerified === 1 ? 'library' : 'claim';
      const earlier = db.one<{ id: number }>`SELECT id FROM outbox WHERE kind = ${kind}
        AND order_id = ${order.id} AND address = ${order.email}`;
      if (earlier !== null) return repeat(earlier.id, at);
      const mail = { kind, subject: `order:${order.id}`, address: order.email, orderId: order.id } as const;
      const { mail: state } = settings.settings();
      return outbox.queue({ ...mail, accountId: null, details: {}, state, at }) !== null;
    },
  };
}
