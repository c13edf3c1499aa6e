import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../access/principal.ts';
import { advertiseShelf, marketplace, uploadShelf } from '../../service/shelf.ts';
import { agentHeaders } from './agent-headers.ts';
import type { Http } from '../http.ts';
import { refusePush, sendPack, sendRefs } from './git-answer.ts';
import { sendText } from './well-known.ts';

const SHELF = '/shelf.git';
const SHELF_BY_LINK = '/i/:token/shelf.git';

/** Everything a principal may take, as a marketplace: a git repository and JSON. */
export function shelf(deps: Http) {
  return new Elysia()
    .use(deps.identity)
    .get(`${SHELF}/info/refs`, async ({ request, asker }) => await sendShelfRefs(deps, request, asker), {
      agentGuard: true,
    })
    .get(
      `${SHELF_BY_LINK}/info/refs`,
      async ({ request, asker, params }) => await sendShelfRefs(deps, request, asker, params.token),
      { linkGuard: true },
    )
    .post(`${SHELF}/git-upload-pack`, async ({ request, asker }) => await sendShelf(deps, request, asker), {
      agentGuard: true,
      parse: 'none',
    })
    .post(
      `${SHELF_BY_LINK}/git-upload-pack`,
      async ({ request, asker, params }) => await sendShelf(deps, request, asker, params.token),
      { linkGuard: true, parse: 'none' },
    )
    .post(`${SHELF}/git-receive-pack`, () => refusePush(), { agentGuard: true, parse: 'none' })
    .post(`${SHELF_BY_LINK}/git-receive-pack`, () => refusePush(), { linkGuard: true, parse: 'none' })
    .get('/marketplace.json', async ({ request, asker }) => await sendMarketplace(deps, request, asker), {
      agentGuard: true,
    })
    .get(
      '/i/:token/marketplace.json',
      async ({ request, asker, params }) => await sendMarketplace(deps, request, asker, params.token),
      { linkGuard: true },
    );
}

function sendShelfRefs({ stall }: Http, request: Request, asker: AgentPrincipal, token?: string) {
  return sendRefs(request, token, (dialect) => advertiseShelf(stall, asker, token, dialect));
}

function sendShelf(deps: Http, request: Request, asker: AgentPrincipal, token?: string) {
  return sendPack(deps, request, {
    asker,
    token,
    route: `${token === undefined ? SHELF : SHELF_BY_LINK}/git-upload-pack`,
    upload: (body, dialect) => uploadShelf(deps.stall, asker, token, body, dialect),
  });
}

async function sendMarketplace({ stall }: Http, request: Request, asker: AgentPrincipal, token?: string) {
  return sendText(request, await marketplace(stall, asker, token), {
    'Content-Type': 'application/json; charset=utf-8',
    ...agentHeaders(token !== undefined, asker.kind === 'anonymous'),
    Vary: 'Authorization',
  });
}
