import { type Catalog, type Edition, nameOf } from '../catalog/catalog.ts';
import { isFree, itemKey } from '../catalog/item.rule.ts';
import type { ItemKind, AgentPrincipal } from '../platform/base/principal.ts';
import type { Store, Records, Stall } from './stall.ts';
import { listPrivate, readLibrary } from '../accounts/library.ts';
import {
  collationName,
  rowOf,
  rowsByTitle,
  type StorefrontIndex,
  type StorefrontRow,
} from '../catalog/storefront-index.ts';
import { listBundles, type ShownBundle } from '../catalog/bundle.ts';
import { unauthenticated } from '../platform/base/told.ts';
import { comparable } from '../platform/base/text.ts';

/** How the storefront is sorted: by title, or by the first publication, newest first. */
export type StorefrontOrder = 'title' | 'newest';

/** The choices in a search of the storefront; null matches everything. */
export type StorefrontFilters = {
  readonly kind: ItemKind | null;
  readonly price: 'free' | 'paid' | null;
  readonly tag: string | null;
  readonly language: string | null;
};

/**
 * A search of the storefront. `page` counts from 1; `size` is the number of items a page, by default that of the site's pages.
 */
export type StorefrontQuery = StorefrontFilters & {
  readonly words: string;
  readonly order: StorefrontOrder;
  readonly page: number;
  readonly size?: number;
};

export const EVERYTHING: StorefrontQuery = {
  words: '',
  kind: null,
  price: null,
  tag: null,
  language: null,
  order: 'title',
  page: 1,
};

const ITEMS_A_PAGE = 36;
const MOST_WORDS = 16;

/**
 * Finds the published and announced items, and the asker's private ones, that fit the filters and have each of the first 16
 * words in title, authors, publisher, tags, slug or description. Matches in titles come first.
 *
 * Without a search, sorted by title, the publisher's choice comes first: the items of `featured` that are shown, or else the
 * newest book, or else the newest skill. A catalog for programs (`isShop` false) has neither this choice nor announced items.
 */
export async function findInStorefront(
  stall: Stall,
  asker: AgentPrincipal,
  { isShop = true, ...query }: StorefrontQuery & { readonly isShop?: boolean },
) {
  const index = await indexFor(stall, asker);
  const { tags, languages } = index;
  const rows = inOrder(stall.store, index, query);
  const words = comparable(query.words).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const found = rows.filter(
    ({ edition, text }) =>
      words.every((word) => text.includes(word)) &&
      isWanted(edition, query) &&
      (isShop || edition.manifest.status !== 'announced'),
  );
  const [first, others] = isSearch(query)
    ? partition(found, words)
    : isShop && query.order === 'title'
      ? takeOut(stall, index)
      : [[], found];
  const { size = ITEMS_A_PAGE } = query;
  const pages = Math.max(1, Math.ceil(found.length / size));
  const page = Math.min(query.page, pages);
  const items = [...first, ...others].slice((page - 1) * size, page * size).map(({ edition }) => edition);
  const split = isSearch(query) || page > 1 ? 0 : first.length;
  return {
    featured: items.slice(0, split),
    items: items.slice(split),
    count: found.length,
    total: index.rows.length,
    page,
    pages,
    tags,
    languages,
  };
}

/**
 * One page of the storefront, of `pages` in all (at least 1). `count` is the number of items found, `total` that of all items.
 * `tags` and `languages` are for the search form, the most frequent first. `featured` is the publisher's choice, which `items`
 * leaves out; it is empty in a search, in the order by date, and after the first page.
 */
export type StorefrontPage = Awaited<ReturnType<typeof findInStorefront>>;

const withPrivate = new WeakMap<readonly Edition[], Promise<StorefrontIndex>>();

/**
 * Returns the index of the published and announced items and the private ones that the asker may see: the same object until the
 * catalog or those private items change.
 */
async function indexFor(stall: Stall, asker: AgentPrincipal): Promise<StorefrontIndex> {
  const catalog = stall.catalog();
  const own = listPrivate(stall, asker);
  if (own.length === 0) return stall.storefrontIndexes(catalog);
  return withPrivate.getOrInsertComputed(own, async () => {
    const index = await stall.storefrontIndexes(catalog);
    const sorted = rowsByTitle(index.language);
    return { ...index, rows: [...index.rows, ...own.map(rowOf)].sort(sorted) };
  });
}

const isSearch = (query: StorefrontQuery): boolean =>
  query.words !== '' || FILTERS.some((name) => query[name] !== null);

type Parts = readonly [first: readonly StorefrontRow[], others: readonly StorefrontRow[]];

/**
 * Divides the rows of an index: first the featured ones, in the publisher's order, or without these the newest book, or without
 * books the newest skill; then all others.
 */
function takeOut({ store, manifest }: Stall, index: StorefrontIndex): Parts {
  const chosen = new Map(manifest().featured.map((slug) => [slug, null as StorefrontRow | null]));
  const others = index.rows.filter((row) => {
    const { slug } = row.edition.manifest;
    if (!chosen.has(slug)) return true;
    chosen.set(slug, row);
    return false;
  });
  const first = [...chosen.values()].filter((row) => row !== null);
  if (first.length > 0) return [first, others];
  const newestFirst = newestOf(store, index);
  const newest = newestFirst.find((row) => rankOf(row) === 0) ?? newestFirst[0];
  return newest === undefined ? [[], others] : [[newest], others.filter((row) => row !== newest)];
}

function partition(rows: readonly StorefrontRow[], words: readonly string[]): Parts {
  const isNamed = ({ title }: StorefrontRow): boolean => words.every((word) => title.includes(word));
  return words.length === 0 ? [rows, []] : [rows.filter(isNamed), rows.filter((row) => !isNamed(row))];
}

