import { createCatalog, type Catalog } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';

/** The catalog that is served, and those who follow it. It is replaced whole, so that running requests keep theirs. */
export function createServedCatalog() {
  let catalog: Catalog = createCatalog([]);
  const listeners: ((catalog: Catalog) => void)[] = [];
  const swap = (next: Catalog): void => {
    catalog = next;
    for (const listener of listeners) listener(catalog);
  };
  return {
    current: (): Catalog => catalog,
    swap,
    /** Calls back with each new catalog. */
    onSwap: (listener: (catalog: Catalog) => void): void => void listeners.push(listener),
    /** Serves `rebuilt` instead of an edition, if that is still served, and gives it. */
    replace(edition: Edition, rebuilt: Edition): Edition {
      const next = catalog.editions.map((one) => (one === edition ? rebuilt : one));
      if (catalog.editions.includes(edition)) swap(createCatalog(next, catalog.former, catalog));
      return rebuilt;
    },
  };
}
