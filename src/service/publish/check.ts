import type { CompilePool } from '../../catalog/compile-pool.ts';
import { listOtherTexts } from '../../catalog/reading-order.ts';
import { isError, type ItemFolder, listItemFolders } from '../../catalog/scan.ts';
import { readStall } from '../../catalog/stall-edition.ts';
import { type BookSkillForm, bookSkillForm } from '../../item/book-skill.ts';
import type { ItemKind, ItemStatus } from '../../item/item.ts';
import type { Limits } from '../../item/limit.ts';
import { formatPrice } from '../../item/price.ts';
import { error, type Problem, quote, warning } from '../../item/problem.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import { didYouMean } from '../../item/field.ts';
import type { Bundle } from '../../item/stall-manifest.ts';
import { type Edition, idsOf, keyOf, type SellId } from '../../catalog/catalog.ts';
import type { Sell } from '../../item/manifest-key.ts';
import { PROVIDER_NAMES } from '../../payment-provider.ts';
import { type Publication, withholdEdition } from './publish.ts';

/**
 * The result of `check` for one item's folder: every problem, and the files that would be distributed. stall.yaml is an
 * entry of its own, of the kind "stall" and without files.
 */
export type CheckedEntry = {
  readonly kind: ItemKind | 'stall';
  readonly slug: string;
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
    readonly executable: boolean;
  }[];
  readonly problems: readonly Problem[];
  /** Paths of a book's texts that are not chapters, and so answer no questions. */
  readonly otherTexts: readonly string[];
  /** How agents get a book as a skill; null for other entries. */
  readonly skillForm: BookSkillForm | null;
  /** The price as readers see it; null if the item has errors, and of other entries. */
  readonly price: string | null;
};

/** Reads a content directory and names every problem of stall.yaml and of every item; compiles and writes nothing. */
export async function checkContent(content: string, limits: Limits, pool: CompilePool) {
  const folders = listFolders(content);
  if (folders === null)
    throw Refusal.missing(
      `Cannot find the content directory "${content}": name another with --content, or make one with "bookstall init"`,
    );
  const stall = readStall(content);
  const { defaults } = stall.stall;
  const items = await Promise.all(
    folders.map(async (folder) => {
      const { manifest, files, problems } = await pool.inspect({ ...folder, defaults }, limits);
      return {
        kind: folder.kind,
        slug: folder.slug,
        id: manifest?.id ?? null,
        formerly: manifest?.formerly ?? [],
        sell: manifest?.sell ?? null,
        status: manifest?.status ?? null,
        isHeld: false,
        files,
        problems,
        otherTexts: manifest === null ? [] : listOtherTexts(folder.folder, manifest, files),
        skillForm: folder.kind === 'book' ? bookSkillForm(files) : null,
        price: manifest === null ? null : formatPrice(manifest.unitAmountCents, manifest.currency),
      };
    }),
  );
  const offers = findOfferProblems(items, stall.stall.bundles);
  const renamed = findFormerConflicts(items, stall.stall.bundles);
  const checked = items.map((item) => {
    const conflicts = [offers.slugs.get(item), offers.ids.get(item)].filter((one) => one !== undefined);
    const more = [...conflicts, ...(renamed.get(item) ?? [])];
    const { kind, slug, files, problems, otherTexts, skillForm, price } = item;
    return {
      kind,
      slug,
      files: files.map(describe),
      problems: [...problems, ...more],
      otherTexts,
      skillForm,
      price,
    };
  });
  return [...checkStall(stall, items, offers.bundles), ...checked];
}

function listFolders(content: string): readonly ItemFolder[] | null {
  try {
    return listItemFolders(content);
  } catch (cause) {
    throw Refusal.missing(
      `Cannot read the content directory "${content}": ${messageOf(cause)}; correct its permissions and links`,
    );
  }
}

function checkStall(
  { isThere, stall, problems: found }: ReturnType<typeof readStall>,
  items: readonly FeaturableItem[],
  bundles: readonly JudgedBundle[],
): readonly CheckedEntry[] {
  const bundled = bundles.flatMap(({ problems }) => problems);
  const problems = [...found, ...findUnknownFeatured(stall.featured, items), ...bundled];
  const empty = { files: [], otherTexts: [], skillForm: null, price: null };
  return isThere ? [{ kind: 'stall', slug: 'stall.yaml', problems, ...empty }] : [];
}

/** Whether an item could not be served, or stall.yaml has an error. */
export function isRefused({ problems }: CheckedEntry): boolean {
  return problems.some(isError);
}

function describe({ path, size, sha256, executable }: CheckedEntry['files'][number]) {
  return { path, size, sha256, executable };
}

/** An item that stall.yaml may feature; `status` is null if it has an error. */
type FeaturableItem = { readonly slug: string; readonly status: ItemStatus | null };

