import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { notFound } from '../../../service/access.ts';
import { isUnmodified, notModified, textAnswer } from '../../answer.ts';
import type { Http } from '../../http.ts';
import { sendFile } from '../../download.ts';
import { imageType } from '../../../item/path.ts';
import { openCover, openSmallCover, seeItem } from '../../../service/files.ts';
import { listBundles, type ShownBundle } from '../../../service/storefront.ts';
import { makersOf, type Manifest } from '../../../item/item.ts';
import { drawCover } from '../../../cover/cover.ts';
import { previewUrl } from '../frame/assets.ts';
import { sha256 } from '../../../runtime.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

const DRAWING = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
} as const;

/** Sends an item's cover to everyone who may see its page. */
export async function sendCover(site: Http, request: Request, visitor: Principal, name: string) {
  const { stall } = site;
  const slug = slugOfCover(name);
  if (slug === null) throw notFound(name);
  const bundle = listBundles(stall.catalog()).find((one) => bundleCover(one).name === name);
  // Everyone may see items on sale.
  if (bundle !== undefined) return textAnswer(bundleCover(bundle).svg, 200, headersOf(ON_SALE, name));
  const edition = seeItem(stall, visitor, slug);
  const cover = coverOf(edition);
  // This is the cover of an earlier edition or slug, and pages name another by now.
  if (name !== cover.name && name !== cover.small) throw notFound(name);
  if (isUnmodified(request, etagOf(name))) return notModified(headersOf(edition.manifest, name));
  if (name === cover.small) return sendSmall(site, request, visitor, edition, name);
  // Pages load the small cover, so only requests for the whole one are counted.
  if (cover.small !== null) site.budgets.takeRoute(request, visitor);
  const headers = headersOf(edition.manifest, name);
  if (cover.svg === null) return sendOriginal(site, request, visitor, edition, headers);
  return textAnswer(cover.svg, 200, headers);
}

async function sendSmall(site: Http, request: Request, principal: Principal, edition: Edition, name: string) {
  const { image, isFinal } = await openSmallCover(site.stall, edition);
  if (image !== null)
    return site.sender.whole(request, image, { headers: headersOf(edition.manifest, name) });
  const headers = headersOf(edition.manifest, coverOf(edition).name);
  // A cover that failed just now may work the next time.
  const kept = isFinal ? { ETag: etagOf(name) } : { 'Cache-Control': 'private, no-cache' };
  return sendOriginal(site, request, principal, edition, { ...headers, ...kept });
}

async function sendOriginal(
  site: Http,
  request: Request,
  principal: Principal,
  edition: Edition,
  headers: ReturnType<typeof headersOf>,
): Promise<Response> {
  const sending = { principal, action: 'look', route: '/covers/:name', headers } as const;
  return sendFile(request, await openCover(site.stall, edition), site, sending);
}

const ON_SALE = { status: 'published', cover: null } as const;

const headersOf = ({ status, cover }: Pick<Manifest, 'status' | 'cover'>, name: string) => ({
  'Content-Type': imageType(name) ?? 'image/svg+xml',
  // In a page an SVG is an image and runs nothing; opened by itself it would be a page that the publisher wrote.
  ...(cover !== null && imageType(name) === null ? { 'Content-Disposition': 'attachment' } : {}),
  ...DRAWING,
  ...(status === 'published'
    ? { 'Cache-Control': FOR_EVER }
    : { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }),
  ETag: etagOf(name),
});

const etagOf = (name: string): string => `"${name}"`;

const bundleCovers = new WeakMap<ShownBundle, { readonly name: string; readonly svg: string }>();

/** Draws the cover of a bundle, with its name below /covers/; drawn once. */
export const bundleCover = (shown: ShownBundle): { readonly name: string; readonly svg: string } =>
  bundleCovers.getOrInsertComputed(shown, ({ bundle: { slug, title }, makers }) => {
    const svg = drawCover({ kind: 'book', slug, title, makers });
    return { name: `${slug}-${sha256(svg).slice(0, 16)}.svg`, svg };
  });

/**
 * Returns the path of an image for other sites: the first publisher's cover that is a PNG or JPEG, else the stall's picture.
 */
export function previewImage(...editions: readonly Edition[]): string {
  const name = editions.map((edition) => coverOf(edition).name).find((one) => /\.(?:png|jpe?g)$/.test(one));
  return name !== undefined ? `/covers/${name}` : previewUrl();
}

/** An item's cover: its publisher's image, or a drawn one. */
type Cover = {
  /** The name is made of slug and bytes, so that a changed image has another one, and browsers may keep it for ever. */
  readonly name: string;
  /** The name of the image resized for pages; null for a drawing, and for a format that the stall cannot resize. */
  readonly small: string | null;
  /** The drawing; null if there is an image. */
  readonly svg: string | null;
};

const covers = new WeakMap<Edition, Cover>();

/** Returns the cover of an edition, which is made once. */
const coverOf = (edition: Edition): Cover => covers.getOrInsertComputed(edition, makeCover);

/** Returns the URL of a cover as pages show it. */
export function coverUrl(edition: Edition): string {
  const { name, small } = coverOf(edition);
  return `/covers/${small ?? name}`;
}

/** Returns the slug in a cover's name; null if the name is malformed. */
const slugOfCover = (name: string): string | null =>
  /^([a-z0-9-]+)-[0-9a-f]{16}(?:-480)?\.[a-z]+$/.exec(name)?.[1] ?? null;

function makeCover({ manifest, files }: Edition): Cover {
  const { slug, cover } = manifest;
  const given = cover === null ? undefined : files.find(({ path }) => path === cover);
  if (given !== undefined) {
    const ending = given.path.slice(given.path.lastIndexOf('.') + 1).toLowerCase();
    const stem = `${slug}-${given.sha256.slice(0, 16)}`;
    const small = /^(?:png|jpe?g|webp|gif)$/.test(ending) ? `${stem}-480.webp` : null;
    return { name: `${stem}.${ending}`, small, svg: null };
  }
  const svg = drawCover({ ...manifest, makers: makersOf(manifest) });
  const hash = sha256(svg).slice(0, 16);
  return { name: `${slug}-${hash}.svg`, small: null, svg };
}
