import type { BlockReader } from '../catalog/block-reader.ts';
import type { AgentPrincipal } from '../access/principal.ts';
import type { Archive, ArchiveMeta, Installation } from '../service/delivery/install.ts';
import type { Service } from '../service/service.ts';
import type { ByteSender, Delivery } from './byte-sender.ts';
import { isUnmodified, notModified } from './etag.ts';
import { artefactPieces, joinPieces, type Pieces, piecesOf } from './pieces.ts';
import { withQuota } from './quota-headers.ts';
import type { RequestLog } from './request-log.ts';

type Dependencies = {
  readonly service: Service;
  readonly sender: ByteSender;
  readonly requestLog: RequestLog;
};

/** Answers with an item's archive, the install record first, on the route `route`. */
export function createInstallAnswer(route: string, { service, sender, requestLog }: Dependencies) {
  const prepared = new WeakMap<ArchiveMeta, Prepared>();
  const preparedFor = (meta: ArchiveMeta): Prepared => {
    const known = prepared.get(meta) ?? prepare(meta);
    prepared.set(meta, known);
    return known;
  };

  return (
    request: Request,
    principal: AgentPrincipal,
    installation: Installation,
  ): Response | Promise<Response> => {
    const { meta } = installation;
    const entry = requestLog.of(request);
    const { etag, fixed } = preparedFor(meta);
    const headers = withQuota(fixed, entry.quota);
    if (isUnmodified(request, etag)) return notModified(headers);
    if (request.method === 'HEAD') return headOnly(headers, meta);
    const check = () => service.recheckAccess(principal, installation.item, 'install');
    return sender.send(request, deliveryOf(route, installation, entry.id, check), { headers });
  };
}

type Prepared = { readonly etag: string; readonly fixed: Headers };

function prepare({ edition, length }: ArchiveMeta): Prepared {
  const etag = `W/"${edition.digest}"`;
  const fixed = new Headers({
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="${edition.manifest.slug}.tar.gz"`,
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

function deliveryOf(
  route: string,
  { meta: { length }, artefact, take }: Installation,
  fetchId: string,
  check: () => Promise<void>,
): Delivery {
  return {
    route,
    length,
    check,
    whole: artefact.spliceBuffer === null ? null : { parts: () => take(fetchId) },
    pieces: async () => streamedPieces(await artefact.openReader(), take(fetchId), length),
  };
}

/** The record, the artefact from its file, and the trailer. */
function streamedPieces(reader: BlockReader, archive: Archive, length: number): Pieces {
  const [head, tail] = [archive[0], archive.at(-1)];
  if (head === undefined || tail === undefined) throw new Error('An archive has a record and a trailer');
  const size = length - head.length - tail.length;
  return joinPieces(piecesOf([head]), artefactPieces(reader, 0, size), piecesOf([tail]));
}
