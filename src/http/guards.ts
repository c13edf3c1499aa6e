import { type AnyElysia, Elysia } from 'elysia';
import { hasKeyForm } from '../access/key.ts';
import {
  type AccountPrincipal,
  type AgentPrincipal,
  ANONYMOUS,
  type KeyPrincipal,
  type Principal,
  type SessionPrincipal,
} from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import { ToldRefusal } from '../words/told.ts';
import { notFound, unauthenticated } from '../service/access.ts';
import { redirect } from './answer.ts';
import { mediaTypeOf, refuseLarge } from './body.ts';
import type { Budgets } from './budget.ts';
import type { Credentials } from './credential.ts';
import { namesLanguage, takeLanguage } from './language.ts';
import type { Stall } from '../service/stall.ts';
import type { RequestLog } from './request-log.ts';

/**
 * Creates the guards that a route or an area of routes can name. A guard refuses a malformed host and a key in the query,
 * identifies the sender, and gives the handler its principal. The budget of install and library is taken before the sender is
 * identified, that of the other routes after. This order is kept in this file alone.
 */
export function createGuards(
  stall: Stall,
  credentials: Credentials,
  budgets: Budgets,
  requestLog: RequestLog,
) {
  const { origin } = stall;
  const { byKey, byPublishKey, byEither, bySession, byAgent, byToken, isToSignIn } = credentials;
  const noted = <Known extends AgentPrincipal>(request: Request, principal: Known): Known => {
    const entry = requestLog.of(request);
    entry.principal = principal;
    if (principal.kind !== 'anonymous') entry.account = principal.accountId;
    return principal;
  };
  const admitShared = <Known extends AgentPrincipal>(request: Request, identify: Identify<Known>): Known => {
    refuseMalformed(request);
    refuseLarge(request);
    budgets.takeShared(request, requestLog.of(request));
    return noted(request, identify(request));
  };
  const admitRoute = <Known extends AgentPrincipal>(
    request: Request,
    identify: Identify<Known>,
    isUpload = false,
  ): Known => {
    admitUncounted(request, isUpload);
    const principal = noted(request, identify(request));
    budgets.takeRoute(request, principal);
    return principal;
  };
  const admitUncounted = (request: Request, isUpload = false): void => {
    // Starts the request's clock, even if the sender turns out to be anonymous.
    requestLog.of(request);
    refuseMalformed(request);
    if (!isUpload) refuseLarge(request);
  };
  const visit = (request: Request, isUpload = false) => {
    const visitor = admitRoute(request, bySession, isUpload);
    if (stall.config.proxySignIn !== null && PASSWORD_PAGE.test(new URL(request.url).pathname))
      throw new ToldRefusal('not-found', (r) => r.account.byProxy);
    refuseForeign(request, origin());
    return visitor;
  };

  /** Redirects an address that names a language to the page without it, and a reader whom the proxy names to the sign-in. */
  const beforePages = (request: Request) => {
    if (SAFE.has(request.method) && namesLanguage(request, stall.manifest().languages))
      return takeLanguage(stall, request, admitRoute(request, bySession));
    if (!isToSignIn(request)) return undefined;
    const { pathname, search } = new URL(request.url);
    const next = encodeURIComponent(`${pathname}${search}`);
    return pathname === SIGN_IN ? undefined : redirect(`${SIGN_IN}?next=${next}`);
  };

  /**
   * Identifies the sender by the token in the path. A wrong one costs its address a request, and is always answered the same.
   */
  const openLink = (request: Request, token: string): AgentPrincipal => {
    const principal = admitRoute(request, () => byToken(token));
    if (principal.kind === 'anonymous') throw new ToldRefusal('not-found', (r) => r.library.token.unknown);
    if (request.headers.has('authorization'))
      throw Refusal.invalid(
        'Cannot take two credentials: this path holds an install token; send no Authorization header',
      );
    return principal;
  };

  return new Elysia({ name: 'guards' }).macro(
    named(
      {
        /** Install: a key is optional. */
        install: ({ request }) => ({ principal: admitShared(request, byKey) }),
        /** Library: a key is required. */
        library: ({ request }) => ({ account: requireKey(admitShared(request, byKey)) }),
        /** Any other route on which a key or a session is optional. */
        open: ({ request }) => ({ principal: admitRoute(request, byEither) }),
        /** A key or a session is required. */
        account: ({ request }) => ({ account: requireAccount(admitRoute(request, byEither)) }),
        /**
         * A key or a session is required, to change the account's own things. A session counts only from this stall's pages.
         */
        own: ({ request }) => {
          const account = requireAccount(admitRoute(request, byEither));
          if (account.keyId === null) refuseForeign(request, origin());
          return { account };
        },
        /** A key is required. */
        key: ({ request }) => ({ account: requireKey(admitRoute(request, byKey)) }),
        /** A publish key, and nothing else. */
        publish: ({ request }) => {
          requestLog.of(request);
          refuseMalformed(request);
          budgets.takeRoute(request, ANONYMOUS);
          const publisher = byPublishKey(request);
          requestLog.of(request).account = publisher.accountId;
          return { publisher };
        },
        /** Routes for other programs: a key or an install token is optional. */
        agent: ({ request }) => ({ asker: admitRoute(request, byAgent) }),
        /** Archives of items for other programs: a key or an install token is optional, and install's budget is shared. */
        archive: ({ request }) => ({ asker: admitShared(request, byAgent) }),
        /** Routes for other programs with an install token in the path; an Authorization header is refused. */
        link: ({ request, params }) => ({ asker: openLink(request, params.token ?? '') }),
        /** Probes, and files without which a page is broken: no budget counts them. */
        uncounted: ({ request }) => admitUncounted(request),
        /** Covers, which are not counted either, since a page loads dozens; a session is optional. */
        cover: ({ request }) => {
          admitUncounted(request);
          return { visitor: noted(request, bySession(request)) };
        },
        /** A page for anyone, or a form on it. */
        visitor: ({ request }) => ({ visitor: visit(request) }),
        /** A page or form that requires a session. */
        member: ({ request }) => ({ member: requireSession(visit(request)) }),
        /**
         * A page or form of the owner, in English; others get a 404. The size of a form with a file is bounded by its route.
         */
        owner: ({ request }) => ({
          owner: {
            ...requireOwner(
              requireSession(visit(request, mediaTypeOf(request) === 'multipart/form-data')),
              new URL(request.url).pathname,
            ),
            language: 'en' as const,
          },
        }),
      },
      beforePages,
    ),
  );
}

