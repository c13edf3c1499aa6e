import { may } from '../accounts/access.ts';
import { authorNames } from '../catalog/item.rule.ts';
import type { Catalog, Edition } from '../catalog/catalog.ts';
import type { Principal } from '../platform/base/principal.ts';
import type { Stall } from './stall.ts';

const MOST = 4;

const known = new WeakMap<Catalog, ReadonlyMap<string, readonly Edition[]>>();

const byAuthor = (catalog: Catalog) =>
  known.getOrInsertComputed(catalog, ({ editions }) => {
    const named = editions.flatMap((edition) =>
      authorNames(edition.manifest).map((name) => [name, edition] as const),
    );
    return new Map(
      [...Map.groupBy(named, ([name]) => name)].map(([name, all]) => [name, all.map(([, one]) => one)]),
    );
  });

/** Lists up to four other items by one of an item's authors, of those that the visitor may see. */
export function moreBy(stall: Stall, visitor: Principal, { manifest }: Edition): readonly Edition[] {
  const authors = byAuthor(stall.catalog());
  const others = new Set(authorNames(manifest).flatMap((name) => authors.get(name) ?? []));
  return others
    .values()
    .filter(
      (edition) =>
        edition.manifest.slug !== manifest.slug &&
        !['draft', 'archived'].includes(edition.manifest.status) &&
        may(stall, visitor, { edition, action: 'look' }),
    )
    .take(MOST)
    .toArray();
}
