import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Publisher } from '../publish/publish.ts';
import { createDeliveries } from './deliveries.ts';
import { startEventUpkeep } from './event-upkeep.ts';
import { createOffersSync } from './offers-sync.ts';
import { createSetupLog } from './setup-log.ts';
import { startReconciling } from './reconcile.ts';
import { startWaitingEvents } from './waiting-events.ts';

type Dependencies = {
  readonly config: Pick<Config, 'sales' | 'mail'>;
  readonly publisher: Pick<Publisher, 'onSwap'> & { readonly catalog: () => Catalog };
  readonly store: Store;
  /** Sends the mails that an event queued. */
  readonly outbox: Outbox;
  readonly log: Log;
  readonly now: () => number;
};

/** The services of sales in a running stall: deliveries, product ids, and upkeep of events. */
export function createSaleServices({ config, publisher, store, outbox, log, now }: Dependencies) {
  const wakeOutbox = outbox.wake;
  const offers = createOffersSync({ config, catalog: publisher.catalog, store, log, now });
  publisher.onSwap(offers.start);
  publisher.onSwap(createSetupLog(config.sales, log));
  const upkeep = startEventUpkeep({ store, keep: config.sales.keepEvents, log, now });
  // Not before the server listens: a start that is refused closes the database at once.
  publisher.onSwap(once(() => void upkeep.run()));
  const reconciling = startReconciling({ config: config.sales, store, wakeOutbox, log, now });
  publisher.onSwap(once(() => void offers.settled().then(reconciling.start)));
  const waiting = startWaitingEvents({ config: config.sales, store, wakeOutbox, log, now });
  const askSoon = (): void => void waiting.run();
  return {
    openWebhook: createDeliveries({ config: config.sales, store, wakeOutbox, askSoon, log, now }),
    /** Asks about the events that wait for an answer. */
    askWaiting: waiting.run,
    /** Resolves when the product ids of the last publish are stored, and the orders that waited for them are folded. */
    salesSettled: offers.settled,
    async closeSales(): Promise<void> {
      upkeep.close();
      reconciling.close();
      await waiting.close();
      await offers.settled();
    },
  };
}

/** Acts on the first call alone. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
