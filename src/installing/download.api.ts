import type { ArchiveMeta, Installation, SharedArchive } from './install.ts';
import { countedBody, isUnmodified, notModified, textAnswer, withQuota } from '../platform/http/answer.ts';
import type { Sender } from '../platform/http/sender.ts';
import type { AccountPrincipal, AgentPrincipal, Principal } from '../platform/base/principal.ts';
import { decodePieces } from '../catalog/file-content.ts';
import { readPieces } from '../platform/base/file-slice.ts';
import type { Http, Stall } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { type Action, recheckAccess } from '../accounts/access.ts';
import { notFound } from '../platform/base/told.ts';
import { listFiles, type OpenedFile, readItemFile } from '../reading/files.ts';
import { decoded } from '../platform/base/link.ts';
import { formatType, imageType, shownImageType } from '../catalog/path.rule.ts';
import type { ItemKind } from '../catalog/item.rule.ts';

/** The media type of an archive, and the ending of its file name. */
type ArchiveForm = { readonly type: string; readonly ending: string };

/** The two kinds of archive: a zip, and an EPUB. */
export const ZIP_FORM: ArchiveForm = { type: 'application/zip', ending: 'zip' };
export const EPUB_FORM: ArchiveForm = { type: 'application/epub+zip', ending: 'epub' };

/** Sends an archive, either all of it or the range of bytes that the request asks for. */
export async function sendArchive(
  { sender }: Pick<Http, 'sender'>,
  request: Request,
  opened: Promise<SharedArchive>,
  form: ArchiveForm,
): Promise<Response> {
  const archive = await opened;
  const headers = headersOf(archive, form);
  if (isUnmodified(request, archive.etag)) return notModified(headers);
  const range = readRange(request, archive.length, archive.etag);
  if (range === 'unsatisfiable') return unsatisfiable(headers, archive.length);
  const slice = range ?? { start: 0, end: archive.length };
  const answer = {
    status: range === null ? 200 : 206,
    headers: { ...headers, ...lengthHeaders(range, slice, archive.length) },
  };
  if (request.method === 'HEAD') return new Response(null, answer);
  const { start, end } = slice;
  const body = Bun.file(archive.body.file).slice(start, end);
  const response = sender.whole(request, body, answer);
  if (start === 0) archive.count();
  return response;
}

const headersOf = ({ slug, etag }: SharedArchive, { type, ending }: ArchiveForm) => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${slug}.${ending}"`,
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Cookie',
  'Accept-Ranges': 'bytes',
  ETag: etag,
});

function lengthHeaders(
  range: Slice | null,
  { start, end }: Slice,
  length: number,
): Readonly<Record<string, string>> {
  const part = { 'Content-Length': String(end - start) };
  return range === null ? part : { ...part, 'Content-Range': `bytes ${start}-${end - 1}/${length}` };
}

function unsatisfiable(headers: Readonly<Record<string, string>>, length: number): Response {
  const { 'Content-Disposition': _, ...kept } = headers;
  const error = `Cannot give that range: the file holds ${length} bytes`;
  const body = `${JSON.stringify({ error, code: 'INVALID_REQUEST' })}\n`;
  const answer = {
    'Content-Type': 'application/json',
    'Content-Range': `bytes */${length}`,
    'Content-Length': String(body.length),
  };
  return new Response(body, { status: 416, headers: { ...kept, ...answer } });
}

/** A range of bytes; `end` is exclusive. */
type Slice = { readonly start: number; readonly end: number };

const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * Returns the range of bytes that a request asks for (RFC 9110 §14.2), 'unsatisfiable' if it lies outside, or null for the
 * whole. As the RFC allows, the whole is also sent for several ranges, other units, a malformed range, and an If-Range other
 * than the strong tag.
 */
function readRange(request: Request, size: number, etag: string): Slice | 'unsatisfiable' | null {
  const condition = request.headers.get('if-range');
  if (request.method !== 'GET' || (condition !== null && condition !== etag)) return null;
  const [, first, last, suffix] = RANGE.exec(request.headers.get('range')?.trim() ?? '') ?? [];
  if (first === undefined && suffix === undefined) return null;
  if (last && Number(last) < Number(first)) return null;
  // A request for the last bytes of a file gets the whole file if it is shorter (§14.1.2).
  const start = suffix === undefined ? Number(first) : Math.max(0, size - Number(suffix));
  if (start >= size) return 'unsatisfiable';
  return { start, end: last ? Math.min(Number(last) + 1, size) : size };
}

