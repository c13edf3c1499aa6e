import { Elysia } from 'elysia';
import { createClientPackage } from '../../../service/delivery/client-package.ts';
import type { ByteSender, Delivery } from '../../byte-sender.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { Identity } from '../../identity.ts';
import { piecesOf } from '../../pieces.ts';

const ROUTE = '/client.tgz';

/** `GET /client.tgz`: the reader's program for Node, which `npx` can install from this address. */
export function clientPackage(identity: Identity, sender: ByteSender, origin: () => string) {
  const find = createClientPackage(origin);
  return new Elysia().use(identity).get(
    ROUTE,
    ({ request }) => {
      const { body, etag } = find();
      const headers = {
        'Content-Type': 'application/gzip',
        'Content-Disposition': 'attachment; filename="client.tgz"',
        'Cache-Control': 'public, no-cache',
        'X-Content-Type-Options': 'nosniff',
        ETag: etag,
      };
      if (isUnmodified(request, etag)) return notModified(headers);
      return sender.send(request, deliveryOf(body), { headers });
    },
    { openGuard: true },
  );
}

function deliveryOf(body: Blob): Delivery {
  return {
    route: ROUTE,
    length: body.size,
    check: async () => {},
    whole: { blob: () => body, shared: null },
    pieces: async () => piecesOf([body]),
  };
}
