import type { Database } from 'bun:sqlite';
import type { OfferedItem } from '../../sales/offer.ts';

/** The parts of a transaction that write the grants of codes; their source is `code:<the code's number>`. */
export function codeGrants(db: Database) {
  const insert = db.prepare(
    `INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
       granted_at = excluded.granted_at, ends_at = excluded.ends_at, revoked_at = NULL`,
  );
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
        insert.run(accountId, kind, itemKey, `code:${codeId}`, at, at, until);
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
