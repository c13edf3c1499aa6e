import { sql, type Statements } from '../platform/store/statements.ts';
import { upsertGrant } from '../accounts/grant.sql.ts';
import type { Settlement } from './settlement.rule.ts';

const sourceOfOrder = (orderId: number): string => `sale:${orderId}`;

export const orderOfSource = (source: string): number | null =>
  /^sale:[1-9][0-9]{0,14}$/.test(source) ? Number(source.slice('sale:'.length)) : null;

export function removeSaleGrants(db: Statements, orderId: number): void {
  db.run`DELETE FROM grants WHERE source = ${sourceOfOrder(orderId)} AND source GLOB '*:*'`;
}

export const sourceOfCode = (codeId: number): string => `code:${codeId}`;

/**
 * Adds the code by which the buyer of several copies gives away those beyond the first, or updates its number of uses. A
 * new code has a random hash, which no secret fits, until its link is made.
 */
function setCopies(
  db: Statements,
  orderId: number,
  { copies, bundle, items }: Settlement['order'],
  at: number,
) {
  if (copies === 0) return;
  const { changes } = db.run`UPDATE codes SET uses = ${copies} WHERE order_id = ${orderId} AND is_copies = 1`;
  if (changes > 0) return;
  const opened = items.map(({ kind, itemKey, slug }) => ({ kind, itemKey, slug }));
  const name = bundle ?? items[0]?.slug ?? '';
  db.run`INSERT INTO codes (hash, prefix, name, is_bundle, items, order_id, note, uses, created_at, is_copies)
    VALUES (randomblob(32), '', ${name}, ${bundle !== null}, ${JSON.stringify(opened)}, ${orderId},
      'further copies', ${copies}, ${at}, 1)`;
}

export function setGrants(db: Statements, orderId: number, settled: Settlement, at: number): void {
  setCopies(db, orderId, settled.order, at);
  const source = sourceOfOrder(orderId);
  const wanted = settled.grants.map(({ accountId, kind, itemKey }) => `${accountId} ${kind} ${itemKey}`);
  // The patterns (GLOB) let SQLite use the index of grants from sales and codes.
  db.run`UPDATE grants SET revoked_at = ${at} WHERE source = ${source} AND source GLOB '*:*' AND revoked_at IS NULL
    AND account_id || ' ' || kind || ' ' || item_key NOT IN (SELECT value FROM json_each(${JSON.stringify(wanted)}))`;
  for (const grant of settled.grants) upsertGrant(db, { ...grant, source, grantedAt: at });
  for (const { id } of db.all<{ id: number }>`SELECT id FROM codes WHERE order_id = ${orderId}`) {
    const grants = sql`source = ${sourceOfCode(id)} AND source GLOB '*:*'`;
    db.run`UPDATE grants SET ends_at = ${settled.order.until} WHERE ${grants}`;
    if (settled.codes === 'revoke')
      db.run`UPDATE grants SET revoked_at = ${at} WHERE ${grants} AND revoked_at IS NULL`;
    if (settled.codes === 'restore') db.run`UPDATE grants SET revoked_at = NULL WHERE ${grants}`;
  }
}
