import { isTrusted } from './address.ts';
import type { Vouched } from '../base/principal.ts';
import type { Ground } from '../base/stall.ts';
import { ToldRefusal } from '../base/told.ts';
import type { Connections } from './budget.ts';

/**
 * Paths that a proxy must not protect with its sign-in: programs, payment providers and mail programs use them with secrets of
 * their own. On these the proxy's header is ignored, since anybody can send it.
 */
const LET_THROUGH =
  /^\/(?:api|mcp|git|shelf\.git|opds|kosync|i|webhooks|\.well-known|marketplace\.json|openapi\.json|llms\.txt|(?:books|skills)\/[^/]+\/\.well-known|books\/[^/]+\/llms\.txt|token|register|revoke|unsubscribe|feed\.xml|client\.tgz|livez|readyz)(?:\/|$)/;

export const isLetThrough = (path: string): boolean => LET_THROUGH.test(path);

/**
 * Returns what the proxy's header says of a request; null if no proxy signs readers in (`--proxy-sign-in`). Refuses a header
 * that is malformed, or that the client may have set too.
 */
export type ReadVouched = (request: Request) => Vouched | null;

/**
 * Creates the function that reads the proxy's header. It ignores a header from a peer that is no trusted proxy, and logs the
 * first one.
 */
export function createVouchedReader(
  { config: { proxySignIn, trustedProxies }, log }: Pick<Ground, 'config' | 'log'>,
  connections: Connections,
): ReadVouched {
  if (proxySignIn === null) return () => null;
  const { header } = proxySignIn;
  const own = header.toLowerCase();
  let isLogged = false;
  return (request) => {
    if (isLetThrough(decodeURIComponent(new URL(request.url).pathname)))
      return { isRead: false, address: '' };
    // CGI and some proxies turn "-" into "_", so that a client's forged header could arrive beside the proxy's.
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
    // Bun joins two headers of the same name with a comma.
    if (name !== own || another !== undefined || !ADDRESS.test(value))
      throw new ToldRefusal('access-denied', (r) => r.account.proxyHeader({ header }));
    return { isRead: true, address: value };
  };
}

const ADDRESS = /^(?:[!-+\--?A-~]{1,64}@[!-+\--?A-~]{1,189})?$/;
