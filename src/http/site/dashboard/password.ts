import { Elysia } from 'elysia';
import { changePassword } from '../../../service/sessions.ts';
import { ABSOLUTE } from '../../../access/session.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNT, showAccount } from './account.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `POST /dashboard/account/password`: changes the password; this browser gets a new session, and all others end. */
export function password(deps: RouteDeps) {
  const { stall, identity, cookie, budgets } = deps;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNT}/password`, () => redirect(ACCOUNT), { memberGuard: true })
    .post(
      `${ACCOUNT}/password`,
      async ({ request, member }) => {
        const form = await readForm(request);
        const address = budgets.addressOf(request).key;
        return handleForm(
          async () => {
            const { cookie: value } = await changePassword(
              stall,
              member,
              form.text('current'),
              form.text('password'),
              address,
            );
            return redirect(withFlash(ACCOUNT, 'password-changed'), {
              'Set-Cookie': cookie.keep(value, ABSOLUTE),
            });
          },
          (refused) => showAccount(deps, null, member, refused),
        );
      },
      { memberGuard: true, parse: 'none' },
    );
}
