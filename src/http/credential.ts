import { hasKeyForm } from '../access/key.ts';
import {
  ANONYMOUS,
  type Anonymous,
  type KeyPrincipal,
  type Principal,
  type SessionPrincipal,
  type TokenPrincipal,
} from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import type { Authentication } from '../service/keys.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Functions that turn credentials into accounts, and the cookie that carries a session. */
type Dependencies = {
  readonly authentication: Pick<Authentication, 'byKey' | 'byToken'>;
  readonly findSession: (cookie: string) => Promise<SessionPrincipal | null>;
  readonly cookie: SessionCookie;
};

/** Identifies the sender of a request. */
export function createCredentials({ authentication, findSession, cookie }: Dependencies) {
  const byKey = (request: Request): Anonymous | KeyPrincipal | Promise<Anonymous | KeyPrincipal> => {
    const header = request.headers.get('authorization');
    if (header === null) return ANONYMOUS;
    // Bun joins two headers with a comma, which this form refuses.
    if (!BEARER.test(header))
      return { kind: 'anonymous', complaint: 'send exactly one "Authorization: Bearer svc_…" header' };
    return authentication.byKey(header.slice(header.lastIndexOf(' ') + 1));
  };
  /** A key or an install token, as Bearer or as the password of Basic with any name. */
  const byAgent = async (request: Request): Promise<Anonymous | KeyPrincipal | TokenPrincipal> => {
    const header = request.headers.get('authorization');
    if (header === null) return ANONYMOUS;
    const secret = readSecret(header);
    if (secret === null) return { kind: 'anonymous', complaint: 'send exactly one API key or install token' };
    return secret.startsWith('svi_') ? authentication.byToken(secret) : authentication.byKey(secret);
  };
  /** A session that is forged, stale or ended counts as no session. */
  const bySession = async (request: Request): Promise<Anonymous | SessionPrincipal> => {
    const value = cookie.read(request);
    return (value === null ? null : await findSession(value)) ?? ANONYMOUS;
  };
  return {
    byKey,
    bySession,
    byAgent,
    byToken: authentication.byToken,
    /** A key decides if one is sent, even a bad one; otherwise a session counts. */
    byEither: (request: Request): Principal | Promise<Principal> =>
      request.headers.has('authorization') ? byKey(request) : bySession(request),
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

const BEARER = /^Bearer +[^\s,]+$/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+=*)$/i;

/** The secret of an Authorization header of either scheme (RFC 7617: the password is all after the first colon); null if it has none. */
function readSecret(header: string): string | null {
  if (BEARER.test(header)) return header.slice(header.lastIndexOf(' ') + 1);
  const [, encoded] = BASIC.exec(header) ?? [];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  return colon === -1 ? null : pair.slice(colon + 1);
}

/** Refuses requests that no route accepts: a malformed host, a target that is not plain, and a key in the query. */
export function refuseMalformed(request: Request): void {
  const fault = findHostFault(request);
  if (fault !== null) throw fault;
  refuseRewritten(request);
  refuseKeyInQuery(request);
}

/**
 * Bun matches the target as it was sent, and its requests have `params` then. Elysia's own router, which comes second, sees
 * a URL in which "\\" is "/" and dot segments are gone: a proxy's rule for "/admin" does not see "/.\\admin".
 */
function refuseRewritten(request: Request): void {
  if (!('params' in request)) throw badTarget();
}

function badTarget(): Refusal {
  return new Refusal(
    'invalid-request',
    'Cannot read the request: its target has a backslash, dot segments or a host; send the path alone, with "\\\\" as "%5C"',
  );
}

/** A key in a URL ends in histories and logs: refused on every route, whatever its checksum. */
function refuseKeyInQuery(request: Request): void {
  const start = request.url.indexOf('?');
  if (start === -1) return;
  const query = request.url.slice(start + 1);
  if (query.includes('\\')) throw badTarget();
  if (!hasKeyForm(query) && !hasKeyForm(decodeQuery(query))) return;
  throw new Refusal(
    'invalid-request',
    'Cannot take an API key in the URL: send it as "Authorization: Bearer svc_…", and revoke it if others may have seen this URL',
  );
}

function decodeQuery(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query.replace(/%[0-9a-f]{2}/gi, (escaped) =>
      String.fromCharCode(Number.parseInt(escaped.slice(1), 16)),
    );
  }
}

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
