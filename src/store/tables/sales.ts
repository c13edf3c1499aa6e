import type { Database } from 'bun:sqlite';
import type { ProviderFact } from '../../sales/fact.ts';
import type { Offer, OfferedItem } from '../../sales/offer.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { type FoldMoment, type OrderAct, orderErasures, orderFolds, orderRows } from './order-folds.ts';
import {
  hideId,
  type SaleArrival,
  saleArrivals,
  type SaleArrived,
  saleEventInserts,
  saleFactInserts,
  type StoredBody,
} from './sale-events.ts';
import { saleOffers, type SaleSettings } from './sale-offers.ts';

/** An order entered by hand or from a CSV file. One whose `eventId` or keys are known changes nothing. */
export type HandOrder = {
  readonly provider: string;
  readonly origin: 'owner' | 'csv';
  readonly eventId: string;
  readonly at: number;
  /** Its buyer and payments. */
  readonly facts: readonly ProviderFact[];
  /** The items it opens, as a grant of the owner; null if the products of the facts name them. */
  readonly items: readonly OfferedItem[] | null;
  readonly bundle: string | null;
  /** Whether all of it was given back since. */
  readonly isGivenBack: boolean;
};

/** A step over rows: those after an id, at most so many. */
type Step = { readonly after: number; readonly atMost: number } & FoldMoment & Audited;

/** A step's end: the last id, or null if there was no row left, and how many rows came out well. */
export type Stepped = { readonly last: number | null; readonly done: number };

