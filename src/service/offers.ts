import { type Catalog, listOffers } from '../catalog/catalog.ts';
import type { Offer } from '../sales/goods.ts';
import type { SaleSettings } from '../store/tables/sales.ts';
import { startChore } from './chore.ts';
import type { Stall } from './stall.ts';

/** The most orders that one write folds, so that deliveries are served between writes. */
const BATCH = 20;

/**
 * Keeps the product ids of the catalog in the database, where the writer and commands find them, and folds the orders
 * again that waited for their item: call `run` after a publish. A stall that sells nothing writes nothing.
 */
export function startOffers({ config: { sales, mail }, catalog, store, log, now }: Stall) {
  const settings: SaleSettings = {
    grace: sales.grace,
    mail: mail === null ? 'manual' : 'queued',
    tellsSales: mail?.tellsSales ?? false,
  };
  const sync = async (): Promise<void> => {
    const offers = offersOf(catalog());
    const known = store.findSaleMapping();
    const isSame = JSON.stringify([settings, offers]) === JSON.stringify([known.settings, known.offers]);
    if (isSame && !store.hasUnsettledOrders()) return;
    const orderIds = await store.write.setOffers({ offers, settings, at: now() });
    for (let n = 0; n < orderIds.length; n += BATCH)
      await store.write.refoldOrders({ orderIds: orderIds.slice(n, n + BATCH), at: now() });
  };
  return startChore(null, sync, (reason) =>
    log({
      event: 'sales-mapping',
      message: `Cannot store what is for sale: ${reason}; the next publish tries again`,
    }),
  );
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
