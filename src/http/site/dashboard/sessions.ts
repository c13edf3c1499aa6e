import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { ACCOUNT, showAccount } from './account.tsx';
import { saying } from '../frame/flash-message.ts';

/** `POST /dashboard/account/sessions/…`: ends one session of the account, or all but the one that asks. */
export function sessions(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia()
    .use(identity)
    .post(
      `${ACCOUNT}/sessions/:id/end`,
      ({ params, member }) =>
        attempt(
          async () => {
            await service.sessions.end(member.accountId, params.id);
            return redirect(saying(ACCOUNT, 'session-ended'));
          },
          (refused) => showAccount(desk, null, member, refused),
        ),
      { memberDoor: true, parse: 'none' },
    )
    .post(
      `${ACCOUNT}/sessions/end-others`,
      async ({ member }) => {
        await service.sessions.endAll(member.accountId, member.sessionId);
        return redirect(saying(ACCOUNT, 'sessions-ended'));
      },
      { memberDoor: true, parse: 'none' },
    );
}
