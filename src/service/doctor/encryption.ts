import { isLoopback } from '../../config.ts';
import { fail, ok, type Result } from './result.ts';
import type { Subject } from './subject.ts';

/** Whether passwords and keys travel in the clear. Nothing shows that the proxy in front speaks TLS but the base URL. */
export function examineEncryption({ config: { host, baseUrl } }: Subject): Result {
  if (baseUrl?.startsWith('https:')) return ok('Readers come by https');
  const isOwn = isLoopback(host) && (baseUrl === null || isLoopback(new URL(baseUrl).hostname));
  if (isOwn) return ok('Only this machine reaches the stall');
  return fail(
    'Readers come by plain http: others on the way can read passwords and keys',
    'Put a proxy with TLS in front, and start the server with --base-url https://…',
  );
}
