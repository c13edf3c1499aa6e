import type { Actor } from '../../access/actor.ts';
import type { SalesConfig } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';
import type { Audited } from '../../store/tables/audit-log.ts';
import type { Stepped } from '../../store/tables/sale-replays.ts';
import { describeActs } from '../audit-entry.ts';
import { createWaitingQuestions } from './waiting-events.ts';

/** Rows that one write reads again, so that a running server's writes have their turn. */
const STEP = 50;

/** Waiting events that are asked about at once. */
const MOST_WAITING = 1000;

/** What came of asking about waiting events: those that were answered, and those that still wait. */
type AskedAgain = { readonly answered: number; readonly waiting: number };

/** The owner's use cases that read many events again. */
export function createReplays(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);
  /** Steps over all rows; how many came out well. The first step has the audit row. */
  const walk = async (
    subject: string | null,
    step: (
      at: { readonly after: number; readonly atMost: number; readonly at: number } & Audited,
    ) => Promise<Stepped>,
  ): Promise<number> => {
    let done = 0;
    let audit = subject === null ? undefined : describe('order.replay', subject);
    for (let after: number | null = 0; after !== null;) {
      const stepped: Stepped = await step({ after, atMost: STEP, at: now(), ...(audit && { audit }) });
      [done, after, audit] = [done + stepped.done, stepped.last, undefined];
    }
    return done;
  };
  return {
    /** Tries the events again that could not be folded; how many could. */
    failed: (): Promise<number> =>
      walk('failed events', async (step) => {
        const { last, mended } = await store.write('retrySaleEvents', step);
        return { last, done: mended };
      }),
    /** Reads every kept event again, and folds every order; how many of each. */
    async all(): Promise<{ readonly events: number; readonly orders: number }> {
      const events = await walk('all events', (step) => store.write('replaySaleEvents', step));
      const orders = await walk(null, (step) => store.write('refoldAllOrders', step));
      return { events, orders };
    },
    /** Asks the providers at once about the events that wait for their answer. */
    async waiting(config: Pick<SalesConfig, 'apis'>): Promise<AskedAgain> {
      const events = await store.listWaitingEvents(Number.MAX_SAFE_INTEGER, MOST_WAITING);
      const ask = createWaitingQuestions({ config, store, now });
      let answered = 0;
      for (const event of events) answered += (await ask(event)) ? 1 : 0;
      return { answered, waiting: events.length - answered };
    },
  };
}
