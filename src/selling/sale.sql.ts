import { sql, type Statements } from '../platform/store/statements.ts';
import { hideId, type OwnerFact, type ProviderFact } from './fact.rule.ts';
import type { FoldMoment } from './settlement.rule.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import {
  actOnOrder,
  eraseOrders,
  foldChain,
  mergeChains,
  type OrderAct,
  refoldOrders,
} from './order-fold.sql.ts';
import {
  type EventState,
  type NewSaleEvent,
  saleEventInserts,
  saleFactInserts,
  type StoredBody,
  unpackBody,
  type WaitingEvent,
} from './sale-event.sql.ts';
import { DAY } from '../platform/base/duration.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { questionOf, type Reading, readEvent } from './providers/provider.ts';
import { isSqliteError } from '../platform/store/copy.ts';
import { DEMO, PAYMENT_PROVIDERS, type PaymentProvider } from '../words/payment-provider.ts';
import { removeSaleGrants } from './order-grant.sql.ts';
import { type Mapping, saleOffers } from './sale-offer.sql.ts';

/**
 * An order that the owner typed in or imported from a CSV file. Adding it changes nothing if its `eventId` is stored, or
 * an order has a key in its facts.
 */
export type HandOrder = {
  readonly provider: string;
  readonly origin: 'owner' | 'csv';
  readonly eventId: string;
  readonly at: number;
  readonly facts: readonly ProviderFact[];
  readonly acts: readonly OwnerFact[];
};

/**
 * A webhook request that was verified, an answer of a payment provider's API, or a sale in the demo. The write that
 * stores it parses the body, so that an unreadable body is stored too.
 */
type SaleArrival = FoldMoment &
  Pick<NewSaleEvent, 'provider' | 'mode'> & {
    readonly body: Uint8Array;
    readonly origin: 'webhook' | 'api';
    readonly eventId: string | null;
    /** Whether the provider's API can be asked. If so, an event that lacks details is `waiting` until the API answers. */
    readonly canAsk?: boolean;
  };

/** The result of adding a provider's event. `isNew` is false if the event is stored already and is not read again. */
type SaleArrived = {
  readonly isNew: boolean;
  readonly state: EventState;
  readonly reason: string | null;
  readonly orderIds: readonly number[];
};

/** How long the buyer's mail waits if an answer of the provider's API may add to the order, in milliseconds. */
const PATIENCE = 15_000;

/** The result of reading a test event. No money moved, so the event is ignored. */
const TEST: Reading = { event: null, state: 'ignored', reason: 'test' };

function saleArrivals(db: Statements) {
  const [events, facts] = [saleEventInserts(db), saleFactInserts(db)];

  /**
   * Parses an event and computes its orders inside a savepoint. If that throws, rolls back and stores the event as
   * `failed`. A disk error fails the whole write instead.
   */
  const tryToFold = (id: number, provider: string, read: () => Reading, moment: FoldMoment): SaleArrived => {
    db.run`SAVEPOINT folding`;
    try {
      const { event, state, reason } = read();
      const chains = facts.add({ id, provider, at: event?.at ?? 0 }, event?.facts ?? [], mergeChains);
      const orderIds = chains.flatMap((chain) => foldChain(db, chain, moment) ?? []);
      db.run`RELEASE folding`;
      events.setState(id, state, reason);
      return { isNew: true, state, reason, orderIds };
    } catch (error) {
      if (!db.isInTransaction() || isOfDisk(error)) throw error;
      db.run`ROLLBACK TO folding`;
      db.run`RELEASE folding`;
      const reason = messageOf(error);
      events.setState(id, 'failed', reason);
      return { isNew: true, state: 'failed', reason, orderIds: [] };
    }
  };

  return {
    add({ provider, mode, origin, body, eventId, canAsk = false, ...moment }: SaleArrival): SaleArrived {
      const reading = readEvent(provider, body);
      const { event } = reading;
      const isTest = mode === 'test' || event?.isTest === true;
      const name = event?.id ?? eventId ?? `body:${sha256(body)}`;
      const place = { provider, mode: isTest ? 'test' : 'live', eventId: name } as const;
      const before = events.find(place);
      const asks = !isTest && canAsk ? questionOf(provider, body) : null;
      // A later ping of Gumroad may equal the first, which is `ignored` once the API has answered, and still report a
      // change. So the API is asked again about ignored events.
      if (before !== null && before.state !== 'failed' && !(asks !== null && before.state === 'ignored'))
        return { isNew: false, state: before.state, reason: null, orderIds: [] };
      const [type, at, receivedAt] = [event?.type ?? 'unknown', event?.at ?? moment.at, moment.at];
      const id = before?.id ?? events.add({ ...place, origin, type, at, receivedAt, body });
      const fold = (delay = 0) =>
        tryToFold(id, provider, () => (isTest ? TEST : reading), { ...moment, delay });
      if (asks === null) return fold();
      const { orderIds } = asks === 'beside' ? fold(PATIENCE) : { orderIds: [] };
      events.wait(id, moment.at, body);
      return { isNew: true, state: 'waiting', reason: null, orderIds };
    },
    repeat({ id, provider, body }: StoredBody, moment: FoldMoment): SaleArrived {
      facts.removeOf(id);
      return tryToFold(id, provider, () => readEvent(provider, unpackBody(body)), moment);
    },
  };
}

