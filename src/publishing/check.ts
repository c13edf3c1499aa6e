import { readOffice } from '../catalog/stall-setting.ts';
import { NOTHING_SET, type Bundle } from '../catalog/stall-manifest.rule.ts';
import { readBeside, readSettings } from '../platform/store/settings.ts';
import type { CompilePool } from './compile-pool.ts';
import { listOtherTexts, orderTexts } from '../catalog/text-order.ts';
import type { QuestionCoverage } from '../catalog/questions.rule.ts';
import { isError, itemProblems, listItemFolders } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { type BookSkillForm, bookSkillForm } from '../catalog/book-skill.rule.ts';
import { itemDigest, type ItemFile, type ItemStatus, type Manifest } from '../catalog/item.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { LEFT_OUT } from '../catalog/chapter-limit.rule.ts';
import { type Limits } from '../platform/base/item-limits.ts';
import { formatPrice } from '../catalog/price.rule.ts';
import { error, naming, type Problem, quote, warning, didYouMean } from '../platform/base/problem.ts';
import { readMailFile } from '../mailing/mail-text.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { listPushedFolders } from './pushed.ts';
import { type Catalog, type Edition, haveSameRoot, keyOf } from '../catalog/catalog.ts';
import { idsOf } from '../selling/offer.ts';
import type { Sell } from '../catalog/manifest-key.rule.ts';
import { PROVIDER_NAMES } from '../words/payment-provider.ts';
import { findUnsold, type Publication, withholdEdition } from './publication.ts';
import { earlierReads } from './need-check.sql.ts';
import { CONFLICT, type Earlier, judgeNeeds } from './need-check.ts';

export async function checkContent(
  content: string,
  data: string | null,
  limits: Limits,
  pool: CompilePool,
): Promise<readonly CheckedEntry[]> {
  const folders = listFolders(content, data);
  if (folders === null)
    throw Refusal.missing(
      `Cannot find the content directory "${content}": name another with --content, or make one with "bookstall init"`,
    );
  const settings = data === null ? null : readSettings(data);
  const stall = readStall(content, settings === null ? NOTHING_SET : readOffice(settings));
  const { defaults, bundles, featured } = stall.stall;
  const items = await Promise.all(
    folders.map((folder) => checkFolder({ ...folder, defaults }, limits, pool)),
  );
  const offers = findOfferProblems(items, bundles);
  const formerProblemsOf = judgeFormer(items, bundles);
  const needProblems = judgeAllNeeds(items, data);
  const checked = items.map((item) => {
    const clashes = [
      ...[offers.slugs.get(item) ?? [], offers.ids.get(item) ?? [], formerProblemsOf(item)].flat(),
      ...findUnsold(item.manifest, bundles),
      ...(needProblems.get(item) ?? []),
    ];
    return { ...item.entry, problems: [...item.entry.problems, ...clashes] };
  });
  const bundled = offers.bundles.flatMap(({ problems }) => problems);
  const problems = [...stall.problems, ...findUnknownFeatured(featured, items), ...bundled];
  const entryOf = (slug: string, found: readonly Problem[]): CheckedEntry => ({
    kind: 'stall',
    slug,
    isPushed: false,
    problems: found,
    files: [],
    otherTexts: [],
    skillForm: null,
    questions: null,
    signer: null,
    price: null,
  });
  const mails = Object.entries(stall.mails).map(([path, text]) =>
    entryOf(path, readMailFile(path, text).problems),
  );
  return [...(stall.isThere ? [entryOf(FILE, problems)] : []), ...mails, ...checked];
}

/**
 * Finds the problems of each item's needs. The database in `data`, if there is one, tells which editions were served
 * before.
 */
function judgeAllNeeds(items: readonly CheckedFolder[], data: string | null) {
  const judged = items.flatMap((item) =>
    item.manifest === null
      ? []
      : [{ item, named: { ...item.manifest, digest: itemDigest(item.entry.files) } }],
  );
  const judge = (earlier: Earlier) => {
    const problemsOf = judgeNeeds(
      judged.map(({ named }) => named),
      earlier,
    );
    return new Map(judged.map(({ item, named }) => [item, problemsOf(named)]));
  };
  return (data === null ? null : readBeside(data, (db) => judge(earlierReads(db)))) ?? judge(null);
}

