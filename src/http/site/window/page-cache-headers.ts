import type { View } from '../frame/view.ts';

/** Cache headers of a public page. Anonymous: revalidate; signed in: no-store, since the page names the reader. */
export function pageCacheHeaders({ email }: View): Readonly<Record<string, string>> {
  return { 'Cache-Control': email === null ? 'private, no-cache' : 'no-store' };
}
