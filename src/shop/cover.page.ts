import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { notFound } from '../platform/base/told.ts';
import { isUnmodified, notModified, textAnswer, FOR_EVER } from '../platform/http/answer.ts';
import type { Http } from '../installing/stall.ts';
import { pictureOf } from '../catalog/picture.rule.ts';
import { openCover, openSmallCover, seeItem } from '../reading/files.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { bundleCover, coverOf } from '../catalog/cover.ts';
import { listBundles } from '../catalog/bundle.ts';
import { sendFile } from '../reading/sent-file.ts';

export async function sendCover(site: Http, request: Request, visitor: Principal, name: string) {
  const { stall } = site;
  const slug = slugOfCover(name);
  if (slug === null) throw notFound(name);
  const bundle = listBundles(stall.catalog()).find((one) => bundleCover(one).name === name);
  // Everyone may see the cover of a bundle.
  if (bundle !== undefined) return textAnswer(bundleCover(bundle).svg, 200, headersOf(ON_SALE, name));
  const edition = seeItem(stall, visitor, slug);
  const cover = coverOf(edition);
  // Such a name is of an earlier edition or slug; no page has it.
  if (name !== cover.name && name !== cover.small) throw notFound(name);
  if (isUnmodified(request, etagOf(name))) return notModified(headersOf(edition.manifest, name));
  if (name === cover.small) return sendSmall(site, request, { principal: visitor, edition, name });
  // Pages show the small cover; only requests for the original are counted.
  if (cover.small !== null) site.budgets.takeRoute(request, visitor);
  const headers = headersOf(edition.manifest, name);
  if (cover.svg === null) return sendOriginal(site, request, { principal: visitor, edition, headers });
  return textAnswer(cover.svg, 200, headers);
}

type Looked = { readonly principal: Principal; readonly edition: Edition };

async function sendSmall(
  site: Http,
  request: Request,
  { principal, edition, name }: Looked & { readonly name: string },
) {
  const { image, isFinal } = await openSmallCover(site.stall, edition);
  if (image !== null)
    return site.sender.whole(request, image, { headers: headersOf(edition.manifest, name) });
  const headers = headersOf(edition.manifest, coverOf(edition).name);
  // Unless `isFinal`, the small cover may be made the next time, so caches must not keep the original in its place.
  const kept = isFinal ? { ETag: etagOf(name) } : { 'Cache-Control': 'private, no-cache' };
  return sendOriginal(site, request, { principal, edition, headers: { ...headers, ...kept } });
}

async function sendOriginal(
  site: Http,
  request: Request,
  { principal, edition, headers }: Looked & { readonly headers: ReturnType<typeof headersOf> },
): Promise<Response> {
  const sending = { principal, action: 'look', route: '/covers/:name', headers } as const;
  return sendFile(request, await openCover(site.stall, edition), site, sending);
}

const ON_SALE = { status: 'published', cover: null } as const;

const headersOf = ({ status, cover }: Pick<Manifest, 'status' | 'cover'>, name: string) => ({
  'Content-Type': pictureOf(name)!.type,
  // A drawing of the publisher's, opened by itself, could run their code.
  ...(cover !== null && pictureOf(name)!.page === 'drawing' ? { 'Content-Disposition': 'attachment' } : {}),
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ...(status === 'published'
    ? { 'Cache-Control': FOR_EVER }
    : { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }),
  ETag: etagOf(name),
});

const etagOf = (name: string): string => `"${name}"`;

const slugOfCover = (name: string): string | null =>
  /^([a-z0-9-]+)-[0-9a-f]{16}(?:-480)?\.\w+$/.exec(name)?.[1] ?? null;
