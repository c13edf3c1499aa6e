import type { Database } from 'bun:sqlite';
import type { Offer } from '../../sales/offer.ts';
import { hideId } from './sale-facts.ts';
import { saleOffers } from './sale-offers.ts';

/** An event as the office shows it, without its body. */
type ListedEvent = {
  readonly id: number;
  readonly provider: string;
  readonly mode: 'live' | 'test';
  readonly origin: string;
  readonly type: string;
  readonly at: number;
  readonly receivedAt: number;
  readonly state: 'folded' | 'ignored' | 'failed' | 'waiting';
  readonly reason: string | null;
};

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
  const list = db.prepare<ListedEvent, [number, number]>(
    `SELECT id, provider, mode, origin, type, at, received_at AS receivedAt, state, reason
     FROM sale_events WHERE id < ? ORDER BY id DESC LIMIT ?`,
  );
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
    /** Events older than the id `before`, the newest first. */
    async listSaleEvents(before: number, limit: number): Promise<readonly ListedEvent[]> {
      return list.all(before, limit);
    },
  };
}
