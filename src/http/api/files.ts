import type { AccountPrincipal } from '../../access/principal.ts';
import { readPieces } from '../../catalog/file-content.ts';
import type { ItemKind } from '../../item/item.ts';
import { listFiles } from '../../service/files.ts';
import { isUnmodified, notModified } from '../answer.ts';
import type { Http } from '../http.ts';
import { recheckAccess } from '../../service/access.ts';

const encoder = new TextEncoder();
const BEFORE = encoder.encode('{"files":[\n');
const AFTER = encoder.encode('\n]}\n');

/** `GET /api/books/<id>/files` and `GET /api/skills/<slug>/files` (spec 4.3, 4.4). */
export async function sendFiles(
  { stall, sender }: Http,
  request: Request,
  account: AccountPrincipal,
  kind: ItemKind,
  name: string,
  query: Readonly<Record<string, string>>,
  route: string,
): Promise<Response> {
  const wanted = { path: query['path'], content: query['content'] };
  const { edition, etag, body } = await listFiles(stall, account, kind, name, wanted);
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
