import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR } from '../../duration.ts';
import type { Log } from '../../log.ts';
import { messageOf } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';

/** The most events or orders that one write looks after, and the pause between writes, in milliseconds. */
const BATCH = 50;
const PAUSE = 20;

type Dependencies = {
  readonly store: Store;
  /** How long bodies are kept, in milliseconds. */
  readonly keep: number;
  readonly log: Log;
  readonly now: () => number;
};

/** Retries failed events, tells buyers of orders that ran out, and drops old bodies, hourly and when `run` is called. A stall without sales only reads. */
export function startEventUpkeep({ store, keep, log, now }: Dependencies) {
  const closed = new AbortController();

  const retry = async (): Promise<void> => {
    let after = 0;
    let mended = 0;
    while (store.hasFailedEvents(after) && !closed.signal.aborted) {
      const tried = await store.write('retrySaleEvents', { after, atMost: BATCH, at: now() });
      if (tried.last === null) break;
      after = tried.last;
      mended += tried.mended;
      await sleep(PAUSE);
    }
    if (mended > 0) log({ event: 'sale-retry', message: `Folded ${mended} events that had failed` });
  };
  const blank = async (): Promise<void> => {
    const before = now() - keep;
    while (store.hasBodiesBefore(before) && !closed.signal.aborted) {
      await store.write('blankSaleEvents', { before, atMost: BATCH });
      await sleep(PAUSE);
    }
  };
  const tell = async (): Promise<void> => {
    const at = now();
    let after: number | null = store.hasEndedOrders(at) ? 0 : null;
    while (after !== null && !closed.signal.aborted) {
      after = await store.write('tellEndedOrders', { at, after, atMost: BATCH });
      await sleep(PAUSE);
    }
  };
  const run = async (): Promise<void> => {
    try {
      await retry();
      await tell();
      await blank();
    } catch (error) {
      log({ event: 'sale-upkeep', message: `Cannot look after the events of sales: ${messageOf(error)}` });
    }
  };

  const timer = setInterval(() => void run(), HOUR);
  timer.unref();
  let last = Promise.resolve();
  return {
    /** Does the same now, once the run before it has ended. */
    run: (): Promise<void> => (last = last.then(run)),
    close(): void {
      clearInterval(timer);
      closed.abort();
    },
  };
}
