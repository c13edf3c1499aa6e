import type { ItemKind } from '../item/item.ts';
import type { Edition } from './edition.ts';

/** All editions that the stall serves; immutable and replaced whole. Each has a `generation` of its own. */
export type Catalog = {
  readonly generation: number;
  readonly editions: readonly Edition[];
  readonly bySlug: ReadonlyMap<string, Edition>;
  readonly byBookId: ReadonlyMap<string, Edition>;
};

/**
 * Derives from a catalog what its first readers need, before they can ask for it. A start does not wait for it, since there
 * is no earlier catalog to read; its first reader meets a failure.
 */
export type PrepareCatalog = (catalog: Catalog) => Promise<unknown>;

let generations = 0;

/** A catalog of editions with unique slugs and book ids, sorted by slug. */
export function createCatalog(editions: readonly Edition[]): Catalog {
  const sorted = editions.toSorted((a, b) => (a.manifest.slug < b.manifest.slug ? -1 : 1));
  return {
    generation: ++generations,
    editions: sorted,
    bySlug: new Map(sorted.map((edition) => [edition.manifest.slug, edition])),
    byBookId: new Map(
      sorted.flatMap((edition) =>
        edition.manifest.id === null ? [] : [[edition.manifest.id, edition] as const],
      ),
    ),
  };
}

/** The item of this slug (and kind, if given), or undefined; finds drafts and archived items too. */
export function findBySlug(catalog: Catalog, slug: string, kind?: ItemKind): Edition | undefined {
  const edition = catalog.bySlug.get(slug);
  return kind === undefined || edition?.manifest.kind === kind ? edition : undefined;
}

/** The items that anyone may see in a list: published ones, by slug. */
export function listPublished(catalog: Catalog): readonly Edition[] {
  return catalog.editions.filter((edition) => edition.manifest.status === 'published');
}
