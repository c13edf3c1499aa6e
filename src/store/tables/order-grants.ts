import type { Database } from 'bun:sqlite';
import type { OfferedItem } from '../../sales/goods.ts';

/** The statement that adds a grant; an earlier one of the same source gets the new dates and is live again. */
export function grantUpsert(db: Database) {
  return db.prepare(
    `INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
       granted_at = CASE WHEN revoked_at IS NULL THEN granted_at ELSE excluded.granted_at END,
       starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = NULL`,
  );
}

/** The grants of an order for an account. */
type SaleGrants = {
  readonly orderId: number;
  readonly accountId: string | null;
  readonly items: readonly OfferedItem[];
  readonly from: number;
  readonly until: number | null;
  readonly at: number;
};

type Row = {
  readonly id: number;
  readonly accountId: string;
  readonly kind: string;
  readonly itemKey: string;
  readonly until: number | null;
  readonly revokedAt: number | null;
};

/** The source of an order's grants, which only its fold writes. */
const sourceOfOrder = (orderId: number): string => `sale:${orderId}`;

/** The number of the order whose grants have this source, or null. */
export function orderOfSource(source: string): number | null {
  return /^sale:[1-9][0-9]{0,14}$/.test(source) ? Number(source.slice('sale:'.length)) : null;
}

/** The part of a transaction that brings an order's grants in line with its state: adds, changes and revokes. */
export function saleGrants(db: Database) {
  // The pattern lets SQLite use the index of these sources.
  const list = db.prepare<Row, [string]>(
    `SELECT id, account_id AS accountId, kind, item_key AS itemKey, ends_at AS until, revoked_at AS revokedAt
     FROM grants WHERE source = ? AND source GLOB '*:*'`,
  );
  const upsert = grantUpsert(db);
  const revoke = db.prepare('UPDATE grants SET revoked_at = ? WHERE id = ?');
  const remove = db.prepare(`DELETE FROM grants WHERE source = ? AND source GLOB '*:*'`);
  return {
    set({ orderId, accountId, items, from, until, at }: SaleGrants): void {
      const source = sourceOfOrder(orderId);
      const isOpen = accountId !== null && (until === null || until > from);
      const wanted = isOpen ? items : [];
      const isWanted = (row: Row): boolean =>
        row.accountId === accountId &&
        wanted.some(({ kind, itemKey }) => row.kind === kind && row.itemKey === itemKey);
      const rows = list.all(source);
      for (const row of rows) if (row.revokedAt === null && !isWanted(row)) revoke.run(at, row.id);
      for (const { kind, itemKey } of wanted) {
        const isThere = rows.some(
          (row) =>
            row.accountId === accountId &&
            row.kind === kind &&
            row.itemKey === itemKey &&
            row.until === until &&
            row.revokedAt === null,
        );
        if (!isThere) upsert.run(accountId, kind, itemKey, source, at, from, until);
      }
    },
    /** Removes the grants of an order that was merged into another, or erased. */
    remove(orderId: number): void {
      remove.run(sourceOfOrder(orderId));
    },
  };
}

/** The parts of a transaction that write the grants of codes; their source is `code:<the code's number>`. */
export function codeGrants(db: Database) {
  const upsert = grantUpsert(db);
  const codes = db.prepare<{ id: number }, [number]>('SELECT id FROM codes WHERE order_id = ?');
  // The pattern lets SQLite use the index of these sources.
  const close = db.prepare(
    `UPDATE grants SET revoked_at = ? WHERE source = ? AND source GLOB '*:*' AND revoked_at IS NULL`,
  );
  const open = db.prepare(`UPDATE grants SET revoked_at = NULL WHERE source = ? AND source GLOB '*:*'`);
  const last = db.prepare(`UPDATE grants SET ends_at = ? WHERE source = ? AND source GLOB '*:*'`);
  return {
    add({
      codeId,
      accountId,
      items,
      until,
      at,
    }: {
      readonly codeId: number;
      readonly accountId: string;
      readonly items: readonly OfferedItem[];
      readonly until: number | null;
      readonly at: number;
    }): void {
      for (const { kind, itemKey } of items)
        upsert.run(accountId, kind, itemKey, `code:${codeId}`, at, at, until);
    },
    /** Takes back what the codes of an order opened when its money was given back, and opens it again when it is paid again. */
    follow({
      orderId,
      isPaid,
      wasPaid,
      until,
      at,
    }: {
      readonly orderId: number;
      readonly isPaid: boolean;
      readonly wasPaid: boolean;
      readonly until: number | null;
      readonly at: number;
    }): void {
      for (const { id } of codes.all(orderId)) {
        const source = `code:${id}`;
        last.run(until, source);
        if (!isPaid) close.run(at, source);
        else if (!wasPaid) open.run(source);
      }
    },
  };
}
