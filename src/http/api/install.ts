import { Elysia } from 'elysia';
import type { Archive, Label } from '../../service/delivery/install.ts';
import type { Service } from '../../service/service.ts';
import { STALLED } from '../bytes.ts';
import { createByteStream, type LongBody } from '../byte-stream.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Connections } from '../connection.ts';
import type { Exchanges } from '../request-log.ts';
import type { Identity } from '../identity.ts';
import { withQuota } from '../quota-headers.ts';

const ROUTE = '/api/install/:slug';

type Desk = { readonly connections: Connections; readonly exchanges: Exchanges };

/** `GET /api/install/<slug>` (spec 4.1): one gzip member, the record first. */
export function install(service: Service, identity: Identity, { connections, exchanges }: Desk) {
  const prepared = new WeakMap<Label, Prepared>();
  const preparedFor = (label: Label): Prepared => {
    const known = prepared.get(label) ?? prepare(label);
    prepared.set(label, known);
    return known;
  };

  return new Elysia().use(identity).get(
    ROUTE,
    async ({ request, params, principal }) => {
      const { label, take } = await service.install(principal, params.slug);
      const exchange = exchanges.of(request);
      const { etag, fixed } = preparedFor(label);
      const headers = withQuota(fixed, exchange.quota);
      if (isUnmodified(request, etag)) return notModified(headers);
      if (request.method === 'HEAD') return headOnly(headers, label);
      connections.allowSilence(request, STALLED);
      const archive = take(exchange.id);
      if (!('bytes' in archive))
        return new Response(createByteStream(longBody(archive), exchanges.watch(request, ROUTE)), {
          headers,
        });
      exchange.bytes = archive.bytes.length;
      return new Response(archive.bytes, { headers });
    },
    { installDoor: true },
  );
}

type Prepared = { readonly etag: string; readonly fixed: Headers };

function prepare({ edition, length }: Label): Prepared {
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

function headOnly(headers: Headers, { length }: Label): Response {
  const answer = new Response(null, { headers });
  answer.headers.set('Content-Length', String(length));
  return answer;
}

function longBody({ head, body, size, tail }: Extract<Archive, { readonly body: unknown }>): LongBody {
  return { before: head, open: body.openReader, start: 0, end: size, after: tail };
}
