import { Refusal } from '../refusal.ts';

/** uri-host [":" port] of RFC 9110 §7.2, limited to the characters of DNS names and addresses. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** The refusal of a bad host: two Host headers, none (HTTP/1.0, CONNECT, Upgrade), or one that is no host, for which Bun makes a relative or a foreign URL. */
export function findHostFault(request: Request): Refusal | null {
  const host = request.headers.get('host');
  if (request.url.startsWith('http') && (host === null || HOST.test(host))) return null;
  return new Refusal(
    'invalid-request',
    'Cannot read the request: send exactly one Host header that names a host',
  );
}
