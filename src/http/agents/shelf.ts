import type { AgentPrincipal } from '../../access/principal.ts';
import { advertiseShelf, marketplace, uploadShelf } from '../../service/shelf.ts';
import type { Http } from '../http.ts';
import { sendPack, sendRefs } from './git.ts';
import { agentHeaders, sendText } from './agent-answer.ts';

/** A client’s first request for everything a principal may take, a marketplace as a git repository. */
export function sendShelfRefs({ stall }: Http, request: Request, asker: AgentPrincipal, token?: string) {
  return sendRefs(request, token, (dialect) => advertiseShelf(stall, asker, token, dialect));
}

/** The marketplace as git takes it. */
export function sendShelf(
  deps: Http,
  request: Request,
  asker: AgentPrincipal,
  token: string | undefined,
  route: string,
) {
  return sendPack(deps, request, {
    asker,
    token,
    route,
    upload: (body, dialect) => uploadShelf(deps.stall, asker, token, body, dialect),
  });
}

/** The marketplace as JSON. */
export async function sendMarketplace(
  { stall }: Http,
  request: Request,
  asker: AgentPrincipal,
  token?: string,
) {
  return sendText(request, await marketplace(stall, asker, token), {
    'Content-Type': 'application/json; charset=utf-8',
    ...agentHeaders(token !== undefined, asker.kind === 'anonymous'),
    Vary: 'Authorization',
  });
}
