import { renewed, sql, type Statements, values } from '../statements.ts';
import { foldEmail, isMailable } from '../../access/email-address.ts';
import type { OwnerFact } from '../../sales/fact.ts';
import { type FoldedOrder, foldOrder } from '../../sales/fold.ts';
import type { Offer, OfferedItem } from '../../sales/goods.ts';
import { type Order, type OrderState, type OrderTerms, shortReference, stateAt } from '../../sales/order.ts';
import type { NewMail } from '../../sales/outbox.ts';
import { accountByAddress } from './account-addresses.ts';
import { followPayment, removeSaleGrants, setSaleGrants } from './order-grants.ts';
import { dropMails, findMailedOwner, queueAttention, queueMail } from './outbox.ts';
import { hideId, saleEventInserts, saleFactInserts } from './sale-events.ts';
import { saleOffers, type SaleSettings } from './sale-offers.ts';

/** The columns of a stored order that its next fold needs. */
type KnownOrder = Pick<OrderTerms, 'state' | 'email' | 'until' | 'attention'> &
  Pick<Order, 'id' | 'number' | 'provider' | 'providerRef' | 'accountId' | 'claimedAt' | 'erasedAt'> & {
    readonly chain: number;
    readonly isTest: 0 | 1;
    /** The product ids that were paid for, as JSON. */
    readonly products: string;
  };

/** The account of an order, and how it was found. */
type Holder = { readonly accountId: string; readonly by: string; readonly at: number };

type ItemRow = OfferedItem & { readonly product: string; readonly bundle: string | null };

const KNOWN = sql`id, number, chain, provider, state, account_id AS accountId, claimed_at AS claimedAt, until, attention,
  erased_at AS erasedAt, provider_ref AS providerRef, email, is_test AS isTest, products`;

const PAID_ONCE: ReadonlySet<OrderState> = new Set<OrderState>([
  'paid',
  'disputed',
  'lost',
  'refunded',
  'ended',
]);

/** Whether an order belongs into the books: money was paid for items of this stall, even if it was given back. */
const isNumbered = ({ state, paidAt, items }: FoldedOrder, isTest: boolean): boolean =>
  !isTest && paidAt !== null && items.length > 0 && PAID_ONCE.has(state);

