import { type Catalog, listPublished } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';

/** A published item, when it was first published, and when it last changed; in milliseconds since 1970. */
export type PublishedItem = {
  readonly edition: Edition;
  readonly firstShownAt: number;
  readonly changedAt: number;
};

/** Lists the published items, the last changed first; an item whose dates are not stored yet is left out. */
export function createPublishedItems(store: Store, catalog: () => Catalog) {
  return async (): Promise<readonly PublishedItem[]> => {
    const editions = listPublished(catalog());
    const dates = new Map((await store.listShownItems()).map((one) => [`${one.kind} ${one.itemKey}`, one]));
    return editions
      .flatMap((edition) => {
        const { kind } = edition.manifest;
        const found = dates.get(`${kind} ${itemKey(edition.manifest)}`);
        return found === undefined ? [] : [{ ...found, edition }];
      })
      .sort((a, b) => b.changedAt - a.changedAt);
  };
}
