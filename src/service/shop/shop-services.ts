import type { Catalog } from '../../catalog/catalog.ts';
import type { Log } from '../../log.ts';
import type { SalesConfig } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';
import type { FindGrants, ListKeys } from '../access.ts';
import type { Publisher } from '../publish/publish.ts';
import { createAfterBuying } from './after-buying.ts';
import { findBundle, listBundles, searchBundles } from './bundles.ts';
import { createFetchedEditions } from './fetched-editions.ts';
import { createGrantedSince } from './granted-since.ts';
import { createHoldings } from './holdings.ts';
import { createItemNames } from './item-names.ts';
import { createItemNews } from './item-news.ts';
import { listItems } from './items.ts';
import { createPageViews } from './page-views.ts';
import { createPublishedItems } from './published-items.ts';
import { createStallNews } from './stall-news.ts';
import { findInWindow, type WindowQuery } from './window.ts';
import type { WindowIndexes } from './window-index.ts';
import { createWindowOrders } from './window-order.ts';

type Dependencies = {
  readonly sales: SalesConfig;
  readonly store: Store;
  readonly publisher: { readonly catalog: () => Catalog } & Pick<Publisher, 'stall'>;
  readonly windowIndexes: WindowIndexes;
  readonly findGrants: FindGrants;
  readonly keysOf: ListKeys;
  readonly log: Log;
  readonly now: () => number;
};

/** The window, items, bundles, holdings and news, as readers see them. `closeShop` writes the page views that still wait. */
export function createShopServices(dependencies: Dependencies) {
  const { sales, store, publisher, windowIndexes, findGrants, keysOf, log, now } = dependencies;
  const { catalog } = publisher;
  const windowOrders = createWindowOrders(store.listShownItems);
  const pageViews = createPageViews(store.write, log, now);
  const listPublished = createPublishedItems(store, catalog);
  return {
    listItems: (page: Parameters<typeof listItems>[1]) => listItems(catalog(), page),
    nameItem: createItemNames(catalog),
    async findInWindow(query: WindowQuery, featured = publisher.stall().stall.featured) {
      const index = await windowIndexes(catalog());
      return findInWindow(index, await windowOrders(index, query), query, featured);
    },
    findBundle: (slug: string) => findBundle(catalog(), slug),
    listBundles: () => listBundles(catalog()),
    searchBundles: (query: WindowQuery) => searchBundles(catalog(), query),
    afterBuying: createAfterBuying(sales),
    ...createHoldings(store, catalog, now),
    grantedSince: createGrantedSince(findGrants, keysOf, now),
    hasChangedSinceFetch: createFetchedEditions(store),
    findNews: createItemNews(store),
    listPublished,
    listNews: createStallNews(store, listPublished),
    pageViews,
    closeShop: pageViews.flush,
  };
}
