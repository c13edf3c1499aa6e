import type { StorefrontQuery } from './storefront.ts';
import type { Query } from '../platform/http/http.ts';
import { addressAt, readPageNumber } from '../platform/site/data-table.tsx';
import { ITEM_KINDS } from '../platform/base/principal.ts';

const MOST_CHARACTERS = 200;

export function readStorefrontQuery(query: Query): StorefrontQuery {
  const text = (name: string): string | null => query[name]?.trim().slice(0, MOST_CHARACTERS) || null;
  return {
    words: text('q') ?? '',
    kind: oneOf(text('kind'), ITEM_KINDS),
    price: oneOf(text('price'), ['free', 'paid']),
    tag: text('tag'),
    language: text('language'),
    order: oneOf(text('sort'), ['newest']) ?? 'title',
    page: readPageNumber(query),
  };
}

/** Returns the storefront's address for a search; equal searches have equal addresses. */
export function storefrontUrl({ words, order, page, size: _, ...filters }: StorefrontQuery): string {
  const sort = order === 'title' ? null : order;
  return addressAt('/', { q: words, ...filters, sort }, page);
}

const oneOf = <Word extends string>(text: string | null, words: readonly Word[]): Word | null =>
  words.find((word) => word === text) ?? null;
