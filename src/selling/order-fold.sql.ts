import { MAIL_WAITS } from '../mailing/outbox.rule.ts';
import { renewed, type Sql, sql, type Statements, values } from '../platform/store/statements.ts';
import { comparableEmail, isMailable } from '../platform/base/email-address.ts';
import { hideId, type OwnerFact } from './fact.rule.ts';
import { NOT_OURS } from './goods.rule.ts';
import { type Order, type OrderTerms, shortReference } from './order.rule.ts';
import { type FoldMoment, type KnownOrder, settle, type Settlement } from './settlement.rule.ts';
import { accountByAddress } from '../accounts/account-by-address.sql.ts';
import { removeSaleGrants, setGrants } from './order-grant.sql.ts';
import { dropMails, findLastMail, findMailedOwner, queueMail } from '../mailing/outbox.sql.ts';
import { saleEventInserts, saleFactInserts } from './sale-event.sql.ts';
import { saleOffers } from './sale-offer.sql.ts';

function findKnown(db: Statements, chain: number): KnownOrder | null {
  const known = db.value<string>`SELECT json_object('id', id, 'number', number, 'state', state, 'claimedAt', claimed_at,
      'until', until, 'attention', attention, 'bundle', bundle, 'erasedAt', erased_at, 'products', json(products),
      'isTest', json(iif(is_test, 'true', 'false')), 'quantity', quantity, 'kept',
      (SELECT json_group_array(json_object('kind', kind, 'itemKey', item_key, 'slug', slug, 'product', product)
          ORDER BY kind, item_key)
        FROM order_items WHERE order_id = orders.id AND is_kept = 1 AND product <> ''))
    FROM orders WHERE chain = ${chain}`;
  return known === null ? null : (JSON.parse(known) as KnownOrder);
}

const removeOrder = (db: Statements, id: number): void => {
  removeSaleGrants(db, id);
  db.run`DELETE FROM orders WHERE id = ${id}`;
};

