import { type AnyElysia, Elysia } from 'elysia';
import { ANONYMOUS } from './platform/base/principal.ts';
import type { Stall, Http } from './office/stall.ts';
import { isOauthPath, oauthFailure } from './agents/oauth.api.ts';
import { isMcpPath, mcpFailure } from './agents/mcp/mcp.api.ts';
import { basicFailure, isGitPath, isOpdsPath } from './platform/http/agent-answer.ts';
import { createBudgets, createConnections, type SeeProxy } from './platform/http/budget.ts';
import { createRequestLog } from './platform/http/request-log.ts';
import { READER_SESSION } from './accounts/session.rule.ts';
import { createCredentials, createSessionCookie } from './platform/http/credential.ts';
import { createVouchedReader } from './platform/http/proxy-header.ts';
import { answerFailure, type FailureAnswer, failureResponse } from './platform/http/failure.ts';
import { createGuards, findHostFault, requireGuards } from './platform/http/guards.ts';
import { createLargeBodies } from './platform/http/body.ts';
import { isLinkPath, LINK_HEADERS } from './platform/http/answer.ts';
import { createSender, LONGEST_SILENCE } from './platform/http/sender.ts';
import { health } from './platform/http/health.ts';
import { accounts } from './accounts/accounts.area.ts';
import { reading } from './reading/reading.area.ts';
import { asking } from './asking/asking.area.ts';
import { selling } from './selling/selling.area.ts';
import { installing } from './installing/installing.area.ts';
import { publishing } from './publishing/publishing.area.ts';
import { shop } from './shop/shop.area.ts';
import { agents } from './agents/agents.area.ts';
import { office } from './office/office.area.ts';
import { createFormTokens } from './platform/site/handle-form.ts';
import { createAssistants } from './accounts/connection.ts';
import { createAuthentication } from './accounts/key.ts';
import { createDeviceAuthentication } from './accounts/device-key.ts';
import { isKosyncPath, kosyncFailure } from './reading/kosync.api.ts';
import { findPublisher } from './publishing/publish-key.ts';
import { failurePage, wantsPage } from './platform/site/page.tsx';
import type { Config } from './platform/config/config.ts';
import type { Log } from './platform/base/log.ts';
import { messageOf, Refusal } from './platform/base/refusal.ts';
import { ToldRefusal } from './platform/base/told.ts';
import { createViews } from './views.ts';

/**
 * Creates the HTTP server with all routes. The error handler comes first, since Elysia applies it only to routes added
 * later.
 */
