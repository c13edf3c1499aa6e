import {
  isFree,
  isShown,
  type Item,
  type ItemFile,
  itemKey,
  type ItemKind,
  type Manifest,
} from '../item/item.ts';
import type { Bundle, StallManifest } from '../item/stall-manifest.ts';
import type { FileFacts } from '../item/inventory.ts';
import type { Chapter } from '../item/chapters.ts';
import type { Problem } from '../item/problem.ts';
import type { Artefact, ArtefactKind } from './artefact.ts';
import type { Limits } from '../item/limit.ts';
import type { ItemFolder } from './scan.ts';
import type { QuestionCoverage } from './section-questions.ts';
import type { Sell } from '../item/manifest-key.ts';
import { DEMO, PAYMENT_PROVIDERS, type PaymentProvider } from '../payment-provider.ts';
import type { Offer, OfferedItem } from '../sales/goods.ts';

/** Stat fields used to detect a change since a file was hashed. Times are nanoseconds as decimal text, `hashedAt` is milliseconds. */
export type Stamp = {
  readonly inode: string;
  readonly mtime: string;
  readonly ctime: string;
  readonly hashedAt: number;
};

/** A file of an edition; `json` is the byte range of its record in the file JSON. Editions of 0.3.0 have no `facts`. */
export type EditionFile = ItemFile & {
  readonly stamp: Stamp;
  readonly facts?: FileFacts;
  readonly json: { readonly start: number; readonly end: number };
};

/** How many files an edition has that the one before has not, has in another state, and has not. */
export type FileChanges = { readonly added: number; readonly changed: number; readonly removed: number };

/** The paths of changed files, a hundred at most in all; none for a first edition, whose files are all new. */
export type ChangedFiles = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

/** A compiled item. It is saved in the data directory and served only from there. */
export type Edition = Omit<Item, 'files'> & {
  readonly files: readonly EditionFile[];
  readonly chapters: readonly Chapter[];
  readonly artefacts: Readonly<Partial<Record<ArtefactKind, Artefact>>>;
  readonly warnings: readonly Problem[];
  /** Counts of files against the edition before, which for the first one is empty. */
  readonly changes?: FileChanges & { readonly files?: ChangedFiles };
  /** See `findSampleImages`. */
  readonly sampleImages?: readonly string[];
  /** Only a book with questions.yaml has it. */
  readonly questions?: QuestionCoverage;
  /** Its publisher's notes, as Markdown; see `findNotes`. */
  readonly notes?: string | null;
  /** See `inputsHash`. Editions of 0.1.0 have none and are inspected again. */
  readonly inputsHash?: string;
  /** The edition of the folder, if it is a draft or an announcement of an item that was sold; the owner's session previews it. */
  readonly draft?: Edition;
  /** Only an item that was pushed has it. */
  readonly isPushed?: boolean;
  /** Only of a superseded edition: whether it was served free. */
  readonly wasFree?: boolean;
};

/** The key of an item in one content directory: kind and slug, as in `book field-notes`. */
export const keyOf = ({ manifest }: Pick<Edition, 'manifest'>): string => `${manifest.kind} ${manifest.slug}`;

/** Whether two belong to the same root: the content directory, or the folder of pushed items. */
export const haveSameRoot = (
  one: { readonly isPushed?: boolean },
  other: { readonly isPushed?: boolean },
): boolean => (one.isPushed ?? false) === (other.isPushed ?? false);

/** The name of an item in the database: its kind, and the key by which grants name it. */
export const nameOf = ({ manifest }: Pick<Edition, 'manifest'>): string =>
  `${manifest.kind} ${itemKey(manifest)}`;

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
 * Derives the values that a catalog's first readers need, before they can ask for it. A start does not wait
 * for it, since there is no earlier catalog to read; its first reader meets a failure.
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
export const findByKey = (catalog: Catalog, kind: ItemKind, key: string): Edition | undefined =>
  kind === 'book' ? catalog.byBookId.get(key) : findBySlug(catalog, key, kind);

const bySlug = new WeakMap<FormerSlugs, ReadonlyMap<string, readonly (readonly [string, string])[]>>();

/** The former slugs of the item with this slug. */
export function listFormerSlugs({ former }: Catalog, slug: string): readonly string[] {
  const groups = bySlug.getOrInsertComputed(former, () => Map.groupBy(former, ([, current]) => current));
  return groups.get(slug)?.map(([old]) => old) ?? [];
}

/** The keys under which grants name an item: its own, and a skill's former slugs. A book keeps its id. */
export function grantKeys(catalog: Catalog, manifest: Manifest): readonly string[] {
  const own = itemKey(manifest);
  return manifest.kind === 'book' ? [own] : [own, ...listFormerSlugs(catalog, manifest.slug)];
}

/** The items that anyone may see in a list, and have if they are free or bought: published ones, by slug. */
export const listPublished = (catalog: Catalog): readonly Edition[] =>
  catalog.editions.filter((edition) => edition.manifest.status === 'published');

