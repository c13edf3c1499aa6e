import { Elysia } from 'elysia';
import type { AccountPrincipal } from '../../access/principal.ts';
import type { ArtefactSlice, FilesAnswer } from '../../service/delivery/files.ts';
import type { Service } from '../../service/service.ts';
import type { ByteSender, Delivery } from '../byte-sender.ts';
import { sharedMemory, sliceBlob } from '../bytes.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Identity } from '../identity.ts';
import { artefactPieces, joinPieces, piecesOf } from '../pieces.ts';

const BOOK_ROUTE = '/api/books/:id/files';
const SKILL_ROUTE = '/api/skills/:slug/files';

const encoder = new TextEncoder();
const BEFORE = encoder.encode('{"files":[\n');
const AFTER = encoder.encode('\n]}\n');

/** `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files` (spec 4.3, 4.4). */
export function files(service: Service, identity: Identity, sender: ByteSender) {
  const send = (request: Request, account: AccountPrincipal, answer: FilesAnswer, route: string) =>
    sendFiles(request, answer, sender, {
      route,
      check: () => service.recheckAccess(account, answer.edition, 'files'),
    });
  return new Elysia()
    .use(identity)
    .get(
      BOOK_ROUTE,
      async ({ request, params, query, account }) =>
        send(request, account, await service.files(account, 'book', params.id, wanted(query)), BOOK_ROUTE),
      { filesGuard: true },
    )
    .get(
      SKILL_ROUTE,
      async ({ request, params, query, account }) =>
        send(
          request,
          account,
          await service.files(account, 'skill', params.slug, wanted(query)),
          SKILL_ROUTE,
        ),
      { filesGuard: true },
    );
}

function wanted(query: Readonly<Record<string, string>>) {
  return { path: query['path'], content: query['content'] };
}

type Sending = Pick<Delivery, 'route' | 'check'>;

function sendFiles(
  request: Request,
  { etag, body }: FilesAnswer,
  sender: ByteSender,
  sending: Sending,
): Response | Promise<Response> {
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
  const length = lengthOf(body);
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'Content-Length': String(length) } });
  return sender.send(request, deliveryOf(body, length, sending), { headers });
}

function lengthOf({ start, end, isWhole }: ArtefactSlice): number {
  return end - start + (isWhole ? 0 : BEFORE.length + AFTER.length);
}

function deliveryOf(
  { artefact, start, end, isWhole }: ArtefactSlice,
  length: number,
  sending: Sending,
): Delivery {
  const blob = sliceBlob(artefact, { start, end });
  const slice = async () => artefactPieces(await artefact.openReader(), start, end);
  if (isWhole)
    return {
      ...sending,
      length,
      whole: blob === null ? null : { blob: () => blob, shared: sharedMemory(artefact) },
      pieces: slice,
    };
  return {
    ...sending,
    length,
    whole: blob === null ? null : { parts: () => [BEFORE, blob, AFTER] },
    pieces: async () => joinPieces(piecesOf([BEFORE]), await slice(), piecesOf([AFTER])),
  };
}
