import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { ZipArchive } from '../../service/delivery/zip.ts';
import { readRange, type Slice, sliceBlob, STALLED } from '../bytes.ts';
import { createByteStream } from '../byte-stream.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Connections } from '../connection.ts';
import type { RequestLog } from '../request-log.ts';
import type { Identity } from '../identity.ts';

const ROUTE = '/api/skills/:slug/download';

type Dependencies = { readonly connections: Connections; readonly requestLog: RequestLog };

/** `GET /api/skills/<slug>/download` (spec 4.5): the zip, whole or one range of it. */
export function zip(service: Service, identity: Identity, { connections, requestLog }: Dependencies) {
  return new Elysia().use(identity).get(
    ROUTE,
    async ({ request, params, principal }) => {
      const archive = await service.zip(principal, params.slug);
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
      if (slice.start === 0) archive.count();
      connections.allowSilence(request, STALLED);
      const blob = sliceBlob(archive.body, slice);
      return new Response(
        blob ??
          createByteStream({ open: archive.body.openReader, ...slice }, requestLog.watch(request, ROUTE)),
        answer,
      );
    },
    { openGuard: true },
  );
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