const priceOf = ({ unitAmountCents, currency, suggestedAmountCents, status }: Manifest): string =>
  formatPrice(unitAmountCents, currency, suggestedAmountCents, status);

export async function checkFolder(item: ItemFolder, limits: Limits, pool: Pick<CompilePool, 'inspect'>) {
  const { kind, slug, folder, isPushed = false } = item;
  const { manifest, files, problems, questions } = await pool.inspect(item, limits);
  const { id = null, formerly = [], sell = null, status = null } = manifest ?? {};
  const order = manifest === null ? [] : orderTexts(folder, manifest, files);
  const entry: CheckedEntry = {
    kind,
    slug,
    isPushed,
    files: files.map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable })),
    problems: itemProblems({ problems, order, files, questions, isCheck: true }),
    otherTexts: manifest === null ? [] : listOtherTexts(manifest, files, order),
    skillForm: kind === 'book' ? bookSkillForm(files) : null,
    questions: questions?.coverage ?? null,
    signer: manifest?.signature?.key ?? null,
    price: manifest === null ? null : priceOf(manifest),
  };
  const currency = currencyOf(manifest);
  return { kind, slug, id, formerly, sell, status, currency, isHeld: false, entry, manifest };
}

export type CheckedFolder = Awaited<ReturnType<typeof checkFolder>>;

/**
 * Finds the clashes of an item with served items and bundles: over its slug, id, former slugs, or ids at a payment
 * provider.
 */
export function findItemClashes(
  item: Omit<CheckedFolder, 'entry' | 'manifest'>,
  { editions, bundles }: Pick<Catalog, 'editions' | 'bundles'>,
): readonly Problem[] {
  const others = editions
    .map(({ manifest }) => ({ ...manifest, currency: currencyOf(manifest), isHeld: true }))
    .filter(({ kind, slug }) => kind !== item.kind || slug !== item.slug);
  const { slugs, ids } = findOfferProblems([...others, item], bundles);
  return [slugs.get(item) ?? [], ids.get(item) ?? [], judgeFormer([...others, item], bundles)(item)].flat();
}

/**
 * The result of `check` for an item's folder. stall.yaml and each file in `mails` have results of the kind "stall", without
 * files.
 *
 * - `otherTexts`: texts of a book that are not chapters, so that questions are not answered from them.
 * - `skillForm`: the form in which agents get a book as a skill; null for other entries.
 * - `questions`: how many of a book's sections its questions.yaml covers; null without one.
 * - `price`: the price as readers see it; null for an item with errors, and for other entries.
 */
export type CheckedEntry = {
  readonly kind: ItemKind | 'stall';
  readonly slug: string;
  readonly isPushed: boolean;
  readonly files: readonly Pick<ItemFile, 'path' | 'size' | 'sha256' | 'executable'>[];
  readonly problems: readonly Problem[];
  readonly otherTexts: readonly string[];
  readonly skillForm: BookSkillForm | null;
  readonly questions: QuestionCoverage | null;
  readonly signer: string | null;
  readonly price: string | null;
};

function listFolders(content: string, data: string | null): readonly ItemFolder[] | null {
  try {
    const own = listItemFolders(content);
    return own && [...own, ...(data === null ? [] : listPushedFolders(data))];
  } catch (cause) {
    throw Refusal.missing(
      `Cannot read the content directory "${content}": ${messageOf(cause)}; correct its permissions and links`,
    );
  }
}

export const isRefused = ({ problems }: CheckedEntry): boolean =>
  problems.some((one) => isError(one) && !LEFT_OUT.has(one.code));

const HIDDEN: Record<Exclude<ItemStatus, 'published'>, string> = {
  draft: 'a draft',
  announced: 'announced',
  archived: 'archived',
  private: 'private',
};

