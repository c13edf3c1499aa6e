import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { disableAccount, enableAccount } from '../../../service/accounts.ts';
import type { AccountSummary } from '../../../store/tables/account-search.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `/admin/accounts/:id/disable` and `/enable`: disables an account after a confirmation, and enables it again. */
export function accountState(deps: RouteDeps) {
  const { stall, service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNTS}/:id/disable`, ({ params, owner }) => ask(deps, owner, params.id), { ownerGuard: true })
    .post(`${ACCOUNTS}/:id/disable`, ({ params, owner }) => disable(deps, owner, params.id), {
      ownerGuard: true,
      parse: 'none',
    })
    .post(
      `${ACCOUNTS}/:id/enable`,
      async ({ params, owner }) => {
        const { id, email } = await service.adminViews.accountSearch.find(params.id);
        await enableAccount(stall, owner, email);
        return redirect(withFlash(`${ACCOUNTS}/${id}`, 'enabled'));
      },
      { ownerGuard: true, parse: 'none' },
    );
}

async function ask(deps: RouteDeps, owner: SessionPrincipal, id: string): Promise<Response> {
  const account = await deps.service.adminViews.accountSearch.find(id);
  return handleForm(
    async () => {
      refuseOwner(account);
      return sendConfirmation(deps, owner, {
        title: `Disable ${account.email}?`,
        stops: `From the next request on, its keys (${account.keys}) are refused and its grants (${account.grants}) give no access. Open answers end within a second, and all its sessions end. Nothing is deleted: enabling the account restores its keys and grants.`,
        action: `${ACCOUNTS}/${id}/disable`,
        button: 'Disable account',
        back: `${ACCOUNTS}/${id}`,
      });
    },
    (refused) => showAccount(deps, owner, id, { refused }),
  );
}

async function disable(deps: RouteDeps, owner: SessionPrincipal, id: string): Promise<Response> {
  const { stall, service } = deps;
  const account = await service.adminViews.accountSearch.find(id);
  return handleForm(
    async () => {
      refuseOwner(account);
      await disableAccount(stall, owner, account.email);
      return redirect(withFlash(`${ACCOUNTS}/${id}`, 'disabled'));
    },
    (refused) => showAccount(deps, owner, id, { refused }),
  );
}

/** Refuses to disable the owner's account, since nobody could enable it on the site. */
function refuseOwner({ email, isOwner }: AccountSummary): void {
  if (!isOwner) return;
  throw new Refusal(
    'invalid-request',
    `Cannot disable "${email}" here: it is the owner's account; use "bookstall account disable"`,
  );
}
