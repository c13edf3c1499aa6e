import type { ArchiveMeta, Installation, SharedArchive } from './install.ts';
import { isUnmodified, notModified, withQuota } from '../platform/http/answer.ts';
import { lengthHeaders, readRange, unsatisfiable } from '../platform/http/range.ts';
import type { AgentPrincipal } from '../platform/base/principal.ts';
import type { Http } from './stall.ts';
import { recheckAccess } from '../accounts/access.ts';

type ArchiveForm = { readonly type: string; readonly ending: string };

export const ZIP_FORM: ArchiveForm = { type: 'application/zip', ending: 'zip' };
export const EPUB_FORM: ArchiveForm = { type: 'application/epub+zip', ending: 'epub' };

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

const prepared = new WeakMap<ArchiveMeta, Headers>();

/**
 * Sends an item's archive, whose first file is the record of this install. `route` is the path pattern for the server's log.
 */
export function sendInstall(
  { stall, sender, requestLog }: Http,
  request: Request,
  {
    route,
    principal,
    edition,
    meta,
    take,
  }: Installation & { readonly route: string; readonly principal: AgentPrincipal },
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
    check: () => recheckAccess(stall, principal, { edition, action: 'install' }),
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