function findUnknownFeatured(featured: readonly string[], items: readonly BundledItem[]) {
  const statuses = new Map(items.map(({ slug, status }) => [slug, status] as const));
  return featured.flatMap((slug) => {
    const status = statuses.get(slug);
    if (status === null || status === 'published' || status === 'announced') return [];
    if (status === undefined) {
      const sentence = `Cannot feature ${quote(slug)}: no item has this slug`;
      return warning('unknown-featured', FILE, sentence, nameFolder(slug, [...statuses.keys()]));
    }
    const sentence = `Cannot feature ${quote(slug)}: it is ${HIDDEN[status]}`;
    const remedy =
      status === 'private' ? 'Remove it from "featured"' : 'Publish it, or remove it from "featured"';
    return warning('hidden-featured', FILE, sentence, remedy);
  });
}

const nameFolder = (slug: string, slugs: readonly string[]): string =>
  didYouMean(slug, slugs, 'Name the folder of a book or skill, or remove it');

type Claimant = {
  readonly kind: string;
  readonly slug: string;
  readonly id: string | null;
  readonly sell: Sell | null;
  readonly isHeld: boolean;
};

type BundledItem = Claimant & {
  readonly formerly: readonly string[];
  readonly status: ItemStatus | null;
  /** The currency of the item's price; null if it is free or has no price. */
  readonly currency: string | null;
};

const currencyOf = (manifest: Edition['manifest'] | null | undefined): string | null =>
  manifest?.unitAmountCents ? manifest.currency : null;

export type JudgedBundle = { readonly bundle: Bundle; readonly problems: readonly Problem[] };

const FILE = 'stall.yaml';

/**
 * Finds the clashes between items and bundles. `slugs` has the problems of a shared slug or book id, `ids` those of a
 * shared id at a payment provider, `bundles` all problems of each bundle. `held` are the bundles that are served now.
 */
function findOfferProblems(
  items: readonly BundledItem[],
  bundles: readonly Bundle[],
  held: readonly Bundle[] = [],
) {
  const offers = bundles.map((bundle) => {
    const isHeld = held.some(({ slug }) => slug === bundle.slug);
    return { kind: 'bundle', slug: bundle.slug, id: null, sell: bundle.sell, isHeld, bundle };
  });
  const slugs = findClashes([...items, ...offers], namesOf, nameClash);
  const ids = findClashes([...items, ...offers], sellIdsOf, sellClash);
  const judge = createItemCheck(items);
  const judged = offers.map((offer) => {
    const clashes = [slugs.get(offer) ?? [], ids.get(offer) ?? []].flat();
    const problems = [...clashes.map((one) => ({ ...one, path: FILE })), ...judge(offer.bundle)];
    return { bundle: offer.bundle, problems };
  });
  return { bundles: judged, slugs, ids };
}

/**
 * Makes a function that judges a bundle: an error for each slug that no item has and each item priced in another currency,
 * and a warning for each other item that is not published.
 */
export function createItemCheck(
  items: readonly Pick<BundledItem, 'slug' | 'formerly' | 'status' | 'currency'>[],
) {
  const named = new Map(
    items.flatMap((item) => [item.slug, ...item.formerly].map((name) => [name, item] as const)),
  );
  const slugs = items.map(({ slug }) => slug);
  return (bundle: Pick<Bundle, 'slug' | 'items' | 'currency'>): readonly Problem[] =>
    bundle.items.flatMap((slug) => {
      const { status, currency = null } = named.get(slug) ?? {};
      if (currency !== null && currency !== bundle.currency) {
        const [own, other] = [bundle.currency, currency].map((code) => code.toUpperCase());
        const sentence = `Cannot sell ${quote(slug)} in the bundle ${quote(bundle.slug)}: its price is in ${other}, the bundle's in ${own}`;
        return error('bundled-currency', FILE, sentence, 'Give both the same "currency"');
      }
      if (status === null || status === 'published') return [];
      if (status === undefined) {
        const sentence = `Cannot sell ${quote(slug)} in the bundle ${quote(bundle.slug)}: no item has this slug`;
        return error('unknown-bundled', FILE, sentence, nameFolder(slug, slugs));
      }
      const sentence = `Cannot show the bundle ${quote(bundle.slug)}: ${quote(slug)} is ${HIDDEN[status]}`;
      return warning('hidden-bundled', FILE, sentence, 'Publish it, or remove it from the bundle');
    });
}

/** A name that only one item or bundle may have, and its form in a sentence. */
type Claim = readonly [name: string, said: string];

