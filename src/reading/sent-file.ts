import { decodePieces } from '../catalog/file-content.ts';
import { readPieces } from '../platform/base/file-slice.ts';
import type { ItemKind, AgentPrincipal, Principal } from '../platform/base/principal.ts';
import { formatType } from '../catalog/path.rule.ts';
import { shownPicture } from '../catalog/picture.rule.ts';
import { type Action, recheckAccess } from '../accounts/access.ts';
import { decoded } from '../platform/base/markdown-link.ts';
import { notFound } from '../platform/base/told.ts';
import { countedBody, isUnmodified, notModified } from '../platform/http/answer.ts';
import { lengthHeaders, readRange, type ByteRange, unsatisfiable } from '../platform/http/range.ts';
import type { Sender } from '../platform/http/sender.ts';
import { type OpenedFile, readItemFile } from './files.ts';
import type { Http, Stall } from './stall.ts';

type Sending = {
  readonly principal: AgentPrincipal;
  readonly action: Action;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
  /** Called once the answer may be sent, to count the download; `isFirst` says that it includes the first byte. */
  readonly count?: (isFirst: boolean) => void;
};

/** Sends one file of an item, or 304 if the client has it. Ranges can be requested only of files that are no texts. */
export function sendFile(
  request: Request,
  { edition, file, artefact, start, end }: OpenedFile,
  { stall, sender }: { readonly stall: Stall; readonly sender: Sender },
  { principal, action, route, headers, count = () => {} }: Sending,
): Response | Promise<Response> {
  if (isUnmodified(request, headers.ETag)) return notModified(headers);
  // A text is stored as a JSON string, in which its bytes have other offsets, so ranges are not offered.
  const sent = file.text ? headers : { ...headers, 'Accept-Ranges': 'bytes' };
  if (request.method === 'HEAD') return new Response(countedBody(file.size), { headers: sent });
  const range = file.text ? null : readRange(request, file.size, headers.ETag);
  if (range === 'unsatisfiable') return unsatisfiable(sent, file.size);
  const slice = range ?? { start: 0, end: file.size };
  const body = {
    route,
    length: slice.end - slice.start,
    check: () => recheckAccess(stall, principal, { edition, action, path: file.path }),
    pieces() {
      count(slice.start === 0);
      if (range === null) return decodePieces(readPieces({ file: artefact.file, start, end }), file);
      return decodeRange(artefact.file, { start, end }, range);
    },
  };
  if (range === null) return sender.pieces(request, body, { headers: sent });
  const { 'Content-Length': _, ...partial } = lengthHeaders(range, slice, file.size);
  return sender.pieces(request, body, { status: 206, headers: { ...sent, ...partial } });
}

/** Yields the bytes of a file from `start` to `end`. It is stored as base64, where four characters stand for three bytes. */
function* decodeRange(
  file: string,
  base64: ByteRange,
  { start, end }: ByteRange,
): Generator<Uint8Array, void> {
  const first = base64.start + 4 * Math.floor(start / 3);
  const last = Math.min(base64.end, base64.start + 4 * Math.ceil(end / 3));
  let [skip, left] = [start % 3, end - start];
  for (const piece of decodePieces(readPieces({ file, start: first, end: last }), { text: false })) {
    const wanted = piece.subarray(skip, skip + left);
    skip = Math.max(0, skip - piece.length);
    left -= wanted.length;
    yield wanted;
  }
}

// Files of publishers are sent from our own origin, so none of them may run code, and browsers display only images.

type AskedFile = {
  readonly kind: ItemKind;
  readonly params: { readonly slug: string; readonly '*': string };
  readonly route: string;
  readonly isFormat?: boolean;
};

export async function sendItemFile(
  { stall, sender }: Http,
  request: Request,
  principal: Principal,
  { kind, params, route, isFormat = false }: AskedFile,
): Promise<Response> {
  const opened = await readItemFile(stall, principal, {
    kind,
    slug: params.slug,
    path: decoded(params['*']),
  });
  const { file, count } = opened;
  const { path, sha256 } = file;
  if (isFormat && !opened.isFormat) throw notFound(path);
  const picture = shownPicture(path);
  const headers = {
    'Content-Type': picture?.type ?? formatType(path) ?? 'application/octet-stream',
    // Keeps an SVG that is opened by itself from running its author's code.
    ...(picture?.page !== 'image' ? { 'Content-Disposition': attachment(path) } : {}),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${sha256}"`,
  };
  return sendFile(request, opened, { stall, sender }, { principal, action: 'read', route, headers, count });
}

/** Returns a Content-Disposition header (RFC 6266) with `filename*` (RFC 8187), and an ASCII file name for old browsers. */
export function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
