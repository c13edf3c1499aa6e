import { readPieces } from '../platform/base/file-slice.ts';
import type { ItemKind, AccountPrincipal } from '../platform/base/principal.ts';
import { recheckAccess } from '../accounts/access.ts';
import { isUnmodified, notModified, textAnswer } from '../platform/http/answer.ts';
import type { QueryOf } from '../platform/http/http.ts';
import { type FILES_QUERY, listFiles } from './files.ts';
import type { Http } from './stall.ts';

const BEFORE = Buffer.from('{"files":[\n');
const AFTER = Buffer.from('\n]}\n');

/** Names the item whose files are asked for: a book by its id, a skill by its slug. */
type AskedFiles = {
  readonly kind: ItemKind;
  readonly name: string;
  readonly query: QueryOf<typeof FILES_QUERY>;
  readonly route: string;
};

export async function sendFiles(
  { stall, sender }: Http,
  request: Request,
  account: AccountPrincipal,
  { kind, name, query, route }: AskedFiles,
): Promise<Response> {
  const { edition, etag, body } = await listFiles(stall, account, { kind, name, query });
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  if ('text' in body) return textAnswer(body.text, 200, headers);
  const { artefact, start, end, isWhole } = body;
  const file = artefact.file;
  const length = end - start + (isWhole ? 0 : BEFORE.length + AFTER.length);
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'Content-Length': String(length) } });
  if (isWhole) return sender.whole(request, Bun.file(file).slice(start, end), { headers });
  const check = () => recheckAccess(stall, account, { edition, action: 'files' });
  const pieces = () => readPieces({ file, start, end }, BEFORE, AFTER);
  return sender.pieces(request, { route, check, length, pieces }, { headers });
}
