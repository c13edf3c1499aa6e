import type { Catalog } from '../../../catalog/catalog.ts';

/** The most names kept for one catalog, so that no stranger fills the memory. */
const MOST = 100;

/** Caches values derived from a catalog by name, until the next catalog; a failure is not kept. */
export function catalogCache<Made>(catalog: () => Catalog) {
  let known = new Map<string, Promise<Made>>();
  let current: Catalog | null = null;
  return (name: string, make: () => Promise<Made>): Promise<Made> => {
    if (current !== catalog() || known.size >= MOST) known = new Map();
    current = catalog();
    const kept = known;
    const made = kept.get(name) ?? make();
    kept.set(name, made);
    made.catch(() => kept.delete(name));
    return made;
  };
}
