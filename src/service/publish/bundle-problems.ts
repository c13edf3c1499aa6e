import type { Bundle } from '../../item/bundle.ts';
import type { ItemStatus } from '../../item/item.ts';
import { error, type Problem, quote, warning } from '../../item/problem.ts';
import { didYouMean } from '../../item/spelling.ts';
import { findSellConflicts, type Seller } from './sell-conflicts.ts';

/** An item beside which a bundle is sold; `status` is null if it has an error. */
type BundledItem = Claimant &
  Pick<Seller, 'sell'> & { readonly formerly: readonly string[]; readonly status: ItemStatus | null };

/** A bundle of stall.yaml with its problems. */
export type JudgedBundle = { readonly bundle: Bundle; readonly problems: readonly Problem[] };

/** The problems of bundles, and of the items that name the same slug or id as another item or bundle. */
type OfferProblems<T> = {
  readonly bundles: readonly JudgedBundle[];
  readonly slugs: ReadonlyMap<T, Problem>;
  readonly ids: ReadonlyMap<T, Problem>;
};

const FILE = 'stall.yaml';

/** Holds items and bundles against each other: their slugs and their ids at the providers. `held` are the bundles served now. */
export function findOfferProblems<T extends BundledItem>(
  items: readonly T[],
  bundles: readonly Bundle[],
  held: readonly Bundle[] = [],
): OfferProblems<T> {
  const claimants = bundles.map((bundle) => claimantOf(bundle, held));
  const sellers = bundles.map(sellerOf);
  const itemSellers = items.map((item) => ({ item, ...itemSeller(item) }));
  const slugs = findNameConflicts<Claimant>([...items, ...claimants]);
  const ids = findSellConflicts<Seller>([...itemSellers, ...sellers]);
  const judge = createItemCheck(items);
  return {
    bundles: bundles.map((bundle, n) => {
      const conflicts = [slugs.get(claimants[n]!), ids.get(sellers[n]!)].filter((one) => one !== undefined);
      return { bundle, problems: [...conflicts.map((one) => ({ ...one, path: FILE })), ...judge(bundle)] };
    }),
    slugs: pick(items, (item) => slugs.get(item)),
    ids: new Map(
      itemSellers.flatMap((seller) => {
        const problem = ids.get(seller);
        return problem === undefined ? [] : [[seller.item, problem] as const];
      }),
    ),
  };
}

function pick<T>(items: readonly T[], find: (item: T) => Problem | undefined): ReadonlyMap<T, Problem> {
  const found = items.map((item) => [item, find(item)] as const);
  return new Map(found.filter((entry): entry is readonly [T, Problem] => entry[1] !== undefined));
}

function claimantOf({ slug }: Bundle, held: readonly Bundle[]): Claimant {
  return { kind: 'bundle', slug, id: null, isHeld: held.some((one) => one.slug === slug) };
}

function sellerOf({ slug, sell }: Bundle): Seller {
  return { place: `the bundle ${quote(slug)} of ${FILE}`, sell };
}

function itemSeller({ kind, slug, sell }: BundledItem): Seller {
  return { place: `${kind}s/${slug}/item.yaml`, sell };
}

/** An error for each slug that no item has, and a warning for each item that is not on sale. */
function createItemCheck(items: readonly BundledItem[]): (bundle: Bundle) => readonly Problem[] {
  const statuses = new Map(
    items.flatMap(({ slug, formerly, status }) => [slug, ...formerly].map((name) => [name, status] as const)),
  );
  const slugs = items.map(({ slug }) => slug);
  return (bundle) =>
    bundle.items.flatMap((slug) => {
      const status = statuses.get(slug);
      if (status === undefined) return [unknownItem(bundle, slug, slugs)];
      return status === null || status === 'published' ? [] : [hiddenItem(bundle, slug, status)];
    });
}

function unknownItem({ slug }: Bundle, item: string, slugs: readonly string[]): Problem {
  return error(
    'unknown-bundled',
    FILE,
    `Cannot sell ${quote(item)} in the bundle ${quote(slug)}: no item has this slug`,
    didYouMean(item, slugs, 'Name the folder of a book or skill, or remove it'),
  );
}

function hiddenItem({ slug }: Bundle, item: string, status: ItemStatus): Problem {
  return warning(
    'hidden-bundled',
    FILE,
    `Cannot show the bundle ${quote(slug)}: ${quote(item)} is ${status === 'draft' ? 'a draft' : 'archived'}`,
    'Publish it, or remove it from the bundle',
  );
}

/** An item or a bundle with its names; `isHeld` if it is served already. */
type Claimant = {
  readonly kind: string;
  readonly slug: string;
  readonly id: string | null;
  readonly isHeld: boolean;
};

/**
 * The items that cannot be served because another has the same slug or book id, each with its problem. The one that the
 * data directory holds stays; if it holds neither or both, neither is served (contract §2).
 */
function findNameConflicts<T extends Claimant>(claimants: readonly T[]): ReadonlyMap<T, Problem> {
  const names = Map.groupBy(
    claimants.flatMap((claimant) => namesOf(claimant).map((name) => ({ name, claimant }))),
    ({ name }) => name,
  );
  const losers = new Map<T, Problem>();
  for (const [name, claims] of names) {
    const sharers = claims.map(({ claimant }) => claimant);
    const holders = sharers.filter(({ isHeld }) => isHeld);
    for (const loser of sharers.length < 2 ? [] : sharers) {
      if (holders.length !== 1 || loser !== holders[0]) losers.set(loser, conflict(name, loser, sharers));
    }
  }
  return losers;
}

function namesOf({ slug, id }: Claimant): readonly string[] {
  return [`slug "${slug}"`, ...(id === null ? [] : [`id "${id}"`])];
}

function conflict(name: string, loser: Claimant, sharers: readonly Claimant[]): Problem {
  const others = sharers.filter((other) => other !== loser).map(placeOf);
  return error(
    'clash',
    'item.yaml',
    `Cannot serve two items with the ${name}: ${others.join(', ')} has it too`,
    'Give one of them another folder name or id',
  );
}

function placeOf({ kind, slug }: Claimant): string {
  return kind === 'bundle' ? 'a bundle of stall.yaml' : `${kind}s/${slug}`;
}
