import { type Catalog, findByKey } from '../../catalog/catalog.ts';
import type { ItemKind } from '../../item/item.ts';

/** The name of an item in a log; `language` is the BCP 47 tag of its title, `isListed` whether anyone may open its page. */
export type ItemName = {
  readonly title: string;
  readonly language: string | null;
  readonly slug: string;
  readonly isListed: boolean;
};

/** Finds an item's name by the key that grants use; null if this stall does not serve it. */
export function createItemNames(catalog: () => Catalog) {
  return (kind: ItemKind, itemKey: string): ItemName | null => {
    const edition = findByKey(catalog(), kind, itemKey);
    if (edition === undefined || edition.manifest.status === 'draft') return null;
    const { title, language, slug, status } = edition.manifest;
    return { title, language, slug, isListed: status === 'published' };
  };
}
