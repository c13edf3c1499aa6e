import { Elysia } from 'elysia';
import { ABSOLUTE } from '../../../access/session.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { ACCOUNT, showAccount } from './account.tsx';
import { saying } from '../frame/flash-message.ts';

/** `POST /dashboard/account/password`: a new password for the old one; this browser gets a new session, all others end. */
export function password(desk: SiteDesk) {
  const { service, identity, cookie, budgets } = desk;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNT}/password`, () => redirect(ACCOUNT), { memberDoor: true })
    .post(
      `${ACCOUNT}/password`,
      async ({ request, member }) => {
        const form = await readForm(request);
        const address = budgets.addressOf(request).key;
        return attempt(
          async () => {
            const { cookie: value } = await service.sessions.changePassword(
              member,
              form.text('current'),
              form.text('password'),
              address,
            );
            return redirect(saying(ACCOUNT, 'password-changed'), {
              'Set-Cookie': cookie.keep(value, ABSOLUTE),
            });
          },
          (refused) => showAccount(desk, null, member, refused),
        );
      },
      { memberDoor: true, parse: 'none' },
    );
}
