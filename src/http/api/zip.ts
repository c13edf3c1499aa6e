import { Elysia } from 'elysia';
import type { Principal } from '../../access/principal.ts';
import type { Service } from '../../service/service.ts';
import type { ZipArchive } from '../../service/delivery/zip.ts';
import type { ByteSender, Delivery } from '../byte-sender.ts';
import { readRange, sharedMemory, type Slice, sliceBlob } from '../bytes.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Identity } from '../identity.ts';
import { artefactPieces } from '../pieces.ts';

const SKILL = '/api/skills/:slug/download';
const BOOK = '/api/books/:id/skill';

/** `GET /api/skills/<slug>/download` (spec 4.5) and `GET /api/books/<id>/skill`, a book as a skill: the zip, whole or one range of it. */
export function zip(service: Service, identity: Identity, sender: ByteSender) {
  const send = async (request: Request, principal: Principal, route: string, archive: ZipArchive) => {
    const headers = headersOf(archive);
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
  };
  return new Elysia()
    .use(identity)
    .get(
      SKILL,
      async ({ request, params, principal }) =>
        await send(request, principal, SKILL, await service.zip(principal, params.slug)),
      { openGuard: true },
    )
    .get(
      BOOK,
      async ({ request, params, principal }) =>
        await send(request, principal, BOOK, await service.bookSkill(principal, params.id)),
      { openGuard: true },
    );
}

function deliveryOf(
  { body: artefact, count }: ZipArchive,
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

function headersOf({ edition, etag }: ZipArchive) {
  return {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${edition.manifest.slug}.zip"`,
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
  { length }: ZipArchive,
): Readonly<Record<string, string>> {
  const part = { 'Content-Length': String(end - start) };
  return range === null ? part : { ...part, 'Content-Range': `bytes ${start}-${end - 1}/${length}` };
}

function unsatisfiable(headers: Readonly<Record<string, string>>, { length }: ZipArchive): Response {
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
