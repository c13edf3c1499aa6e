import type { Database } from 'bun:sqlite';
import { DAY } from '../../duration.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider } from '../../payment-provider.ts';
import type { Offer } from '../../sales/offer.ts';
import { hideId, unpackBody, type WaitingEvent } from './sale-events.ts';
import { saleOffers } from './sale-offers.ts';

/**
 * The income of one item or bundle, or of several items bought at once, in a stretch of time; amounts are in minor
 * units.
 */
export type SaleSum = {
  /** The slug of a bundle or item; of several items, all of them with " + " between. */
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
  readonly gross: number;
  readonly givenBack: number;
};

const NAME = `coalesce(bundle, (SELECT group_concat(slug, ' + ' ORDER BY slug) FROM order_items
  WHERE order_items.order_id = orders.id), products)`;

export function saleReads(db: Database) {
  const offers = db.prepare<{ offer: string }, []>(
    'SELECT offer FROM sale_offers ORDER BY provider, product',
  );
  const providers = db.prepare<{ provider: string }, []>(
    `SELECT DISTINCT provider FROM sale_offers WHERE provider <> ''`,
  );
  const mapping = saleOffers(db);
  const unsettled = db.prepare(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM orders WHERE state IN ('unmatched', 'held'))
       OR EXISTS (SELECT 1 FROM orders WHERE attention IS NOT NULL)`,
  );
  const failed = db.prepare(
    `SELECT 1 FROM sale_events WHERE state = 'failed' AND body IS NOT NULL AND id > ? LIMIT 1`,
  );
  const bodies = db.prepare('SELECT 1 FROM sale_events WHERE body IS NOT NULL AND received_at < ? LIMIT 1');
  const newest = db.prepare<{ receivedAt: number }, [string]>(
    `SELECT received_at AS receivedAt FROM sale_events WHERE provider = ? AND origin IN ('webhook', 'api')
     ORDER BY received_at DESC LIMIT 1`,
  );
  const known = db.prepare(
    "SELECT 1 FROM sale_events WHERE provider = ? AND event_id IN (?, ?) AND state <> 'failed'",
  );
  const waiting = db.prepare<WaitingEvent, [number, number]>(
    `SELECT id, provider, body, tries, received_at AS receivedAt FROM sale_events
     WHERE state = 'waiting' AND next_at <= ? AND body IS NOT NULL ORDER BY next_at, id LIMIT ?`,
  );
  const comparison = db.prepare<{ at: number }, [string]>(
    'SELECT at FROM sale_comparisons WHERE provider = ?',
  );
  const sums = db.prepare<SaleSum, [number, number]>(
    `SELECT name, currency, sum(payments) AS payments, sum(gross) AS gross, sum(givenBack) AS givenBack FROM (
       SELECT ${NAME} AS name, order_payments.currency, 1 AS payments, order_payments.amount AS gross, 0 AS givenBack
       FROM order_payments JOIN orders ON orders.id = order_id
       WHERE order_payments.at >= ?1 AND order_payments.at < ?2
       UNION ALL
       SELECT ${NAME}, order_payments.currency, 0, 0, order_payments.refunded
       FROM order_payments JOIN orders ON orders.id = order_id
       WHERE order_payments.refunded_at >= ?1 AND order_payments.refunded_at < ?2)
     GROUP BY name, currency ORDER BY name, currency`,
  );
  const findTroubles = saleTroubles(db);
  return {
    /** The providers whose ids the last publish read. */
    async listSoldProviders(): Promise<readonly string[]> {
      return providers.all().map(({ provider }) => provider);
    },
    /** What is for sale, and how orders are folded, as the last publish stored it. */
    findSaleMapping: () => ({
      settings: mapping.settings(),
      offers: offers.all().map(({ offer }) => JSON.parse(offer) as Offer),
    }),
    /** Whether an order waits for an item, or for the owner. */
    hasUnsettledOrders: (): boolean => unsettled.get() !== null,
    /** Whether an event after an id could not be folded. */
    hasFailedEvents: (after: number): boolean => failed.get(after) !== null,
    hasBodiesBefore: (before: number): boolean => bodies.get(before) !== null,
    /** When a provider's newest event arrived, or null; acts on its orders are none. */
    async findNewestEvent(provider: string): Promise<number | null> {
      return newest.get(provider)?.receivedAt ?? null;
    },
    /** Whether an event of this id arrived before. Reconciliation calls it. */
    hasSaleEvent: (provider: string, eventId: string): boolean =>
      known.get(provider, eventId, hideId(eventId)) !== null,
    /** Waiting events that are due to be asked about, at most so many. */
    async listWaitingEvents(at: number, most: number): Promise<readonly WaitingEvent[]> {
      return waiting.all(at, most).map((event) => ({ ...event, body: unpackBody(event.body) }));
    },
    /** When the newest comparison with a provider began that came to its end; null if there was none. */
    async findComparison(provider: string): Promise<number | null> {
      return comparison.get(provider)?.at ?? null;
    },
    /** What was paid, and what was given back, from a time until another; each counts at its own time. */
    async sumSales(from: number, until: number): Promise<readonly SaleSum[]> {
      return sums.all(from, until);
    },
    /** What is wrong with sales, for the page of the stall's health. */
    findSaleTroubles: async (at: number): Promise<SaleTroubles> => findTroubles(at),
  };
}

/** How long a provider may be silent while its API tells of sales, and how long a failed mail is told of. */
const WEEK = 7 * DAY;

/** What is wrong with sales, for the owner. Times are milliseconds since 1970 UTC. */
export type SaleTroubles = {
  /** Providers whose API told of something in the last week, while none of their deliveries arrived. */
  readonly silent: readonly PaymentProvider[];
  /** Events that could not be folded. */
  readonly failed: number;
  /** Since when the oldest event waits for its provider's answer, or null. */
  readonly waitingSince: number | null;
  /** Paid orders of which nobody knows the item. */
  readonly unmatched: number;
  /** Mails of the last week that were given up. */
  readonly failedMails: number;
};

/** Looks for what is wrong with sales at a time. The office and `doctor` call it; closing the database ends its statements. */
export function saleTroubles(db: Database): (at: number) => SaleTroubles {
  const heard = db.query<{ yes: 1 }, [string, string, number]>(
    `SELECT 1 AS yes FROM sale_events WHERE provider = ? AND origin = ? AND received_at >= ? AND mode = 'live' LIMIT 1`,
  );
  const isSilent = (provider: string, since: number): boolean =>
    heard.get(provider, 'api', since) !== null && heard.get(provider, 'webhook', since) === null;
  const events = db.query<{ failed: number; waitingSince: number | null }, []>(
    `SELECT count(*) FILTER (WHERE state = 'failed') AS failed,
       min(received_at) FILTER (WHERE state = 'waiting') AS waitingSince FROM sale_events WHERE state IN ('failed', 'waiting')`,
  );
  const orders = db.query<{ unmatched: number }, []>(
    "SELECT count(*) AS unmatched FROM orders WHERE state = 'unmatched'",
  );
  const mails = db.query<{ failedMails: number }, [number]>(
    "SELECT count(*) AS failedMails FROM outbox WHERE state = 'failed' AND created_at >= ?",
  );
  return (at) => ({
    silent: PAYMENT_PROVIDERS.filter((provider) => isSilent(provider, at - WEEK)),
    failed: events.get()?.failed ?? 0,
    waitingSince: events.get()?.waitingSince ?? null,
    unmatched: orders.get()?.unmatched ?? 0,
    failedMails: mails.get(at - WEEK)?.failedMails ?? 0,
  });
}