export function saleWrites(db: Database) {
  const [folds, log, events] = [orderFolds(db), auditInserts(db), saleEventInserts(db)];
  const [arrivals, facts, rows] = [saleArrivals(db, folds), saleFactInserts(db), orderRows(db)];
  const [offers, erasures] = [saleOffers(db), orderErasures(db)];
  const orderOfKey = db.prepare<{ id: number }, [string, string, string]>(
    'SELECT orders.id FROM orders JOIN sale_keys USING (chain) WHERE sale_keys.provider = ? AND key IN (?, ?)',
  );
  const unsettled = db.prepare<{ id: number }, []>(
    `SELECT id FROM orders WHERE state IN ('unmatched', 'held') OR attention IS NOT NULL ORDER BY id`,
  );
  const hidden = db.prepare<{ chain: number; provider: string }, []>(
    `SELECT DISTINCT sale_facts.chain, provider FROM sale_events JOIN sale_facts ON event = sale_events.id
     WHERE state = 'ignored' AND sale_facts.chain NOT IN (SELECT chain FROM orders)`,
  );
  const sweep = db.prepare(
    `UPDATE sale_events SET body = NULL WHERE id IN
       (SELECT id FROM sale_events WHERE body IS NOT NULL AND received_at < ? ORDER BY received_at LIMIT ?)`,
  );

  // Test events stay ignored, and waiting ones wait.
  const kept = db.prepare<StoredBody, [number, number]>(
    `SELECT id, provider, body FROM sale_events WHERE body IS NOT NULL AND mode = 'live' AND state <> 'waiting' AND id > ?
     ORDER BY id LIMIT ?`,
  );
  const everyOrder = db.prepare<{ id: number }, [number, number]>(
    'SELECT id FROM orders WHERE id > ? ORDER BY id LIMIT ?',
  );
  const noteComparison = db.prepare(
    'INSERT INTO sale_comparisons (provider, at) VALUES (?, ?) ON CONFLICT (provider) DO UPDATE SET at = excluded.at',
  );
  const addHandOrder = (order: HandOrder, moment: FoldMoment): number => {
    const { provider, origin, eventId, at, items, bundle, isGivenBack } = order;
    const known = order.facts
      .flatMap(({ keys }) => keys)
      .map((key) => orderOfKey.get(provider, key, hideId(key)))
      .find((row) => row !== null);
    if (known !== undefined || events.find(provider, 'live', eventId) !== null) return known?.id ?? 0;
    const body = new Uint8Array();
    const receivedAt = moment.at;
    const type = 'order';
    const id = events.add({ provider, mode: 'live', eventId, origin, type, at, receivedAt, body });
    events.blank(id);
    const [chain = 0] = facts.add({ id, provider, at }, order.facts, folds.merge);
    if (items !== null) facts.addAct(id, chain, at, { kind: 'grant', items, bundle });
    // Dated after the grant, which would otherwise win.
    if (isGivenBack) facts.addAct(id, chain, at + 1, { kind: 'give-back' });
    return folds.fold(chain, provider, moment) ?? 0;
  };

  return {
    /** Stores an event once with its facts, folds their orders, sets grants, queues mail. Webhooks and reconciliation call it. */
    addSaleEvent(arrival: SaleArrival): SaleArrived {
      return arrivals.add(arrival);
    },
    /** Tries failed events after an id again, at most so many; the last id tried, or null. The start, the hour and `orders replay --failed` call it. */
    retrySaleEvents({
      after,
      atMost,
      audit,
      ...moment
    }: { readonly after: number; readonly atMost: number } & FoldMoment & Audited) {
      log(audit);
      const failed = events.listFailed(after, atMost);
      const states = failed.map((event) => arrivals.repeat(event, moment).state);
      return { last: failed.at(-1)?.id ?? null, mended: states.filter((state) => state !== 'failed').length };
    },
    /** Postpones a waiting event. */
    delaySaleEvent({ id, nextAt, reason }: { id: number; nextAt: number; reason: string }): void {
      events.delay(id, nextAt, reason);
    },
    /** Ends the wait of an event: its provider answered, or never will. The facts in the event itself are folded. */
    endSaleEvent({ id, reason, ...moment }: { id: number; reason: string | null } & FoldMoment): void {
      const event = events.findBody(id);
      if (event === null) return;
      if (reason === null) {
        arrivals.repeat(event, moment);
        return;
      }
      events.setState(id, 'ignored', reason);
      // No order holds this event, so erasing an order would not find the buyer in it.
      events.blank(id);
    },
    /** Reads the kept bodies of an order's events again, and folds it; false if there is none. `orders replay` calls it. */
    replayOrder({ orderId, audit, ...moment }: { readonly orderId: number } & FoldMoment & Audited): boolean {
      const order = rows.byId(orderId);
      if (order === null) return false;
      log(audit);
      for (const { id, provider, body } of events.listOfChain(order.chain))
        if (body !== null) arrivals.repeat({ id, provider, body }, moment);
      folds.fold(order.chain, order.provider, moment);
      return true;
    },
    /** Adds an act of the owner or the buyer to an order; false if there is none. The office, `orders` and claims call it. */
    actOnOrder({ audit, ...act }: OrderAct & Audited): boolean {
      if (!folds.act(act)) return false;
      log(audit);
      return true;
    },
    /** Makes orders by hand or from a table, all or none; their numbers, also of those that were there before, which stay as they are. `batches` are JSON arrays of `HandOrder`. */
    addHandOrders({
      batches,
      audit,
      ...moment
    }: { readonly batches: readonly string[] } & FoldMoment & Audited): readonly number[] {
      log(audit);
      const orders = batches.flatMap((batch) => JSON.parse(batch) as readonly HandOrder[]);
      return orders.map((order) => addHandOrder(order, moment));
    },
    /**
     * Stores the offers and the settings of folding; gives the orders that waited for them. Each publish calls it, then
     * `refoldOrders`.
     */
    setOffers({
      offers: list,
      settings,
      ...moment
    }: {
      readonly offers: readonly Offer[];
      readonly settings: SaleSettings;
    } & FoldMoment): readonly number[] {
      if (offers.replace(list, settings))
        for (const { chain, provider } of hidden.all()) folds.fold(chain, provider, moment);
      return unsettled.all().map(({ id }) => id);
    },
    /** Folds orders again; a few at a time, so that other writes have their turn. */
    refoldOrders({ orderIds, ...moment }: { readonly orderIds: readonly number[] } & FoldMoment): void {
      folds.refold(orderIds, moment);
    },
    /** Takes the person out of an order; false if there is none. `orders erase` calls it. */
    eraseOrder({ orderId, at, audit }: { readonly orderId: number; readonly at: number } & Audited): boolean {
      db.run('PRAGMA secure_delete = ON');
      try {
        if (!erasures.erase(orderId, at)) return false;
        log(audit);
        return true;
      } finally {
        db.run('PRAGMA secure_delete = FAST');
      }
    },
    /** Deletes the bodies of events received before a time, at most so many; how many. The daily sweep calls it. */
    blankSaleEvents({ before, atMost }: { readonly before: number; readonly atMost: number }): number {
      return sweep.run(before, atMost).changes;
    },
    /** Reads kept events again, also those whose type said nothing before. `orders replay --all` calls it until none is left. */
    replaySaleEvents({ after, atMost, audit, ...moment }: Step): Stepped {
      log(audit);
      const found = kept.all(after, atMost);
      const done = found.filter((event) => arrivals.repeat(event, moment).state !== 'failed');
      return { last: found.at(-1)?.id ?? null, done: done.length };
    },
    /** Folds all orders again, as the facts that outlived their events' bodies say. */
    refoldAllOrders({ after, atMost, audit, ...moment }: Step): Stepped {
      log(audit);
      const ids = everyOrder.all(after, atMost).map(({ id }) => id);
      folds.refold(ids, moment);
      return { last: ids.at(-1) ?? null, done: ids.length };
    },
    /** Notes when a comparison began that came to its end. Reconciliation calls it. */
    noteComparison({ provider, at }: { readonly provider: string; readonly at: number }): void {
      noteComparison.run(provider, at);
    },
  };
}
