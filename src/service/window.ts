import type { Edition } from '../catalog/catalog.ts';
import { isFree, itemKey, type ItemKind } from '../item/item.ts';
import type { Store } from '../store/store.ts';
import type { Stall } from './stall.ts';
import { collationName, fold, rowsByTitle, type WindowIndex, type WindowRow } from './window-index.ts';

/** The orders of the window: by title, or by when an item was first published, the newest first. */
export type WindowOrder = 'title' | 'newest';

/** A search of the shop window; null matches everything. `page` counts from 1; `size` is how many items it has, unless it is as in a browser. */
export type WindowQuery = {
  readonly words: string;
  readonly kind: ItemKind | null;
  readonly price: 'free' | 'paid' | null;
  readonly tag: string | null;
  readonly language: string | null;
  readonly order: WindowOrder;
  readonly page: number;
  readonly size?: number;
};

/** One page of the window: `count` items on `pages` pages (at least 1), and the tags and languages to choose from, the most frequent first. */
export type WindowPage = {
  /** The publisher's choice, before the items of the first page; none in a search. */
  readonly featured: readonly Edition[];
  readonly items: readonly Edition[];
  readonly count: number;
  readonly page: number;
  readonly pages: number;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const PAGE = 36;
const MOST_WORDS = 16;

/**
 * Finds published items that contain every word in title, description, publisher, tags or slug. Matches in titles come first.
 * Without a search the items of the slugs `featured` come before all others.
 */
export async function findInWindow(
  stall: Stall,
  query: WindowQuery,
  featured: readonly string[] = stall.manifest().featured,
): Promise<WindowPage> {
  const index = await stall.windowIndexes(stall.catalog());
  const { tags, languages } = index;
  const rows = await inOrder(stall.store, index, query);
  const words = fold(query.words).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const found = rows.filter(
    ({ edition, text }) => words.every((word) => text.includes(word)) && isWanted(edition, query),
  );
  const [first, others] = isSearch(query) ? partition(found, words) : takeOut(found, featured);
  const { size = PAGE } = query;
  const pages = Math.max(1, Math.ceil(found.length / size));
  const page = Math.min(query.page, pages);
  const items = [...first, ...others].slice((page - 1) * size, page * size).map(({ edition }) => edition);
  const split = isSearch(query) || page > 1 ? 0 : first.length;
  return {
    featured: items.slice(0, split),
    items: items.slice(split),
    count: found.length,
    page,
    pages,
    tags,
    languages,
  };
}

function isSearch({ words, kind, price, tag, language }: WindowQuery): boolean {
  return words !== '' || [kind, price, tag, language].some((choice) => choice !== null);
}

type Parts = readonly [first: readonly WindowRow[], others: readonly WindowRow[]];

/** The rows of the slugs, in the slugs' order, and the other rows. */
function takeOut(rows: readonly WindowRow[], slugs: readonly string[]): Parts {
  if (slugs.length === 0) return [[], rows];
  const chosen = new Map(slugs.map((slug) => [slug, null as WindowRow | null]));
  const others = rows.filter((row) => {
    const { slug } = row.edition.manifest;
    if (!chosen.has(slug)) return true;
    chosen.set(slug, row);
    return false;
  });
  return [[...chosen.values()].filter((row) => row !== null), others];
}

function partition(rows: readonly WindowRow[], words: readonly string[]): Parts {
  const isNamed = ({ title }: WindowRow): boolean => words.every((word) => title.includes(word));
  return words.length === 0 ? [rows, []] : [rows.filter(isNamed), rows.filter((row) => !isNamed(row))];
}

function isWanted({ manifest }: Edition, { kind, price, tag, language }: WindowQuery): boolean {
  return (
    (kind === null || manifest.kind === kind) &&
    (price === null || isFree(manifest) === (price === 'free')) &&
    (tag === null || manifest.tags.some((one) => fold(one) === fold(tag))) &&
    (language === null || isIn(manifest.language, language))
  );
}

/** Whether a language is the wanted one or a variant of it, as en-GB is of en. */
function isIn(language: string | null, wanted: string): boolean {
  return language === wanted || (language?.startsWith(`${wanted}-`) ?? false);
}

/** The orders of an index beside its own; each is made on first demand and once. */
type Orders = { newest: Rows | null; readonly byLanguage: Map<string, readonly WindowRow[]> };
type Rows = Promise<readonly WindowRow[]>;

const orders = new WeakMap<WindowIndex, Orders>();

/**
 * An index's rows in the order that a query asks for: by title, in the collation of the language that is searched for, or the
 * newest first. Items of the same instant, such as those of a first start, are sorted by title.
 */
async function inOrder(store: Store, index: WindowIndex, { order, language }: WindowQuery): Rows {
  const known = orders.get(index) ?? { newest: null, byLanguage: new Map<string, readonly WindowRow[]>() };
  orders.set(index, known);
  if (order === 'newest') return (known.newest ??= byNewest(store, index));
  if (language === null || collationName(language) === index.collation) return index.rows;
  // Only languages of the catalog are kept: a stranger may ask for any.
  if (!index.languages.some((one) => isIn(one, language))) return [];
  const rows =
    known.byLanguage.get(language) ??
    index.rows.filter(({ edition }) => isIn(edition.manifest.language, language)).sort(rowsByTitle(language));
  known.byLanguage.set(language, rows);
  return rows;
}

async function byNewest(store: Store, { rows }: WindowIndex): Rows {
  const shown = await store.listShownItems();
  const dates = new Map(
    shown.map(({ kind, itemKey: key, firstShownAt }) => [`${kind} ${key}`, firstShownAt]),
  );
  // An item without a stored date was published just now.
  const dateOf = ({ edition: { manifest } }: WindowRow) =>
    dates.get(`${manifest.kind} ${itemKey(manifest)}`) ?? Number.MAX_SAFE_INTEGER;
  return rows.toSorted((a, b) => dateOf(b) - dateOf(a));
}
