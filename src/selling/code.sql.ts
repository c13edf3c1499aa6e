import { sql, type Statements, values } from '../platform/store/statements.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import type { OrderState } from './order.rule.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { sourceOfCode } from './order-grant.sql.ts';
import { upsertGrant } from '../accounts/grant.sql.ts';
import { actOnOrder } from './order-fold.sql.ts';
import type { NewSession } from '../accounts/session.sql.ts';
import { joinAccount, type JoiningAccount } from '../accounts/account.sql.ts';
import { comparableEmail } from '../platform/base/email-address.ts';
import type { NewMail } from '../mailing/outbox.rule.ts';
import { queueAgain, queueMail } from '../mailing/outbox.sql.ts';
import { saleOffers } from './sale-offer.sql.ts';

/**
 * A code that opens items, as stored, without its secret text. `used` is how often it was used, of `uses` times. Times are
 * milliseconds since 1970 UTC.
 */
export type StoredCode = {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
  readonly isBundle: boolean;
  readonly items: readonly OfferedItem[];
  readonly orderId: number | null;
  readonly orderState: OrderState | null;
  readonly note: string;
  readonly uses: number;
  readonly used: number;
  readonly until: number | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
};

export type NewCode = Omit<StoredCode, 'id' | 'used' | 'revokedAt' | 'orderState'> & {
  readonly hash: Uint8Array;
};

/**
 * The outcome of redeeming a code: `again` if this account used it before, `own` if this account has the order whose
 * copies the code gives away, `known` if the e-mail address has an account.
 */
export type Redeemed =
  | { readonly state: 'redeemed' | 'again'; readonly items: readonly OfferedItem[] }
  | { readonly state: CodeFault | 'known' | 'own' };

/** Why a code opens nothing now: `late` if it expired, `used` if no uses are left, `unpaid` if its order is no longer paid. */
export type CodeFault = 'unknown' | 'revoked' | 'late' | 'used' | 'unpaid';

type Row = Omit<StoredCode, 'items' | 'isBundle'> & { readonly items: string; readonly isBundle: 0 | 1 };

type RedemptionWithAccount = Omit<Redemption, 'accountId'> & {
  readonly account: JoiningAccount;
  readonly session: NewSession;
};

type RepeatedMail = {
  readonly address: string;
  readonly details: NewMail['details'];
  readonly at: number;
};

type Redemption = { readonly hash: Uint8Array; readonly accountId: string; readonly at: number };

const COLUMNS = sql`id, prefix, name, is_bundle AS isBundle, items, order_id AS orderId, note, uses, until,
  (SELECT state FROM orders WHERE orders.id = order_id) AS orderState,
  (SELECT count(*) FROM code_uses WHERE code_id = codes.id) AS used, created_at AS createdAt, revoked_at AS revokedAt`;

const isGiven = (db: Statements, orderId: number): boolean =>
  db.has`SELECT 1 FROM sale_facts JOIN orders USING (chain) WHERE orders.id = ${orderId} AND fact ->> 'kind' = 'gift'`;

export function codeReads(db: Statements) {
  return {
    findCode(id: number): StoredCode | null {
      const row = db.one<Row>`SELECT ${COLUMNS} FROM codes WHERE id = ${id}`;
      return row && toCode(row);
    },
    isGiven: (orderId: number): boolean => isGiven(db, orderId),
    listCodes: (limit: number): readonly StoredCode[] =>
      db.all<Row>`SELECT ${COLUMNS} FROM codes ORDER BY id DESC LIMIT ${limit}`.map(toCode),
    checkCode(hash: Uint8Array, at: number): readonly OfferedItem[] | CodeFault {
      const found = findUsable(db, hash, at);
      return typeof found === 'string' ? found : found.items;
    },
  };
}

