import type { Edition } from '../catalog/catalog.ts';
import type { ItemKind } from '../platform/base/principal.ts';

export function movedPage(
  request: Request,
  { manifest }: Edition,
  slug: string,
  kind: ItemKind = manifest.kind,
): Response | null {
  if (manifest.slug === slug && manifest.kind === kind) return null;
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