const isOfDisk = (error: unknown): boolean =>
  isSqliteError(error) && !error.code.startsWith('SQLITE_CONSTRAINT');

type HandOrders = { readonly batches: readonly string[] } & FoldMoment & Audited;

type Step = { readonly after: number; readonly atMost: number } & FoldMoment & Audited;

export type Stepped = { readonly last: number | null; readonly done: number };

export function saleWrites(db: Statements) {
  const [events, arrivals] = [saleEventInserts(db), saleArrivals(db)];

  const repeat = (found: readonly StoredBody[], moment: FoldMoment): Stepped => {
    const done = found.filter((event) => arrivals.repeat(event, moment).state !== 'failed');
    return { last: found.at(-1)?.id ?? null, done: done.length };
  };
  const addHandOrder = (order: HandOrder, moment: FoldMoment): number => {
    const { provider, origin, eventId, at, acts } = order;
    const keys = order.facts.flatMap((fact) => fact.keys).flatMap((key) => [key, hideId(key)]);
    const known = db.value<number>`SELECT orders.id FROM orders JOIN sale_keys USING (chain)
      WHERE sale_keys.provider = ${provider} AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
    if (known !== null || events.find({ provider, mode: 'live', eventId }) !== null) return known ?? 0;
    const said = { type: 'order', at, receivedAt: moment.at, body: null };
    const id = events.add({ provider, mode: 'live', eventId, origin, ...said });
    const facts = saleFactInserts(db);
    const [chain = 0] = facts.add({ id, provider, at }, order.facts, mergeChains);
    // Dates the acts a millisecond apart, so that a later act overrides an earlier one.
    for (const [n, act] of acts.entries()) facts.addAct(id, chain, at + n, act);
    return foldChain(db, chain, moment) ?? 0;
  };

  return {
    addSaleEvent: arrivals.add,
    retrySaleEvents({ after, atMost, audit, ...moment }: Step): Stepped {
      logAct(db, audit);
      return repeat(events.listFailed(after, atMost), moment);
    },
    delaySaleEvent: events.delay,
    /**
     * Ends an event's wait for the provider's API. If `reason` is null, the event is read as it was sent; else it is
     * ignored for this reason.
     */
    endSaleEvent({ id, reason, ...moment }: { id: number; reason: string | null } & FoldMoment): void {
      const event = events.findBody(id);
      if (event === null) return;
      if (reason === null) return void arrivals.repeat(event, moment);
      events.setState(id, 'ignored', reason);
      // The event belongs to no order with which it could be erased, so its body, which may name the buyer, is deleted.
      events.blank(id);
    },
    replayOrder({ orderId, audit, ...moment }: { readonly orderId: number } & FoldMoment & Audited): boolean {
      const chain = db.value<number>`SELECT chain FROM orders WHERE id = ${orderId}`;
      if (chain === null) return false;
      logAct(db, audit);
      for (const { id, provider, state, body } of events.listOfChain(chain))
        if (body !== null && state !== 'waiting') arrivals.repeat({ id, provider, body }, moment);
      foldChain(db, chain, moment);
      return true;
    },
    actOnOrder({ audit, ...act }: OrderAct & Audited): boolean {
      if (!actOnOrder(db, act)) return false;
      logAct(db, audit);
      return true;
    },
    /**
     * Adds orders, all or none, and returns their ids. A known order stays as it is; its id, or 0 for a known event
     * without an order, is returned too. `batches` are JSON arrays of `HandOrder`.
     */
    addHandOrders({ batches, audit, ...moment }: HandOrders): readonly number[] {
      logAct(db, audit);
      const orders = batches.flatMap((batch) => JSON.parse(batch) as readonly HandOrder[]);
      return orders.map((order) => addHandOrder(order, moment));
    },
    /**
     * Stores what is for sale, and the settings for orders. After a change, computes again the purchases that made no
     * order because of `notOurs`. Returns the ids of the orders that a change may settle: those that are `unmatched`,
     * `held`, or ask for the owner's attention.
     */
    setOffers({ offers: list, settings, ...moment }: Mapping & FoldMoment): readonly number[] {
      const hidden = saleOffers(db).replace(list, settings)
        ? db.all<{
            chain: number;
          }>`SELECT DISTINCT sale_facts.chain FROM sale_events JOIN sale_facts ON event = sale_events.id
            WHERE state = 'ignored' AND sale_facts.chain NOT IN (SELECT chain FROM orders)`
        : [];
      for (const { chain } of hidden) foldChain(db, chain, moment);
      const unsettled = db.all<{ id: number }>`
        SELECT id FROM orders WHERE ${WITHOUT_ITEM} OR attention IS NOT NULL ORDER BY id`;
      return unsettled.map(({ id }) => id);
    },
    /** Computes orders again from their stored facts. Callers pass a few at a time, so that other writes have their turn. */
    refoldOrders({ orderIds, ...moment }: { readonly orderIds: readonly number[] } & FoldMoment): void {
      refoldOrders(db, orderIds, moment);
    },
    eraseOrder({ orderId, at, audit }: { readonly orderId: number; readonly at: number } & Audited): boolean {
      db.run`PRAGMA secure_delete = ON`;
      try {
        if (eraseOrders(db, [orderId], at) === 0) return false;
        logAct(db, audit);
        return true;
      } finally {
        db.run`PRAGMA secure_delete = FAST`;
      }
    },
    /** Deletes the bodies of the oldest events received before the time `before`, at most `atMost`; returns how many. */
    blankSaleEvents: ({ before, atMost }: { readonly before: number; readonly atMost: number }): number =>
      db.run`UPDATE sale_events SET body = NULL WHERE id IN (SELECT id FROM sale_events
        WHERE body IS NOT NULL AND received_at < ${before} ORDER BY received_at LIMIT ${atMost})`.changes,
    /**
     * Parses the next stored events again, also of types that were ignored before, but no test events, and none that wait
     * for an answer.
     */
    replaySaleEvents({ after, atMost, audit, ...moment }: Step): Stepped {
      logAct(db, audit);
      const found = db.all<StoredBody>`SELECT id, provider, body FROM sale_events WHERE body IS NOT NULL
        AND mode = 'live' AND state <> 'waiting' AND id > ${after} ORDER BY id LIMIT ${atMost}`;
      return repeat(found, moment);
    },
    /** Computes the next orders again from their stored facts, which are kept when the bodies of old events are deleted. */
    refoldAllOrders({ after, atMost, audit, ...moment }: Step): Stepped {
      logAct(db, audit);
      const orders = db.all<{ id: number }>`
        SELECT id FROM orders WHERE id > ${after} ORDER BY id LIMIT ${atMost}`;
      const ids = orders.map(({ id }) => id);
      refoldOrders(db, ids, moment);
      return { last: ids.at(-1) ?? null, done: ids.length };
    },
    /** Deletes the orders of the demo's checkout with their grants, codes, links and mails. A start without --demo calls it. */
    endDemoSales(): void {
      for (const { id } of db.all<{ id: number }>`SELECT id FROM orders WHERE provider = ${DEMO}`) {
        removeSaleGrants(db, id);
        db.run`DELETE FROM grants WHERE source IN (SELECT 'code:' || id FROM codes WHERE order_id = ${id})
          AND source GLOB '*:*'`;
        for (const table of [sql`links`, sql`codes`, sql`outbox`])
          db.run`DELETE FROM ${table} WHERE order_id = ${id}`;
      }
      for (const table of [sql`orders`, sql`sale_events`, sql`sale_keys`])
        db.run`DELETE FROM ${table} WHERE provider = ${DEMO}`;
    },
    noteComparison({ provider, at }: { readonly provider: string; readonly at: number }): void {
      db.run`INSERT INTO sale_comparisons (provider, at) VALUES (${provider}, ${at})
        ON CONFLICT (provider) DO UPDATE SET at = excluded.at`;
    },
  };
}

/** The income in one currency from one item or bundle, or from several items of one order. Amounts are in minor units. */
export type SaleSum = {
  /**
   * The slug of the bundle or item, or slugs as in `a + b`; the product ids as JSON if no item is known. Empty if all
   * sales are added together.
   */
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
  readonly gross: number;
  readonly givenBack: number;
};

/** Selects orders whose payment opens nothing: no item is known, or the owner must consent. */
const WITHOUT_ITEM = sql`state IN ('unmatched', 'held')`;

/** The stored payments, and one for each paid order of the demo's checkout, whose payments are not stored. */
const PAYMENTS = sql`(SELECT order_id, at, amount, refunded, refunded_at, currency FROM order_payments
  UNION ALL SELECT id, paid_at, amount, refunded, CASE WHEN refunded > 0 THEN paid_at END, currency
  FROM orders WHERE provider = ${DEMO} AND paid_at IS NOT NULL) AS order_payments`;

const NAME = sql`(SELECT coalesce(bundle, (SELECT group_concat(slug, ' + ' ORDER BY slug) FROM order_items
  WHERE order_items.order_id = orders.id), products) FROM orders WHERE orders.id = order_payments.order_id)`;

export function saleReads(db: Statements) {
  return {
    findLastEvent: (provider: PaymentProvider, isFailed: boolean): LastEvent | null =>
      db.one<LastEvent>`SELECT received_at AS at, mode, type, reason FROM sale_events
        WHERE provider = ${provider} AND ${isFailed ? sql`state = 'failed'` : sql`origin = 'webhook'`}
        ORDER BY received_at DESC LIMIT 1`,
    listSoldProviders(): readonly string[] {
      const sold = db.all<{
        provider: string;
      }>`SELECT DISTINCT provider FROM sale_offers WHERE provider <> ''`;
      return sold.map(({ provider }) => provider);
    },
    findSaleMapping: saleOffers(db).read,
    hasUnsettledOrders: (): boolean =>
      db.has`SELECT 1 WHERE EXISTS (SELECT 1 FROM orders WHERE ${WITHOUT_ITEM})
        OR EXISTS (SELECT 1 FROM orders WHERE attention IS NOT NULL)`,
    hasFailedEvents: (after: number): boolean =>
      db.has`SELECT 1 FROM sale_events WHERE state = 'failed' AND body IS NOT NULL AND id > ${after} LIMIT 1`,
    hasBodiesBefore: (before: number): boolean =>
      db.has`SELECT 1 FROM sale_events WHERE body IS NOT NULL AND received_at < ${before} LIMIT 1`,
    findNewestEvent: (provider: string) =>
      db.value<number>`SELECT received_at FROM sale_events
        WHERE provider = ${provider} AND origin IN ('webhook', 'api') ORDER BY received_at DESC LIMIT 1`,
    hasSaleEvent: (provider: string, eventId: string): boolean =>
      db.has`SELECT 1 FROM sale_events
        WHERE provider = ${provider} AND event_id IN (${eventId}, ${hideId(eventId)}) AND state <> 'failed'`,
    listWaitingEvents(at: number, most: number): readonly WaitingEvent[] {
      const events = db.all<WaitingEvent>`SELECT id, provider, body, tries, received_at AS receivedAt FROM sale_events
        WHERE state = 'waiting' AND next_at <= ${at} AND body IS NOT NULL ORDER BY next_at, id LIMIT ${most}`;
      return events.map((event) => ({ ...event, body: unpackBody(event.body) }));
    },
    findComparison: (provider: string): number | null =>
      db.value<number>`SELECT at FROM sale_comparisons WHERE provider = ${provider}`,
    /**
     * Sums payments and refunds from the time `from` until before `until`, by currency and, if `isByItem`, by item. A
     * payment counts when it was first paid, all its refunds when the first was made. Leaves out payments in another
     * currency than the first of their order, and test sales. The demo's sales count, with refunds at the time of
     * payment.
     */
    sumSales(from: number, until: number, isByItem: boolean): readonly SaleSum[] {
      const name = isByItem ? NAME : sql`''`;
      return db.all<SaleSum>`
        SELECT name, currency, sum(payments) AS payments, sum(gross) AS gross, sum(givenBack) AS givenBack FROM (
          SELECT ${name} AS name, currency, count(*) AS payments, sum(amount) AS gross, 0 AS givenBack
          FROM ${PAYMENTS} WHERE at >= ${from} AND at < ${until} GROUP BY name, currency
          UNION ALL
          SELECT ${name} AS name, currency, 0, 0, sum(refunded)
          FROM ${PAYMENTS} WHERE refunded_at >= ${from} AND refunded_at < ${until} GROUP BY name, currency)
        GROUP BY name, currency ORDER BY name, currency`;
    },
    hasProviderSales: (): boolean =>
      db.has`SELECT 1 FROM sale_events CROSS JOIN sale_facts ON event = sale_events.id
        CROSS JOIN orders USING (chain) CROSS JOIN order_payments ON order_id = orders.id
        WHERE origin IN ('webhook', 'api') ORDER BY sale_events.id DESC LIMIT 1`,
    /**
     * Lists the addresses of accounts that the demo made: unverified, younger than an order of the demo's checkout that
     * they claimed or redeemed a code of, and without an order from elsewhere.
     */
    listDemoAccounts: (): readonly string[] =>
      db.all<{ email: string }>`SELECT email FROM accounts WHERE verified_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM orders WHERE account_id = accounts.id AND provider <> ${DEMO})
          AND EXISTS (SELECT 1 FROM orders LEFT JOIN codes ON codes.order_id = orders.id
            LEFT JOIN code_uses ON code_id = codes.id
            WHERE provider = ${DEMO} AND orders.at <= accounts.created_at
              AND accounts.id IN (orders.account_id, code_uses.account_id))`.map(({ email }) => email),
    hasDemoSales: (): boolean => db.has`SELECT 1 FROM sale_events WHERE provider = ${DEMO} LIMIT 1`,
    findSaleTroubles: (at: number): SaleTroubles => saleTroubles(db, at),
  };
}

export const TROUBLES_TIME = 7 * DAY;

type LastEvent = {
  readonly at: number;
  readonly mode: 'live' | 'test';
  readonly type: string;
  readonly reason: string | null;
};

/** The problems of sales, for the owner. Times are milliseconds since 1970 UTC. */
export type SaleTroubles = {
  /** Providers whose API reported a live event within `TROUBLES_TIME` before now, while no webhook of theirs did. */
  readonly silent: readonly PaymentProvider[];
  readonly failed: number;
  /** When the oldest event arrived that still waits for data from its provider's API; null if none waits. */
  readonly waitingSince: number | null;
  readonly unmatched: number;
};

export function saleTroubles(db: Statements, at: number): SaleTroubles {
  const hasHeard = (provider: string, origin: string): boolean =>
    db.has`SELECT 1 FROM sale_events
      WHERE provider = ${provider} AND origin = ${origin} AND received_at >= ${at - TROUBLES_TIME} AND mode = 'live' LIMIT 1`;
  const isSilent = (provider: string) => hasHeard(provider, 'api') && !hasHeard(provider, 'webhook');
  const counts = db.one<Omit<SaleTroubles, 'silent'>>`SELECT
      count(*) FILTER (WHERE state = 'failed') AS failed,
      min(received_at) FILTER (WHERE state = 'waiting') AS waitingSince,
      (SELECT count(*) FROM orders WHERE state = 'unmatched') AS unmatched
    FROM sale_events WHERE state IN ('failed', 'waiting')`!;
  return { silent: PAYMENT_PROVIDERS.filter(isSilent), ...counts };
}
