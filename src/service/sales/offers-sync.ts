import type { Catalog } from '../../catalog/catalog.ts';
import { listOffers } from '../../catalog/offers.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { messageOf } from '../../refusal.ts';
import type { Offer } from '../../sales/offer.ts';
import type { Store } from '../../store/store.ts';
import type { SaleSettings } from '../../store/tables/sale-offers.ts';

/** The most orders that one write folds, so that deliveries are served between writes. */
const BATCH = 20;

type Dependencies = {
  readonly config: Pick<Config, 'sales' | 'mail'>;
  readonly catalog: () => Catalog;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
};

/**
 * Keeps the product ids of the catalog in the database, where the writer and commands find them, and folds the orders
 * again that waited for their item. A stall that sells nothing writes nothing.
 */
export function createOffersSync({ config, catalog, store, log, now }: Dependencies) {
  const settings: SaleSettings = {
    grace: config.sales.grace,
    mail: config.mail === null ? 'manual' : 'queued',
    tellsSales: config.mail?.tellsSales ?? false,
  };
  let last: Promise<void> = Promise.resolve();

  const sync = async (): Promise<void> => {
    const offers = offersOf(catalog());
    const known = store.findSaleMapping();
    const isSame = JSON.stringify([settings, offers]) === JSON.stringify([known.settings, known.offers]);
    if (isSame && !store.hasUnsettledOrders()) return;
    const orderIds = await store.write('setOffers', { offers, settings, at: now() });
    for (let n = 0; n < orderIds.length; n += BATCH)
      await store.write('refoldOrders', { orderIds: orderIds.slice(n, n + BATCH), at: now() });
  };

  return {
    /** Starts an update after a publish. Updates run one after the other. */
    start(): void {
      last = last.then(sync).catch((error: unknown) => {
        log({
          event: 'sales-mapping',
          message: `Cannot store what is for sale: ${messageOf(error)}; the next publish tries again`,
        });
      });
    },
    /** Resolves when every update that was started has ended. */
    settled: (): Promise<void> => last,
  };
}

/** Sorts offers as the database does, and cuts them to the columns that it keeps. */
function offersOf(catalog: Catalog): readonly Offer[] {
  return listOffers(catalog)
    .map(({ provider, product, bundle, items, least }) => ({
      provider,
      product,
      bundle,
      items: items.map(({ kind, itemKey, slug }) => ({ kind, itemKey, slug })),
      least,
    }))
    .toSorted((a, b) => compare(a.provider, b.provider) || compare(a.product, b.product));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
