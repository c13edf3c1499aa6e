import { Elysia } from 'elysia';
import { readForm } from '../../form.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { showAccounts } from './account-list.tsx';
import { sendLink } from './account-link.tsx';

/** `POST /admin/accounts/add`: a new account, and the link that sets its password, which this answer alone shows. */
export function accountAdd(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia().use(identity).post(
    '/admin/accounts/add',
    async ({ request, owner }) => {
      const typed = (await readForm(request)).text('email');
      return attempt(
        async () => {
          const { id, email } = await service.office.accounts.add(typed);
          await service.audit.note(owner, 'account.add', email);
          return sendLink(desk, owner, id, await service.links.create(email, 'invite'));
        },
        (refused) => showAccounts(desk, owner, {}, typed, refused),
      );
    },
    { ownerDoor: true, parse: 'none' },
  );
}
