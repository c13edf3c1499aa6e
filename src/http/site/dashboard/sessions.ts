import { Elysia } from 'elysia';
import { endSession, endSessions } from '../../../service/sessions.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNT, showAccount } from './account.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `POST /dashboard/account/sessions/…`: ends one session of the account, or all except the current one. */
export function sessions(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia()
    .use(identity)
    .post(
      `${ACCOUNT}/sessions/:id/end`,
      ({ params, member }) =>
        handleForm(
          async () => {
            await endSession(stall, member.accountId, params.id);
            return redirect(withFlash(ACCOUNT, 'session-ended'));
          },
          (refused) => showAccount(deps, null, member, refused),
        ),
      { memberGuard: true, parse: 'none' },
    )
    .post(
      `${ACCOUNT}/sessions/end-others`,
      async ({ member }) => {
        await endSessions(stall, member.accountId, member.sessionId);
        return redirect(withFlash(ACCOUNT, 'sessions-ended'));
      },
      { memberGuard: true, parse: 'none' },
    );
}
