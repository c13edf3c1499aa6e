import { type Catalog, listPublished } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { isFree, type ItemKind } from '../../item/item.ts';

/** A search of the shop window; null matches everything. `page` counts from 1. */
export type WindowQuery = {
  readonly words: string;
  readonly kind: ItemKind | null;
  readonly price: 'free' | 'paid' | null;
  readonly tag: string | null;
  readonly language: string | null;
  readonly page: number;
};

/** One page of the window: `count` items on `pages` pages (at least 1), and the tags and languages to choose from, the most frequent first. */
export type WindowPage = {
  readonly items: readonly Edition[];
  readonly count: number;
  readonly page: number;
  readonly pages: number;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const PAGE = 36;
const MOST_WORDS = 16;
const MOST_TAGS = 40;

/** An item as it is searched: its title, and all its text. */
type Row = { readonly edition: Edition; readonly title: string; readonly text: string };
type Index = Pick<WindowPage, 'tags' | 'languages'> & { readonly rows: readonly Row[] };

const indexes = new WeakMap<Catalog, Index>();
const titles = new Intl.Collator('und', { numeric: true });

/** Finds published items that contain every word in title, description, publisher, tags or slug. Matches in titles come first; both groups are sorted by title. */
export function findInWindow(catalog: Catalog, query: WindowQuery): WindowPage {
  const { rows, tags, languages } = indexOf(catalog);
  const words = fold(query.words).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const found = rows.filter(
    ({ edition, text }) => words.every((word) => text.includes(word)) && isWanted(edition, query),
  );
  const [named, others] = words.length === 0 ? [found, []] : partition(found, words);
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(query.page, pages);
  const items = [...named, ...others].slice((page - 1) * PAGE, page * PAGE).map(({ edition }) => edition);
  return { items, count: found.length, page, pages, tags, languages };
}

function partition(
  rows: readonly Row[],
  words: readonly string[],
): readonly [readonly Row[], readonly Row[]] {
  const isNamed = ({ title }: Row): boolean => words.every((word) => title.includes(word));
  return [rows.filter(isNamed), rows.filter((row) => !isNamed(row))];
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

function indexOf(catalog: Catalog): Index {
  const known = indexes.get(catalog);
  if (known !== undefined) return known;
  const editions = listPublished(catalog);
  const made = {
    rows: editions
      .map(makeRow)
      .sort((a, b) => titles.compare(a.edition.manifest.title, b.edition.manifest.title)),
    tags: byFrequency(editions.flatMap(({ manifest }) => manifest.tags)).slice(0, MOST_TAGS),
    languages: byFrequency(
      editions.flatMap(({ manifest: { language } }) => (language === null ? [] : [language])),
    ),
  };
  indexes.set(catalog, made);
  return made;
}

function makeRow(edition: Edition): Row {
  const { title, description, publisher, tags, slug, authors } = edition.manifest;
  return {
    edition,
    title: fold(title),
    text: fold([title, publisher, ...authors, ...tags, slug, description].join('\n')),
  };
}

function byFrequency(values: readonly string[]): readonly string[] {
  const counts = [...Map.groupBy(values, (value) => value)];
  return counts
    .sort((a, b) => b[1].length - a[1].length || titles.compare(a[0], b[0]))
    .map(([value]) => value);
}

/** Folds case, accents and character widths. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