function findClashes(
  claimants: readonly Claimant[],
  claimsOf: (claimant: Claimant) => readonly Claim[],
  problemOf: (said: string, loser: Claimant, others: readonly Claimant[]) => Problem | null,
): ReadonlyMap<Claimant, Problem> {
  const claims = claimants.flatMap((claimant) =>
    claimsOf(claimant).map(([name, said]) => ({ name, said, claimant })),
  );
  const byName = Map.groupBy(claims, ({ name }) => name);
  const clashes = new Map<Claimant, Problem>();
  for (const { name, said, claimant } of claims) {
    const sharers = byName.get(name) ?? [];
    if (sharers.length < 2) continue;
    const others = sharers.map((one) => one.claimant).filter((other) => other !== claimant);
    const problem = problemOf(said, claimant, others);
    if (problem !== null) clashes.set(claimant, problem);
  }
  return clashes;
}

const namesOf = ({ slug, id }: Claimant): readonly Claim[] =>
  [`slug "${slug}"`, ...(id === null ? [] : [`id "${id}"`])].map((name) => [name, name]);

/**
 * Makes the problem of an item (`loser`) that shares a name with others. Returns null if only the `loser` is served
 * already: it keeps the name.
 */
function nameClash(name: string, loser: Claimant, others: readonly Claimant[]): Problem | null {
  if (loser.isHeld && !others.some(({ isHeld }) => isHeld)) return null;
  const places = others.map(({ kind, slug }) =>
    kind === 'bundle' ? 'a bundle of stall.yaml' : `${kind}s/${slug}`,
  );
  return naming(
    slugsOf(others),
    `Cannot use the ${name}: it is taken`,
    error(
      'clash',
      'item.yaml',
      `Cannot serve two items with the ${name}: ${places.join(', ')} has it too`,
      'Give one of them another folder name or id',
    ),
  );
}

const slugsOf = (items: readonly { readonly slug: string }[]) => items.map(({ slug }) => slug);

const sellIdsOf = ({ sell }: Claimant): readonly Claim[] =>
  idsOf(sell).map(({ provider, product }) => [
    `${provider} ${product}`,
    `${PROVIDER_NAMES[provider]} id ${quote(product)}`,
  ]);

/** Makes the problem of an id at a payment provider that several items or bundles name: an id sells only one of them. */
function sellClash(id: string, _: Claimant, others: readonly Claimant[]): Problem {
  const places = others.map(({ kind, slug }) =>
    kind === 'bundle' ? `the bundle ${quote(slug)} of ${FILE}` : `${kind}s/${slug}/item.yaml`,
  );
  return naming(
    slugsOf(others),
    `Cannot sell by the ${id}: it is taken`,
    error(
      'sell-clash',
      'item.yaml',
      `Cannot sell by the ${id}: ${places.join(', ')} names it too`,
      'Leave it in one of them: an id sells one item or bundle',
    ),
  );
}

type RenamedItem = { readonly kind: string; readonly slug: string; readonly formerly: readonly string[] };

export const formerTaken = (slug: string): string =>
  `Cannot take ${quote(slug)} as a former slug: it is taken`;

/**
 * Makes a function that judges an item's former slugs: an error for one that two items claim, a warning for one that
 * another has now.
 */
function judgeFormer(items: readonly RenamedItem[], bundles: readonly Bundle[]) {
  const live = new Map(
    [...bundles.map(({ slug }) => ({ kind: 'bundle', slug })), ...items].map((one) => [one.slug, one]),
  );
  const claims = items.flatMap((item) => item.formerly.map((slug) => ({ slug, item })));
  const bySlug = Map.groupBy(claims, ({ slug }) => slug);
  return (item: RenamedItem): readonly Problem[] =>
    item.formerly.flatMap((slug) => {
      const owner = live.get(slug);
      const other = bySlug.get(slug)?.find((claim) => claim.item !== item)?.item;
      const found = owner ?? other;
      if (slug === item.slug || found === undefined) return [];
      const problem =
        owner === undefined
          ? error(
              'former-clash',
              'item.yaml',
              `Cannot take ${quote(slug)} as a former slug: ${found.kind}s/${found.slug}/item.yaml names it too`,
              'Leave it in one of the two',
            )
          : warning(
              'former-live',
              'item.yaml',
              `"formerly" names ${quote(slug)}, but ${owner.kind}s/${owner.slug} has that slug now and keeps it`,
              'Remove it from "formerly", or rename the other item',
            );
      return naming([found.slug], formerTaken(slug), problem);
    });
}

