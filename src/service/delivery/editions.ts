import type { Principal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import type { KnownEdition } from '../../store/tables/editions.ts';
import { type Access, notFound } from '../access.ts';

/** An edition as `GET /api/items/<slug>/editions` gives it. */
type ListedEdition = Pick<
  KnownEdition,
  'version' | 'size' | 'notes' | 'state' | 'added' | 'changed' | 'removed'
> & { readonly digest: string; readonly servedAt: string };

type Dependencies = { readonly catalog: () => Catalog; readonly access: Access; readonly store: Store };

/** Lists an item's editions, newest first, without withdrawn ones. Refuses not-found to those who may not see the item. */
export function createEditions({ catalog, access, store }: Dependencies) {
  return async (
    principal: Principal,
    slug: string,
  ): Promise<{ readonly editions: readonly ListedEdition[] }> => {
    const edition = findBySlug(catalog(), slug);
    if (edition === undefined) throw notFound(slug);
    await access(principal, edition, 'look');
    const { kind } = edition.manifest;
    const known = await store.listEditions(kind, itemKey(edition.manifest));
    return { editions: known.filter(({ state }) => state !== 'withdrawn').map(describe) };
  };
}

function describe(edition: KnownEdition): ListedEdition {
  const { version, size, notes, state, added, changed, removed } = edition;
  return {
    digest: `sha256:${edition.digest}`,
    version,
    servedAt: new Date(edition.firstServedAt).toISOString(),
    size,
    notes,
    state,
    added,
    changed,
    removed,
  };
}
