import type { Actor } from '../../access/actor.ts';
import { DAY } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';
import type { OwnerFact } from '../../sales/fact.ts';
import type { OfferedItem } from '../../sales/offer.ts';
import type { Order } from '../../sales/order.ts';
import type { OrderFilter, TimelineFact } from '../../store/tables/orders.ts';
import type { OutboxRow } from '../../sales/outbox.ts';
import type { Store } from '../../store/store.ts';
import { findAccount } from '../accounts.ts';
import { findGrantedItem } from '../grants.ts';
import { type LogPage, type PagePlace, readPage, walk } from '../row-pages.ts';
import { type AuditAction, describeActs } from '../audit-entry.ts';

/** Which orders are listed; null is any. */
export type OrderQuery = Omit<OrderFilter, 'now'>;

export const ANY_ORDER: OrderQuery = { state: null, email: null, since: null, attention: false };

/** An order with its place in a list. */
export type PlacedOrder = Order & { readonly row: number };

/** An order with its facts in the order they happened, and its mails. */
export type OrderStory = {
  readonly order: Order;
  readonly facts: readonly TimelineFact[];
  readonly mails: readonly OutboxRow[];
};

export type Orders = ReturnType<typeof createOrders>;

/** The owner's use cases of orders. Each act is stored as a fact, from which the order is computed again. */
export function createOrders(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);
  const find = async (id: number): Promise<Order> => (await store.findOrder(id)) ?? missing(id);

  const act = async (id: number, action: AuditAction, fact: OwnerFact): Promise<Order> => {
    const { ref } = await find(id);
    const items = fact.kind === 'grant' && fact.items !== null ? slugsOf(fact.items) : null;
    const audit = describe(action, `order ${ref}`, items === null ? {} : { items });
    const [at, dated] = [now(), await dateAct(id)];
    const isDone = await store.write('actOnOrder', { orderId: id, fact, origin: 'owner', at, dated, audit });
    return isDone ? find(id) : missing(id);
  };
  /** An act is dated after every known fact of its order, even if the provider's clock is ahead. */
  const dateAct = async (id: number): Promise<number> => {
    const newest = (await store.listOrderFacts(id)).at(-1)?.at ?? 0;
    return Math.min(Math.max(now(), newest), now() + DAY);
  };

  const read = (query: OrderQuery) => {
    const filter = { ...query, now: now() };
    return async (window: Parameters<Store['listOrderPage']>[1]): Promise<readonly PlacedOrder[]> =>
      (await store.listOrderPage(filter, window)).map((order) => ({ ...order, row: order.id }));
  };

  return {
    /** An order by its number. Refuses not-found. */
    find,
    /** The order that one of the provider's ids belongs to. Refuses not-found. */
    async findByKey(provider: string, key: string): Promise<Order> {
      const order = await store.findOrderByKey(provider, key);
      if (order !== null) return order;
      throw new Refusal('not-found', `Cannot find the order of ${provider} with ${key}`);
    },
    async story(id: number): Promise<OrderStory> {
      const order = await find(id);
      const [facts, mails] = await Promise.all([store.listOrderFacts(id), store.listOrderMails(id)]);
      return { order, facts, mails };
    },
    /** A page of orders, the newest first. */
    page: (query: OrderQuery, place: PagePlace): Promise<LogPage<PlacedOrder>> =>
      readPage(read(query), place),
    /** Every order, the newest first, in steps of some rows; no transaction is open between steps. */
    rows: (query: OrderQuery): AsyncGenerator<readonly PlacedOrder[]> => walk(read(query)),
    count: (query: OrderQuery): Promise<number> => store.countOrders({ ...query, now: now() }),
    /** Grants the items, whatever the provider said before; `slugs` for a sale that no item names. */
    async grant(id: number, slugs: readonly string[] = []): Promise<Order> {
      const { items } = await find(id);
      if (slugs.length === 0 && items.length === 0)
        throw new Refusal('invalid-request', `Cannot grant order ${id}: say which item was bought`);
      const named = slugs.length === 0 ? null : await Promise.all(slugs.map((slug) => findItem(store, slug)));
      return act(id, 'order.grant', { kind: 'grant', items: named, bundle: null });
    },
    revoke: (id: number): Promise<Order> => act(id, 'order.revoke', { kind: 'revoke', items: null }),
    /** Notes that the money was given back outside the provider. */
    giveBack: (id: number): Promise<Order> => act(id, 'order.give-back', { kind: 'give-back' }),
    /** Gives the order to an account. Refuses not-found. */
    async attach(id: number, email: string): Promise<Order> {
      const { id: accountId } = await findAccount({ store }, email);
      return act(id, 'order.attach', { kind: 'attach', accountId, by: 'owner' });
    },
    /** Reads the order's events again from their bodies, as far as they are kept. */
    async replay(id: number): Promise<Order> {
      const { ref } = await find(id);
      const audit = describe('order.replay', `order ${ref}`);
      const isDone = await store.write('replayOrder', { orderId: id, at: now(), audit });
      return isDone ? find(id) : missing(id);
    },
    /** Erases the buyer for good: address and event bodies go; amounts, items and times stay. */
    async erase(id: number): Promise<void> {
      await find(id);
      // The audit row holds no reference, since that leads to the buyer at the provider.
      const audit = describe('order.erase', `order ${id}`);
      if (!(await store.write('eraseOrder', { orderId: id, at: now(), audit }))) missing(id);
    },
  };
}

/** Finds an item that was ever served. Refuses not-found. */
export async function findItem(store: Store, slug: string): Promise<OfferedItem> {
  const { kind, itemKey } = await findGrantedItem({ store }, slug);
  return { kind, itemKey, slug };
}

function slugsOf(items: readonly OfferedItem[]): string {
  return items.map(({ slug }) => slug).join(' ');
}

function missing(id: number): never {
  throw new Refusal('not-found', `Cannot find order ${id}: "bookstall orders list" shows them all`);
}
