import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../access/principal.ts';
import { advertiseItem, uploadItem } from '../../service/git.ts';
import type { Http } from '../http.ts';
import { refuseDumb, refusePush, sendPack, sendRefs } from './git-answer.ts';

const ITEM = '/git/:repository';
const ITEM_BY_LINK = '/i/:token/git/:repository';

/** Items as git repositories, read only, by smart HTTP; also with an install token in the path. */
export function git(deps: Http) {
  return new Elysia()
    .use(deps.identity)
    .get(
      `${ITEM}/info/refs`,
      async ({ request, params, asker }) => await sendItemRefs(deps, request, asker, params),
      { agentGuard: true },
    )
    .get(
      `${ITEM_BY_LINK}/info/refs`,
      async ({ request, params, asker }) => await sendItemRefs(deps, request, asker, params),
      { linkGuard: true },
    )
    .post(
      `${ITEM}/git-upload-pack`,
      async ({ request, params, asker }) => await sendItem(deps, request, asker, params),
      { agentGuard: true, parse: 'none' },
    )
    .post(
      `${ITEM_BY_LINK}/git-upload-pack`,
      async ({ request, params, asker }) => await sendItem(deps, request, asker, params),
      { linkGuard: true, parse: 'none' },
    )
    .post(`${ITEM}/git-receive-pack`, () => refusePush(), { agentGuard: true, parse: 'none' })
    .post(`${ITEM_BY_LINK}/git-receive-pack`, () => refusePush(), { linkGuard: true, parse: 'none' })
    .get(`${ITEM}/HEAD`, () => refuseDumb(), { agentGuard: true })
    .get(`${ITEM_BY_LINK}/HEAD`, () => refuseDumb(), { linkGuard: true })
    .get(`${ITEM}/objects/*`, () => refuseDumb(), { agentGuard: true })
    .get(`${ITEM_BY_LINK}/objects/*`, () => refuseDumb(), { linkGuard: true });
}

type Params = { readonly repository: string; readonly token?: string };

function sendItemRefs({ stall }: Http, request: Request, asker: AgentPrincipal, params: Params) {
  const slug = slugOf(params);
  return sendRefs(request, params.token, (dialect) => advertiseItem(stall, asker, slug, dialect));
}

function sendItem(deps: Http, request: Request, asker: AgentPrincipal, params: Params) {
  const slug = slugOf(params);
  return sendPack(deps, request, {
    asker,
    token: params.token,
    route: `${params.token === undefined ? ITEM : ITEM_BY_LINK}/git-upload-pack`,
    upload: (body, dialect) => uploadItem(deps.stall, asker, slug, body, dialect),
  });
}

/** The slug in the last part of a repository's address, which may leave `.git` out, as at other hosts. */
function slugOf({ repository }: Params): string {
  return repository.replace(/\.git$/, '');
}