const FITS: {
  readonly [Name in keyof StorefrontFilters]: (
    manifest: Edition['manifest'],
    wanted: NonNullable<StorefrontFilters[Name]>,
  ) => boolean;
} = {
  kind: (manifest, kind) => manifest.kind === kind,
  price: (manifest, price) => isFree(manifest) === (price === 'free'),
  tag: ({ tags }, tag) => tags.some((one) => comparable(one) === comparable(tag)),
  language: (manifest, language) => isIn(manifest.language, language),
};

export const FILTERS = Object.keys(FITS) as readonly (keyof StorefrontFilters)[];

const isWanted = ({ manifest }: Edition, query: StorefrontFilters): boolean =>
  FILTERS.every((name) => query[name] === null || FITS[name](manifest, query[name] as never));

/** Whether a language is the wanted one or a variant of it, such as en-GB of en. */
const isIn = (language: string | null, wanted: string): boolean =>
  language === wanted || (language?.startsWith(`${wanted}-`) ?? false);

const newest = new WeakMap<StorefrontIndex, readonly StorefrontRow[]>();

/** Returns the rows of an index, newest first, cached, since every front page needs them. */
const newestOf = (store: Store, index: StorefrontIndex): readonly StorefrontRow[] =>
  newest.getOrInsertComputed(index, () => byNewest(store, index));

/**
 * Returns the rows of an index as a query sorts them: by title, by the rules of the language searched for, or newest first. Of
 * items published at the same instant, as at a first start, books come first, then titles decide.
 */
function inOrder(
  store: Store,
  index: StorefrontIndex,
  { order, language }: StorefrontQuery,
): readonly StorefrontRow[] {
  if (order === 'newest') return newestOf(store, index);
  if (language === null || collationName(language) === index.collation) return index.rows;
  return index.rows
    .filter(({ edition }) => isIn(edition.manifest.language, language))
    .sort(rowsByTitle(language));
}

function byNewest(store: Store, { rows }: StorefrontIndex): readonly StorefrontRow[] {
  const shown = store.listShownItems();
  const dates = new Map(
    shown.map(({ kind, itemKey: key, firstShownAt }) => [`${kind} ${key}`, firstShownAt]),
  );
  // An item without a stored date was published just now.
  const dateOf = ({ edition }: StorefrontRow) => dates.get(nameOf(edition)) ?? Number.MAX_SAFE_INTEGER;
  return rows.toSorted((a, b) => dateOf(b) - dateOf(a) || rankOf(a) - rankOf(b));
}

const rankOf = ({ edition: { manifest } }: StorefrontRow): number => Number(manifest.kind === 'skill');

/**
 * Finds the bundles that contain every word of a search; none if it asks for a kind, a tag, a language or free items, since
 * bundles have none of these.
 */
export function searchBundles(catalog: Catalog, query: StorefrontQuery): readonly ShownBundle[] {
  const { words, kind, price, tag, language } = query;
  if (kind !== null || price === 'free' || tag !== null || language !== null) return [];
  const wanted = comparable(words).split(/\s+/).filter(Boolean);
  return listBundles(catalog).filter(({ text }) => wanted.every((word) => text.includes(word)));
}

export type OpdsList = 'all' | 'free' | 'newest' | 'library' | 'search';

export const OPDS_ENTRIES_A_PAGE = 50;

/** Lists a page of items for e-readers. The list `library` refuses unauthenticated without a key. */
export async function listOpds(
  stall: Stall,
  asker: AgentPrincipal,
  list: OpdsList,
  { page, words = '' }: { readonly page: number; readonly words?: string },
) {
  if (list === 'library') return pageOfLibrary(stall, asker, page);
  const price = list === 'free' ? 'free' : null;
  const order = list === 'newest' ? 'newest' : 'title';
  const query = { ...EVERYTHING, words, price, order, page, size: OPDS_ENTRIES_A_PAGE } as const;
  const found = await findInStorefront(stall, asker, { ...query, isShop: false });
  const { held } = asker.kind === 'account' ? readLibrary(stall, asker) : { held: [] };
  const theirs = new Set(held.map(({ edition }) => edition));
  const items = found.items.map((edition) =>
    itemOf(stall, edition, isFree(edition.manifest) || theirs.has(edition)),
  );
  return { ...found, items };
}

function pageOfLibrary(stall: Stall, asker: AgentPrincipal, wanted: number) {
  if (asker.kind !== 'account')
    throw unauthenticated('Cannot list a library', asker.kind === 'anonymous' ? asker.complaint : null);
  const held = readLibrary(stall, asker).held.filter(({ holding }) => holding.status !== 'announced');
  const pages = Math.max(1, Math.ceil(held.length / OPDS_ENTRIES_A_PAGE));
  const page = Math.min(wanted, pages);
  const items = held
    .slice((page - 1) * OPDS_ENTRIES_A_PAGE, page * OPDS_ENTRIES_A_PAGE)
    .map(({ edition }) => itemOf(stall, edition, true));
  return { items, count: held.length, page, pages };
}

function itemOf({ store }: Records, edition: Edition, isTheirs: boolean) {
  const { manifest } = edition;
  return { edition, isTheirs, changedAt: store.findChangedAt(manifest.kind, itemKey(manifest)) ?? 0 };
}

/**
 * An item in a list for e-readers. `isTheirs` says that the asker may download it; `changedAt` is in milliseconds since 1970.
 */
export type OpdsItem = ReturnType<typeof itemOf>;