/** The part of a transaction that stores folded orders. */
export function orderRows(db: Statements) {
  const byChain = (chain: number) => db.one<KnownOrder>`SELECT ${KNOWN} FROM orders WHERE chain = ${chain}`;
  const remove = (id: number): void => void db.run`DELETE FROM orders WHERE id = ${id}`;
  const rechain = (id: number, chain: number) => db.run`UPDATE orders SET chain = ${chain} WHERE id = ${id}`;

  /** The items are fixed when the order is first paid; those of an order that waits for its items are looked up again. */
  const saveItems = (id: number, { items, keepsItems }: FoldedOrder): void => {
    for (const item of items)
      db.run`INSERT INTO order_items (order_id, kind, item_key, slug, product, is_kept)
        VALUES (${id}, ${item.kind}, ${item.itemKey}, ${item.slug}, ${item.product}, ${keepsItems})`;
  };
  const savePayments = (id: number, { payments }: FoldedOrder): void => {
    for (const { at, amount, tax, refunded, refundedAt, currency } of payments)
      db.run`INSERT INTO order_payments (order_id, at, amount, tax, refunded, refunded_at, currency)
        VALUES (${id}, ${at}, ${amount}, ${tax}, ${refunded}, ${refundedAt}, ${currency})`;
  };

  /** In the write that makes the order paid: no crash can leave a gap. */
  const giveNumber = (id: number): void => {
    const number = db.value<number>`UPDATE order_numbers SET last = last + 1 RETURNING last`!;
    db.run`UPDATE orders SET number = ${number} WHERE id = ${id}`;
  };

  return {
    byChain,
    remove,
    byId: (id: number): KnownOrder | null => db.one<KnownOrder>`SELECT ${KNOWN} FROM orders WHERE id = ${id}`,
    /**
     * The meaning of an id to an order: that of when it was first paid, so that an id which meant nothing then means nothing
     * later. `ask` answers for an order that was not paid yet, and for an id that it did not name.
     */
    findMeaning(
      { id, products }: KnownOrder,
      product: string,
      ask: (product: string) => Offer | null,
    ): Offer | null {
      const all = db.all<ItemRow>`SELECT kind, item_key AS itemKey, slug, product, bundle FROM order_items
        JOIN orders ON orders.id = order_id WHERE order_id = ${id} AND is_kept = 1 AND product <> ''
        ORDER BY kind, item_key`;
      const rows = all.filter((row) => row.product === product);
      const [first] = rows;
      if (first === undefined)
        return all.length > 0 && (JSON.parse(products) as string[]).includes(product) ? null : ask(product);
      const items = rows.map(({ kind, itemKey, slug }) => ({ kind, itemKey, slug }));
      return { provider: '', product, bundle: first.bundle, items, least: null };
    },
    /** The order's id; a new one if the chain had no order yet. */
    save(
      before: KnownOrder | null,
      chain: number,
      provider: string,
      order: FoldedOrder,
      holder: Holder | null,
    ): number {
      const isErased = before !== null && before.erasedAt !== null;
      const email = isErased ? null : order.email;
      // The id that tells is gone once the buyer was erased.
      const isTest = order.isTest || before?.isTest === 1;
      const row = {
        provider_ref: isErased ? hideId(order.ref) : order.ref,
        state: order.state,
        at: order.at,
        email,
        email_key: email === null ? null : foldEmail(email),
        account_id: holder?.accountId ?? null,
        attached_by: holder?.by ?? null,
        claimed_at: holder === null ? null : (before?.claimedAt ?? holder.at),
        bundle: order.bundle,
        products: JSON.stringify(order.products),
        quantity: order.quantity,
        amount: order.amount,
        tax: order.tax,
        refunded: order.refunded,
        currency: order.currency,
        paid_at: order.paidAt,
        is_subscription: order.isSubscription,
        is_test: isTest,
        until: order.until,
        attention: order.attention,
      };
      const ref = before === null ? shortReference(provider, order.firstRef) : '';
      // One statement, so that a new row enters each index once.
      const id = db.value<number>`INSERT INTO orders ${values({ chain, provider, ref, ...row })}
        ON CONFLICT (chain) DO UPDATE SET ${renewed(row)} RETURNING id`!;
      if (before !== null)
        for (const table of [sql`order_items`, sql`order_payments`])
          db.run`DELETE FROM ${table} WHERE order_id = ${id}`;
      if ((before?.number ?? null) === null && isNumbered(order, isTest)) giveNumber(id);
      saveItems(id, order);
      if (!isTest) savePayments(id, order);
      return id;
    },
    /** Merges two orders. The earlier id stays, with its number or else the other's; gives the id that is gone, or null. */
    merge(into: number, from: number): number | null {
      const [stays, goes] = [byChain(into), byChain(from)];
      if (goes === null) return null;
      if (stays === null) {
        rechain(goes.id, into);
        return null;
      }
      const [older, newer] = stays.id < goes.id ? [stays, goes] : [goes, stays];
      for (const table of [sql`outbox`, sql`links`, sql`codes`])
        db.run`UPDATE ${table} SET order_id = ${older.id} WHERE order_id = ${newer.id}`;
      remove(newer.id);
      db.run`UPDATE orders SET number = ${older.number ?? newer.number} WHERE id = ${older.id}`;
      rechain(older.id, into);
      return newer.id;
    },
  };
}

/**
 * Takes the person out of orders; how many there were. Amount, items and times stay, and a hash of each of the provider's
 * ids, by which a replay or a later refund is known. Its grants go.
 */
