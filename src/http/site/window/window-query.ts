import type { WindowQuery } from '../../../service/window.ts';

const MOST_CHARACTERS = 200;

/** The query for all items, first page. */
export const EVERYTHING: WindowQuery = {
  words: '',
  kind: null,
  price: null,
  tag: null,
  language: null,
  order: 'title',
  page: 1,
};

/** Reads the window's query; a malformed value counts as missing. */
export function readWindowQuery(query: Readonly<Record<string, string>>): WindowQuery {
  const text = (name: string): string | null => query[name]?.trim().slice(0, MOST_CHARACTERS) || null;
  return {
    words: text('q') ?? '',
    kind: oneOf(text('kind'), ['book', 'skill']),
    price: oneOf(text('price'), ['free', 'paid']),
    tag: text('tag'),
    language: text('language'),
    order: oneOf(text('sort'), ['newest']) ?? 'title',
    page: /^[1-9]\d{0,5}$/.test(query['page'] ?? '') ? Number(query['page']) : 1,
  };
}

/** The window's address for a query: equal queries have equal addresses. */
export function windowUrl({ words, kind, price, tag, language, order, page }: WindowQuery): string {
  const sort = order === 'title' ? null : order;
  const chosen = { q: words, kind, price, tag, language, sort, page: page === 1 ? null : page };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(chosen))
    if (value !== null && value !== '') query.set(name, String(value));
  return query.size === 0 ? '/' : `/?${query}`;
}

function oneOf<Word extends string>(text: string | null, words: readonly Word[]): Word | null {
  return words.find((word) => word === text) ?? null;
}
