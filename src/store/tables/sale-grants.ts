import type { Database } from 'bun:sqlite';
import type { OfferedItem } from '../../sales/offer.ts';

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
  const upsert = db.prepare(
    `INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
       granted_at = CASE WHEN revoked_at IS NULL THEN granted_at ELSE excluded.granted_at END,
       starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = NULL`,
  );
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
