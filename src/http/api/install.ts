import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';
import { createInstallAnswer } from '../install-answer.ts';
import type { RequestLog } from '../request-log.ts';
import type { Sender } from '../sender.ts';

const ROUTE = '/api/install/:slug';

type Dependencies = { readonly sender: Sender; readonly requestLog: RequestLog };

/** `GET /api/install/<slug>` (spec 4.1): one gzip member, the record first; `?edition=` names another edition than the served one. */
export function install(service: Service, identity: Identity, { sender, requestLog }: Dependencies) {
  const answer = createInstallAnswer(ROUTE, { service, sender, requestLog });
  return new Elysia()
    .use(identity)
    .get(
      ROUTE,
      async ({ request, params, query, principal }) =>
        answer(request, principal, await service.install(principal, params.slug, query['edition'] ?? null)),
      { installGuard: true },
    );
}
