import type { Catalog } from '../../../catalog/catalog.ts';

/** The most names kept for one catalog, so that no stranger fills the memory. */
const MOST = 100;

/** Caches values derived from a catalog by name, as long as the catalog lives; a failure is not kept. */
export function catalogCache<Made>() {
  const caches = new WeakMap<Catalog, Map<string, Promise<Made>>>();
  return (catalog: Catalog, name: string, make: () => Promise<Made>): Promise<Made> => {
    const known = caches.get(catalog) ?? new Map<string, Promise<Made>>();
    if (known.size >= MOST) known.clear();
    caches.set(catalog, known);
    const made = known.get(name) ?? make();
    known.set(name, made);
    made.catch(() => known.delete(name));
    return made;
  };
}
