import { Elysia } from 'elysia';
import type { Archive, ArchiveMeta } from '../../service/delivery/install.ts';
import type { Service } from '../../service/service.ts';
import { STALLED } from '../bytes.ts';
import { createByteStream, type LongBody } from '../byte-stream.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Connections } from '../connection.ts';
import type { RequestLog } from '../request-log.ts';
import type { Identity } from '../identity.ts';
import { withQuota } from '../quota-headers.ts';

const ROUTE = '/api/install/:slug';

type Dependencies = { readonly connections: Connections; readonly requestLog: RequestLog };

/** `GET /api/install/<slug>` (spec 4.1): one gzip member, the record first; `?edition=` names another edition than the served one. */
export function install(service: Service, identity: Identity, { connections, requestLog }: Dependencies) {
  const prepared = new WeakMap<ArchiveMeta, Prepared>();
  const preparedFor = (meta: ArchiveMeta): Prepared => {
    const known = prepared.get(meta) ?? prepare(meta);
    prepared.set(meta, known);
    return known;
  };

  return new Elysia().use(identity).get(
    ROUTE,
    async ({ request, params, query, principal }) => {
      const { meta, take } = await service.install(principal, params.slug, query['edition'] ?? null);
      const entry = requestLog.of(request);
      const { etag, fixed } = preparedFor(meta);
      const headers = withQuota(fixed, entry.quota);
      if (isUnmodified(request, etag)) return notModified(headers);
      if (request.method === 'HEAD') return headOnly(headers, meta);
      connections.allowSilence(request, STALLED);
      const archive = take(entry.id);
      if (!('bytes' in archive))
        return new Response(createByteStream(longBody(archive), requestLog.watch(request, ROUTE)), {
          headers,
        });
      entry.bytes = archive.bytes.length;
      return new Response(archive.bytes, { headers });
    },
    { installGuard: true },
  );
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

function longBody({ head, body, size, tail }: Extract<Archive, { readonly body: unknown }>): LongBody {
  return { before: head, open: body.openReader, start: 0, end: size, after: tail };
}
