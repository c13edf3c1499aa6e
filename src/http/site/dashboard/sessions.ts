import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNT, showAccount } from './account.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `POST /dashboard/account/sessions/…`: ends one session of the account, or all except the current one. */
export function sessions(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .post(
      `${ACCOUNT}/sessions/:id/end`,
      ({ params, member }) =>
        handleForm(
          async () => {
            await service.sessions.end(member.accountId, params.id);
            return redirect(withFlash(ACCOUNT, 'session-ended'));
          },
          (refused) => showAccount(deps, null, member, refused),
        ),
      { memberGuard: true, parse: 'none' },
    )
    .post(
      `${ACCOUNT}/sessions/end-others`,
      async ({ member }) => {
        await service.sessions.endAll(member.accountId, member.sessionId);
        return redirect(withFlash(ACCOUNT, 'sessions-ended'));
      },
      { memberGuard: true, parse: 'none' },
    );
}
