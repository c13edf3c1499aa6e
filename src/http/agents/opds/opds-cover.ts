import type { AgentPrincipal } from '../../../access/principal.ts';
import { drawPaper } from '../../../cover/paper-image.ts';
import { imageType } from '../../../item/image-type.ts';
import type { Manifest } from '../../../item/item.ts';
import { openCover, openSmallCover, seeItem } from '../../../service/files.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import { sendFile } from '../../file-body.ts';
import type { Http } from '../../http.ts';

/** OPDS 1.2 §8.4: covers are JPEG, PNG or GIF. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/gif']);

type Cover = Pick<Manifest, 'cover'>;

const typeOf = ({ cover }: Cover): string | null => (cover === null ? null : imageType(cover));

/** The type of an item's cover: its publisher's, one made of it, or the drawn paper. */
export function coverType(manifest: Cover): string {
  const type = typeOf(manifest);
  if (type !== null && SHOWN.has(type)) return type;
  return thumbnailType(manifest);
}

/** The type of an item's small cover. */
export function thumbnailType(manifest: Cover): string {
  const type = typeOf(manifest);
  return type === null || type === 'image/avif' ? 'image/png' : 'image/jpeg';
}

/** Sends an item's cover, at its size or small; everyone who may see the item may see it. Refuses not-found. */
export async function sendCover(
  request: Request,
  asker: AgentPrincipal,
  { slug, isSmall }: { readonly slug: string; readonly isSmall: boolean },
  deps: Http,
): Promise<Response> {
  const { stall } = deps;
  const edition = await seeItem(stall, asker, slug);
  const { manifest, digest } = edition;
  const name = `"${slug}-${digest.slice(0, 16)}-${isSmall ? 'small' : 'whole'}"`;
  const headers = {
    'Cache-Control': manifest.status === 'published' ? 'public, max-age=86400' : 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    Vary: 'Authorization',
    ETag: name,
  };
  if (isUnmodified(request, name)) return notModified(headers);
  const type = typeOf(manifest);
  const isShown = type !== null && SHOWN.has(type);
  if (thumbnailType(manifest) === 'image/jpeg' && (isSmall || !isShown)) {
    const { image } = await openSmallCover(stall, edition, 'jpeg');
    if (image !== null) return new Response(image, { headers: { ...headers, 'Content-Type': 'image/jpeg' } });
  }
  if (isShown) {
    const route = '/opds/covers/:slug';
    const sending = {
      principal: asker,
      action: 'look',
      route,
      headers: { ...headers, 'Content-Type': type },
    };
    return sendFile(request, await openCover(stall, edition), deps, { ...sending, action: 'look' });
  }
  const paper = drawPaper(manifest.kind, manifest.slug);
  return new Response(paper, { headers: { ...headers, 'Content-Type': 'image/png' } });
}
