import type { Config } from '../../config.ts';
import type { Store } from '../../store/store.ts';
import { createFigures } from './figures.ts';
import { createHealth } from './health.ts';
import type { Publisher } from '../publish/publish.ts';
import { createAccountSearch } from './account-search.ts';
import { createAdminItems } from './admin-items.ts';

/** What the owner is shown of a stall that serves. */
export function createAdminViews(config: Config, store: Store, publisher: Publisher, now: () => number) {
  return {
    figures: createFigures(store, now),
    health: createHealth(config, store, now),
    accountSearch: createAccountSearch(store, now),
    items: createAdminItems(publisher, store, now),
    /** Up to so many of the items that a grant may name, by slug. */
    listKnownItems: store.listKnownItems,
  };
}
