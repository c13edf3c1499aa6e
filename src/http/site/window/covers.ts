import { Elysia } from 'elysia';
import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/edition.ts';
import { notFound } from '../../../service/access.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { coverOf, slugOfCover } from '../cover/cover-name.ts';
import { sendFile } from './file-body.ts';
import { imageType } from '../../../item/image-type.ts';

const ROUTE = '/covers/:name';

/** `GET /covers/<slug>-<hash>.<extension>`: an item's cover, for everyone who may see its page. */
export function covers(site: RouteDeps) {
  const { service, identity } = site;
  const send = async (request: Request, visitor: Principal, name: string): Promise<Response> => {
    const slug = slugOfCover(name);
    if (slug === null) throw notFound(name);
    const edition = await service.see(visitor, slug);
    const cover = coverOf(edition);
    // The cover of an earlier edition: the page names another by now.
    if (cover.name !== name) throw notFound(name);
    const headers = headersOf(edition, name);
    if (isUnmodified(request, headers.ETag)) return notModified(headers);
    if (cover.svg === null) {
      const sending = { principal: visitor, action: 'look', route: ROUTE, headers } as const;
      return sendFile(request, await service.openCover(edition), site, sending);
    }
    const length = { 'Content-Length': String(Buffer.byteLength(cover.svg)) };
    return new Response(cover.svg, { headers: { ...headers, ...length } });
  };
  return new Elysia()
    .use(identity)
    .get(ROUTE, async ({ request, params, visitor }) => await send(request, visitor, params.name), {
      coverGuard: true,
    });
}

function headersOf({ manifest: { status, cover } }: Edition, name: string) {
  return {
    'Content-Type': imageType(name) ?? 'image/svg+xml',
    // In a page an SVG is an image and runs nothing; opened by itself it would be a page that the publisher wrote.
    ...(cover !== null && imageType(name) === null ? { 'Content-Disposition': 'attachment' } : {}),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    ...(status === 'published'
      ? { 'Cache-Control': 'public, max-age=31536000, immutable' }
      : { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }),
    ETag: `"${name}"`,
  };
}
