import type { ClientPackage } from '../../../service/delivery/client-package.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { Sender } from '../../sender.ts';

/** The reader's program for Node, which `npx` can install from this address. */
export function sendClientPackage(
  sender: Sender,
  request: Request,
  { body, etag }: ClientPackage,
): Response | Promise<Response> {
  const headers = {
    'Content-Type': 'application/gzip',
    'Content-Disposition': 'attachment; filename="client.tgz"',
    'Cache-Control': 'public, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  return sender.whole(request, body, { headers });
}