/** An item as those see it who do not hold it: its announcement, if it was published before. */
export const publicFace = (edition: Edition): Edition =>
  edition.draft?.manifest.status === 'announced' ? edition.draft : edition;

/** The items in the shop: published and announced ones, by slug. */
export const listShown = (catalog: Catalog): readonly Edition[] =>
  catalog.editions.map(publicFace).filter(({ manifest }) => isShown(manifest));

/**
 * One item to bring up to date. `rebuild` is true if an artefact turned out broken and must be made again. If
 * `settledBefore` is a time, in milliseconds since 1970, an item that changed after it is not compiled.
 */
export type RefreshJob = {
  readonly item: ItemFolder;
  readonly previous: Edition | null;
  readonly dataDirectory: string;
  readonly limits: Limits;
  readonly rebuild: boolean;
  readonly settledBefore: number | null;
};

/** `edition` is null if the item has an error, or if it `isChanging`; its last good edition is then served. */
export type Refreshed = {
  readonly edition: Edition | null;
  readonly problems: readonly Problem[];
  readonly isChanging: boolean;
};

/**
 * A thing with a price: a paid item, or a bundle. `bundle` is the bundle's slug, null for an item. `isComplete` is false if an
 * item of it was never published.
 */
type Product = {
  readonly slug: string;
  readonly title: string;
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  readonly isComplete: boolean;
} & Pick<Offer, 'from'>;

/** The name of a product at a provider. */
type SellId = { readonly provider: PaymentProvider; readonly product: string };

/** A product under one of its ids, or an id of `notOurs`, which has no items. */
type CatalogOffer = Product & Offer;

/** The product with this slug, or former slug of an item. Free items are not products. */
export function findProduct(catalog: Catalog, slug: string): Product | undefined {
  const bundle = catalog.bundles.find((one) => one.slug === slug);
  if (bundle !== undefined) return productOfBundle(catalog, bundle);
  const edition = findBySlug(catalog, slug);
  return edition === undefined || isFree(edition.manifest) ? undefined : productOfItem(edition);
}

/** Every paid item and bundle under its slug, as the pretended provider of the demo sells them. */
export function listDemoOffers(catalog: Catalog): readonly Offer[] {
  const slugs = [
    ...listShown(catalog).map(({ manifest }) => manifest.slug),
    ...catalog.bundles.map((one) => one.slug),
  ];
  return slugs
    .flatMap((slug) => findProduct(catalog, slug) ?? [])
    .map(({ slug, bundle, items }) => ({ provider: DEMO, product: slug, bundle, items, least: null }));
}

const known = new WeakMap<Catalog, readonly CatalogOffer[]>();

/** Every product under each of its ids, and the ids of `notOurs`; an id that two products name sells neither. */
export const listOffers = (catalog: Catalog): readonly CatalogOffer[] =>
  known.getOrInsertComputed(catalog, makeOffers);

/** The ids of a `sell`, provider by provider. */
export function idsOf(sell: Sell | null): readonly SellId[] {
  if (sell === null) return [];
  return PAYMENT_PROVIDERS.flatMap((provider) => sell[provider].map((product) => ({ provider, product })));
}

function makeOffers(catalog: Catalog): readonly CatalogOffer[] {
  const offers = [
    ...catalog.editions
      .filter(({ manifest }) => manifest.sell !== null)
      .flatMap((edition) => offersOf(productOfItem(edition), edition.manifest.sell)),
    ...catalog.bundles.flatMap((bundle) => offersOf(productOfBundle(catalog, bundle), bundle.sell)),
  ];
  const byId = Map.groupBy(offers, ({ provider, product }) => `${provider} ${product}`);
  const ids = new Set(offers.map(({ product }) => product));
  return [
    ...[...byId.values()].flatMap((sharers) => (sharers.length === 1 ? sharers : [])),
    ...catalog.notOurs.filter((id) => !ids.has(id)).map(notOurs),
  ];
}

const notOurs = (product: string): CatalogOffer => ({
  slug: '',
  title: '',
  provider: '',
  product,
  bundle: null,
  items: [],
  isComplete: false,
  least: null,
});

const offersOf = (product: Product, sell: Sell | null): readonly CatalogOffer[] =>
  idsOf(sell).map((id) => ({ ...product, ...id, least: sell?.least ?? null }));

function productOfItem({ manifest }: Edition): Product {
  const { kind, slug, title, status, unitAmountCents, suggestedAmountCents, currency } = manifest;
  const items = [{ kind, itemKey: itemKey(manifest), slug }];
  const from = suggestedAmountCents === null ? null : { amount: unitAmountCents ?? 0, currency };
  return { slug, title, bundle: null, items, isComplete: status !== 'draft', from };
}

function productOfBundle(catalog: Catalog, { slug, title, items }: Bundle): Product {
  const found = items.map((one) => findBySlug(catalog, one)).filter((edition) => edition !== undefined);
  const products = found.map(productOfItem);
  return {
    slug,
    title,
    bundle: slug,
    items: products.flatMap((product) => product.items),
    isComplete: products.length === items.length && products.every(({ isComplete }) => isComplete),
  };
}
