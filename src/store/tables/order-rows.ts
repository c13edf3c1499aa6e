import type { Database } from 'bun:sqlite';
import { foldEmail } from '../../access/email-address.ts';
import type { FoldedOrder } from '../../sales/fold.ts';
import type { Offer, OfferedItem } from '../../sales/offer.ts';
import type { OrderState } from '../../sales/order.ts';
import { shortReference } from '../../sales/reference.ts';
import { saleGrants } from './order-grants.ts';
import { hideId, saleEventInserts } from './sale-events.ts';

/** The columns of a stored order that its next fold needs. */
export type KnownOrder = {
  readonly id: number;
  readonly chain: number;
  readonly provider: string;
  readonly state: OrderState;
  readonly accountId: string | null;
  readonly claimedAt: number | null;
  readonly until: number | null;
  readonly attention: string | null;
  readonly erasedAt: number | null;
  /** The product ids that were paid for, as JSON. */
  readonly products: string;
};

/** The account of an order, and how it was found. */
export type Holder = { readonly accountId: string; readonly by: string; readonly at: number };

type ItemRow = OfferedItem & { readonly product: string; readonly bundle: string | null };

const KNOWN =
  'id, chain, provider, state, account_id AS accountId, claimed_at AS claimedAt, until, attention, erased_at AS erasedAt, products';

/** The part of a transaction that stores folded orders. */
export function orderRows(db: Database) {
  const byChain = db.prepare<KnownOrder, [number]>(`SELECT ${KNOWN} FROM orders WHERE chain = ?`);
  const byId = db.prepare<KnownOrder, [number]>(`SELECT ${KNOWN} FROM orders WHERE id = ?`);
  const kept = db.prepare<ItemRow, [number]>(
    `SELECT kind, item_key AS itemKey, slug, product, bundle FROM order_items JOIN orders ON orders.id = order_id
     WHERE order_id = ? AND is_kept = 1 AND product <> '' ORDER BY kind, item_key`,
  );
  // One statement, so that a new row enters each index once.
  const upsert = db.prepare<{ id: number }, (string | number | null)[]>(
    `INSERT INTO orders (chain, provider, ref, provider_ref, state, at, email, email_key, account_id, attached_by, claimed_at,
       bundle, products, quantity, amount, tax, refunded, currency, paid_at, is_subscription, until, attention)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain) DO UPDATE SET provider_ref = excluded.provider_ref, state = excluded.state, at = excluded.at,
       email = excluded.email, email_key = excluded.email_key, account_id = excluded.account_id,
       attached_by = excluded.attached_by, claimed_at = excluded.claimed_at, bundle = excluded.bundle,
       products = excluded.products, quantity = excluded.quantity, amount = excluded.amount, tax = excluded.tax,
       refunded = excluded.refunded, currency = excluded.currency, paid_at = excluded.paid_at,
       is_subscription = excluded.is_subscription, until = excluded.until, attention = excluded.attention
     RETURNING id`,
  );
  const clearItems = db.prepare('DELETE FROM order_items WHERE order_id = ?');
  const addItem = db.prepare(
    'INSERT INTO order_items (order_id, kind, item_key, slug, product, is_kept) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const clearPayments = db.prepare('DELETE FROM order_payments WHERE order_id = ?');
  const addPayment = db.prepare(
    'INSERT INTO order_payments (order_id, at, amount, tax, refunded, refunded_at, currency) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM orders WHERE id = ?');
  const moves = ['outbox', 'links', 'codes'].map((table) =>
    db.prepare(`UPDATE ${table} SET order_id = ?1 WHERE order_id = ?2`),
  );
  const rechain = db.prepare('UPDATE orders SET chain = ?1 WHERE id = ?2');

  /** The items are fixed when the order is first paid; those of an order that waits for its items are looked up again. */
  const saveItems = (id: number, { items, keepsItems }: FoldedOrder): void => {
    for (const item of items)
      addItem.run(id, item.kind, item.itemKey, item.slug, item.product, keepsItems ? 1 : 0);
  };
  const savePayments = (id: number, { payments, isTest }: FoldedOrder): void => {
    if (isTest) return;
    for (const { at, amount, tax, refunded, refundedAt, currency } of payments)
      addPayment.run(id, at, amount, tax, refunded, refundedAt, currency);
  };

  return {
    byChain: (chain: number): KnownOrder | null => byChain.get(chain),
    byId: (id: number): KnownOrder | null => byId.get(id),
    /**
     * The meaning of an id to an order: that of when it was first paid, so that an id which meant nothing then means nothing
     * later. `ask` answers for an order that was not paid yet, and for an id that it did not name.
     */
    findMeaning(
      { id, products }: KnownOrder,
      product: string,
      ask: (product: string) => Offer | null,
    ): Offer | null {
      const all = kept.all(id);
      const rows = all.filter((row) => row.product === product);
      const [first] = rows;
      if (first === undefined)
        return all.length > 0 && (JSON.parse(products) as string[]).includes(product) ? null : ask(product);
      const items = rows.map(({ kind, itemKey, slug }) => ({ kind, itemKey, slug }));
      return { provider: '', product, bundle: first.bundle, items, least: null };
    },
    /** The order's number; a new one if the chain had no order yet. */
    save(
      before: KnownOrder | null,
      chain: number,
      provider: string,
      order: FoldedOrder,
      holder: Holder | null,
    ): number {
      const isErased = before !== null && before.erasedAt !== null;
      const email = isErased ? null : order.email;
      const row = upsert.get(
        chain,
        provider,
        before === null ? shortReference(provider, order.firstRef) : '',
        isErased ? hideId(order.ref) : order.ref,
        order.state,
        order.at,
        email,
        email === null ? null : foldEmail(email),
        holder?.accountId ?? null,
        holder?.by ?? null,
        holder === null ? null : (before?.claimedAt ?? holder.at),
        order.bundle,
        JSON.stringify(order.products),
        order.quantity,
        order.amount,
        order.tax,
        order.refunded,
        order.currency,
        order.paidAt,
        order.isSubscription ? 1 : 0,
        order.until,
        order.attention,
      );
      const id = row?.id ?? 0;
      if (before !== null) [clearItems, clearPayments].forEach((clear) => clear.run(id));
      saveItems(id, order);
      savePayments(id, order);
      return id;
    },
    remove(id: number): void {
      remove.run(id);
    },
    /** Merges two orders. The earlier number stays; gives the number that is gone, or null. */
    merge(into: number, from: number): number | null {
      const [stays, goes] = [byChain.get(into), byChain.get(from)];
      if (goes === null) return null;
      if (stays === null) {
        rechain.run(into, goes.id);
        return null;
      }
      const [older, newer] = stays.id < goes.id ? [stays, goes] : [goes, stays];
      for (const move of moves) move.run(older.id, newer.id);
      remove.run(newer.id);
      rechain.run(into, older.id);
      return newer.id;
    },
  };
}

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
