import { may } from '../accounts/access.ts';
import { authorNames } from '../catalog/item.rule.ts';
import type { Catalog, Edition } from '../catalog/catalog.ts';
import type { Principal } from '../platform/base/principal.ts';
import type { Stall } from './stall.ts';

const MOST = 4;

type Written = { readonly name: string; readonly edition: Edition };

const known = new WeakMap<Catalog, ReadonlyMap<string, readonly Written[]>>();

const byAuthor = (catalog: Catalog) =>
  known.getOrInsertComputed(catalog, ({ editions }) => {
    const writtenBy = (edition: Edition) => authorNames(edition.manifest).map((name) => ({ name, edition }));
    return Map.groupBy(editions.flatMap(writtenBy), ({ name }) => name);
  });

/** Lists up to four other items by an item's authors that the visitor may see. */
export function moreBy(stall: Stall, visitor: Principal, { manifest }: Edition): readonly Edition[] {
  const authors = byAuthor(stall.catalog());
  const written = authorNames(manifest).flatMap((name) => authors.get(name) ?? []);
  const isListed = (edition: Edition): boolean =>
    edition.manifest.slug !== manifest.slug &&
    !['draft', 'archived'].includes(edition.manifest.status) &&
    may(stall, visitor, { edition, action: 'look' });
  return [...new Set(written.map(({ edition }) => edition)).values().filter(isListed).take(MOST)];
}
