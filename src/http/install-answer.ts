import type { AgentPrincipal } from '../access/principal.ts';
import { readPieces } from '../catalog/file-pieces.ts';
import type { ArchiveMeta, Installation } from '../service/install.ts';
import type { Http } from './http.ts';
import { isUnmodified, notModified } from './etag.ts';
import { withQuota } from './budget.ts';
import { recheckAccess } from '../service/access.ts';

/** What of an answer is the same each time, by edition. */
const prepared = new WeakMap<ArchiveMeta, Prepared>();

/** Answers with an item's archive, the install record first, on the route `route`. */
export function sendInstall(
  { stall, sender, requestLog }: Http,
  route: string,
  request: Request,
  principal: AgentPrincipal,
  { edition, meta, artefact, take }: Installation,
): Response {
  const { length, bodySize } = meta;
  const entry = requestLog.of(request);
  const known = prepared.get(meta) ?? prepare(meta);
  prepared.set(meta, known);
  const { etag, fixed } = known;
  const headers = withQuota(fixed, entry.quota);
  if (isUnmodified(request, etag)) return notModified(headers);
  if (request.method === 'HEAD') return headOnly(headers, meta);
  const delivery = {
    route,
    length,
    check: () => recheckAccess(stall, principal, edition, 'install'),
    pieces() {
      const { head, tail } = take(entry.id);
      return readPieces({ ...artefact, start: 0, end: bodySize }, head, tail);
    },
  };
  return sender.pieces(request, delivery, { headers });
}

type Prepared = { readonly etag: string; readonly fixed: Headers };

function prepare({ folder, digest, length }: ArchiveMeta): Prepared {
  const etag = `W/"${digest}"`;
  const fixed = new Headers({
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="${folder}.tar.gz"`,
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Archive-Length': String(length),
    ETag: etag,
  });
  return { etag, fixed };
}

function headOnly(headers: Headers, { length }: ArchiveMeta): Response {
  const answer = new Response(null, { headers });
  answer.headers.set('Content-Length', String(length));
  return answer;
}
