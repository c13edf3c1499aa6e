import { Elysia } from 'elysia';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import { agentFetch } from './api/agent-fetch.ts';
import { files } from './api/files.ts';
import { health } from './api/health.ts';
import { install } from './api/install.ts';
import { items } from './api/items.ts';
import { library } from './api/library.ts';
import { zip } from './api/zip.ts';
import { createBudgets, type SeeProxy } from './budget.ts';
import { createConnections } from './connection.ts';
import { createExchanges } from './exchange.ts';
import { failureResponse } from './failure.ts';
import { findHostFault } from './host.ts';
import { createIdentity } from './identity.ts';
import { createMethods } from './method.ts';
import { clientPackage } from './site/client-package.ts';
import { home } from './site/home.ts';

type Setting = {
  readonly service: Service;
  readonly config: Pick<Config, 'budget' | 'routeBudget' | 'trustedProxies'>;
  readonly log: Log;
  readonly isReady: () => boolean;
  readonly seeProxy: SeeProxy;
};

/** The whole HTTP side: the error handler first, since a hook covers only what is registered after it; then every feature. */
export function createServer({ service, config, log, isReady, seeProxy }: Setting) {
  const exchanges = createExchanges(log);
  const connections = createConnections(() => server.server);
  const budgets = createBudgets(config, { log, connections, seeProxy });
  const identity = createIdentity({ authenticate: service.authenticate, budgets, exchanges });
  const desk = { budgets, connections, exchanges, log };
  const methods = createMethods();
  const fail = (request: Request, route: string, error: unknown, headers = {}): Response => {
    const response = failureResponse(error, exchanges.of(request), log, headers);
    exchanges.answered(request, route, response);
    return response;
  };
  // standardHostname off: else Elysia looks for the path behind a host of at least four characters, and misses "db/…".
  const server = new Elysia({ strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onError(({ error, code, request, route }) => {
      const fault = findHostFault(request);
      // Closed: after CONNECT Bun would read no further request, and two Hosts are a smuggler's.
      if (fault !== null) return fail(request, route || 'none', fault, { Connection: 'close' });
      const { failure, headers } =
        code === 'NOT_FOUND'
          ? methods.explain(request.method, new URL(request.url).pathname)
          : { failure: error, headers: {} };
      return fail(request, route || 'none', failure, headers);
    })
    .onAfterHandle(({ request, route, responseValue }) => exchanges.answered(request, route, responseValue))
    .use(items(service, identity))
    .use(install(service, identity, desk))
    .use(library(service, identity, exchanges))
    .use(files(service, identity, desk))
    .use(zip(service, identity, desk))
    .use(agentFetch(service, identity, desk))
    .use(health(isReady, identity))
    .use(clientPackage(identity))
    .use(home(service, identity));

  methods.learn(server.routes);
  return server;
}

export type Server = ReturnType<typeof createServer>;
