import type { Database } from 'bun:sqlite';
import { DAY } from '../../duration.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider } from '../../payment-provider.ts';

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

export function saleTroubleReads(db: Database) {
  const find = saleTroubles(db);
  return {
    /** What is wrong with sales, for the page of the stall's health. */
    findSaleTroubles: async (at: number): Promise<SaleTroubles> => find(at),
  };
}
