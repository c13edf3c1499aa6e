import { Elysia } from 'elysia';
import type { AccountPrincipal } from '../../access/principal.ts';
import { readPieces } from '../../catalog/file-pieces.ts';
import type { FilesAnswer } from '../../service/delivery/files.ts';
import type { Service } from '../../service/service.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Identity } from '../identity.ts';
import type { Delivery, Sender } from '../sender.ts';

const BOOK_ROUTE = '/api/books/:id/files';
const SKILL_ROUTE = '/api/skills/:slug/files';

const encoder = new TextEncoder();
const BEFORE = encoder.encode('{"files":[\n');
const AFTER = encoder.encode('\n]}\n');

/** `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files` (spec 4.3, 4.4). */
export function files(service: Service, identity: Identity, sender: Sender) {
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
  sender: Sender,
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
  const { artefact, start, end, isWhole } = body;
  const file = artefact.file;
  const length = end - start + (isWhole ? 0 : BEFORE.length + AFTER.length);
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'Content-Length': String(length) } });
  if (isWhole) return sender.whole(request, Bun.file(file).slice(start, end), { headers });
  const pieces = () => readPieces({ file, start, end }, BEFORE, AFTER);
  return sender.pieces(request, { ...sending, length, pieces }, { headers });
}
