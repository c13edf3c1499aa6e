import { Elysia } from 'elysia';
import type {
  AccountPrincipal,
  AgentPrincipal,
  KeyPrincipal,
  Principal,
  SessionPrincipal,
  TokenPrincipal,
} from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import { notFound, unauthenticated } from '../service/access.ts';
import type { Budgets } from './budget.ts';
import { type Credentials, refuseMalformed } from './credential.ts';
import type { RequestLog } from './request-log.ts';
import { refuseForeign } from './origin.ts';
import type { Sender } from './sender.ts';

/** The dependencies of the guards. */
type GuardDependencies = {
  readonly credentials: Credentials;
  readonly origin: () => string;
  readonly budgets: Budgets;
  readonly requestLog: RequestLog;
  readonly sender: Pick<Sender, 'turn'>;
};

/**
 * The guards a route can name, the one place that keeps their order. Each first refuses a malformed host and a
 * key in the query, then takes the budget of install and library, then identifies the sender, then takes the budget of the other routes, and gives the handler its principal.
 * `resolve` is the one macro hook that runs before the handler in every case (measured; `derive` is silently ignored).
 */
export function createGuards(deps: GuardDependencies) {
  const { byKey, byEither, bySession, byAgent, byToken } = deps.credentials;
  const noted = <Known extends AgentPrincipal>(request: Request, principal: Known): Known => {
    if (principal.kind !== 'anonymous') deps.requestLog.of(request).account = principal.accountId;
    return principal;
  };
  const takeShared = (request: Request): void => {
    refuseMalformed(request);
    deps.budgets.takeShared(request, deps.requestLog.of(request));
  };
  const takeRoute = async <Known extends AgentPrincipal>(
    request: Request,
    identify: (request: Request) => Known | Promise<Known>,
  ): Promise<Known> => {
    // Starts the request's clock, even if the sender turns out to be anonymous.
    deps.requestLog.of(request);
    refuseMalformed(request);
    const principal = noted(request, await identify(request));
    deps.budgets.takeRoute(request, principal);
    const turn = deps.sender.turn(request);
    if (turn !== undefined) await turn;
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

  /** A token that opens nothing is charged to the address, and all such answers are the same. */
  const openLink = async (request: Request, params: unknown): Promise<TokenPrincipal> => {
    const { token = '' } = params as { readonly token?: string };
    const principal = await takeRoute(request, () => byToken(token));
    if (principal.kind === 'anonymous') throw noLink();
    if (request.headers.has('authorization')) throw twoCredentials();
    return principal;
  };

  return new Elysia({ name: 'guards' }).macro({
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
    /** Routes for other programs: a key or an install token is optional. */
    agentGuard: {
      resolve: async ({ request }) => ({ asker: await takeRoute(request, byAgent) }),
    },
    /** The same for archives of items, which share the budget of install. */
    agentArchiveGuard: {
      resolve: async ({ request }) => {
        takeShared(request);
        return { asker: noted(request, await byAgent(request)) };
      },
    },
    /** The same with an install token in the path, and nowhere else. */
    linkGuard: {
      resolve: async ({ request, params }) => ({ asker: await openLink(request, params) }),
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

export type Guards = ReturnType<typeof createGuards>;

function noLink(): Refusal {
  return new Refusal(
    'not-found',
    'Cannot open this link: it is mistyped, revoked or expired; the person who made it can make another on the page /dashboard/connect',
  );
}

function twoCredentials(): Refusal {
  return new Refusal(
    'invalid-request',
    'Cannot take two credentials: this path holds an install token; send no Authorization header',
  );
}

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