/** Warns of the slugs that stall.yaml features and the window cannot show. */
function findUnknownFeatured(featured: readonly string[], items: readonly FeaturableItem[]) {
  const statuses = new Map(items.map(({ slug, status }) => [slug, status]));
  return featured.flatMap((slug) => {
    const status = statuses.get(slug);
    if (status === undefined) {
      const remedy = didYouMean(
        slug,
        [...statuses.keys()],
        'Name the folder of a book or skill, or remove it',
      );
      return [
        warning(
          'unknown-featured',
          'stall.yaml',
          `Cannot feature ${quote(slug)}: no item has this slug`,
          remedy,
        ),
      ];
    }
    if (status === null || status === 'published') return [];
    const sentence = `Cannot feature ${quote(slug)}: it is ${status === 'draft' ? 'a draft' : 'archived'}`;
    return [warning('hidden-featured', 'stall.yaml', sentence, 'Publish it, or remove it from "featured"')];
  });
}

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
function findOfferProblems<T extends BundledItem>(
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

/** An item or a bundle with its ids at the providers; `place` says in which file they are. */
type Seller = { readonly place: string; readonly sell: Sell | null };

/** The sellers that name an id another one names too, each with its problem: one id sells one item or bundle. */
function findSellConflicts<T extends Seller>(sellers: readonly T[]): ReadonlyMap<T, Problem> {
  const claims = sellers.flatMap((seller) => idsOf(seller.sell).map((id) => ({ id, seller })));
  const byId = Map.groupBy(claims, ({ id }) => `${id.provider} ${id.product}`);
  const conflicts = claims.flatMap(({ id, seller }) => {
    const sharers = byId.get(`${id.provider} ${id.product}`) ?? [];
    return sharers.length < 2
      ? []
      : [
          [
            seller,
            sellConflict(
              id,
              seller,
              sharers.map((one) => one.seller),
            ),
          ] as const,
        ];
  });
  return new Map(conflicts);
}

function sellConflict({ provider, product }: SellId, seller: Seller, sharers: readonly Seller[]): Problem {
  const others = sharers.filter((other) => other !== seller).map(({ place }) => place);
  return error(
    'sell-clash',
    'item.yaml',
    `Cannot sell by the ${PROVIDER_NAMES[provider]} id ${quote(product)}: ${others.join(', ')} names it too`,
    'Leave it in one of them: an id sells one item or bundle',
  );
}

/** An item with the slugs that its item.yaml says it had before. */
type RenamedItem = { readonly kind: string; readonly slug: string; readonly formerly: readonly string[] };

/**
 * The problems with former slugs: errors for a slug that two items claim, warnings for one that another item or a bundle has
 * now.
 */
function findFormerConflicts<T extends RenamedItem>(
  items: readonly T[],
  bundles: readonly Pick<RenamedItem, 'slug'>[] = [],
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

function isShared(slug: string, other: RenamedItem): Problem {
  return error(
    'former-clash',
    'item.yaml',
    `Cannot take ${quote(slug)} as a former slug: ${other.kind}s/${other.slug}/item.yaml names it too`,
    'Leave it in one of the two',
  );
}

function isLive(slug: string, owner: Pick<RenamedItem, 'kind' | 'slug'>): Problem {
  return warning(
    'former-live',
    'item.yaml',
    `"formerly" names ${quote(slug)}, but ${owner.kind}s/${owner.slug} has that slug now and keeps it`,
    'Remove it from "formerly", or rename the other item',
  );
}

/** The state that is served now, or was when the stall stopped: editions by `keyOf`, and the bundles of stall.yaml. */
type Held = { readonly editions: ReadonlyMap<string, Edition>; readonly bundles: readonly Bundle[] };

/**
 * Withholds the editions of items whose names, former names or ids at a payment provider conflict with those of other
 * items or of bundles, and judges the bundles.
 */
export async function withholdConflicts(
  found: readonly Publication[],
  bundles: readonly Bundle[],
  held: Held,
  turn: () => Promise<void>,
): Promise<{ readonly publications: readonly Publication[]; readonly bundles: readonly JudgedBundle[] }> {
  const claimants = found.map((publication) => publishedClaimant(publication, held));
  await turn();
  const judged = findOfferProblems(claimants, bundles, held.bundles);
  await turn();
  const winners = claimants.map((claimant) => {
    const { publication } = claimant;
    const taken = judged.slugs.get(claimant);
    if (taken !== undefined) return withholdEdition(publication, null, taken);
    const sold = judged.ids.get(claimant);
    // It may be on sale by that id already: the readers of its last good edition keep it.
    return sold === undefined ? publication : withholdEdition(publication, lastGood(publication, held), sold);
  });
  await turn();
  return { publications: withholdRenamed(winners, bundles, held), bundles: judged.bundles };
}

function publishedClaimant(publication: Publication, held: Held) {
  const { kind, slug, edition } = publication;
  const isHeld = edition !== null && held.editions.has(keyOf(edition));
  const { id = null, formerly = [], status = null, sell = null } = edition?.manifest ?? {};
  return { kind, slug, id, formerly, status, sell, isHeld, publication };
}

function lastGood({ kind, slug }: Publication, held: Held): Edition | null {
  return held.editions.get(`${kind} ${slug}`) ?? null;
}

/** Withholds the editions of items that claim one former slug; each keeps its last good one. */
function withholdRenamed(found: readonly Publication[], bundles: readonly Bundle[], held: Held) {
  const items = found.map((publication) => {
    const { kind, slug, edition } = publication;
    return { kind, slug, formerly: edition?.manifest.formerly ?? [], publication };
  });
  const problems = findFormerConflicts(items, bundles);
  return items.map((item) => {
    const { publication } = item;
    const named = problems.get(item) ?? [];
    const clash = named.find(isError);
    return clash === undefined
      ? { ...publication, problems: [...publication.problems, ...named] }
      : withholdEdition(publication, lastGood(publication, held), clash);
  });
}
