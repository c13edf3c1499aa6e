import { error, type Problem, quote, warning } from '../../item/problem.ts';

/** An item with the slugs that its item.yaml says it had before. */
type Renamed = { readonly kind: string; readonly slug: string; readonly formerly: readonly string[] };

/**
 * The problems with former slugs: errors for a slug that two items claim, warnings for one that another item or a bundle has
 * now.
 */
export function findFormerConflicts<T extends Renamed>(
  items: readonly T[],
  bundles: readonly Pick<Renamed, 'slug'>[] = [],
): ReadonlyMap<T, readonly Problem[]> {
  const live = new Map(
    [...bundles.map(({ slug }) => ({ kind: 'bundle', slug })), ...items].map((one) => [one.slug, one]),
  );
  const claims = items.flatMap((item) =>
    item.formerly.filter((slug) => slug !== item.slug).map((slug) => ({ slug, item })),
  );
  const bySlug = Map.groupBy(claims, ({ slug }) => slug);
  const problems = claims.map(({ slug, item }) => {
    const owner = live.get(slug);
    const other = bySlug.get(slug)?.find((claim) => claim.item !== item)?.item;
    const problem =
      owner !== undefined ? isLive(slug, owner) : other !== undefined ? isShared(slug, other) : null;
    return { item, problem };
  });
  const found = Map.groupBy(problems, ({ item }) => item);
  return new Map([...found].map(([item, all]) => [item, all.flatMap(({ problem }) => problem ?? [])]));
}

function isShared(slug: string, other: Renamed): Problem {
  return error(
    'former-clash',
    'item.yaml',
    `Cannot take ${quote(slug)} as a former slug: ${other.kind}s/${other.slug}/item.yaml names it too`,
    'Leave it in one of the two',
  );
}

function isLive(slug: string, owner: Pick<Renamed, 'kind' | 'slug'>): Problem {
  return warning(
    'former-live',
    'item.yaml',
    `"formerly" names ${quote(slug)}, but ${owner.kind}s/${owner.slug} has that slug now and keeps it`,
    'Remove it from "formerly", or rename the other item',
  );
}
