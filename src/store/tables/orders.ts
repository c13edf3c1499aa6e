import type { Database } from 'bun:sqlite';
import { foldEmail, isMailable } from '../../access/email-address.ts';
import { DAY } from '../../duration.ts';
import type { DatedFact, Fact } from '../../sales/fact.ts';
import type { OfferedItem } from '../../sales/goods.ts';
import type { Order, OrderState } from '../../sales/order.ts';
import type { LogWindow } from './logs.ts';
import { outboxInserts } from './outbox.ts';
import { saleOffers } from './sales.ts';

type OrderRow = Omit<Order, 'items' | 'products' | 'isSubscription'> & {
  readonly items: string;
  readonly products: string;
  readonly isSubscription: 0 | 1;
};

type Condition = readonly [sql: string, ...values: (string | number)[]];

/** Which orders a list shows; null is any. `state` is as `stateAt` says it at `now`. */
export type OrderFilter = {
  readonly state: OrderState | null;
  readonly email: string | null;
  /** Bought at this time or later. */
  readonly since: number | null;
  /** Only those with a sentence for the owner. */
  readonly attention: boolean;
  readonly now: number;
};

/** A fact of an order with the event that said it: a line of its timeline. */
export type TimelineFact = DatedFact & {
  readonly type: string;
  readonly receivedAt: number;
};

const COLUMNS = `orders.id, provider, provider_ref AS providerRef, ref, state, at, email, account_id AS accountId,
  attached_by AS attachedBy, claimed_at AS claimedAt, bundle, products, quantity, amount, tax, refunded, currency,
  paid_at AS paidAt, is_subscription AS isSubscription, until, attention, erased_at AS erasedAt,
  (SELECT accounts.email FROM accounts WHERE accounts.id = account_id) AS account,
  (SELECT json_group_array(json_object('kind', kind, 'itemKey', item_key, 'slug', slug) ORDER BY slug)
   FROM order_items WHERE order_id = orders.id) AS items`;

/** How long after their end buyers are still told of it: a stall that was down for longer writes to nobody. */
const LATE = 7 * DAY;

type EndedOrder = { readonly id: number; readonly email: string; readonly accountId: string | null };

/** Orders that ran out by themselves and whose buyers were not told; one that was over when it was imported is not theirs to hear of. */
const ENDED = `SELECT id, email, account_id AS accountId FROM orders
  WHERE state = 'paid' AND until IS NOT NULL AND until <= ?1 AND until > ?2 AND email IS NOT NULL
    AND EXISTS (SELECT 1 FROM sale_facts JOIN sale_events ON sale_events.id = event
      WHERE sale_facts.chain = orders.chain AND received_at < orders.until)
    AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'gift')
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE order_id = orders.id AND kind = 'ended' AND outbox.state <> 'dropped')`;

