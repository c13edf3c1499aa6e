import { Refusal } from '../refusal.ts';
import { fetchCatalog, fetchHoldings } from './catalog.ts';
import type { Manifest } from './manifest.ts';
import type { StallClient } from './stall-client.ts';

/** The refusals of a slug that is gone, or is another item's by now. */
const GONE: ReadonlySet<string> = new Set(['not-found', 'access-denied', 'unauthenticated']);

type Named = Pick<Manifest, 'id' | 'slug'>;

/** The slug that a book of this id has now, if it is another one; null for a skill, and for a book that is gone. */
export async function findNewSlug(stall: StallClient, { id, slug }: Named): Promise<string | null> {
  if (id === null) return null;
  const held = stall.key === null ? [] : await fetchHoldings(stall).catch(() => []);
  const isIt = (item: Named): boolean => item.id === id;
  const found = held.find(isIt) ?? (await fetchCatalog(stall)).find(isIt);
  return found === undefined || found.slug === slug ? null : found.slug;
}

/** Calls with the item's slug; if that is gone, with the one that a book of its id has now. */
export async function followBook<T>(
  stall: StallClient,
  named: Named,
  call: (slug: string) => Promise<T>,
): Promise<T> {
  try {
    return await call(named.slug);
  } catch (error) {
    if (!(error instanceof Refusal && GONE.has(error.kind))) throw error;
    const slug = await findNewSlug(stall, named).catch(() => null);
    if (slug === null) throw error;
    return call(slug);
  }
}