export function eraseOrders(db: Statements, orderIds: readonly number[], at: number): number {
  const events = saleEventInserts(db);
  const erased = orderIds.flatMap((id) => orderRows(db).byId(id) ?? []);
  const names = erased.flatMap((order) => {
    const { id, chain } = order;
    const keys = db.all<{ provider: string; key: string }>`
      SELECT provider, key FROM sale_keys WHERE chain = ${chain}`;
    // A claim names the account; without it the order is nobody's.
    db.run`DELETE FROM sale_facts WHERE chain = ${chain} AND json_extract(fact, '$.kind') = 'attach'`;
    events.hide(chain);
    for (const { provider, key } of keys)
      db.run`UPDATE OR REPLACE sale_keys SET key = ${hideId(key)} WHERE provider = ${provider} AND key = ${key}`;
    removeSaleGrants(db, id);
    db.run`UPDATE outbox SET address = '', account_id = NULL, details = '{}', error = NULL, next_at = NULL,
      state = iif(state IN ('queued', 'manual'), 'dropped', state) WHERE order_id = ${id}`;
    db.run`DELETE FROM links WHERE order_id = ${id}`;
    db.run`UPDATE orders SET provider_ref = ${hideId(order.providerRef)}, email = NULL, email_key = NULL,
        account_id = NULL, attached_by = NULL, claimed_at = NULL, attention = NULL, erased_at = ${at}
      WHERE id = ${id}`;
    return [order.email?.trim() ?? '', ...keys.map(({ key }) => key)].filter((name) => name !== '');
  });
  if (erased.length > 0) events.forgetNamed(names);
  return erased.length;
}

/** When a fold happens, in milliseconds since 1970 UTC; a quiet one queues no mail. */
export type FoldMoment = { readonly at: number; readonly isQuiet?: boolean };

/** An act of the owner, or of the buyer who claims, on one order. */
export type OrderAct = FoldMoment & {
  readonly orderId: number;
  readonly fact: OwnerFact;
  readonly origin: 'owner' | 'buyer';
  /** The time that orders it among the provider's facts; the moment's if it is left out. */
  readonly dated?: number;
};

const findHolder = (
  db: Statements,
  { attached, email }: FoldedOrder,
  isErased: boolean,
  at: number,
): Holder | null => {
  if (attached !== null && db.has`SELECT 1 FROM accounts WHERE id = ${attached.accountId}`)
    return { accountId: attached.accountId, by: attached.by, at };
  const found = email === null || isErased ? null : accountByAddress(db, email);
  return found?.isVerified === 1 ? { accountId: found.id, by: 'address', at } : null;
};

/** Why no mail reaches the buyer of a paid order that waits for its account, for the owner; null if one does. */
function findUnreached(db: Statements, order: FoldedOrder, before: KnownOrder | null): string | null {
  const { state, isGift, email } = order;
  if (state !== 'paid' || isGift) return null;
  if (email === null || !isMailable(email.trim()))
    return 'Its buyer left no address that mail can be sent to: give the order to an account';
  const claim = db.value<string>`SELECT state FROM outbox
    WHERE order_id = ${before?.id ?? null} AND kind = 'claim' ORDER BY id DESC LIMIT 1`;
  if (claim !== 'failed') return null;
  return 'The mail to its buyer failed: copy its claim link, or give the order to an account';
}

/**
 * Folds a chain's facts to its order, sets its grants and queues its mails. Gives the order's number; null for a chain without
 * a buyer, or one that `notOurs` names.
 */
export function foldChain(
  db: Statements,
  chain: number,
  provider: string,
  moment: FoldMoment,
): number | null {
  const { at, isQuiet = false } = moment;
  const [rows, events, offers] = [orderRows(db), saleEventInserts(db), saleOffers(db)];
  const before = rows.byChain(chain);
  const settings = offers.settings();
  const ask = (product: string): Offer | null => offers.find(provider, product);
  const order = foldOrder(saleFactInserts(db).list(chain), {
    offerOf: remember(
      (product) => (before === null ? ask(product) : rows.findMeaning(before, product, ask)),
      (product) => product,
    ),
    isPublished: remember(offers.isPublished, ({ kind, itemKey }) => `${kind} ${itemKey}`),
    grace: settings.grace,
  });
  if (order === null) return null;
  if (order === 'not-ours') {
    if (before !== null) removeSaleGrants(db, before.id);
    if (before !== null) rows.remove(before.id);
    events.forget(chain);
    return null;
  }
  const isErased = (before?.erasedAt ?? null) !== null;
  if (isErased) events.hide(chain);
  const holder = findHolder(db, order, isErased, at);
  const isReached = isErased || holder !== null;
  const attention = order.attention ?? (isReached ? null : findUnreached(db, order, before));
  const id = rows.save(before, chain, provider, { ...order, attention }, holder);
  const items = order.state === 'paid' && !order.isGift ? order.entitled : [];
  const [accountId, from] = [holder?.accountId ?? null, Math.min(order.paidAt ?? order.at, at)];
  setSaleGrants(db, { orderId: id, accountId, items, from, until: order.until, at });
  const [isPaid, wasPaid] = [order.state === 'paid', before?.state === 'paid'];
  followPayment(db, { orderId: id, isPaid, wasPaid, until: order.until, at });
  if (!isQuiet) queueSaleMails(db, { before, id, order: { ...order, attention }, holder, at }, settings);
  return id;
}

