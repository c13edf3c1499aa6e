import { Elysia } from 'elysia';
import type { ArtefactSlice, FilesAnswer } from '../../service/delivery/files.ts';
import type { Service } from '../../service/service.ts';
import { sliceBlob, STALLED } from '../bytes.ts';
import { createByteStream, type LongBody } from '../byte-stream.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Connections } from '../connection.ts';
import type { RequestLog } from '../request-log.ts';
import type { Identity } from '../identity.ts';

type Dependencies = { readonly connections: Connections; readonly requestLog: RequestLog };

const encoder = new TextEncoder();
const BEFORE = encoder.encode('{"files":[\n');
const AFTER = encoder.encode('\n]}\n');

/** `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files` (spec 4.3, 4.4). */
export function files(service: Service, identity: Identity, { connections, requestLog }: Dependencies) {
  const route = (request: Request): string =>
    request.url.includes('/api/books/') ? '/api/books/:id/files' : '/api/skills/:slug/files';
  const send = (request: Request, answer: FilesAnswer): Response => {
    connections.allowSilence(request, STALLED);
    return sendFiles(request, answer, requestLog, route(request));
  };
  return new Elysia()
    .use(identity)
    .get(
      '/api/books/:id/files',
      async ({ request, params, query, account }) =>
        send(request, await service.files(account, 'book', params.id, wanted(query))),
      {
        filesGuard: true,
      },
    )
    .get(
      '/api/skills/:slug/files',
      async ({ request, params, query, account }) =>
        send(request, await service.files(account, 'skill', params.slug, wanted(query))),
      {
        filesGuard: true,
      },
    );
}

function wanted(query: Readonly<Record<string, string>>) {
  return { path: query['path'], content: query['content'] };
}

function sendFiles(
  request: Request,
  { etag, body }: FilesAnswer,
  requestLog: RequestLog,
  route: string,
): Response {
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  if ('text' in body)
    return new Response(body.text, {
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body.text)) },
    });
  const { artefact, isWhole, start, end } = body;
  const length = String(end - start + (isWhole ? 0 : BEFORE.length + AFTER.length));
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'Content-Length': length } });
  const blob = sliceBlob(artefact, { start, end });
  if (blob === null)
    return new Response(createByteStream(longBody(body), requestLog.watch(request, route)), { headers });
  return new Response(isWhole ? blob : new Blob([BEFORE, blob, AFTER]), {
    headers: { ...headers, 'Content-Length': length },
  });
}

function longBody({ artefact, start, end, isWhole }: ArtefactSlice): LongBody {
  const slice = { open: artefact.openReader, start, end };
  return isWhole ? slice : { before: BEFORE, ...slice, after: AFTER };
}