/** The editions (by `keyOf`) and bundles that are served now, or that were served when the stall stopped. */
type Held = { readonly editions: ReadonlyMap<string, Edition>; readonly bundles: readonly Bundle[] };

type Found = { readonly publications: readonly Publication[]; readonly bundles: readonly Bundle[] };

/**
 * Holds back new editions that clash with other items or bundles over a slug, book id, former slug or id at a payment
 * provider, and those whose needs are not met. Also judges the bundles.
 */
export async function withholdConflicts(
  { publications: found, bundles }: Found,
  held: Held,
  { turn, earlier }: { readonly turn: () => Promise<void>; readonly earlier: Earlier },
) {
  const claimants = found.map((publication) => {
    const { kind, slug, edition } = publication;
    const before = edition === null ? undefined : held.editions.get(keyOf(edition));
    const isHeld = before !== undefined && haveSameRoot(before, edition!);
    const { id = null, formerly = [], status = null, sell = null } = edition?.manifest ?? {};
    return {
      kind,
      slug,
      id,
      formerly,
      status,
      sell,
      currency: currencyOf(edition?.manifest),
      isHeld,
      publication,
    };
  });
  const lastGood = ({ kind, slug }: Publication) => held.editions.get(`${kind} ${slug}`) ?? null;
  await turn();
  const judged = findOfferProblems(claimants, bundles, held.bundles);
  await turn();
  const winners = claimants.map((claimant) => {
    const { publication } = claimant;
    const taken = judged.slugs.get(claimant);
    if (taken !== undefined) return withholdEdition(publication, null, taken);
    const sold = judged.ids.get(claimant);
    // The item may already be sold by this id, so its last good edition is served on.
    return sold === undefined ? publication : withholdEdition(publication, lastGood(publication), sold);
  });
  await turn();
  // Items that claim the same former slug go on serving their last good editions.
  const renamed = winners.map((publication) => {
    const { kind, slug, edition } = publication;
    return { kind, slug, formerly: edition?.manifest.formerly ?? [], publication };
  });
  const formerProblemsOf = judgeFormer(renamed, bundles);
  const publications = renamed.map((item) => {
    const { publication } = item;
    const named = formerProblemsOf(item);
    const clash = named.find(isError);
    return clash === undefined
      ? {
          ...publication,
          problems: [...publication.problems, ...named],
        }
      : withholdEdition(publication, lastGood(publication), clash);
  });
  return { publications: withholdUnmet(publications, lastGood, earlier), bundles: judged.bundles };
}

/**
 * Holds back new editions whose needs have errors, then those that need one of these, and so on. Only when none is left
 * does it hold back editions whose needs can be met one by one, but not together.
 */
function withholdUnmet(
  publications: readonly Publication[],
  lastGood: (publication: Publication) => Edition | null,
  earlier: Earlier,
  judgesConflicts = false,
): readonly Publication[] {
  const items = publications.map(({ edition }) => edition && { ...edition.manifest, digest: edition.digest });
  const needProblemsOf = judgeNeeds(
    items.filter((item) => item !== null),
    earlier,
  );
  let isSettled = true;
  const settled = publications.map((publication, n) => {
    const item = items[n] ?? null;
    const found = item === null ? [] : needProblemsOf(item);
    const { problems } = publication;
    const problem = found.find((one) => isError(one) && (judgesConflicts || one.code !== CONFLICT));
    // An item with a warning about its version, such as "same-version", gets no second one.
    const warned = problems.some(({ code }) => code.endsWith('-version'))
      ? []
      : found.filter((one) => !isError(one));
    if (problem === undefined || problems.some(({ code }) => code === problem.code))
      return { ...publication, problems: [...problems, ...warned] };
    isSettled = false;
    return withholdEdition(publication, lastGood(publication), problem);
  });
  return isSettled && judgesConflicts ? settled : withholdUnmet(settled, lastGood, earlier, isSettled);
}
