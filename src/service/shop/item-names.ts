import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { ItemKind } from '../../item/item.ts';

/** What an item is called where a row of a log names it; `isListed` is whether anyone may open its page. */
export type ItemName = { readonly title: string; readonly slug: string; readonly isListed: boolean };

/** Finds an item of a log by what a grant names it by; null where this stall serves it no more, or not yet. */
export function createItemNames(catalog: () => Catalog) {
  return (kind: ItemKind, itemKey: string): ItemName | null => {
    const edition =
      kind === 'book' ? catalog().byBookId.get(itemKey) : findBySlug(catalog(), itemKey, 'skill');
    if (edition === undefined || edition.manifest.status === 'draft') return null;
    const { title, slug, status } = edition.manifest;
    return { title, slug, isListed: status === 'published' };
  };
}