export function orderReads(db: Database) {
  const one = db.prepare<OrderRow, [number]>(`SELECT ${COLUMNS} FROM orders WHERE id = ?`);
  const byKey = db.prepare<OrderRow, [string, string]>(
    `SELECT ${COLUMNS} FROM orders WHERE chain = (SELECT chain FROM sale_keys WHERE provider = ? AND key = ?)`,
  );
  const byAccount = db.prepare<OrderRow, [string]>(
    `SELECT ${COLUMNS} FROM orders WHERE account_id = ? ORDER BY at DESC, id DESC`,
  );
  const facts = db.prepare<
    {
      id: number;
      at: number;
      eventId: string;
      fact: string;
      origin: string;
      type: string;
      receivedAt: number;
    },
    [number]
  >(
    `SELECT sale_facts.id, sale_facts.at, event_id AS eventId, fact, origin, type, received_at AS receivedAt
     FROM orders JOIN sale_facts USING (chain) JOIN sale_events ON sale_events.id = event
     WHERE orders.id = ? ORDER BY sale_facts.at, sale_facts.id`,
  );
  const ended = db.prepare(`${ENDED} LIMIT 1`);
  return {
    /** An order by its number, or null. */
    async findOrder(id: number): Promise<Order | null> {
      return toOrder(one.get(id));
    },
    /** The order that one of the provider's ids belongs to, as `cs_…` or `identifier:…`. The return page calls it. */
    async findOrderByKey(provider: string, key: string): Promise<Order | null> {
      return toOrder(byKey.get(provider, key));
    },
    /** Orders of an account, the newest first. Its page and the library call it. */
    async listAccountOrders(accountId: string): Promise<readonly Order[]> {
      return byAccount.all(accountId).map(readOrder);
    },
    /** A page of orders, the newest first. The office, its file and `orders list` call it. */
    async listOrderPage(filter: OrderFilter, { beside, side, limit }: LogWindow): Promise<readonly Order[]> {
      const [direction, compare] = side === 'older' ? ['DESC', '<'] : ['ASC', '>'];
      const place = beside === null ? null : ([`(at, id) ${compare} (?, ?)`, beside.at, beside.row] as const);
      const { where, values } = describeFilter(filter, place);
      const sql = `SELECT ${COLUMNS} FROM orders ${where} ORDER BY at ${direction}, id ${direction} LIMIT ?`;
      const rows = db.query<OrderRow, (string | number)[]>(sql).all(...values, limit);
      return (side === 'older' ? rows : rows.toReversed()).map(readOrder);
    },
    async countOrders(filter: OrderFilter): Promise<number> {
      const { where, values } = describeFilter(filter);
      const sql = `SELECT count(*) AS orders FROM orders ${where}`;
      return db.query<{ orders: number }, (string | number)[]>(sql).get(...values)?.orders ?? 0;
    },
    /** The facts of an order, in the order they happened. Its page calls it. */
    async listOrderFacts(id: number): Promise<readonly TimelineFact[]> {
      return facts
        .all(id)
        .map(({ id: number, fact, ...row }) => ({ ...row, number, fact: JSON.parse(fact) as Fact }));
    },
    /** Whether the buyer of an order that ran out was not told yet. */
    hasEndedOrders: (at: number): boolean => ended.get(at, at - LATE) !== null,
  };
}

export function orderWrites(db: Database) {
  const ended = db.prepare<EndedOrder, [number, number, number, number]>(
    `${ENDED} AND id > ?3 ORDER BY id LIMIT ?4`,
  );
  const { queue } = outboxInserts(db);
  const offers = saleOffers(db);
  return {
    /** Queues the mails to buyers whose orders after an id ran out, at most so many; the last id, or null. The hour calls it. */
    tellEndedOrders({
      at,
      after,
      atMost,
    }: {
      readonly at: number;
      readonly after: number;
      readonly atMost: number;
    }) {
      const { mail: state } = offers.settings();
      const orders = ended.all(at, at - LATE, after, atMost);
      for (const { id, email, accountId } of orders) {
        const [address, subject] = [email.trim(), `order:${id}`];
        if (isMailable(address))
          queue({ kind: 'ended', subject, address, orderId: id, accountId, details: {}, state, at });
      }
      return orders.at(-1)?.id ?? null;
    },
  };
}

/** The conditions that a filter names: each combination is a statement of its own, so that each finds its index. */
function describeFilter(
  { state, email, since, attention, now }: OrderFilter,
  place: Condition | null = null,
) {
  const conditions: readonly (Condition | null)[] = [
    place,
    state === null ? null : describeState(state, now),
    email === null ? null : ['email_key = ?', foldEmail(email)],
    since === null ? null : ['at >= ?', since],
    attention ? ['attention IS NOT NULL'] : null,
  ];
  const named = conditions.filter((condition) => condition !== null);
  return {
    where: named.length === 0 ? '' : `WHERE ${named.map(([sql]) => sql).join(' AND ')}`,
    values: named.flatMap(([, ...values]) => values),
  };
}

/** `stateAt` in SQL. */
function describeState(state: OrderState, now: number): Condition {
  if (state === 'paid') return [`state = 'paid' AND (until IS NULL OR until > ?)`, now];
  if (state === 'ended') return [`(state = 'ended' OR state = 'paid' AND until <= ?)`, now];
  return ['state = ?', state];
}

const toOrder = (row: OrderRow | null): Order | null => row && readOrder(row);

/** The order of a row. */
function readOrder(row: OrderRow): Order {
  return {
    ...row,
    isSubscription: row.isSubscription === 1,
    items: JSON.parse(row.items) as readonly OfferedItem[],
    products: JSON.parse(row.products) as readonly string[],
  };
}
