import { Elysia } from 'elysia';
import { hasKeyForm } from '../access/key.ts';
import { ANONYMOUS, type KeyPrincipal, type Principal } from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import { unauthenticated } from '../service/access.ts';
import type { Budgets } from './budget.ts';
import type { Exchanges } from './exchange.ts';
import { findHostFault } from './host.ts';

/** What a route's door needs: the one place where the order of contract §3 is kept. */
export type Doorkeeper = {
  readonly authenticate: (key: string) => Promise<Principal>;
  readonly budgets: Budgets;
  readonly exchanges: Exchanges;
};

/**
 * The doors a route can name. Each first refuses a malformed host and a key in the query, then takes the budget of install and library,
 * then asks who it is, then takes the budget of the other routes, and gives the handler its principal.
 * `resolve` is the one macro hook that runs before the handler in every case (measured; `derive` is silently ignored).
 */
export function createIdentity(keeper: Doorkeeper) {
  const noted = (request: Request, principal: Principal): Principal => {
    if (principal.kind === 'account') keeper.exchanges.of(request).account = principal.accountId;
    return principal;
  };
  const identify = (request: Request) => readPrincipal(request, keeper.authenticate);
  const takeShared = (request: Request): void => {
    refuseMalformed(request);
    keeper.budgets.takeShared(request, keeper.exchanges.of(request));
  };
  const takeRoute = async (request: Request): Promise<Principal> => {
    refuseMalformed(request);
    const principal = noted(request, await identify(request));
    keeper.budgets.takeRoute(request, principal);
    return principal;
  };

  return new Elysia({ name: 'identity' }).macro({
    /** Install: a key is welcome. */
    installDoor: {
      resolve: async ({ request }) => {
        takeShared(request);
        return { principal: noted(request, await identify(request)) };
      },
    },
    /** Library: a key is needed. */
    libraryDoor: {
      resolve: async ({ request }) => {
        takeShared(request);
        return { account: requireKey(noted(request, await identify(request))) };
      },
    },
    /** Any other route that a key may open further. */
    openDoor: {
      resolve: async ({ request }) => ({ principal: await takeRoute(request) }),
    },
    /** Any other route that needs a key. */
    keyDoor: {
      resolve: async ({ request }) => ({
        account: requireKey(await takeRoute(request)),
      }),
    },
    /** Probes: no budget, nobody is asked. */
    probeDoor: {
      resolve: ({ request }) => refuseMalformed(request),
    },
  });
}

export type Identity = ReturnType<typeof createIdentity>;

function requireKey(principal: Principal): KeyPrincipal {
  if (principal.kind === 'account' && principal.keyId !== null) return principal;
  throw unauthenticated(
    'Cannot answer without a valid API key',
    principal.kind === 'anonymous' ? principal.complaint : null,
  );
}

const BEARER = /^Bearer +[^\s,]+$/i;

function readPrincipal(
  request: Request,
  authenticate: Doorkeeper['authenticate'],
): Principal | Promise<Principal> {
  const header = request.headers.get('authorization');
  if (header === null) return ANONYMOUS;
  // Two headers arrive joined with a comma, and fail this form.
  if (!BEARER.test(header))
    return { kind: 'anonymous', complaint: 'send exactly one "Authorization: Bearer svc_…" header' };
  return authenticate(header.slice(header.lastIndexOf(' ') + 1));
}

function refuseMalformed(request: Request): void {
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
