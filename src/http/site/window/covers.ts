import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/edition.ts';
import { notFound } from '../../../service/access.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { bundleCover } from '../cover/bundle-cover.ts';
import { type Cover, coverOf, slugOfCover } from '../cover/cover-name.ts';
import { sendFile } from '../../file-body.ts';
import { imageType } from '../../../item/image-type.ts';
import { listBundles } from '../../../service/bundles.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

const DRAWING = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'X-Content-Type-Options': 'nosniff',
} as const;

/** How long a browser keeps an original that could not be resized just now, in seconds. */
const SOON = 600;

/** An item's cover, for everyone who may see its page. */
export async function sendCover(
  site: RouteDeps,
  request: Request,
  visitor: Principal,
  name: string,
): Promise<Response> {
  const { stall, service } = site;
  const slug = slugOfCover(name);
  if (slug === null) throw notFound(name);
  const bundle = listBundles(stall.catalog()).find((one) => bundleCover(one).name === name);
  if (bundle !== undefined) return sendDrawing(bundleCover(bundle));
  const edition = await service.see(visitor, slug);
  const cover = coverOf(edition);
  const today = edition.manifest.slug + name.slice(slug.length);
  if (today !== name && isCurrent(cover, today)) return moved(edition, today);
  // The cover of an earlier edition: the page names another by now.
  if (!isCurrent(cover, name)) throw notFound(name);
  if (isUnmodified(request, etagOf(name))) return notModified(headersOf(edition, name));
  if (name === cover.small) return sendSmall(site, request, visitor, edition, name);
  // Pages load the small one.
  if (cover.small !== null) site.budgets.takeRoute(request, visitor);
  const headers = headersOf(edition, name);
  if (cover.svg === null) return sendOriginal(site, request, visitor, edition, headers);
  const length = { 'Content-Length': String(Buffer.byteLength(cover.svg)) };
  return new Response(cover.svg, { headers: { ...headers, ...length } });
}

async function sendSmall(
  site: RouteDeps,
  request: Request,
  principal: Principal,
  edition: Edition,
  name: string,
): Promise<Response> {
  const { image, isFinal } = await site.service.openSmallCover(edition);
  if (image !== null) return site.sender.whole(request, image, { headers: headersOf(edition, name) });
  const headers = headersOf(edition, coverOf(edition).name);
  const kept = isFinal ? { ...headers, ETag: etagOf(name) } : soon(headers);
  return sendOriginal(site, request, principal, edition, kept);
}

async function sendOriginal(
  site: RouteDeps,
  request: Request,
  principal: Principal,
  edition: Edition,
  headers: ReturnType<typeof headersOf>,
): Promise<Response> {
  const sending = { principal, action: 'look', route: '/covers/:name', headers } as const;
  return sendFile(request, await site.service.openCover(edition), site, sending);
}

/** The cover of a bundle, which is on sale, so that everyone may see it. */
function sendDrawing({ name, svg }: { readonly name: string; readonly svg: string }): Response {
  return new Response(svg, {
    headers: {
      ...DRAWING,
      'Cache-Control': FOR_EVER,
      ETag: etagOf(name),
      'Content-Type': 'image/svg+xml',
      'Content-Length': String(Buffer.byteLength(svg)),
    },
  });
}

function isCurrent({ name, small }: Cover, wanted: string): boolean {
  return wanted === name || wanted === small;
}

/** A cover of a renamed item, as an earlier page named it. */
function moved(edition: Edition, name: string): Response {
  const { ETag: _, ...headers } = headersOf(edition, name);
  return new Response(null, {
    status: 308,
    headers: { ...headers, Location: `/covers/${name}`, 'Cache-Control': 'no-cache' },
  });
}

function headersOf({ manifest: { status, cover } }: Edition, name: string) {
  return {
    'Content-Type': imageType(name) ?? 'image/svg+xml',
    // In a page an SVG is an image and runs nothing; opened by itself it would be a page that the publisher wrote.
    ...(cover !== null && imageType(name) === null ? { 'Content-Disposition': 'attachment' } : {}),
    ...DRAWING,
    ...(status === 'published'
      ? { 'Cache-Control': FOR_EVER }
      : { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }),
    ETag: etagOf(name),
  };
}

const etagOf = (name: string): string => `"${name}"`;

/** The headers of an original that the next visit may see resized. */
function soon(headers: ReturnType<typeof headersOf>) {
  const cache = headers['Cache-Control'];
  return { ...headers, 'Cache-Control': cache.replace(/max-age=.*/, `max-age=${SOON}`) };
}
