import { Elysia } from 'elysia';
import type { FilesAnswer } from '../../service/files.ts';
import type { Service } from '../../service/service.ts';
import { readSlice, sliceBlob } from '../bytes.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Exchanges } from '../exchange.ts';
import type { Identity } from '../identity.ts';

const encoder = new TextEncoder();
const BEFORE = encoder.encode('{"files":[\n');
const AFTER = encoder.encode('\n]}\n');

/** `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files` (spec 4.3, 4.4). */
export function files(service: Service, identity: Identity, exchanges: Exchanges) {
  const route = (request: Request): string =>
    request.url.includes('/api/books/') ? '/api/books/:id/files' : '/api/skills/:slug/files';
  const send = (request: Request, answer: FilesAnswer): Response =>
    sendFiles(request, answer, exchanges, route(request));
  return new Elysia()
    .use(identity)
    .get(
      '/api/books/:id/files',
      async ({ request, params, query, account }) =>
        send(request, await service.files(account, 'book', params.id, wanted(query))),
      {
        keyDoor: true,
      },
    )
    .get(
      '/api/skills/:slug/files',
      async ({ request, params, query, account }) =>
        send(request, await service.files(account, 'skill', params.slug, wanted(query))),
      {
        keyDoor: true,
      },
    );
}

function wanted(query: Readonly<Record<string, string>>) {
  return { path: query['path'], content: query['content'] };
}

function sendFiles(
  request: Request,
  { etag, body }: FilesAnswer,
  exchanges: Exchanges,
  route: string,
): Response {
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization',
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
    return new Response(exchanges.streamed(request, route, stream(artefact.file, body)), { headers });
  return new Response(isWhole ? blob : new Blob([BEFORE, blob, AFTER]), {
    headers: { ...headers, 'Content-Length': length },
  });
}

async function* stream(
  file: string,
  { start, end, isWhole }: { start: number; end: number; isWhole: boolean },
): AsyncGenerator<Uint8Array> {
  if (!isWhole) yield BEFORE;
  yield* readSlice(file, { start, end });
  if (!isWhole) yield AFTER;
}
