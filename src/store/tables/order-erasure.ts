import type { Database } from 'bun:sqlite';
import { orderRows } from './order-rows.ts';
import { saleEventInserts } from './sale-events.ts';
import { hideId } from './sale-facts.ts';
import { saleGrants } from './sale-grants.ts';

/**
 * The part of a transaction that takes the person out of orders: amount, items and times stay, and a
 * hash of each of the provider's ids, by which a replay or a later refund is known. Its grants go.
 */
export function orderErasures(db: Database) {
  const [rows, events, grants] = [orderRows(db), saleEventInserts(db), saleGrants(db)];
  const ofAccount = db.prepare<{ id: number }, [string]>('SELECT id FROM orders WHERE account_id = ?');
  const keys = db.prepare<{ provider: string; key: string }, [number]>(
    'SELECT provider, key FROM sale_keys WHERE chain = ?',
  );
  const setKey = db.prepare('UPDATE OR REPLACE sale_keys SET key = ?3 WHERE provider = ?1 AND key = ?2');
  // A claim names the account; without it the order is nobody's.
  const forgetClaims = db.prepare(
    `DELETE FROM sale_facts WHERE chain = ? AND json_extract(fact, '$.kind') = 'attach'`,
  );
  const providerRef = db.prepare<{ ref: string }, [number]>(
    'SELECT provider_ref AS ref FROM orders WHERE id = ?',
  );
  const blank = db.prepare(
    `UPDATE orders SET provider_ref = ?2, email = NULL, email_key = NULL, account_id = NULL, attached_by = NULL,
       claimed_at = NULL, attention = NULL, erased_at = ?3 WHERE id = ?1`,
  );
  const blankMails = db.prepare(
    `UPDATE outbox SET address = '', account_id = NULL, details = '{}', error = NULL, next_at = NULL,
       state = iif(state IN ('queued', 'manual'), 'dropped', state) WHERE order_id = ?`,
  );
  const removeLinks = db.prepare('DELETE FROM links WHERE order_id = ?');
  const emailOf = db.prepare<{ email: string | null }, [number]>('SELECT email FROM orders WHERE id = ?');
  /** The address and ids by which events name the buyer; null if there is no such order. */
  const erase = (orderId: number, at: number): readonly string[] | null => {
    const order = rows.byId(orderId);
    if (order === null) return null;
    const ids = keys.all(order.chain).map(({ key }) => key);
    const names = [emailOf.get(orderId)?.email?.trim() ?? '', ...ids].filter((name) => name !== '');
    forgetClaims.run(order.chain);
    events.hide(order.chain);
    for (const { provider, key } of keys.all(order.chain)) setKey.run(provider, key, hideId(key));
    grants.remove(orderId);
    blankMails.run(orderId);
    removeLinks.run(orderId);
    blank.run(orderId, hideId(providerRef.get(orderId)?.ref ?? ''), at);
    return names;
  };
  return {
    /** False if there is none of this number. */
    erase(orderId: number, at: number): boolean {
      const names = erase(orderId, at);
      if (names !== null) events.forgetNamed(names);
      return names !== null;
    },
    /** Erases all orders of an account; how many. */
    eraseAll(accountId: string, at: number): number {
      const erased = ofAccount.all(accountId).map(({ id }) => erase(id, at) ?? []);
      if (erased.length > 0) events.forgetNamed(erased.flat());
      return erased.length;
    },
  };
}
