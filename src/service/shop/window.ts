import type { Edition } from '../../catalog/edition.ts';
import { isFree, type ItemKind } from '../../item/item.ts';
import { fold, type WindowIndex, type WindowRow } from './window-index.ts';

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

/** Finds published items that contain every word in title, description, publisher, tags or slug. Matches in titles come first; both groups are sorted by title. */
export function findInWindow({ rows, tags, languages }: WindowIndex, query: WindowQuery): WindowPage {
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
  rows: readonly WindowRow[],
  words: readonly string[],
): readonly [readonly WindowRow[], readonly WindowRow[]] {
  const isNamed = ({ title }: WindowRow): boolean => words.every((word) => title.includes(word));
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
