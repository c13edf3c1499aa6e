import { sql, type Statements } from '../statements.ts';
import type { Grant } from '../../access/grant.ts';
import type { OfferedItem } from '../../sales/goods.ts';

/** `isLive` in SQL. */
export const liveGrant = (now: number) =>
  sql`revoked_at IS NULL AND starts_at <= ${now} AND (ends_at IS NULL OR ends_at > ${now})`;

/** Adds a grant; an earlier one of the same source gets the new dates and is live again. */
export function upsertGrant(db: Statements, grant: Omit<Grant, 'revokedAt'>): void {
  const { accountId, kind, itemKey, source, grantedAt, from, until } = grant;
  db.run`INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at, ends_at)
    VALUES (${accountId}, ${kind}, ${itemKey}, ${source}, ${grantedAt}, ${from}, ${until})
    ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
      granted_at = CASE WHEN revoked_at IS NULL THEN granted_at ELSE excluded.granted_at END,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = NULL`;
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

type GrantRow = Pick<Grant, 'accountId' | 'kind' | 'itemKey' | 'until' | 'revokedAt'> & {
  readonly id: number;
};

/** The source of an order's grants, which only its fold writes. */
const sourceOfOrder = (orderId: number): string => `sale:${orderId}`;

/** The number of the order whose grants have this source, or null. */
export function orderOfSource(source: string): number | null {
  return /^sale:[1-9][0-9]{0,14}$/.test(source) ? Number(source.slice('sale:'.length)) : null;
}

/** Brings an order's grants in line with its state: adds, changes and revokes. */
export function setSaleGrants(db: Statements, change: SaleGrants): void {
  const { orderId, accountId, items, from, until, at } = change;
  const source = sourceOfOrder(orderId);
  const isOpen = accountId !== null && (until === null || until > from);
  const wanted = isOpen ? items : [];
  const isOf = (row: GrantRow, item: OfferedItem): boolean =>
    row.accountId === accountId && row.kind === item.kind && row.itemKey === item.itemKey;
  const isWanted = (row: GrantRow): boolean => wanted.some((item) => isOf(row, item));
  // The pattern lets SQLite use the index of these sources.
  const rows = db.all<GrantRow>`SELECT id, account_id AS accountId, kind, item_key AS itemKey, ends_at AS until,
    revoked_at AS revokedAt FROM grants WHERE source = ${source} AND source GLOB '*:*'`;
  for (const row of rows)
    if (row.revokedAt === null && !isWanted(row))
      db.run`UPDATE grants SET revoked_at = ${at} WHERE id = ${row.id}`;
  const isThere = (item: OfferedItem): boolean =>
    rows.some((row) => isOf(row, item) && row.until === until && row.revokedAt === null);
  if (accountId !== null)
    for (const { kind, itemKey } of wanted.filter((item) => !isThere(item)))
      upsertGrant(db, { accountId, kind, itemKey, source, grantedAt: at, from, until });
}

/** Removes the grants of an order that was merged into another, or erased. */
export function removeSaleGrants(db: Statements, orderId: number): void {
  db.run`DELETE FROM grants WHERE source = ${sourceOfOrder(orderId)} AND source GLOB '*:*'`;
}

type PaymentChange = Pick<SaleGrants, 'orderId' | 'until' | 'at'> & {
  readonly isPaid: boolean;
  readonly wasPaid: boolean;
};

/** The source of the grants of a code, by its number. */
export const sourceOfCode = (codeId: number): string => `code:${codeId}`;

/** Takes back what the codes of an order opened when its money was given back, and opens it again when it is paid again. */
export function followPayment(db: Statements, { orderId, isPaid, wasPaid, until, at }: PaymentChange): void {
  for (const { id } of db.all<{ id: number }>`SELECT id FROM codes WHERE order_id = ${orderId}`) {
    // The pattern lets SQLite use the index of these sources.
    const grants = sql`source = ${sourceOfCode(id)} AND source GLOB '*:*'`;
    db.run`UPDATE grants SET ends_at = ${until} WHERE ${grants}`;
    if (!isPaid) db.run`UPDATE grants SET revoked_at = ${at} WHERE ${grants} AND revoked_at IS NULL`;
    else if (!wasPaid) db.run`UPDATE grants SET revoked_at = NULL WHERE ${grants}`;
  }
}
