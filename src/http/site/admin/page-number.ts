/** The addresses of the pages before and after one of a list. */
type Neighbours = { readonly before: string | null; readonly after: string | null };

/** The number of the page that an address asks for, from 1 on; 1 if missing or malformed. */
export function readPageNumber(query: Readonly<Record<string, string>>): number {
  const text = query['page'] ?? '';
  return /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 1;
}

/** The addresses of the pages before and after, with the same filter, whose empty values are left out. */
export function neighboursOf(
  path: string,
  filter: Readonly<Record<string, string>>,
  page: number,
  isLast: boolean,
): Neighbours {
  const kept = Object.entries(filter).filter(([, value]) => value !== '');
  const addressOf = (number: number): string => {
    const words = new URLSearchParams(kept);
    if (number > 1) words.set('page', String(number));
    return words.size === 0 ? path : `${path}?${words}`;
  };
  return { before: page === 1 ? null : addressOf(page - 1), after: isLast ? null : addressOf(page + 1) };
}
