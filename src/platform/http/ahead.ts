/**
 * The headers by which browsers say that they load a page ahead of a click: the standard one, and older ones of WebKit and
 * Firefox.
 */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Reports whether a page is fetched for later (https://wicg.github.io/nav-speculation/prefetch.html). */
export const isAhead = ({ headers }: Pick<Request, 'headers'>): boolean =>
  AHEAD.some((header) => headers.get(header)?.includes('prefetch'));
