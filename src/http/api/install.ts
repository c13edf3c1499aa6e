import { Elysia } from 'elysia';
import type { Installation } from '../../service/install.ts';
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
      const headers = { ...headersOf(installation), ...exchanges.of(request).quota };
      if (isUnmodified(request, headers.ETag)) return notModified(headers);
      if (request.method === 'HEAD')
        return new Response(null, { headers: withLength(headers, installation) });
      installation.count();
      server?.timeout(request, STALLED);
      const { blob } = installation.body;
      if (blob === null)
        return new Response(createByteStream(longBody(installation), exchanges.watch(request, ROUTE)), {
          headers,
        });
      const { head, tail } = installation.splice;
      return new Response(new Blob([head, blob, tail]), { headers: withLength(headers, installation) });
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

function withLength(headers: Readonly<Record<string, string>>, { length }: Installation) {
  return { ...headers, 'Content-Length': String(length) };
}

function longBody({ splice, body, length }: Installation): LongBody {
  const { head, tail } = splice;
  return {
    before: head,
    open: body.openReader,
    start: 0,
    end: length - head.length - tail.length,
    after: tail,
  };
}
