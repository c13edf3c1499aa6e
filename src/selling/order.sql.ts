import { query, type Sql, sql, type Statements, where } from '../platform/store/statements.ts';
import { comparableEmail } from '../platform/base/email-address.ts';
import { DAY } from '../platform/base/duration.ts';
import type { DatedFact, Fact, PageFact } from './fact.rule.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import type { Order, OrderState } from './order.rule.ts';
import { queueMail } from '../mailing/outbox.sql.ts';
import { saleOffers } from './sale-offer.sql.ts';
import { type LogWindow, readPage } from '../platform/store/paging.ts';

type OrderRow = Omit<Order, 'items' | 'products' | 'isSubscription' | 'isTest'> & {
  readonly items: string;
  readonly products: string;
  readonly isSubscription: 0 | 1;
  readonly isTest: 0 | 1;
};

/**
 * Selects orders for a list; a field that is null or false selects all. `state` is the state at the time `now`, as
 * `stateAt` gives it.
 */
export type OrderFilter = {
  readonly state: OrderState | null;
  readonly email: string | null;
  readonly since: number | null;
  readonly attention: boolean;
  readonly now: number;
};

export type TimelineFact = DatedFact & { readonly type: string; readonly receivedAt: number };

/** Selects the code by which the buyer of several copies gives away those beyond the first. */
const COPIES = sql`order_id = orders.id AND is_copies = 1 AND revoked_at IS NULL`;

const COLUMNS = sql`orders.id, number, provider, provider_ref AS providerRef, ref, state, at, email, account_id AS accountId,
  attached_by AS attachedBy, claimed_at AS claimedAt, bundle, products, quantity, amount, tax, refunded, currency,
  paid_at AS paidAt, is_subscription AS isSubscription, is_test AS isTest, until, attention, erased_at AS erasedAt,
  (SELECT accounts.email FROM accounts WHERE accounts.id = account_id) AS account,
  (SELECT json_group_array(json_object('kind', kind, 'itemKey', item_key, 'slug', slug) ORDER BY slug)
   FROM order_items WHERE order_id = orders.id) AS items,
  coalesce((SELECT uses FROM codes WHERE ${COPIES}), 0) AS copies,
  (SELECT count(*) FROM codes JOIN code_uses ON code_id = codes.id WHERE ${COPIES}) AS copiesUsed`;

export const pageOf = (kind: PageFact['of']) => sql`(SELECT fact ->> 'url' FROM sale_facts
  WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'page' AND fact ->> 'of' = ${kind}
  ORDER BY sale_facts.at DESC, sale_facts.id DESC LIMIT 1)`;

/** Selects a column of the fact by which an order's buyer asked for the money back; null without such a fact. */
export const askedBack = (column: Sql) => sql`(SELECT ${column} FROM sale_facts
  WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'ask-back' LIMIT 1)`;

type BuyerPages = Readonly<Record<'receipt' | 'subscription', string | null>> & {
  readonly askedAt: number | null;
};

/** An order as its buyer sees it. `askedAt` is when they asked for the money back, or null. */
export type AccountOrder = Order & BuyerPages;

/** The income from an order, in minor units such as cents; `amount` includes the tax. */
export type LastSale = Pick<Order, 'amount' | 'tax' | 'currency'>;

/**
 * How long after an order's end its buyer is still told, in milliseconds. If the server was down for longer, nobody is
 * told.
 */
const LATE = 7 * DAY;

type EndedStep = { readonly at: number; readonly after: number; readonly atMost: number };

type EndedOrder = { readonly id: number; readonly email: string; readonly accountId: string | null };

/**
 * Selects orders whose time ran out within `LATE` before `at`, and whose buyers were not told. Leaves out presents,
 * orders without an address, and those that were over when they arrived.
 */
const selectEnded = (at: number) => sql`SELECT id, email, account_id AS accountId FROM orders
  WHERE state = 'paid' AND until IS NOT NULL AND until <= ${at} AND until > ${at - LATE} AND email IS NOT NULL
    AND EXISTS (SELECT 1 FROM sale_facts JOIN sale_events ON sale_events.id = event
      WHERE sale_facts.chain = orders.chain AND received_at < orders.until)
    AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'gift')
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE order_id = orders.id AND kind = 'ended' AND outbox.state <> 'dropped')`;

