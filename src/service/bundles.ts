import { type Catalog, type Edition, findBySlug } from '../catalog/catalog.ts';
import type { Bundle } from '../item/stall-manifest.ts';
import { notFound } from './access.ts';
import { type WindowQuery } from './window.ts';
import { fold } from './window-index.ts';

/**
 * A bundle that is on sale, with its items. `makers` names their publishers; `saved` is how much less it costs than its items
 * one by one, in minor units, null if it is not less or they have other currencies.
 */
export type ShownBundle = {
  readonly bundle: Bundle;
  readonly editions: readonly Edition[];
  readonly makers: string;
  readonly saved: number | null;
  readonly text: string;
};

const known = new WeakMap<Catalog, readonly ShownBundle[]>();

/** The bundles of which every item is published, in the order of stall.yaml. */
export function listBundles(catalog: Catalog): readonly ShownBundle[] {
  const shown = known.get(catalog) ?? catalog.bundles.flatMap((bundle) => show(catalog, bundle) ?? []);
  known.set(catalog, shown);
  return shown;
}

/** The bundle of this slug. Refuses one that is not there, or of which an item is not published. */
export function findBundle(catalog: Catalog, slug: string): ShownBundle {
  const found = listBundles(catalog).find(({ bundle }) => bundle.slug === slug);
  if (found === undefined) throw notFound(slug);
  return found;
}

/** The bundles that contain every word of a search; none have a kind, a tag or a language, and none are free. */
export function searchBundles(catalog: Catalog, query: WindowQuery): readonly ShownBundle[] {
  const { words, kind, price, tag, language } = query;
  if (kind !== null || price === 'free' || tag !== null || language !== null) return [];
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  return listBundles(catalog).filter(({ text }) => wanted.every((word) => text.includes(word)));
}

function show(catalog: Catalog, bundle: Bundle): ShownBundle | null {
  const editions = bundle.items
    .map((slug) => findBySlug(catalog, slug))
    .filter((edition) => edition !== undefined)
    .filter(({ manifest }) => manifest.status === 'published');
  if (editions.length < bundle.items.length) return null;
  const { slug, title, description } = bundle;
  const titles = editions.map(({ manifest }) => manifest.title);
  return {
    bundle,
    editions,
    makers: [...new Set(editions.map(({ manifest }) => manifest.publisher))].join(' · '),
    saved: savingOf(bundle, editions),
    text: fold([slug, title, description, ...titles].join('\n')),
  };
}

function savingOf({ unitAmountCents, currency }: Bundle, editions: readonly Edition[]): number | null {
  const prices = editions.map(({ manifest }) => manifest);
  if (prices.some((one) => one.currency !== currency && one.unitAmountCents !== 0)) return null;
  const saved = prices.reduce((sum, one) => sum + (one.unitAmountCents ?? 0), 0) - unitAmountCents;
  return saved > 0 ? saved : null;
}
