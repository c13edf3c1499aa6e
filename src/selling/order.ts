import { plain } from '../platform/cli/terminal-text.ts';
import { iso } from '../platform/cli/command.ts';
import type { Actor } from '../platform/base/principal.ts';
import { readEmail } from '../platform/base/email-address.ts';
import { DAY } from '../platform/base/duration.ts';
import type { OwnerFact } from './fact.rule.ts';
import { isGivenBack } from './fold.rule.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { nameOrder, keyOfReference, type Order, stateAt } from './order.rule.ts';
import type { OutboxRow } from '../mailing/outbox.rule.ts';
import type { OrderFilter, TimelineFact } from './order.sql.ts';
import type { HandOrder, SaleSum } from './sale.sql.ts';
import { createTurns } from '../platform/base/turn.ts';
import { dayStarts, monthStarts } from '../catalog/figures.ts';
import { mintLink } from '../accounts/one-time-link.ts';
import { findAccount } from '../accounts/account.ts';
import { type AuditAction, auditEntry } from '../platform/store/audit-entry.ts';
import { findGrantedItem } from '../accounts/grant.ts';
import type { Records } from './stall.ts';
import { ToldRefusal, OfficeRefusal } from '../platform/base/told.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { pagesOf } from '../platform/store/paging.ts';
import { readRowId } from '../platform/base/text.ts';

export type { AccountOrder, LastSale } from './order.sql.ts';

/** A filter of a list of orders. A field that is null or false matches any order. */
export type OrderQuery = Omit<OrderFilter, 'now'>;

export const ANY_ORDER: OrderQuery = { state: null, email: null, since: null, attention: false };

export type PlacedOrder = Order & { readonly row: number };

export const findOrder = ({ store }: Records, id: number): Order => store.findOrder(id) ?? missing(id);

export function findNamedOrder({ store }: Records, name: string): Order {
  const id = readRowId(name);
  const order = id !== null ? store.findOrder(id) : store.findOrderByRef(name.toUpperCase());
  return order ?? missing(name.slice(0, 40));
}

export function findOrderByKey({ store }: Records, provider: string, key: string): Order {
  const order = store.findOrderByKey(provider, key);
  if (order !== null) return order;
  throw new ToldRefusal('not-found', (r) => r.account.noOrder({ provider, key }));
}

export function readOrderStory(stall: Records, id: number): OrderStory {
  const order = findOrder(stall, id);
  const facts = stall.store.listOrderFacts(id);
  const mails = stall.store.listOrderMails(id);
  return { order, facts, mails };
}

export type OrderStory = {
  readonly order: Order;
  readonly facts: readonly TimelineFact[];
  readonly mails: readonly OutboxRow[];
};

export function pagedOrders({ store, now }: Records, query: OrderQuery) {
  const filter = { ...query, now: now() };
  return pagesOf<PlacedOrder>((window) =>
    store.listOrderPage(filter, window).map((order) => ({ ...order, row: order.id })),
  );
}

/**
 * Opens an order's items to its buyer, whatever the provider said. `slugs` names the items if the order's products sell
 * nothing here; otherwise it has no effect.
 */
export async function grantOrder(stall: Records, by: Actor, id: number, slugs: readonly string[] = []) {
  const { items } = findOrder(stall, id);
  if (slugs.length === 0 && items.length === 0)
    throw new OfficeRefusal('invalid-request', (r) => r.orderNoItem({ id }));
  const named = slugs.length === 0 ? null : slugs.map((slug) => findItem(stall, slug));
  return actOnOrder(stall, by, {
    id,
    action: 'order.grant',
    fact: { kind: 'grant', items: named, bundle: null },
  });
}

export const revokeOrder = (stall: Records, by: Actor, id: number): Promise<Order> =>
  actOnOrder(stall, by, { id, action: 'order.revoke', fact: { kind: 'revoke', items: null } });

export const giveBackOrder = (stall: Records, by: Actor, id: number): Promise<Order> =>
  actOnOrder(stall, by, { id, action: 'order.give-back', fact: { kind: 'give-back' } });

export async function attachOrder(stall: Records, by: Actor, id: number, email: string): Promise<Order> {
  const { id: accountId } = findAccount(stall, email);
  if (stall.store.isTyped(accountId))
    throw new OfficeRefusal('invalid-request', (r) => r.orderUnproven({ id, email }));
  const fact = { kind: 'attach', accountId, by: 'owner' } as const;
  return actOnOrder(stall, by, { id, action: 'order.attach', fact });
}

type OwnerAct = { readonly id: number; readonly action: AuditAction; readonly fact: OwnerFact };

