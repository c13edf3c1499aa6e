import type { AccountPrincipal } from '../../access/principal.ts';
import { readPieces } from '../../catalog/file-pieces.ts';
import type { FilesAnswer } from '../../service/files.ts';
import { isUnmodified, notModified } from '../answer.ts';
import type { Http } from '../http.ts';
import { recheckAccess } from '../../service/access.ts';

const encoder = new TextEncoder();
const BEFORE = encoder.encode('{"files":[\n');
const AFTER = encoder.encode('\n]}\n');

/** The choice of files in a query. */
export function wantedFiles(query: Readonly<Record<string, string>>) {
  return { path: query['path'], content: query['content'] };
}

/** `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files` (spec 4.3, 4.4). */
export function sendFiles(
  { stall, sender }: Http,
  request: Request,
  account: AccountPrincipal,
  { edition, etag, body }: FilesAnswer,
  route: string,
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
  const check = () => recheckAccess(stall, account, edition, 'files');
  const pieces = () => readPieces({ file, start, end }, BEFORE, AFTER);
  return sender.pieces(request, { route, check, length, pieces }, { headers });
}
