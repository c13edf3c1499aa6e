import type { Database } from 'bun:sqlite';
import type { OfferedItem } from '../../sales/goods.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { codeGrants } from './order-grants.ts';
import { orderFolds } from './order-folds.ts';
import type { NewSession } from './sessions.ts';
import { joinInserts, type JoiningAccount } from './accounts.ts';

/** A code as it is stored, without the code itself: `used` of `uses` times. Times are milliseconds since 1970 UTC. */
export type StoredCode = {
  readonly id: number;
  readonly prefix: string;
  /** The slug of the item or bundle when it was made. */
  readonly name: string;
  readonly isBundle: boolean;
  readonly items: readonly OfferedItem[];
  readonly orderId: number | null;
  readonly note: string;
  readonly uses: number;
  readonly used: number;
  readonly until: number | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
};

export type NewCode = Omit<StoredCode, 'id' | 'used' | 'revokedAt'> & { readonly hash: Uint8Array };

/** The outcome of redeeming; `again` means that this account used the code before. */
export type Redeemed =
  | { readonly state: 'redeemed' | 'again'; readonly items: readonly OfferedItem[] }
  | { readonly state: CodeFault | 'known' };

/** The reason why a code opens nothing now; `unpaid` means that its order was given back. */
export type CodeFault = 'unknown' | 'revoked' | 'late' | 'used' | 'unpaid';

type Row = Omit<StoredCode, 'items' | 'isBundle'> & { readonly items: string; readonly isBundle: 0 | 1 };

type Redemption = { readonly hash: Uint8Array; readonly accountId: string; readonly at: number };

const COLUMNS = `id, prefix, name, is_bundle AS isBundle, items, order_id AS orderId, note, uses,
  (SELECT count(*) FROM code_uses WHERE code_id = codes.id) AS used, until, created_at AS createdAt, revoked_at AS revokedAt`;

const GIVEN = `SELECT 1 AS yes FROM sale_facts JOIN orders USING (chain) WHERE orders.id = ? AND fact ->> 'kind' = 'gift'`;

export function codeReads(db: Database) {
  const one = db.prepare<Row, [number]>(`SELECT ${COLUMNS} FROM codes WHERE id = ?`);
  const all = db.prepare<Row, [number]>(`SELECT ${COLUMNS} FROM codes ORDER BY id DESC LIMIT ?`);
  const given = db.prepare<{ yes: 1 }, [number]>(GIVEN);
  const check = codeCheck(db);
  return {
    async findCode(id: number): Promise<StoredCode | null> {
      const row = one.get(id);
      return row && toCode(row);
    },
    /** Whether an order was turned into a present. */
    async isGiven(orderId: number): Promise<boolean> {
      return given.get(orderId) !== null;
    },
    /** The newest codes first. */
    async listCodes(limit: number): Promise<readonly StoredCode[]> {
      return all.all(limit).map(toCode);
    },
    /** The items that a code of this hash opens, or why it opens none now. */
    async checkCode(hash: Uint8Array, at: number): Promise<readonly OfferedItem[] | CodeFault> {
      const found = check(hash, at);
      return typeof found === 'string' ? found : found.items;
    },
  };
}