async function actOnOrder(stall: Records, by: Actor, { id, action, fact }: OwnerAct) {
  const { store, now } = stall;
  const { ref } = findOrder(stall, id);
  const items = fact.kind === 'grant' ? fact.items : null;
  const at = now();
  // If the provider's clock is ahead, the newest fact may be later than now. The act then gets the time of that fact, and
  // so comes after it. A fact more than a day ahead stays after the act.
  const newest = store.listOrderFacts(id).at(-1)?.at ?? 0;
  const dated = Math.min(Math.max(at, newest), at + DAY);
  const audit = auditEntry(by, at, action, `order ${ref}`, {
    ...(items === null ? {} : { items: items.map(({ slug }) => slug).join(' ') }),
  });
  const isDone = await store.write.actOnOrder({ orderId: id, fact, origin: 'owner', at, dated, audit });
  return isDone ? findOrder(stall, id) : missing(id);
}

export async function replayOrder(stall: Records, by: Actor, id: number): Promise<Order> {
  const { ref } = findOrder(stall, id);
  const at = stall.now();
  const audit = auditEntry(by, at, 'order.replay', `order ${ref}`);
  const isDone = await stall.store.write.replayOrder({ orderId: id, at, audit });
  return isDone ? findOrder(stall, id) : missing(id);
}

/** Erases the buyer for good: the address and the stored bodies of events are deleted; amounts, items and times stay. */
export async function eraseOrder(stall: Records, by: Actor, id: number): Promise<void> {
  findOrder(stall, id);
  const at = stall.now();
  // The audit entry has the order's id: its reference, a hash of the provider's id, would still lead to the buyer at the
  // provider.
  const audit = auditEntry(by, at, 'order.erase', `order ${id}`);
  if (!(await stall.store.write.eraseOrder({ orderId: id, at, audit }))) missing(id);
}

/** Finds an item in the form in which orders store it. Refuses a name that this stall never knew. */
export function findItem(stall: Records, slug: string): OfferedItem {
  const { kind, itemKey } = findGrantedItem(stall, slug);
  return { kind, itemKey, slug };
}

function missing(name: number | string): never {
  throw new OfficeRefusal('not-found', (r) => r.noOrderOf({ name }));
}

/**
 * Creates the link by which a buyer claims an order, for the owner to pass on. It cannot be shown again. Refuses an order
 * that is not paid, is in an account, became a present, or has no e-mail address.
 */
export async function linkToClaim(stall: Records, by: Actor, orderId: number, origin: string) {
  const { store, now } = stall;
  const order = findOrder(stall, orderId);
  const { ref, email: address, claimedAt, account } = order;
  const state = stateAt(order, now());
  if (state !== 'paid') throw new OfficeRefusal('invalid-request', (r) => r.claimUnpaid({ ref, state }));
  if (address === null) throw new OfficeRefusal('invalid-request', (r) => r.claimErased({ ref }));
  if (store.isGiven(orderId)) throw new OfficeRefusal('invalid-request', (r) => r.claimGiven({ ref }));
  if (claimedAt !== null && account !== null)
    throw new OfficeRefusal('invalid-request', (r) => r.claimHeld({ ref, account }));
  const mail = store.listOrderMails(orderId).find(({ kind }) => kind === 'claim');
  // The link has no `outboxId`: if the mail is sent again, the mail's own links may end, but the buyer has this one.
  const { row, link } = mintLink({ purpose: 'claim', orderId, address }, origin, now());
  const audit = auditEntry(by, now(), 'order.link', `order ${ref}`);
  await store.write.passLink({ link: row, mailId: mail?.id ?? null, audit });
  return link;
}

/**
 * The terms of a sale. Amounts are in minor units of `currency` (ISO 4217, lower case), `until` in ms since 1970, null
 * for no end.
 */
export type SaleTerms = {
  readonly ref: string;
  readonly email: string;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly until: number | null;
};

type HandSale = Pick<SaleTerms, 'email' | 'amount' | 'currency'> & {
  readonly slugs: readonly string[];
  /** The owner's own reference. If a sale has it already, none is added. Null makes a new reference. */
  readonly ref: string | null;
  /** Whether to queue the mails to buyer and owner that a sale at a provider would cause. */
  readonly isMailed: boolean;
};

/**
 * Adds an order by hand. A verified account with the address gets the items at once; without one, the buyer claims them
 * by a link.
 */
export async function addHandOrder(stall: Records, by: Actor, sale: HandSale): Promise<Order> {
  const email = readEmail(sale.email);
  const items = sale.slugs.map((slug) => findItem(stall, slug));
  const at = stall.now();
  const ref = sale.ref ?? crypto.randomUUID();
  if (!/^[^\p{Cc}]{1,100}$/u.test(ref)) throw new OfficeRefusal('invalid-request', (r) => r.orderReference);
  const { amount, currency } = sale;
  const eventId = sha256(ref);
  const about = { provider: 'hand', origin: 'owner', eventId, at, items, bundle: null } as const;
  const order = describeSale(about, { ref, email, amount, currency, refunded: 0, until: null });
  // The audit log gets neither the address nor the reference: they would stay there when the buyer is erased.
  const audit = auditEntry(by, at, 'order.add', sale.slugs.join(' ').slice(0, 200));
  const batches = [JSON.stringify([order])];
  const [id] = await stall.store.write.addHandOrders({ batches, at, isQuiet: !sale.isMailed, audit });
  const added = id === undefined ? null : stall.store.findOrder(id);
  if (added === null) throw new Error('The order was not stored');
  return added;
}

