import { type AnyElysia, Elysia } from 'elysia';
import { hasKeyForm } from '../base/key.ts';
import {
  type AccountPrincipal,
  type AgentPrincipal,
  ANONYMOUS,
  type KeyPrincipal,
  type Principal,
  type SessionPrincipal,
} from '../base/principal.ts';
import { Refusal } from '../base/refusal.ts';
import { PutOut, ToldRefusal, notFound, unauthenticated } from '../base/told.ts';
import { redirect } from './answer.ts';
import { mediaTypeOf, refuseLarge, whenRead } from './body.ts';
import type { Budgets } from './budget.ts';
import type { Credentials } from './credential.ts';
import { officeLanguage } from '../../words/office.ts';
import { namesLanguage, type Speaker, takeLanguage } from './language.ts';
import type { Ground } from '../base/stall.ts';
import type { RequestLog } from './request-log.ts';

/**
 * Creates the guards, of which each route names one. A guard refuses malformed requests. All but `uncounted` also identify the
 * sender and pass it to the handler; all but `uncounted` and `cover` count the request against a budget.
 */
export function createGuards(
  stall: Ground & Speaker,
  credentials: Credentials,
  budgets: Budgets,
  requestLog: RequestLog,
) {
  const { origin } = stall;
  const { byKey, byPublishKey, byEither, bySession, byAgent, byToken, byAssistant, byDevice, isToSignIn } =
    credentials;
  const noted = <Known extends AgentPrincipal>(request: Request, identify: Identify<Known>): Known => {
    const principal = identify(request);
    if (principal.kind !== 'anonymous' && !SAFE.has(request.method))
      whenRead(request, () => {
        if (!Bun.deepEquals(identify(request), principal)) throw new PutOut();
      });
    const entry = requestLog.of(request);
    entry.principal = principal;
    if (principal.kind !== 'anonymous') entry.account = principal.accountId;
    return principal;
  };
  const admitShared = <Known extends AgentPrincipal>(request: Request, identify: Identify<Known>): Known => {
    refuseMalformed(request);
    refuseLarge(request);
    budgets.takeShared(request, requestLog.of(request));
    return noted(request, identify);
  };
  const admitRoute = <Known extends AgentPrincipal>(
    request: Request,
    identify: Identify<Known>,
    isUpload = false,
  ): Known => {
    admitUncounted(request, isUpload);
    const principal = noted(request, identify);
    budgets.takeRoute(request, principal);
    return principal;
  };
  const admitUncounted = (request: Request, isUpload = false): void => {
    // Begins to measure the request's time for the log, even if the request is refused below.
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

  const inOffice = (request: Request): SessionPrincipal => {
    const session = requireSession(visit(request, mediaTypeOf(request) === 'multipart/form-data'));
    return { ...session, language: officeLanguage(session.language ?? stall.manifest().languages[0]) };
  };

  /**
   * Redirects some requests before a page is shown. An address that names a language leads to the same address without the
   * language. A reader whom the sign-in proxy names, but who has no session, is led to the sign-in.
   */
  const beforePages = (request: Request) => {
    if (SAFE.has(request.method) && namesLanguage(request, stall.manifest().languages))
      return takeLanguage(stall, request, admitRoute(request, bySession));
    if (!isToSignIn(request)) return undefined;
    const { pathname, search } = new URL(request.url);
    const next = encodeURIComponent(`${pathname}${search}`);
    return pathname === SIGN_IN ? undefined : redirect(`${SIGN_IN}?next=${next}`);
  };

  /**
   * Identifies the sender by the install token in the path. A request with a wrong token counts against its client's address.
   * The answer is the same for every wrong token.
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
        /** For installs: an API key is optional. Limits requests by client address. */
        install: ({ request }) => ({ principal: admitShared(request, byKey) }),
        /** For the library over the API: an API key is required. Limits requests by client address. */
        library: ({ request }) => ({ account: requireKey(admitShared(request, byKey)) }),
        open: ({ request }) => ({ principal: admitRoute(request, byEither) }),
        account: ({ request }) => ({ account: requireAccount(admitRoute(request, byEither)) }),
        /** For changes to an account: requires an API key, or a session with a request from a page of this stall. */
        own: ({ request }) => {
          const account = requireAccount(admitRoute(request, byEither));
          if (account.keyId === null) refuseForeign(request, origin());
          return { account };
        },
        key: ({ request }) => ({ account: requireKey(admitRoute(request, byKey)) }),
        /** For e-readers that sync reading positions: requires a device key, and accepts no other credential. */
        device: ({ request }) => ({
          device: requireKey(admitRoute(request, byDevice), 'Cannot keep your place'),
        }),
        /** For push: requires a publish key, and accepts no other credential. */
        publish: ({ request }) => {
          requestLog.of(request);
          refuseMalformed(request);
          budgets.takeRoute(request, ANONYMOUS);
          const publisher = byPublishKey(request);
          whenRead(request, () => void byPublishKey(request));
          requestLog.of(request).account = publisher.accountId;
          return { publisher };
        },
        /** For agents and other programs: an API key or an install token is optional. */
        agent: ({ request }) => ({ asker: admitRoute(request, byAgent) }),
        /** For MCP: an API key, an install token or an assistant's access token is optional. */
        assistant: ({ request }) => ({ asker: admitRoute(request, byAssistant) }),
        /**
         * For archives that programs download: an API key or install token is optional. Counts against the budget of installs.
         */
        archive: ({ request }) => ({ asker: admitShared(request, byAgent) }),
        /** For programs whose path contains an install token. Refuses an Authorization header. */
        link: ({ request, params }) => ({ asker: openLink(request, params.token ?? '') }),
        /** For health checks, and for files without which a page looks broken. They are not limited. */
        uncounted: ({ request }) => admitUncounted(request),
        /** For covers: a session is optional. They are not limited, since a page loads dozens of them. */
        cover: ({ request }) => {
          admitUncounted(request);
          return { visitor: noted(request, bySession) };
        },
        visitor: ({ request }) => ({ visitor: visit(request) }),
        member: ({ request }) => ({ member: requireSession(visit(request)) }),
        /** For those pages and forms of the office that editors have too; other readers get a 404. */
        editor: ({ request }) => ({ editor: requireEditor(inOffice(request), pathOf(request)) }),
        /** For the owner's pages and forms; other accounts get a 404. A form with a file is limited in size by its route. */
        owner: ({ request }) => ({ owner: requireOwner(inOffice(request), pathOf(request)) }),
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

const PAGES: ReadonlySet<string> = new Set(['open', 'visitor', 'member']);

/**
 * Turns the guards into macros of Elysia, and tags each route with its guard's name. They run in `resolve`, since only
 * `resolve` always runs before the handler (measured; `derive` is silently ignored). The handler reads the body, which Elysia
 * does not parse.
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

/** Throws if a route has no guard or several, so that the server does not start. */
export function requireGuards({ routes }: Pick<AnyElysia, 'routes'>): void {
  const others = routes.filter(({ hooks }) => hooks.detail?.tags?.length !== 1);
  if (others.length === 0) return;
  throw new Error(
    `Each needs one guard: ${others.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
  );
}

const WITHOUT_KEY = 'Cannot answer without a valid API key';

function requireKey(principal: Principal, action = WITHOUT_KEY): KeyPrincipal {
  if (principal.kind === 'account' && principal.keyId !== null) return principal;
  throw unauthenticated(action, principal.kind === 'anonymous' ? principal.complaint : null);
}

function requireAccount(principal: Principal): AccountPrincipal {
  if (principal.kind === 'account') return principal;
  throw unauthenticated(WITHOUT_KEY, principal.complaint);
}

function requireSession(principal: Principal): SessionPrincipal {
  if (principal.kind === 'account' && principal.keyId === null) return principal;
  throw new ToldRefusal('unauthenticated', (r) => r.request.signIn);
}

function requireOwner(principal: SessionPrincipal, path: string): SessionPrincipal {
  if (principal.isOwner) return principal;
  throw notFound(path);
}

function requireEditor(principal: SessionPrincipal, path: string): SessionPrincipal {
  if (principal.isOwner || principal.isEditor === true) return principal;
  throw notFound(path);
}

const pathOf = (request: Request): string => new URL(request.url).pathname;

const SIGN_IN = '/sign-in';

/** The pages that set a password or ask for one. They answer 404 while a proxy signs readers in. */
const PASSWORD_PAGE =
  /^\/(?:set-up|invite|reset|open|email|forgot|sign-up|(?:claim|redeem)\/account|dashboard\/account\/(?:email|password))$/;

/**
 * Refuses requests that no route accepts: a malformed host, a path with dot segments or backslashes, an API key in the query.
 */
function refuseMalformed(request: Request): void {
  const fault = findHostFault(request);
  if (fault !== null) throw fault;
  // Bun's router matches the path as it was sent, and then sets `params` on the request. Elysia's router would match a path
  // like "/.\\admin" as "/admin" after it was normalized, but a rule of a proxy for "/admin" does not see it.
  if (!('params' in request)) throw badTarget();
  refuseKeyInQuery(request);
}

const badTarget = (): ToldRefusal => new ToldRefusal('invalid-request', (r) => r.request.badTarget);

/**
 * Refuses an API key in the query, even an invalid one, since addresses are kept in histories and logs. Also refuses a
 * backslash in the query.
 */
function refuseKeyInQuery(request: Request): void {
  const start = request.url.indexOf('?');
  if (start === -1) return;
  const query = request.url.slice(start + 1);
  if (query.includes('\\')) throw badTarget();
  if (!hasKeyForm(query) && ![...new URLSearchParams(query)].flat().some(hasKeyForm)) return;
  throw new ToldRefusal('invalid-request', (r) => r.request.keyInQuery);
}

/** Matches a Host header: a host and an optional port (RFC 9110 §7.2), of the characters of DNS names and IP addresses only. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Returns the refusal of a bad Host header, else null. Bad are two headers, none (HTTP/1.0, CONNECT, Upgrade), and one that is
 * no host name, of which Bun would make a wrong URL.
 */
export function findHostFault(request: Request): Refusal | null {
  const host = request.headers.get('host');
  if (request.url.startsWith('http') && (host === null || HOST.test(host))) return null;
  return Refusal.invalid('Cannot read the request: send exactly one Host header that names a host');
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a form that a page of another site sent. The header Sec-Fetch-Site decides; browsers leave it out over plain http,
 * and then Origin must be the stall's own (OWASP Cross-Site Request Forgery Prevention Cheat Sheet).
 */
export function refuseForeign(request: Request, origin: string): void {
  if (SAFE.has(request.method)) return;
  const site = request.headers.get('sec-fetch-site');
  if (site === null ? request.headers.get('origin') === origin : site === 'same-origin') return;
  throw new ToldRefusal('access-denied', (r) => r.request.foreignForm({ origin }));
}