export function codeWrites(db: Database) {
  const check = codeCheck(db);
  const grants = codeGrants(db);
  const folds = orderFolds(db);
  const join = joinInserts(db);
  const log = auditInserts(db);
  const insert = db.prepare<
    { id: number },
    [Uint8Array, string, string, number, string, number | null, string, number, number | null, number]
  >(
    `INSERT INTO codes (hash, prefix, name, is_bundle, items, order_id, note, uses, until, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const revoke = db.prepare('UPDATE codes SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const use = db.prepare('INSERT INTO code_uses (code_id, account_id, at) VALUES (?, ?, ?)');
  const usedBy = db.prepare<Row, [Uint8Array, string]>(
    `SELECT ${COLUMNS} FROM codes WHERE hash = ? AND EXISTS (SELECT 1 FROM code_uses WHERE code_id = codes.id AND account_id = ?)`,
  );
  const isGiven = db.prepare<{ yes: 1 }, [number]>(GIVEN);
  const isPaid = db.prepare<{ yes: 1 }, [number, number]>(
    `SELECT 1 AS yes FROM orders WHERE id = ? AND state = 'paid' AND erased_at IS NULL AND (until IS NULL OR until > ?)`,
  );

  const add = (code: NewCode): number => {
    const { hash, prefix, name, isBundle, items, orderId, note, uses, until, createdAt } = code;
    const list = JSON.stringify(items);
    return insert.get(hash, prefix, name, isBundle ? 1 : 0, list, orderId, note, uses, until, createdAt)!.id;
  };
  const redeem = ({ hash, accountId, at }: Redemption): Redeemed => {
    const before = usedBy.get(hash, accountId);
    if (before !== null) return { state: 'again', items: toCode(before).items };
    const code = check(hash, at);
    if (typeof code === 'string') return { state: code };
    use.run(code.id, accountId, at);
    grants.add({ codeId: code.id, accountId, items: code.items, until: code.orderUntil, at });
    return { state: 'redeemed', items: code.items };
  };

  return {
    /** Adds codes; their numbers. */
    addCodes({ codes, audit }: { readonly codes: readonly NewCode[] } & Audited): readonly number[] {
      const ids = codes.map(add);
      log(audit);
      return ids;
    },
    /** Whether it was not revoked before. What it opened stays open. */
    revokeCode({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (revoke.run(at, id).changes === 0) return false;
      log(audit);
      return true;
    },
    /** Opens a code's items to an account. A code is used once by an account, and in all as often as it has uses. */
    redeemCode: redeem,
    /** The same for a new account, which nobody has verified, and which is signed in; `known` if the address has one. */
    redeemWithAccount({
      hash,
      account,
      session,
      at,
    }: Omit<Redemption, 'accountId'> & {
      readonly account: JoiningAccount;
      readonly session: NewSession;
    }): Redeemed {
      const fault = check(hash, at);
      if (typeof fault === 'string') return { state: fault };
      if (!join(account, session, at)) return { state: 'known' };
      return redeem({ hash, accountId: account.id, at });
    },
    /** Turns a paid order's entitlement into a code; false if it is not paid now, or was turned before. */
    giveOrder({
      code,
      at,
    }: {
      readonly code: NewCode & { readonly orderId: number };
      readonly at: number;
    }): boolean {
      const { orderId } = code;
      if (isPaid.get(orderId, at) === null || isGiven.get(orderId) !== null) return false;
      add(code);
      return folds.act({ orderId, fact: { kind: 'gift' }, origin: 'buyer', at });
    },
  };
}

/** Finds the code that may be used at a time, with the end of what its order paid for, or why it may not. */
function codeCheck(db: Database) {
  const find = db.prepare<Row & { orderState: string | null; orderUntil: number | null }, [Uint8Array]>(
    `SELECT ${COLUMNS}, (SELECT state FROM orders WHERE orders.id = order_id) AS orderState,
       (SELECT until FROM orders WHERE orders.id = order_id) AS orderUntil FROM codes WHERE hash = ?`,
  );
  return (hash: Uint8Array, at: number) => {
    const row = find.get(hash);
    if (row === null) return 'unknown';
    if (row.revokedAt !== null) return 'revoked';
    if (row.until !== null && row.until <= at) return 'late';
    if (row.orderId !== null && row.orderState !== 'paid') return 'unpaid';
    if (row.orderUntil !== null && row.orderUntil <= at) return 'unpaid';
    if (row.used >= row.uses) return 'used';
    return { ...toCode(row), orderUntil: row.orderUntil };
  };
}

function toCode(row: Row): StoredCode {
  return { ...row, isBundle: row.isBundle === 1, items: JSON.parse(row.items) as readonly OfferedItem[] };
}
