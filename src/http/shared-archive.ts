import type { AgentPrincipal } from '../access/principal.ts';
import type { SharedArchive } from '../service/delivery/shared-archive.ts';
import type { Service } from '../service/service.ts';
import type { ByteSender, Delivery } from './byte-sender.ts';
import { readRange, sharedMemory, type Slice, sliceBlob } from './bytes.ts';
import { isUnmodified, notModified } from './etag.ts';
import { artefactPieces } from './pieces.ts';

/** The form of an archive in an answer: its media type, and the ending of its file name. */
type ArchiveForm = { readonly type: string; readonly ending: string };

/** An EPUB. */
export const EPUB_FORM: ArchiveForm = { type: 'application/epub+zip', ending: 'epub' };

/** The receiver of an archive, the route, and the archive's form. */
type Sending = ArchiveForm & { readonly principal: AgentPrincipal; readonly route: string };

/** Sends an archive, whole or one range of it; `zip` is the right that it needs. */
export function sendArchive(
  request: Request,
  archive: SharedArchive,
  { service, sender }: { readonly service: Service; readonly sender: ByteSender },
  { principal, route, ...form }: Sending,
): Response | Promise<Response> {
  const headers = headersOf(archive, form);
  if (isUnmodified(request, archive.etag)) return notModified(headers);
  const range = readRange(request, archive.length, archive.etag);
  if (range === 'unsatisfiable') return unsatisfiable(headers, archive);
  const slice = range ?? { start: 0, end: archive.length };
  const answer = {
    status: range === null ? 200 : 206,
    headers: { ...headers, ...lengthHeaders(range, slice, archive) },
  };
  if (request.method === 'HEAD') return new Response(null, answer);
  const check = () => service.recheckAccess(principal, archive.item, 'zip');
  return sender.send(request, deliveryOf(archive, slice, { route, check }), answer);
}

function deliveryOf(
  { body: artefact, count }: SharedArchive,
  { start, end }: Slice,
  { route, check }: Pick<Delivery, 'route' | 'check'>,
): Delivery {
  const counted = <Body>(body: Body): Body => {
    if (start === 0) count();
    return body;
  };
  const blob = sliceBlob(artefact, { start, end });
  return {
    route,
    length: end - start,
    check,
    whole: blob === null ? null : { blob: () => counted(blob), shared: sharedMemory(artefact) },
    pieces: async () => counted(artefactPieces(await artefact.openReader(), start, end)),
  };
}

function headersOf({ slug, etag }: SharedArchive, { type, ending }: ArchiveForm) {
  return {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${slug}.${ending}"`,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
}

function lengthHeaders(
  range: Slice | null,
  { start, end }: Slice,
  { length }: SharedArchive,
): Readonly<Record<string, string>> {
  const part = { 'Content-Length': String(end - start) };
  return range === null ? part : { ...part, 'Content-Range': `bytes ${start}-${end - 1}/${length}` };
}

function unsatisfiable(headers: Readonly<Record<string, string>>, { length }: SharedArchive): Response {
  const { 'Content-Disposition': _, ...kept } = headers;
  const error = `Cannot give that range: the archive holds ${length} bytes`;
  const body = `${JSON.stringify({ error, code: 'INVALID_REQUEST' })}\n`;
  const answer = {
    'Content-Type': 'application/json',
    'Content-Range': `bytes */${length}`,
    'Content-Length': String(body.length),
  };
  return new Response(body, { status: 416, headers: { ...kept, ...answer } });
}