export function createServer(stall: Stall, isReady: () => boolean, seeProxy: SeeProxy) {
  const { config, log, origin } = stall;
  const requestLog = createRequestLog(log);
  const connections = createConnections(() => server.server);
  const budgets = createBudgets(stall, connections, seeProxy);
  const cookie = createSessionCookie(origin, config.insecureHttp, READER_SESSION.longest);
  const readVouched = createVouchedReader(stall, connections);
  const credentials = createCredentials(
    {
      ...createAuthentication(stall),
      ...createAssistants(stall),
      ...createDeviceAuthentication(stall),
      byPublishKey: (secret) => findPublisher(stall, secret),
      byCookie: stall.sessions.byCookie,
      languages: () => stall.manifest().languages,
    },
    cookie,
    readVouched,
  );
  const sender = createSender(budgets, connections, requestLog);
  const guards = createGuards(stall, credentials, budgets, requestLog);
  const readLarge = createLargeBodies(budgets);
  const viewOf = createViews(stall, origin, cookie);
  const tokens = createFormTokens();
  const http: Http = {
    stall,
    guards,
    cookie,
    readVouched,
    budgets,
    connections,
    requestLog,
    sender,
    readLarge,
    viewOf,
    tokens,
  };
  // A failure page is sent even if sessions cannot be read; then the visitor counts as anonymous.
  const visitorOf = (request: Request) => {
    try {
      return credentials.bySession(request);
    } catch {
      return ANONYMOUS;
    }
  };
  const inForm = (request: Request, path: string, answer: FailureAnswer): Response => {
    if (isGitPath(path) || isOpdsPath(path)) return basicFailure(answer, origin());
    if (isMcpPath(path)) return mcpFailure(answer);
    if (isOauthPath(path)) return oauthFailure(answer);
    if (isKosyncPath(path)) return kosyncFailure(answer);
    return wantsPage(request, path)
      ? failurePage(viewOf(visitorOf(request)), request, answer)
      : failureResponse(answer);
  };
  const answered = (request: Request, route: string, response: unknown): void => {
    // Keeps browsers from guessing the type of files that publishers and readers wrote.
    if (response instanceof Response) response.headers.set('X-Content-Type-Options', 'nosniff');
    requestLog.answered(request, route, response);
  };
  const fail = (request: Request, path: string, route: string, error: unknown, more = {}) => {
    const link = isLinkPath(path) ? LINK_HEADERS : {};
    const answer = answerFailure(error, requestLog.of(request), log, { ...more, ...link });
    const response = inForm(request, path, answer);
    answered(request, route || 'none', response);
    return response;
  };
  // With `standardHostname`, Elysia takes a host to have four characters at least, and misreads the path after a shorter
  // one, such as `db`.
  const wildcards: Record<string, (request: Request) => Response | Promise<Response>> = {};
  const server = new Elysia({
    strictPath: true,
    normalize: false,
    handler: { standardHostname: false },
    serve: { routes: wildcards },
  })
    .onError(({ error, code, request, route }) => {
      const fault = findHostFault(request);
      // The connection is closed: after CONNECT, Bun reads no further request, and two Host headers are a sign of request
      // smuggling.
      if (fault !== null) return fail(request, '/api/', route, fault, { Connection: 'close' });
      // Elysia's own `path` is not used: if one handler uses it, Elysia computes it for every request.
      const path = new URL(request.url).pathname;
      if (code !== 'NOT_FOUND' && !isMalformed(path)) return fail(request, path, route, error);
      const allow = methodsOf(server, path);
      return allow.length === 0 || allow.includes(request.method)
        ? fail(request, path, route, unknownPath())
        : fail(request, path, route, otherMethod(request.method, allow), { Allow: allow.join(', ') });
    })
    .onAfterHandle(({ request, route, responseValue }) => answered(request, route, responseValue))
    .use(health(http, isReady))
    .use(accounts(http))
    .use(reading(http))
    .use(asking(http))
    .use(selling(http))
    .use(installing(http))
    .use(publishing(http))
    .use(shop(http))
    .use(agents(http))
    .use(office(http));
  requireGuards(server);
  // Elysia registers with Bun all routes but those with wildcards. These are added here, since requests that Bun does not
  // match are refused.
  for (const { path } of server.routes)
    if (path.endsWith('*')) wildcards[path] = (request) => server.fetch(request);
  return server;
}

/** Lists a path's methods, since Elysia answers 404, not 405, to another method. */
function methodsOf({ router }: Pick<AnyElysia, 'router'>, path: string): readonly string[] {
  if (isMalformed(path)) return [];
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((name) => {
    const method = name === 'HEAD' ? 'GET' : name;
    return router.static[path]?.[method] !== undefined || router.http.find(method, path) !== null;
  });
}

function unknownPath(): Refusal {
  const message =
    "Cannot find this path: the stall's first page lists its books and skills, and the Handbook the paths for programs";
  return new ToldRefusal('not-found', (r) => r.request.noPage, undefined, message);
}

function otherMethod(name: string, allowed: readonly string[]): Refusal {
  const [method, allow] = [name.slice(0, 20), allowed.join(', ')];
  return new ToldRefusal('method-not-allowed', (r) => r.request.otherMethod({ method, allow }));
}

/** Reports whether a path contains a malformed percent escape, on which Elysia's router throws. */
function isMalformed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

export type Server = ReturnType<typeof createServer>;

export function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>, log: Log) {
  try {
    // With reusePort a second program could listen on the same port and take half of the requests.
    server.listen({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      idleTimeout: LONGEST_SILENCE,
      // Bun would answer a larger body itself, with an empty page. The guards and readers of bodies refuse what is too large.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      error: (error) => lastResort(error, log),
    });
  } catch (error) {
    throw new Refusal(
      'storage-unavailable',
      isTaken(error)
        ? `Cannot listen on ${host}:${port}: another program uses the port; stop it, or choose another --port`
        : `Cannot listen on ${host}:${port}: ${messageOf(error)}; choose an address of this machine with --host, or another --port`,
    );
  }
  if (server.server === null) throw new Error('The server did not start');
  return server.server;
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Logs an error that the error handler itself threw, and answers it without details. */
function lastResort(error: Error, log: Log): Response {
  log({ event: 'internal-error', message: error.stack ?? error.message });
  return Response.json({ error: 'Internal error', code: 'INTERNAL' }, { status: 500 });
}
