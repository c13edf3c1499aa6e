import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { ListedGrant } from '../../../store/tables/grants.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** Reads one of the fields that name a grant in an address or a form. */
type Names = (name: string) => string;

/** `/admin/accounts/:id/grants/revoke?kind=&item=&source=`: revokes a grant after a confirmation. */
export function grantRevoke(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(
      `${ACCOUNTS}/:id/grants/revoke`,
      ({ params, query, owner }) => ask(deps, owner, params.id, (name) => query[name] ?? ''),
      { ownerGuard: true },
    )
    .post(
      `${ACCOUNTS}/:id/grants/revoke`,
      async ({ request, params, owner }) => {
        const { id, email } = await service.adminViews.accountSearch.find(params.id);
        const { text } = await readForm(request);
        return handleForm(
          async () => {
            await service.admin(owner).grants.revokeOne(await findGrant(deps, owner, email, text));
            return redirect(withFlash(`${ACCOUNTS}/${id}`, 'grant-revoked'));
          },
          (refused) => showAccount(deps, owner, id, { refused }),
        );
      },
      { ownerGuard: true, parse: 'none' },
    );
}

async function ask(deps: RouteDeps, owner: SessionPrincipal, id: string, names: Names): Promise<Response> {
  const { email } = await deps.service.adminViews.accountSearch.find(id);
  const { kind, itemKey, slug, source } = await findGrant(deps, owner, email, names);
  return sendConfirmation(deps, owner, {
    title: `Revoke “${slug}”?`,
    stops: `From the next request on, ${email} can no longer install, read or ask “${slug}” through the grant with the source “${source}”. Downloaded copies stay with them, and other grants of the item still count. Granting the item again restores access.`,
    action: `${ACCOUNTS}/${id}/grants/revoke`,
    fields: { kind, item: itemKey, source },
    button: 'Revoke grant',
    back: `${ACCOUNTS}/${id}`,
  });
}

async function findGrant(
  { service }: RouteDeps,
  owner: SessionPrincipal,
  email: string,
  names: Names,
): Promise<ListedGrant> {
  const grant = (await service.admin(owner).grants.list(email)).find(
    ({ kind, itemKey, source }) =>
      kind === names('kind') && itemKey === names('item') && source === names('source'),
  );
  if (grant !== undefined) return grant;
  throw new Refusal('not-found', 'Cannot find this grant: open the account and choose one from its list');
}