/** The column of a property: `paid_at` of `paidAt`. */
type Column<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Column<Rest>}`
  : '';

/**
 * Stores a computed order under its chain (all facts about one purchase). Returns the order's id, new if the chain had
 * none.
 */
function saveOrder(db: Statements, chain: number, provider: string, settled: Settlement): number {
  const { order, isNumbered } = settled;
  const { email, items, payments } = order;
  const row = {
    provider_ref: order.ref,
    state: order.state,
    at: order.at,
    email,
    email_key: email === null ? null : comparableEmail(email),
    account_id: order.accountId,
    attached_by: order.attachedBy,
    claimed_at: order.claimedAt,
    bundle: order.bundle,
    products: JSON.stringify(order.products),
    quantity: order.quantity,
    amount: order.amount,
    tax: order.tax,
    refunded: order.refunded,
    currency: order.currency,
    paid_at: order.paidAt,
    is_subscription: order.isSubscription,
    is_test: order.isTest,
    until: order.until,
    attention: order.attention,
  } satisfies Record<Column<keyof OrderTerms>, unknown> & Readonly<Record<string, unknown>>;
  const ref = shortReference(provider, order.firstRef);
  // One statement, so that a new row enters each index once.
  const id = db.value<number>`INSERT INTO orders ${values({ chain, provider, ref, ...row })}
    ON CONFLICT (chain) DO UPDATE SET ${renewed(row)} RETURNING id`!;
  for (const table of [sql`order_items`, sql`order_payments`])
    db.run`DELETE FROM ${table} WHERE order_id = ${id}`;
  // The number is taken in the write that makes the order paid, so that a crash leaves no gap.
  if (isNumbered)
    db.run`UPDATE orders SET number = ${db.value<number>`UPDATE order_numbers SET last = last + 1 RETURNING last`}
      WHERE id = ${id}`;
  for (const { kind, itemKey, slug, product } of items)
    db.run`INSERT INTO order_items (order_id, kind, item_key, slug, product, is_kept)
      VALUES (${id}, ${kind}, ${itemKey}, ${slug}, ${product}, ${order.keepsItems})`;
  for (const { at, amount, tax, refunded, refundedAt, currency } of payments)
    db.run`INSERT INTO order_payments (order_id, at, amount, tax, refunded, refunded_at, currency)
      VALUES (${id}, ${at}, ${amount}, ${tax}, ${refunded}, ${refundedAt}, ${currency})`;
  return id;
}

/**
 * Merges the orders of two chains that turned out to be one purchase. The order with the lower id stays, with its own
 * number or else the other's. The next `foldChain` sets the grants.
 */
export function mergeChains(db: Statements, into: number, from: number): void {
  const [first, second] = db.all<Pick<Order, 'id' | 'number'>>`
    SELECT id, number FROM orders WHERE chain IN (${into}, ${from}) ORDER BY id`;
  if (first === undefined) return;
  if (second !== undefined) {
    // An order has only one code for its copies. If both orders have one, the second order's code ends; items that it
    // opened stay open.
    db.run`UPDATE codes SET is_copies = 0, revoked_at = created_at WHERE order_id = ${second.id} AND is_copies = 1
      AND EXISTS (SELECT 1 FROM codes WHERE order_id = ${first.id} AND is_copies = 1)`;
    for (const table of [sql`outbox`, sql`links`, sql`codes`])
      db.run`UPDATE ${table} SET order_id = ${first.id} WHERE order_id = ${second.id}`;
    removeOrder(db, second.id);
  }
  const number = first.number ?? second?.number ?? null;
  db.run`UPDATE orders SET chain = ${into}, number = ${number} WHERE id = ${first.id}`;
}

/**
 * Erases the buyer from orders; returns how many orders there were. Amounts, items and times stay, and hashes of the
 * provider's ids, by which a replay or a later refund is recognised. The grants are removed.
 */
export function eraseOrders(db: Statements, orderIds: readonly number[], at: number): number {
  const events = saleEventInserts(db);
  const erased = orderIds.flatMap(
    (id) =>
      db.one<{ id: number; chain: number; providerRef: string; email: string | null }>`
        SELECT id, chain, provider_ref AS providerRef, email FROM orders WHERE id = ${id}` ?? [],
  );
  const names = erased.flatMap(({ id, chain, providerRef, email }) => {
    const keys = db.all<{ provider: string; key: string }>`
      SELECT provider, key FROM sale_keys WHERE chain = ${chain}`;
    // These facts name the account that claimed the order, or hold the words of a buyer who asked for the money back.
    db.run`DELETE FROM sale_facts WHERE chain = ${chain} AND json_extract(fact, '$.kind') IN ('attach', 'ask-back')`;
    events.hide(chain);
    for (const { provider, key } of keys)
      db.run`UPDATE OR REPLACE sale_keys SET key = ${hideId(key)} WHERE provider = ${provider} AND key = ${key}`;
    removeSaleGrants(db, id);
    db.run`UPDATE outbox SET address = '', account_id = NULL, details = '{}', error = NULL, next_at = NULL,
      state = iif(${MAIL_WAITS}, 'dropped', state) WHERE order_id = ${id}`;
    db.run`DELETE FROM links WHERE order_id = ${id}`;
    db.run`UPDATE orders SET provider_ref = ${hideId(providerRef)}, email = NULL, email_key = NULL,
        account_id = NULL, attached_by = NULL, claimed_at = NULL, attention = NULL, erased_at = ${at}
      WHERE id = ${id}`;
    return [email?.trim() ?? '', ...keys.map(({ key }) => key)].filter((name) => name !== '');
  });
  if (erased.length > 0) events.forgetNamed(names);
  return erased.length;
}

export type OrderAct = FoldMoment & {
  readonly orderId: number;
  readonly fact: OwnerFact;
  readonly origin: 'owner' | 'buyer';
  /** The time by which the act is sorted among the provider's facts; `at` if it is left out. */
  readonly dated?: number;
};

/**
 * Computes the order of a chain (all facts about one purchase), and stores it with its grants and mails. Returns the
 * order's id; null for a chain without a buyer, or if `notOurs` lists the product, whose order is removed.
 */
export function foldChain(db: Statements, chain: number, moment: FoldMoment): number | null {
  const { at } = moment;
  const provider = db.value<string>`SELECT provider FROM sale_keys WHERE chain = ${chain} LIMIT 1`!;
  const [events, offers] = [saleEventInserts(db), saleOffers(db)];
  const { grace, tellsSales, mail: state } = offers.settings();
  const known = findKnown(db, chain);
  const ports = {
    grace,
    tellsSales,
    isOlder: db.has`SELECT 1 FROM sale_facts JOIN sale_settings ON event <= last_without_copies
      WHERE chain = ${chain} AND fact ->> 'kind' = 'payment' AND fact ->> 'state' = 'paid'`,
    offerOf: (product: string) => offers.find(provider, product),
    isPublished: offers.isPublished,
    hasAccount: (id: string) => db.has`SELECT 1 FROM accounts WHERE id = ${id}`,
    accountOf: (address: string) => {
      const account = accountByAddress(db, address);
      return account?.isVerified === 1 ? account.id : null;
    },
    isMailable,
    hasFailedClaim: (orderId: number) =>
      db.value<string>`SELECT state FROM outbox
        WHERE order_id = ${orderId} AND kind = 'claim' ORDER BY id DESC LIMIT 1` === 'failed',
    findOwner: () => findMailedOwner(db),
    findAttentionMail: () => findLastMail(db, 'attention'),
  };
  const settled = settle(known, saleFactInserts(db).list(chain), ports, moment);
  if (settled === null) return null;
  if (settled === 'not-ours') {
    if (known !== null) removeOrder(db, known.id);
    events.forget(chain, NOT_OURS);
    return null;
  }
  if (settled.isErased) events.hide(chain);
  const id = saveOrder(db, chain, provider, settled);
  setGrants(db, id, settled, at);
  for (const kind of settled.dropped) dropMails(db, id, kind);
  for (const mail of settled.mails) {
    const [subject, orderId] = mail.kind === 'attention' ? [`attention:${at}`, null] : [`order:${id}`, id];
    queueMail(db, { ...mail, subject, orderId, details: {}, state, at });
  }
  // Once an account has the order, the owner need not pass on its claim link.
  if (settled.order.accountId !== null)
    db.run`UPDATE outbox SET state = 'dropped' WHERE order_id = ${id} AND kind = 'claim' AND state = 'manual'`;
  return id;
}

export function actOnOrder(db: Statements, { orderId, fact, origin, dated, ...moment }: OrderAct): boolean {
  const order = db.one<{ chain: number; provider: string }>`
    SELECT chain, provider FROM orders WHERE id = ${orderId}`;
  if (order === null) return false;
  const eventId = saleEventInserts(db).addAct(order.provider, origin, fact.kind, moment.at);
  saleFactInserts(db).addAct(eventId, order.chain, dated ?? moment.at, fact);
  foldChain(db, order.chain, moment);
  return true;
}

/** Gives a verified account the orders that wait for its address. Every write that verifies an account calls it. */
export function attachWaiting(db: Statements, accountId: string, moment: FoldMoment): void {
  const email = db.value<string>`
    SELECT email FROM accounts WHERE id = ${accountId} AND verified_at IS NOT NULL`;
  if (email !== null) foldAll(db, sql`email_key = ${comparableEmail(email)} AND account_id IS NULL`, moment);
}

export function refoldOrders(db: Statements, orderIds: readonly number[], moment: FoldMoment): void {
  foldAll(db, sql`id IN (SELECT value FROM json_each(${JSON.stringify(orderIds)}))`, moment);
}

function foldAll(db: Statements, condition: Sql, moment: FoldMoment): void {
  const orders = db.all<{ chain: number }>`SELECT chain FROM orders WHERE ${condition} ORDER BY id`;
  for (const { chain } of orders) foldChain(db, chain, moment);
}
