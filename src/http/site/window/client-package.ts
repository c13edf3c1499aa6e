import { Elysia } from 'elysia';
import { createClientPackage } from '../../../service/delivery/client-package.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { Identity } from '../../identity.ts';
import type { Sender } from '../../sender.ts';

/** `GET /client.tgz`: the reader's program for Node, which `npx` can install from this address. */
export function clientPackage(identity: Identity, sender: Sender, origin: () => string) {
  const find = createClientPackage(origin);
  return new Elysia().use(identity).get(
    '/client.tgz',
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
      return sender.whole(request, body, { headers });
    },
    { openGuard: true },
  );
}
