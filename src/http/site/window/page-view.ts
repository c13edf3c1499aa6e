import { isbot } from 'isbot';
import type { View } from '../frame/view.ts';

/** As much of a User-Agent as is looked at: each bot names itself within it. */
const LONGEST_NAME = 500;

/**
 * Whether a person asked for the page to look at it: no HEAD, no browser that loads ahead (https://wicg.github.io/nav-speculation/prefetch.html),
 * no program, and not the owner.
 */
export function isPageView({ method, headers }: Request, { visitor }: View): boolean {
  if (method !== 'GET' || visitor === 'owner') return false;
  const name = headers.get('user-agent') ?? '';
  if (name === '' || AHEAD.some((header) => headers.get(header)?.includes('prefetch'))) return false;
  return !isbot(name.slice(0, LONGEST_NAME));
}

/** The standard header, and the older ones of WebKit and Firefox. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
