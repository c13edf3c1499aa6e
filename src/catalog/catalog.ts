import { itemKey, type ItemKind, type Manifest } from '../item/item.ts';
import type { StallManifest } from '../item/stall-manifest.ts';
import type { Edition } from './edition.ts';

/** All editions that the stall serves; immutable and replaced whole. Each has a `generation` of its own. */
export type Catalog = {
  readonly generation: number;
  readonly editions: readonly Edition[];
  readonly bySlug: ReadonlyMap<string, Edition>;
  readonly byBookId: ReadonlyMap<string, Edition>;
  readonly former: FormerSlugs;
} & ForSale;

/** The settings of sales in stall.yaml, beside the items' own `sell`. */
type ForSale = Pick<StallManifest, 'bundles' | 'notOurs'>;

/** The slug that each former slug was renamed to; none is the slug of a served item. */
export type FormerSlugs = ReadonlyMap<string, string>;

/**
 * Derives from a catalog what its first readers need, before they can ask for it. A start does not wait for it, since there
 * is no earlier catalog to read; its first reader meets a failure.
 */
export type PrepareCatalog = (catalog: Catalog) => Promise<unknown>;

let generations = 0;

/** A catalog of editions with unique slugs and book ids, sorted by slug. */
export function createCatalog(
  editions: readonly Edition[],
  former: FormerSlugs = new Map(),
  { bundles, notOurs }: ForSale = { bundles: [], notOurs: [] },
): Catalog {
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
    former,
    bundles,
    notOurs,
  };
}

/** The item of this slug or former slug (and kind, if given), or undefined; finds drafts and archived items too. */
export function findBySlug(catalog: Catalog, slug: string, kind?: ItemKind): Edition | undefined {
  const edition = catalog.bySlug.get(slug) ?? catalog.bySlug.get(catalog.former.get(slug) ?? '');
  return kind === undefined || edition?.manifest.kind === kind ? edition : undefined;
}

/** The item that a grant of this key is of: a book's id, a skill's slug or former slug. */
export function findByKey(catalog: Catalog, kind: ItemKind, key: string): Edition | undefined {
  return kind === 'book' ? catalog.byBookId.get(key) : findBySlug(catalog, key, kind);
}

const listed = new WeakMap<FormerSlugs, ReadonlyMap<string, readonly string[]>>();

/** The former slugs of the item with this slug. */
export function listFormerSlugs({ former }: Catalog, slug: string): readonly string[] {
  const known = listed.get(former) ?? invert(former);
  listed.set(former, known);
  return known.get(slug) ?? [];
}

function invert(former: FormerSlugs): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(former, ([, slug]) => slug);
  return new Map([...groups].map(([slug, entries]) => [slug, entries.map(([old]) => old)]));
}

/** The keys under which grants name an item: its own, and a skill's former slugs. A book keeps its id. */
export function grantKeys(catalog: Catalog, manifest: Manifest): readonly string[] {
  const own = itemKey(manifest);
  return manifest.kind === 'book' ? [own] : [own, ...listFormerSlugs(catalog, manifest.slug)];
}

/** The items that anyone may see in a list: published ones, by slug. */
export function listPublished(catalog: Catalog): readonly Edition[] {
  return catalog.editions.filter((edition) => edition.manifest.status === 'published');
}
