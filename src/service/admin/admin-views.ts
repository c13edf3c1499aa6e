import type { Config } from '../../config.ts';
import type { Store } from '../../store/store.ts';
import { createFigures } from '../figures.ts';
import { createHealth } from './health.ts';
import type { Publisher } from '../publish/publish.ts';
import { createAdminItems } from './admin-items.ts';

/** The owner's views of a running stall. */
export function createAdminViews(config: Config, store: Store, publisher: Publisher, now: () => number) {
  return {
    figures: createFigures({ store, now }),
    health: createHealth(config, store, now),
    items: createAdminItems(publisher, store, now),
    /** Lists the items that a grant may name, by slug, up to a limit. */
    listKnownItems: store.listKnownItems,
  };
}
