import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';
import { type FoldMoment, orderFolds } from './order-folds.ts';
import { saleArrivals } from './sale-arrivals.ts';
import type { StoredBody } from './sale-events.ts';

/** A step over rows: those after an id, at most so many. */
type Step = { readonly after: number; readonly atMost: number } & FoldMoment & Audited;

/** A step's end: the last id, or null if there was no row left, and how many rows came out well. */
export type Stepped = { readonly last: number | null; readonly done: number };

export function saleReplayWrites(db: Database) {
  const folds = orderFolds(db);
  const [arrivals, log] = [saleArrivals(db, folds), auditInserts(db)];
  // Test events stay ignored, and waiting ones wait.
  const kept = db.prepare<StoredBody, [number, number]>(
    `SELECT id, provider, body FROM sale_events WHERE body IS NOT NULL AND mode = 'live' AND state <> 'waiting' AND id > ?
     ORDER BY id LIMIT ?`,
  );
  const orders = db.prepare<{ id: number }, [number, number]>(
    'SELECT id FROM orders WHERE id > ? ORDER BY id LIMIT ?',
  );
  return {
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
      const ids = orders.all(after, atMost).map(({ id }) => id);
      folds.refold(ids, moment);
      return { last: ids.at(-1) ?? null, done: ids.length };
    },
  };
}
