import { isTrusted } from '../budget/address.ts';
import type { Vouched } from '../access/session.ts';
import type { Stall } from '../service/stall.ts';
import { ToldRefusal } from '../words/told.ts';
import type { Connections } from './budget.ts';

/**
 * The paths that a proxy must let through without its sign-in: programs send keys, and providers and mail programs have
 * secrets of their own. Anybody may send the proxy's header to these paths, so it is ignored there.
 */
const LET_THROUGH =
  /^\/(?:api|mcp|git|shelf\.git|opds|i|webhooks|\.well-known|marketplace\.json|openapi\.json|llms\.txt|(?:books|skills)\/[^/]+\/\.well-known|books\/[^/]+\/llms\.txt|unsubscribe|feed\.xml|client\.tgz|livez|readyz)(?:\/|$)/;

/** Reports whether the proxy lets a path through without sign-in. */
export const isLetThrough = (path: string): boolean => LET_THROUGH.test(path);

/**
 * Reads the e-mail address that the proxy's header names for a request; returns null if readers sign in with passwords.
 * Refuses a header that may have two writers.
 */
export type ReadVouched = (request: Request) => Vouched | null;

/** Creates the reader of the proxy's header. It ignores a header that somebody else sent, and logs the first one. */
export function createVouchedReader(
  { config: { proxySignIn, trustedProxies }, log }: Pick<Stall, 'config' | 'log'>,
  connections: Connections,
): ReadVouched {
  if (proxySignIn === null) return () => null;
  const { header } = proxySignIn;
  const own = header.toLowerCase();
  let isLogged = false;
  return (request) => {
    if (isLetThrough(decodeURIComponent(new URL(request.url).pathname)))
      return { isRead: false, address: '' };
    // CGI and some proxies turn "-" into "_", and would pass on a forged header beside their own.
    const [name, another] = [...request.headers.keys()].filter((one) => one.replaceAll('_', '-') === own);
    if (name === undefined) return { isRead: true, address: '' };
    const peer = connections.peerOf(request);
    if (peer === null || !isTrusted(peer, trustedProxies)) {
      const message = `Ignored ${header} from "${peer}": only a proxy of --trusted-proxies signs in by it`;
      if (!isLogged) log({ event: 'proxy-header', message });
      isLogged = true;
      return { isRead: true, address: '' };
    }
    const value = request.headers.get(name) ?? '';
    // Bun joins two headers with a comma.
    if (name !== own || another !== undefined || !ADDRESS.test(value))
      throw new ToldRefusal('access-denied', (r) => r.account.proxyHeader({ header }));
    return { isRead: true, address: value };
  };
}

/** Matches nothing, or one e-mail address of printable ASCII without a comma. */
const ADDRESS = /^(?:[!-+\--?A-~]{1,64}@[!-+\--?A-~]{1,189})?$/;
