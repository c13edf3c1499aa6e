import { hasKeyForm } from '../access/key.ts';
import {
  ANONYMOUS,
  type Anonymous,
  type KeyPrincipal,
  type Principal,
  type SessionPrincipal,
} from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import { findHostFault } from './host.ts';
import type { SessionCookie } from './session-cookie.ts';

/** What turns credentials into accounts, and the cookie a session comes in. */
type Keeper = {
  readonly authenticate: (key: string) => Promise<Anonymous | KeyPrincipal>;
  readonly findSession: (cookie: string) => Promise<SessionPrincipal | null>;
  readonly cookie: SessionCookie;
};

/** Reads who sends a request. */
export function createCredentials({ authenticate, findSession, cookie }: Keeper) {
  const byKey = (request: Request): Anonymous | KeyPrincipal | Promise<Anonymous | KeyPrincipal> => {
    const header = request.headers.get('authorization');
    if (header === null) return ANONYMOUS;
    // Two headers arrive joined with a comma, and fail this form.
    if (!BEARER.test(header))
      return { kind: 'anonymous', complaint: 'send exactly one "Authorization: Bearer svc_…" header' };
    return authenticate(header.slice(header.lastIndexOf(' ') + 1));
  };
  /** A session that is forged, stale or ended makes nobody, as if there were none. */
  const bySession = async (request: Request): Promise<Anonymous | SessionPrincipal> => {
    const value = cookie.read(request);
    return (value === null ? null : await findSession(value)) ?? ANONYMOUS;
  };
  return {
    byKey,
    bySession,
    /** A key that is shown decides, a bad one too; a session counts where there is none. */
    byEither: async (request: Request): Promise<Principal> =>
      request.headers.has('authorization') ? byKey(request) : bySession(request),
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

const BEARER = /^Bearer +[^\s,]+$/i;

/** Refuses what no route takes: a malformed host, and a key in the query. */
export function refuseMalformed(request: Request): void {
  const fault = findHostFault(request);
  if (fault !== null) throw fault;
  refuseKeyInQuery(request);
}

/** A key in a URL ends in histories and logs: refused on every route, whatever its checksum. */
function refuseKeyInQuery(request: Request): void {
  const start = request.url.indexOf('?');
  if (start === -1) return;
  const query = request.url.slice(start + 1);
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
