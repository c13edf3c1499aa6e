import { Elysia } from 'elysia';
import type { AccountPrincipal, KeyPrincipal, Principal, SessionPrincipal } from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import { notFound, unauthenticated } from '../service/access.ts';
import type { Budgets } from './budget.ts';
import { type Credentials, refuseMalformed } from './credential.ts';
import type { RequestLog } from './request-log.ts';
import { refuseForeign } from './origin.ts';

/** What the guards need. */
export type GuardDependencies = {
  readonly credentials: Credentials;
  readonly origin: () => string;
  readonly budgets: Budgets;
  readonly requestLog: RequestLog;
};

/**
 * The guards a route can name, the one place that keeps the order of contract §3. Each first refuses a malformed host and a
 * key in the query, then takes the budget of install and library, then identifies the sender, then takes the budget of the other routes, and gives the handler its principal.
 * `resolve` is the one macro hook that runs before the handler in every case (measured; `derive` is silently ignored).
 */
export function createIdentity(deps: GuardDependencies) {
  const { byKey, byEither, bySession } = deps.credentials;
  const noted = <Known extends Principal>(request: Request, principal: Known): Known => {
    if (principal.kind === 'account') deps.requestLog.of(request).account = principal.accountId;
    return principal;
  };
  const takeShared = (request: Request): void => {
    refuseMalformed(request);
    deps.budgets.takeShared(request, deps.requestLog.of(request));
  };
  const takeRoute = async <Known extends Principal>(
    request: Request,
    identify: (request: Request) => Known | Promise<Known>,
  ): Promise<Known> => {
    // Starts the request's clock, even if the sender turns out to be anonymous.
    deps.requestLog.of(request);
    refuseMalformed(request);
    const principal = noted(request, await identify(request));
    deps.budgets.takeRoute(request, principal);
    return principal;
  };
  const refuseUncounted = (request: Request): void => {
    // Starts the request's clock.
    deps.requestLog.of(request);
    refuseMalformed(request);
  };
  const visit = async (request: Request) => {
    const visitor = await takeRoute(request, bySession);
    refuseForeign(request, deps.origin());
    return visitor;
  };

  return new Elysia({ name: 'identity' }).macro({
    /** Install: a key is optional. */
    installGuard: {
      resolve: async ({ request }) => {
        takeShared(request);
        return { principal: noted(request, await byKey(request)) };
      },
    },
    /** Library: a key is required. */
    libraryGuard: {
      resolve: async ({ request }) => {
        takeShared(request);
        return { account: requireKey(noted(request, await byKey(request))) };
      },
    },
    /** Any other route on which a key or a session is optional. */
    openGuard: {
      resolve: async ({ request }) => ({ principal: await takeRoute(request, byEither) }),
    },
    /** Files: a key or a session is required. */
    filesGuard: {
      resolve: async ({ request }) => ({ account: requireAccount(await takeRoute(request, byEither)) }),
    },
    /** Questions: a key is required. */
    keyGuard: {
      resolve: async ({ request }) => ({ account: requireKey(await takeRoute(request, byKey)) }),
    },
    /** Style sheets, script, icon and logo: neither counted nor refused, since without them every page is broken. */
    assetGuard: {
      resolve: ({ request }) => refuseUncounted(request),
    },
    /** Covers, of which a page loads dozens: not counted either; a session is optional. */
    coverGuard: {
      resolve: async ({ request }) => {
        refuseUncounted(request);
        return { visitor: noted(request, await bySession(request)) };
      },
    },
    /** A page for anyone, or a form on it. */
    visitorGuard: {
      resolve: async ({ request }) => ({ visitor: await visit(request) }),
    },
    /** A page or form that requires a session. */
    memberGuard: {
      resolve: async ({ request }) => ({ member: requireSession(await visit(request)) }),
    },
    /** A page or form of the owner; others get a 404. */
    ownerGuard: {
      resolve: async ({ request }) => ({
        owner: requireOwner(requireSession(await visit(request)), new URL(request.url).pathname),
      }),
    },
    /** Probes: no budget and no credentials. */
    probeGuard: {
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

function requireAccount(principal: Principal): AccountPrincipal {
  if (principal.kind === 'account') return principal;
  throw unauthenticated('Cannot answer without a valid API key', principal.complaint);
}

function requireSession(principal: Principal): SessionPrincipal {
  if (principal.kind === 'account' && principal.keyId === null) return principal;
  throw new Refusal('unauthenticated', 'Cannot open this page before you sign in: sign in, and try again');
}

function requireOwner(principal: SessionPrincipal, path: string): SessionPrincipal {
  if (principal.isOwner) return principal;
  throw notFound(path);
}
