import { createLink } from '../../../service/links.ts';
import { Elysia } from 'elysia';
import { addAccount } from '../../../service/accounts.ts';
import { readForm } from '../../form.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { showAccounts } from './account-list.tsx';
import { sendLink } from './account-link.tsx';

/** `POST /admin/accounts/add`: adds an account and answers with the link that sets its password, shown only here. */
export function accountAdd(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia().use(identity).post(
    '/admin/accounts/add',
    async ({ request, owner }) => {
      const typed = (await readForm(request)).text('email');
      return handleForm(
        async () => {
          const { id, email } = await addAccount(stall, owner, typed);
          return sendLink(deps, owner, id, await createLink(stall, owner, email, 'invite', stall.origin()));
        },
        (refused) => showAccounts(deps, owner, {}, typed, refused),
      );
    },
    { ownerGuard: true, parse: 'none' },
  );
}
