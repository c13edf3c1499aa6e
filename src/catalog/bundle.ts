import { type Catalog, type Edition, findBySlug } from './catalog.ts';
import type { Bundle } from './stall-manifest.rule.ts';
import { notFound } from '../platform/base/told.ts';
import { comparable } from '../platform/base/text.ts';

const known = new WeakMap<Catalog, readonly ShownBundle[]>();

export const listBundles = (catalog: Catalog): readonly ShownBundle[] =>
  known.getOrInsertComputed(catalog, () => catalog.bundles.flatMap((bundle) => show(catalog, bundle) ?? []));

/** Finds a bundle that is on sale. Refuses an unknown slug, and a bundle with an unpublished item. */
export function findBundle(catalog: Catalog, slug: string): ShownBundle {
  const found = listBundles(catalog).find(({ bundle }) => bundle.slug === slug);
  if (found === undefined) throw notFound(slug);
  return found;
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
    text: comparable([slug, title, description, ...titles].join('\n')),
  };
}

/**
 * A bundle that is on sale, with its items. `makers` names their publishers. `saved` is how much less the bundle costs
 * than its items one by one, in minor units; null if it is not less, or if their currencies differ.
 */
export type ShownBundle = {
  readonly bundle: Bundle;
  readonly editions: readonly Edition[];
  readonly makers: string;
  readonly saved: number | null;
  readonly text: string;
};

function savingOf({ unitAmountCents, currency }: Bundle, editions: readonly Edition[]): number | null {
  const prices = editions.map(({ manifest }) => manifest);
  if (prices.some((one) => one.currency !== currency && one.unitAmountCents !== 0)) return null;
  const saved = prices.reduce((sum, one) => sum + (one.unitAmountCents ?? 0), 0) - unitAmountCents;
  return saved > 0 ? saved : null;
}
