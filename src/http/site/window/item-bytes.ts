// Publishers' files on our own origin: none of them may run, and only images are shown. Content-Disposition: RFC 6266.
import type { Principal } from '../../../access/principal.ts';
import type { ItemKind } from '../../../item/item.ts';
import type { ReadFile } from '../../../service/delivery/item-file.ts';
import { decodePath } from '../../decode-path.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendFile } from '../../file-body.ts';
import { imageType, shownImageType } from '../../../item/image-type.ts';

/** One file of an item, byte for byte. */
export async function sendItemFile(
  site: RouteDeps,
  request: Request,
  principal: Principal,
  kind: ItemKind,
  slug: string,
  path: string,
): Promise<Response> {
  const opened = await site.service.readItemFile(principal, kind, slug, decodePath(path));
  const { count } = opened;
  const route = `/${kind}s/:slug/files/*`;
  return sendFile(request, opened, site, {
    principal,
    action: 'read',
    route,
    headers: headersOf(opened),
    count,
  });
}

function headersOf({ file: { path, sha256 }, format }: ReadFile) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    'Content-Type': shownImageType(path) ?? format ?? 'application/octet-stream',
    // An SVG that is opened by itself could run what its author wrote.
    ...(imageType(path) === null ? { 'Content-Disposition': attachment(name) } : {}),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${sha256}"`,
  };
}

/** A Content-Disposition with `filename*` for browsers that know RFC 8187, and a plain name for the others. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
