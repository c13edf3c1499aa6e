import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
import { attempt } from '../attempt.ts';
import type { SiteDesk } from '../desk.ts';
import { ACCOUNT, showAccount } from './account.tsx';
import { telling } from './told.tsx';

/** `POST /dashboard/account/sessions/…`: ends one session of the account, or all but the one that asks. */
export function sessions(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia()
    .use(identity)
    .post(
      `${ACCOUNT}/sessions/:id/end`,
      ({ request, params, member }) =>
        attempt(
          async () => {
            await service.sessions.end(member.accountId, params.id);
            return redirect(telling(ACCOUNT, 'session-ended'));
          },
          (refused) => showAccount(desk, request, member, refused),
        ),
      { memberDoor: true, parse: 'none' },
    )
    .post(
      `${ACCOUNT}/sessions/end-others`,
      async ({ member }) => {
        await service.sessions.endAll(member.accountId, member.sessionId);
        return redirect(telling(ACCOUNT, 'sessions-ended'));
      },
      { memberDoor: true, parse: 'none' },
    );
}