export function codeWrites(db: Statements) {
  const add = (code: NewCode): number =>
    db.value<number>`INSERT INTO codes ${values({ ...code, items: JSON.stringify(code.items) })} RETURNING id`!;
  const redeem = ({ hash, accountId, at }: Redemption): Redeemed => {
    const before = db.one<Row>`SELECT ${COLUMNS} FROM codes WHERE hash = ${hash} AND EXISTS (SELECT 1
      FROM code_uses WHERE code_id = codes.id AND account_id = ${accountId})`;
    if (before !== null) return { state: 'again', items: toCode(before).items };
    const code = findUsable(db, hash, at);
    if (typeof code === 'string') return { state: code };
    if (code.holder === accountId) return { state: 'own' };
    db.run`INSERT INTO code_uses (code_id, account_id, at) VALUES (${code.id}, ${accountId}, ${at})`;
    const own = { accountId, source: sourceOfCode(code.id), grantedAt: at, from: at, until: code.orderUntil };
    for (const { kind, itemKey } of code.items) upsertGrant(db, { ...own, kind, itemKey });
    return { state: 'redeemed', items: code.items };
  };
  const isOpen = (orderId: number, since: number) => db.has`SELECT 1 FROM orders
    WHERE id = ${orderId} AND account_id IS NULL AND state = 'paid' AND paid_at >= ${since} AND erased_at IS NULL`;
  const attach = (orderId: number, accountId: string, by: 'return' | 'mail', at: number): void => {
    actOnOrder(db, { orderId, fact: { kind: 'attach', accountId, by }, origin: 'buyer', at });
  };
  return {
    addCodes({ codes, audit }: { readonly codes: readonly NewCode[] } & Audited): readonly number[] {
      const ids = codes.map(add);
      logAct(db, audit);
      return ids;
    },
    revokeCode({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      const { changes } = db.run`UPDATE codes SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`;
      if (changes === 0) return false;
      logAct(db, audit);
      return true;
    },
    renewCopies: (link: CopiesLink): boolean => renewCopies(db, link),
    /** Gives an account the items of a code. Each account can use a code once, and all accounts together `uses` times. */
    redeemCode: redeem,
    redeemWithAccount({ hash, account, session, at }: RedemptionWithAccount): Redeemed {
      const fault = findUsable(db, hash, at);
      if (typeof fault === 'string') return { state: fault };
      if (!joinAccount(db, account, session, at)) return { state: 'known' };
      return redeem({ hash, accountId: account.id, at });
    },
    /** Turns a paid order into a code to give away; false if the order is not paid now, or was given away before. */
    giveOrder({ code, at }: { code: NewCode & { orderId: number }; at: number }): boolean {
      const { orderId } = code;
      const isPaid = db.has`SELECT 1 FROM orders WHERE id = ${orderId} AND state = 'paid' AND erased_at IS NULL
        AND (until IS NULL OR until > ${at})`;
      if (!isPaid || isGiven(db, orderId)) return false;
      add(code);
      return actOnOrder(db, { orderId, fact: { kind: 'gift' }, origin: 'buyer', at });
    },
    /**
     * Makes an account, signs it in and gives it the order. `closed` if the order cannot be claimed now, `known` if the address
     * has an account.
     */
    claimWithAccount({ orderId, account, session, by, since, at }: ClaimWithAccount) {
      if (!isOpen(orderId, since)) return 'closed' as const;
      if (!joinAccount(db, account, session, at)) return 'known' as const;
      attach(orderId, account.id, by, at);
      return 'claimed' as const;
    },
    claimForAccount({ orderId, accountId, since, at }: ClaimForAccount): boolean {
      if (!isOpen(orderId, since)) return false;
      attach(orderId, accountId, 'return', at);
      return true;
    },
    /**
     * Queues the mail about an address's newest paid order again; an order without an account comes first. Returns false
     * if there is no such order, or its mail is queued already.
     */
    repeatOrderMail({ address, details, at }: RepeatedMail): boolean {
      const order = db.one<{ id: number; email: string; isVerified: 0 | 1 }>`
        SELECT orders.id, orders.email, coalesce(verified_at IS NOT NULL, 0) AS isVerified
        FROM orders LEFT JOIN accounts ON accounts.id = account_id
        WHERE email_key = ${comparableEmail(address)} AND state = 'paid' AND (until IS NULL OR until > ${at})
          AND erased_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'gift')
        ORDER BY account_id IS NULL DESC, at DESC, orders.id DESC LIMIT 1`;
      if (order === null) return false;
      const kind = order.isVerified === 1 ? 'library' : 'claim';
      const earlier = db.value<number>`SELECT id FROM outbox WHERE kind = ${kind}
        AND order_id = ${order.id} AND address = ${order.email}`;
      if (earlier !== null) return queueAgain(db, earlier, at, details);
      const mail = { kind, subject: `order:${order.id}`, address: order.email, orderId: order.id } as const;
      const { mail: state } = saleOffers(db).settings();
      return queueMail(db, { ...mail, accountId: null, details, state, at }) !== null;
    },
  };
}

/** A link by which the buyer of several copies gives away those beyond the first. `hash` is the SHA-256 of its secret. */
export type CopiesLink = Pick<NewCode, 'hash' | 'prefix'> & { readonly orderId: number };

/**
 * Gives a new secret to the code that gives away an order's copies, so that the old link ends; false if there is no such
 * code, or it was revoked.
 */
export function renewCopies(db: Statements, { orderId, hash, prefix }: CopiesLink): boolean {
  const { changes } = db.run`UPDATE codes SET hash = ${hash}, prefix = ${prefix}
    WHERE order_id = ${orderId} AND is_copies = 1 AND revoked_at IS NULL`;
  return changes > 0;
}

/**
 * Finds a code that can be used at the time `at`, or returns why it cannot. `orderUntil` is when its order's paid time
 * ends. `holder` is the account of the buyer whose further copies the code gives away, else null.
 */
function findUsable(db: Statements, hash: Uint8Array, at: number) {
  const row = db.one<Row & { orderUntil: number | null; holder: string | null }>`
    SELECT ${COLUMNS},
      (SELECT account_id FROM orders WHERE orders.id = order_id AND is_copies = 1) AS holder,
      (SELECT until FROM orders WHERE orders.id = order_id) AS orderUntil FROM codes WHERE hash = ${hash}`;
  if (row === null) return 'unknown';
  if (row.revokedAt !== null) return 'revoked';
  if (row.until !== null && row.until <= at) return 'late';
  if (row.orderId !== null && row.orderState !== 'paid') return 'unpaid';
  if (row.orderUntil !== null && row.orderUntil <= at) return 'unpaid';
  if (row.used >= row.uses) return 'used';
  return { ...toCode(row), orderUntil: row.orderUntil, holder: row.holder };
}

function toCode(row: Row): StoredCode {
  return { ...row, isBundle: row.isBundle === 1, items: JSON.parse(row.items) as readonly OfferedItem[] };
}

type ClaimWithAccount = {
  readonly orderId: number;
  readonly account: JoiningAccount;
  readonly session: NewSession;
  /** `return` if the buyer came back from the checkout, `mail` if they used the link in the mail. */
  readonly by: 'return' | 'mail';
  /** The order must have been paid at this time or later. */
  readonly since: number;
  readonly at: number;
};

type ClaimForAccount = Omit<ClaimWithAccount, 'account' | 'session' | 'by'> & { readonly accountId: string };
