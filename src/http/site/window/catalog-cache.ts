import type { Catalog } from '../../../catalog/catalog.ts';

/** Names kept for one catalog at most, so that no stranger fills the memory. */
const MOST = 100;

/** Makes what follows from a catalog once for each name, until the next catalog; what could not be made is not kept. */
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
