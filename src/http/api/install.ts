import { Elysia } from 'elysia';
import type { Archive, Installation } from '../../service/install.ts';
import type { Service } from '../../service/service.ts';
import { STALLED } from '../bytes.ts';
import { createByteStream, type LongBody } from '../byte-stream.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Exchanges } from '../exchange.ts';
import type { Identity } from '../identity.ts';

const ROUTE = '/api/install/:slug';

/** `GET /api/install/<slug>` (spec 4.1): one gzip member, the record first. */
export function install(service: Service, identity: Identity, exchanges: Exchanges) {
  return new Elysia().use(identity).get(
    ROUTE,
    async ({ request, params, principal, server }) => {
      const installation = await service.install(principal, params.slug);
      const exchange = exchanges.of(request);
      const headers = { ...headersOf(installation), ...exchange.quota };
      if (isUnmodified(request, headers.ETag)) return notModified(headers);
      if (request.method === 'HEAD')
        return new Response(null, { headers: { ...headers, 'Content-Length': String(installation.length) } });
      server?.timeout(request, STALLED);
      const archive = installation.take();
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

function headersOf({ edition, length }: Installation) {
  return {
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="${edition.manifest.slug}.tar.gz"`,
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Archive-Length': String(length),
    ETag: `W/"${edition.digest}"`,
  };
}

function longBody({ head, body, size, tail }: Extract<Archive, { readonly body: unknown }>): LongBody {
  return { before: head, open: body.openReader, start: 0, end: size, after: tail };
}