type SoldGoods = { readonly items: readonly OfferedItem[]; readonly bundle: string | null };

export function describeSale(
  { items, bundle, ...about }: Omit<HandOrder, 'facts' | 'acts'> & SoldGoods,
  { ref, email, amount, currency, refunded, until }: SaleTerms,
): HandOrder {
  // The provider's own id is one of the keys, so that later events about this sale, such as a refund, find the order.
  const keys = [keyOfReference(about.provider, ref) ?? [], `ref:${ref}`].flat();
  const bought = { keys, products: [], quantity: 1 } as const;
  const isAllBack = isGivenBack(refunded, amount);
  const refund = { kind: 'refund', keys, ids: keys, id: `ref:${ref}`, amount: refunded } as const;
  return {
    ...about,
    facts: [
      { kind: 'buyer', ...bought, ref, email, isSubscription: until !== null },
      { kind: 'payment', ...bought, ids: keys, state: 'paid', amount, tax: 0, currency, until },
      ...(refunded === 0 || isAllBack ? [] : [{ ...refund, isTotal: true, isFull: false }]),
    ],
    acts: [{ kind: 'grant', items, bundle }, ...(isAllBack ? [{ kind: 'give-back' } as const] : [])],
  };
}

export const SALES_SPANS = ['30d', '90d', '12m'] as const;

export type SalesSpan = (typeof SALES_SPANS)[number];

export type PeriodSum = SaleSum & { readonly period: string };

/**
 * The sales in one currency. `sums` has a row for each item and period, the newest period first; `periods` has one for
 * each period, of all items, the current period last.
 */
export type CurrencySales = {
  readonly currency: string;
  readonly sums: readonly PeriodSum[];
  readonly periods: readonly Omit<PeriodSum, 'name' | 'currency'>[];
};

/**
 * Adds up the sales of each day, or with `12m` of each month, by currency, that with the most payments first. `sumSales`
 * decides which payments and refunds count, and when.
 */
export async function listSales(
  { store, now }: Records,
  span: SalesSpan,
  isByItem = true,
): Promise<readonly CurrencySales[]> {
  const isMonthly = span === '12m';
  const starts = isMonthly ? monthStarts(now()) : dayStarts(now(), Number.parseInt(span));
  const turn = createTurns();
  const steps = await Array.fromAsync(starts, async (from, n) => {
    await turn();
    const period = new Date(from).toISOString().slice(0, isMonthly ? 7 : 10);
    const sums = store.sumSales(from, starts[n + 1] ?? Number.MAX_SAFE_INTEGER, isByItem);
    return { period, sums: sums.map((sum) => ({ ...sum, period })) };
  });
  const all = steps.toReversed().flatMap(({ sums }) => sums);
  return [...Map.groupBy(all, (sum) => sum.currency)]
    .toSorted(([, a], [, b]) => totalOf(b, 'payments') - totalOf(a, 'payments'))
    .map(([currency, sums]) => ({
      currency,
      sums,
      periods: steps.map(({ period, sums: some }) => {
        const own = some.filter((sum) => sum.currency === currency);
        const [payments, gross] = [totalOf(own, 'payments'), totalOf(own, 'gross')];
        return { period, payments, gross, givenBack: totalOf(own, 'givenBack') };
      }),
    }));
}

export const totalOf = <Of extends string>(sums: readonly Readonly<Record<Of, number>>[], of: Of): number =>
  sums.reduce((all, sum) => all + sum[of], 0);

/** Names an order with its buyer's address, as in `17 (7KQ2M-X4TRD) of ada@example.org`. */
export const nameSale = (order: Order): string =>
  plain(`${nameOrder(order)}${order.email === null ? '' : ` of ${order.email}`}`);

export function describeOrder(order: Order, now: number) {
  const { id, provider, providerRef, ref, email, account, bundle, quantity, amount, tax, currency } = order;
  return {
    id,
    number: order.number,
    provider,
    providerRef,
    ref,
    state: stateAt(order, now),
    email,
    account,
    items: order.items.map(({ slug }) => slug),
    bundle,
    quantity,
    amount,
    tax,
    currency,
    refunded: order.refunded,
    until: iso(order.until),
    paidAt: iso(order.paidAt),
    claimedAt: iso(order.claimedAt),
    attention: order.attention,
    isTest: order.isTest,
  };
}

export const wasRefunded = ({ store }: Records, accountId: string, key: string): boolean =>
  store
    .listAccountOrders(accountId)
    .some(({ state, items }) => state === 'refunded' && items.some(({ itemKey }) => itemKey === key));