export type Guards = ReturnType<typeof createGuards>;

type Identify<Known extends AgentPrincipal> = (request: Request) => Known;

type Guard = (context: {
  readonly request: Request;
  readonly params: { readonly token?: string };
}) => unknown;

/** The guards that run `beforePages` first, since they guard pages for readers. */
const PAGES: ReadonlySet<string> = new Set(['open', 'visitor', 'member']);

/**
 * Makes the guards into macros of Elysia. They run in `resolve`, which alone runs before the handler in every case (measured;
 * `derive` is silently ignored). A route is tagged with the name of its guard. Elysia is kept from parsing the body, which is
 * left to the handler.
 */
function named<Named extends Readonly<Record<string, Guard>>>(
  guards: Named,
  beforePages: (request: Request) => unknown,
) {
  const macros = Object.entries(guards).map(([name, resolve]) => [
    name,
    {
      detail: { tags: [name] },
      parse: { fn: 'none' },
      ...(PAGES.has(name)
        ? { beforeHandle: ({ request }: { readonly request: Request }) => beforePages(request) }
        : {}),
      resolve,
    },
  ]);
  return Object.fromEntries(macros) as { [Name in keyof Named]: Record<'resolve', Named[Name]> };
}

/** Throws for a route without a guard or with two, so that no server starts with it. */
export function requireGuards({ routes }: Pick<AnyElysia, 'routes'>): void {
  const others = routes.filter(({ hooks }) => hooks.detail?.tags?.length !== 1);
  if (others.length === 0) return;
  throw new Error(
    `Each needs one guard: ${others.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
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
  throw new ToldRefusal('unauthenticated', (r) => r.request.signIn);
}

function requireOwner(principal: SessionPrincipal, path: string): SessionPrincipal {
  if (principal.isOwner) return principal;
  throw notFound(path);
}

const SIGN_IN = '/sign-in';

/** The pages that set a password or ask for one. They answer 404 while a proxy signs readers in. */
const PASSWORD_PAGE =
  /^\/(?:set-up|invite|reset|open|email|forgot|sign-up|(?:claim|redeem)\/account|dashboard\/account\/(?:email|password))$/;

/** Refuses requests that no route accepts: a malformed host, a target that is not plain, and a key in the query. */
function refuseMalformed(request: Request): void {
  const fault = findHostFault(request);
  if (fault !== null) throw fault;
  // Bun's router matches the target as it was sent, and gives the request `params`. Elysia's own router comes second, and
  // sees a URL in which "\\" is "/" and dot segments are gone. A proxy's rule for "/admin" does not see "/.\\admin".
  if (!('params' in request)) throw badTarget();
  refuseKeyInQuery(request);
}

const badTarget = (): ToldRefusal => new ToldRefusal('invalid-request', (r) => r.request.badTarget);

/** Refuses a key in the query, whatever its checksum, since URLs end in histories and logs. Refuses a backslash there too. */
function refuseKeyInQuery(request: Request): void {
  const start = request.url.indexOf('?');
  if (start === -1) return;
  const query = request.url.slice(start + 1);
  if (query.includes('\\')) throw badTarget();
  if (!hasKeyForm(query) && ![...new URLSearchParams(query)].flat().some(hasKeyForm)) return;
  throw new ToldRefusal('invalid-request', (r) => r.request.keyInQuery);
}

/** uri-host [":" port] of RFC 9110 §7.2, limited to the characters of DNS names and addresses. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Returns the refusal of a request with a bad host, else null: two Host headers, none (HTTP/1.0, CONNECT, Upgrade), or one
 * that is no host, from which Bun makes a relative or a foreign URL.
 */
export function findHostFault(request: Request): Refusal | null {
  const host = request.headers.get('host');
  if (request.url.startsWith('http') && (host === null || HOST.test(host))) return null;
  return Refusal.invalid('Cannot read the request: send exactly one Host header that names a host');
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a form that another site had a browser send. Fetch metadata decides; without it, as over plain
 * http, the browser must name our own origin (OWASP Cross-Site Request Forgery Prevention Cheat Sheet).
 */
export function refuseForeign(request: Request, origin: string): void {
  if (SAFE.has(request.method)) return;
  const site = request.headers.get('sec-fetch-site');
  if (site === null ? request.headers.get('origin') === origin : site === 'same-origin') return;
  throw new ToldRefusal('access-denied', (r) => r.request.foreignForm({ origin }));
}