export const orderReads = (db: Statements) => ({
  findOrder: (id: number): Order | null =>
    toOrder(db.one<OrderRow>`SELECT ${COLUMNS} FROM orders WHERE id = ${id}`),
  findOrderByRef: (ref: string): Order | null =>
    toOrder(db.one<OrderRow>`SELECT ${COLUMNS} FROM orders WHERE ref = ${ref} LIMIT 1`),
  /** Finds the order with one of the provider's ids in its facts, such as `cs_…` or `identifier:…`; null if there is none. */
  findOrderByKey: (provider: string, key: string): Order | null =>
    toOrder(db.one<OrderRow>`SELECT ${COLUMNS} FROM orders 
        WHERE chain = (SELECT chain FROM sale_keys WHERE provider = ${provider} AND key = ${key})`),
  listAccountOrders: (accountId: string): readonly AccountOrder[] =>
    db.all<OrderRow & BuyerPages>`SELECT ${COLUMNS}, ${pageOf('receipt')} AS receipt,
          ${pageOf('subscription')} AS subscription, ${askedBack(sql`sale_facts.at`)} AS askedAt
        FROM orders WHERE account_id = ${accountId} ORDER BY at DESC, id DESC`.map(readOrder),
  listOrderPage(filter: OrderFilter, window: LogWindow): readonly Order[] {
    const select = query<OrderRow>`SELECT ${COLUMNS} FROM orders`;
    const paged = { select, time: sql`at`, row: sql`id`, conditions: conditionsOf(filter) };
    return readPage(db, paged, window).map(readOrder);
  },
  countOrders(filter: OrderFilter): number {
    const conditions = where(...conditionsOf(filter));
    return db.value<number>`SELECT count(*) FROM orders ${conditions}`!;
  },
  /**
   * Lists the last three paid orders of a single copy of this product and nothing else. Leaves out subscriptions, tests,
   * and sales imported or added by hand.
   */
  listLastSales: (provider: string, product: string): readonly LastSale[] =>
    db.all<LastSale>`SELECT amount, tax, currency FROM orders
        WHERE provider = ${provider} AND products = ${JSON.stringify([product])} AND quantity = 1
          AND is_subscription = 0 AND state = 'paid' AND amount > 0
          AND EXISTS (SELECT 1 FROM order_payments WHERE order_id = orders.id)
        ORDER BY at DESC LIMIT 3`,
  listOrderFacts(id: number): readonly TimelineFact[] {
    const rows = db.all<Omit<TimelineFact, 'fact'> & { fact: string }>`SELECT sale_facts.id AS number,
          sale_facts.at, event_id AS eventId, fact, origin, type, received_at AS receivedAt
        FROM orders JOIN sale_facts USING (chain) JOIN sale_events ON sale_events.id = event
        WHERE orders.id = ${id} ORDER BY sale_facts.at, sale_facts.id`;
    return rows.map((row) => ({ ...row, fact: JSON.parse(row.fact) as Fact }));
  },
  hasEndedOrders: (at: number): boolean => db.has`${selectEnded(at)} LIMIT 1`,
});

export const orderWrites = (db: Statements) => ({
  /**
   * Queues mails to the buyers of the next orders whose time ran out, at most `atMost`, with ids above `after`; returns
   * the last id, null for none.
   */
  tellEndedOrders({ at, after, atMost }: EndedStep): number | null {
    const { mail: state } = saleOffers(db).settings();
    const orders = db.all<EndedOrder>`${selectEnded(at)} AND id > ${after} ORDER BY id LIMIT ${atMost}`;
    for (const { id, email, accountId } of orders) {
      const [address, subject] = [email.trim(), `order:${id}`];
      queueMail(db, { kind: 'ended', subject, address, orderId: id, accountId, details: {}, state, at });
    }
    return orders.at(-1)?.id ?? null;
  },
});

/** Returns the SQL conditions of a filter. Leaves out those that select all, so that SQLite finds an index. */
const conditionsOf = ({ state, email, since, attention, now }: OrderFilter): readonly (Sql | null)[] => [
  state === null ? null : ofState(state, now),
  email === null ? null : sql`email_key = ${comparableEmail(email)}`,
  since === null ? null : sql`at >= ${since}`,
  attention ? sql`attention IS NOT NULL` : null,
];

function ofState(state: OrderState, now: number): Sql {
  if (state === 'paid') return sql`state = 'paid' AND (until IS NULL OR until > ${now})`;
  if (state === 'ended') return sql`(state = 'ended' OR state = 'paid' AND until <= ${now})`;
  return sql`state = ${state}`;
}

const toOrder = (row: OrderRow | null): Order | null => row && readOrder(row);

const readOrder = <Row extends OrderRow>(row: Row) => ({
  ...row,
  isSubscription: row.isSubscription === 1,
  isTest: row.isTest === 1,
  items: JSON.parse(row.items) as readonly OfferedItem[],
  products: JSON.parse(row.products) as readonly string[],
});
