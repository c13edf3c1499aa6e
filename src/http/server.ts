import { Elysia } from 'elysia';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service/service.ts';
import { agentFetch } from './api/agent-fetch.ts';
import { files } from './api/files.ts';
import { health } from './api/health.ts';
import { install } from './api/install.ts';
import { items } from './api/items.ts';
import { library } from './api/library.ts';
import { zip } from './api/zip.ts';
import { createBudgets } from './budget.ts';
import { createExchanges } from './exchange.ts';
import { failureResponse } from './failure.ts';
import { createIdentity } from './identity.ts';
import { createMethods } from './method.ts';
import { home } from './site/home.ts';

type Setting = {
  readonly service: Service;
  readonly config: Pick<Config, 'budget' | 'routeBudget' | 'trustedProxies'>;
  readonly log: Log;
  readonly isReady: () => boolean;
};

/** The whole HTTP side: the error handler first, since a hook covers only what is registered after it; then every feature. */
export function createServer({ service, config, log, isReady }: Setting) {
  const exchanges = createExchanges(log);
  const budgets = createBudgets(config, log);
  const identity = createIdentity({ authenticate: service.authenticate, budgets, exchanges });
  const desk = { budgets, exchanges, log };
  const methods = createMethods();

  // standardHostname off: else Elysia looks for the path behind a host of at least four characters, and misses "db/…".
  const server = new Elysia({ strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onRequest(({ request }) =>
      refuseHost(request, (error) => {
        // Closed: after CONNECT Bun would read no further request, and two Hosts are a smuggler's.
        const answer = failureResponse(error, exchanges.of(request), log, { Connection: 'close' });
        exchanges.answered(request, 'none');
        return answer;
      }),
    )
    .onError(({ error, code, request, path }) => {
      const { failure, headers } =
        code === 'NOT_FOUND' ? methods.explain(request.method, path) : { failure: error, headers: {} };
      return failureResponse(failure, exchanges.of(request), log, headers);
    })
    .onAfterHandle(({ request, responseValue }) => exchanges.note(request, responseValue))
    .onAfterResponse(({ request, route }) => exchanges.answered(request, route || 'none'))
    .use(items(service, identity))
    .use(install(service, identity, exchanges))
    .use(library(service, identity, exchanges))
    .use(files(service, identity, exchanges))
    .use(zip(service, identity, exchanges))
    .use(agentFetch(service, identity, desk))
    .use(health(isReady, identity))
    .use(home(service, identity));

  methods.learn(server.routes);
  return server;
}

export type Server = ReturnType<typeof createServer>;

/** uri-host [":" port] of RFC 9110 §7.2, without what no DNS name or address has. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** Two Host headers, none (HTTP/1.0, CONNECT, Upgrade), or one that is no host: Bun then gives a relative or a foreign URL. */
function refuseHost(request: Request, answer: (error: Refusal) => Response): Response | undefined {
  const host = request.headers.get('host');
  if (request.url.startsWith('http') && (host === null || HOST.test(host))) return undefined;
  return answer(
    new Refusal('invalid-request', 'Cannot read the request: send exactly one Host header that names a host'),
  );
}