/** Merges the orders of two chains that turn out to be one; the grants of the later one become the earlier's with its next fold. */
export function mergeChains(db: Statements, into: number, from: number): void {
  const gone = orderRows(db).merge(into, from);
  if (gone !== null) removeSaleGrants(db, gone);
}

/** Adds an act to an order; false for an unknown number. */
export function actOnOrder(db: Statements, { orderId, fact, origin, dated, ...moment }: OrderAct): boolean {
  const order = orderRows(db).byId(orderId);
  if (order === null) return false;
  const eventId = saleEventInserts(db).addAct(order.provider, origin, fact.kind, moment.at);
  saleFactInserts(db).addAct(eventId, order.chain, dated ?? moment.at, fact);
  foldChain(db, order.chain, order.provider, moment);
  return true;
}

/** Gives the waiting orders of a verified account's address to it. Every write that verifies calls it. */
export function attachWaiting(db: Statements, accountId: string, moment: FoldMoment): void {
  const email = db.value<string>`
    SELECT email FROM accounts WHERE id = ${accountId} AND verified_at IS NOT NULL`;
  if (email === null) return;
  const found = db.all<{ chain: number; provider: string }>`SELECT chain, provider FROM orders
    WHERE email_key = ${foldEmail(email)} AND account_id IS NULL ORDER BY id`;
  for (const { chain, provider } of found) foldChain(db, chain, provider, moment);
}

/** Folds orders again, as after a publish. */
export function refoldOrders(db: Statements, orderIds: readonly number[], moment: FoldMoment): void {
  for (const id of orderIds) {
    const order = orderRows(db).byId(id);
    if (order !== null) foldChain(db, order.chain, order.provider, moment);
  }
}

/** Caches look-ups for the length of one fold. */
function remember<Question, Answer>(
  ask: (question: Question) => Answer,
  nameOf: (question: Question) => string,
): (question: Question) => Answer {
  const answers = new Map<string, Answer>();
  return (question) => answers.getOrInsertComputed(nameOf(question), () => ask(question));
}

/** An order that was just folded. */
type Folding = {
  readonly before: KnownOrder | null;
  readonly id: number;
  readonly order: FoldedOrder;
  readonly holder: Holder | null;
  readonly at: number;
};

/** Queues the mails which follow from a fold, each once. */
function queueSaleMails(db: Statements, folding: Folding, settings: SaleSettings): void {
  const { before, id, order, holder, at } = folding;
  const queue = (mail: Pick<NewMail, 'kind' | 'subject' | 'address' | 'accountId'>): void => {
    if (isMailable(mail.address))
      queueMail(db, { ...mail, orderId: id, details: {}, state: settings.mail, at });
  };
  const tellSale = (): void => {
    const found = findMailedOwner(db);
    if (found !== null) queue({ kind: 'sale', subject, address: found.email, accountId: found.id });
  };
  const was = before !== null && stateAt(before, at) === 'paid';
  const is = stateAt(order, at) === 'paid' && !order.isGift;
  const subject = `order:${id}`;
  const buyer = { subject, address: order.email?.trim() ?? '', accountId: holder?.accountId ?? null };
  if (is && holder === null) queue({ ...buyer, kind: 'claim' });
  if (is && holder?.by === 'address') queue({ ...buyer, kind: 'library' });
  // Claimed on the return page or by the owner, it is still due: it proves the address, or tells its holder of that.
  if (!is || holder?.by === 'address' || holder?.by === 'mail') dropMails(db, id, 'claim');
  dropMails(db, id, is ? 'ended' : 'library');
  if (was && !is && !order.isGift) queue({ ...buyer, kind: 'ended' });
  if (is && !was && settings.tellsSales) tellSale();
  if (order.attention !== null && order.attention !== before?.attention)
    queueAttention(db, at, settings.mail);
}
