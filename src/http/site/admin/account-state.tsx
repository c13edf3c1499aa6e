import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { EnrolledAccount } from '../../../store/tables/account-search.ts';
import { redirect } from '../../origin.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { saying } from '../frame/flash-message.ts';

/** `/admin/accounts/:id/disable` and `/enable`: says what stops, and stops it; lets it work again. */
export function accountState(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNTS}/:id/disable`, ({ params, owner }) => ask(desk, owner, params.id), { ownerDoor: true })
    .post(`${ACCOUNTS}/:id/disable`, ({ params, owner }) => disable(desk, owner, params.id), {
      ownerDoor: true,
      parse: 'none',
    })
    .post(
      `${ACCOUNTS}/:id/enable`,
      async ({ params, owner }) => {
        const { id, email } = await service.backOffice.roll.find(params.id);
        await service.office.accounts.enable(email);
        await service.audit.note(owner, 'account.enable', email);
        return redirect(saying(`${ACCOUNTS}/${id}`, 'enabled'));
      },
      { ownerDoor: true, parse: 'none' },
    );
}

async function ask(desk: SiteDesk, owner: SessionPrincipal, id: string): Promise<Response> {
  const account = await desk.service.backOffice.roll.find(id);
  return attempt(
    async () => {
      refuseOwner(account);
      return sendConfirmation(desk, owner, {
        title: `Disable ${account.email}?`,
        stops: `From the next request on its keys (${account.keys}) are refused and its grants (${account.grants}) count for nothing; open answers end within a second, and every session ends. Nothing is deleted: enabling the account brings keys and grants back.`,
        action: `${ACCOUNTS}/${id}/disable`,
        button: 'Disable the account',
        back: `${ACCOUNTS}/${id}`,
      });
    },
    (refused) => showAccount(desk, owner, id, { refused }),
  );
}

async function disable(desk: SiteDesk, owner: SessionPrincipal, id: string): Promise<Response> {
  const { service } = desk;
  const account = await service.backOffice.roll.find(id);
  return attempt(
    async () => {
      refuseOwner(account);
      await service.office.accounts.disable(account.email);
      await service.audit.note(owner, 'account.disable', account.email);
      return redirect(saying(`${ACCOUNTS}/${id}`, 'disabled'));
    },
    (refused) => showAccount(desk, owner, id, { refused }),
  );
}

/** Who disables the owner here would have nobody left to take it back. */
function refuseOwner({ email, isOwner }: EnrolledAccount): void {
  if (!isOwner) return;
  throw new Refusal(
    'invalid-request',
    `Cannot disable "${email}" here: it is the owner's; "bookstall account disable" can`,
  );
}
