import type { View } from '../frame/view.ts';

/** How a page of the window may be kept: to be asked about again by passers-by, by nobody where it names who is signed in. */
export function pageCacheHeaders({ email }: View): Readonly<Record<string, string>> {
  return { 'Cache-Control': email === null ? 'private, no-cache' : 'no-store' };
}