/** For each archive, the headers that all of its downloads share, made once. */
const prepared = new WeakMap<ArchiveMeta, Headers>();

/**
 * Sends an item's archive, whose first file is the record of this install. `route` is the path pattern for the server's log.
 */
export function sendInstall(
  { stall, sender, requestLog }: Http,
  route: string,
  request: Request,
  principal: AgentPrincipal,
  { edition, meta, take }: Installation,
): Response | Promise<Response> {
  const { length } = meta;
  const entry = requestLog.of(request);
  const etag = `W/"${meta.digest}"`;
  const fixed = prepared.getOrInsertComputed(meta, () => prepare(meta, etag));
  const headers = withQuota(fixed, entry.quota);
  if (isUnmodified(request, etag)) return notModified(headers);
  if (request.method === 'HEAD')
    return new Response(null, { headers: [...headers, ['Content-Length', String(length)]] });
  const body = {
    route,
    length,
    check: () => recheckAccess(stall, principal, edition, 'install'),
    pieces: () => take(entry.id),
  };
  return sender.pieces(request, body, { headers });
}

const prepare = ({ folder, length }: ArchiveMeta, etag: string): Headers =>
  new Headers({
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="${folder}.tar.gz"`,
    'Cache-Control': 'private, no-store',
    'X-Archive-Length': String(length),
    ETag: etag,
  });

/**
 * How to send a file: the recipient, the action that they must be allowed to do, the path pattern for the log, and the headers.
 */
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
    check: () => recheckAccess(stall, principal, edition, action, file.path),
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
function* decodeRange(file: string, base64: Slice, { start, end }: Slice): Generator<Uint8Array, void> {
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

/** Names a file of an item, by the parameters of a URL. */
type AskedFile = {
  readonly kind: ItemKind;
  readonly params: { readonly slug: string; readonly '*': string };
  readonly route: string;
  readonly isFormat?: boolean;
};

/**
 * Sends one file of an item byte for byte. With `isFormat`, as for e-readers, refuses files that are not among the item's
 * formats.
 */
export async function sendItemFile(
  { stall, sender }: Http,
  request: Request,
  principal: Principal,
  { kind, params, route, isFormat = false }: AskedFile,
): Promise<Response> {
  const opened = await readItemFile(stall, principal, kind, params.slug, decoded(params['*']));
  const { file, count } = opened;
  const { path, sha256 } = file;
  if (isFormat && !opened.isFormat) throw notFound(path);
  const headers = {
    'Content-Type': shownImageType(path) ?? formatType(path) ?? 'application/octet-stream',
    // Keeps an SVG that is opened by itself from running its author's code.
    ...(imageType(path) === null ? { 'Content-Disposition': attachment(path) } : {}),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${sha256}"`,
  };
  return sendFile(request, opened, { stall, sender }, { principal, action: 'read', route, headers, count });
}

/** Returns a Content-Disposition header (RFC 6266) with `filename*` (RFC 8187), and an ASCII file name for old browsers. */
function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const BEFORE = Buffer.from('{"files":[\n');
const AFTER = Buffer.from('\n]}\n');

/** Names the item whose files are asked for: a book by its id, a skill by its slug. */
type AskedFiles = {
  readonly kind: ItemKind;
  readonly name: string;
  readonly query: Query;
  readonly route: string;
};

/** Answers `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files`. */
export async function sendFiles(
  { stall, sender }: Http,
  request: Request,
  account: AccountPrincipal,
  { kind, name, query, route }: AskedFiles,
): Promise<Response> {
  const wanted = { path: query['path'], content: query['content'] };
  const { edition, etag, body } = await listFiles(stall, account, kind, name, wanted);
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  if ('text' in body) return textAnswer(body.text, 200, headers);
  const { artefact, start, end, isWhole } = body;
  const file = artefact.file;
  const length = end - start + (isWhole ? 0 : BEFORE.length + AFTER.length);
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'Content-Length': String(length) } });
  if (isWhole) return sender.whole(request, Bun.file(file).slice(start, end), { headers });
  const check = () => recheckAccess(stall, account, edition, 'files');
  const pieces = () => readPieces({ file, start, end }, BEFORE, AFTER);
  return sender.pieces(request, { route, check, length, pieces }, { headers });
}
