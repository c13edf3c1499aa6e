import type { Edition } from '../../../catalog/catalog.ts';

/** The redirect of a page below `/books/<slug>` or `/skills/<slug>` to the item's slug of today; null if it has that slug. */
export function movedPage(request: Request, { manifest }: Edition, slug: string): Response | null {
  if (manifest.slug === slug) return null;
  const { pathname, search } = new URL(request.url);
  const rest = pathname.split('/').slice(3);
  // Not cached: another item may have the old slug one day.
  return new Response(null, {
    status: 308,
    headers: {
      Location: `${['', `${manifest.kind}s`, manifest.slug, ...rest].join('/')}${search}`,
      'Cache-Control': 'no-cache',
      Vary: 'Cookie, Authorization',
    },
  });
}
