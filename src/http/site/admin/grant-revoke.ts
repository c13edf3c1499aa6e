import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { ListedGrant } from '../../../store/tables/grants.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { saying } from '../frame/flash-message.ts';

/** What names a grant in an address or a form. */
type Names = (name: string) => string;

/** `/admin/accounts/:id/grants/revoke?kind=&item=&source=`: says what stops, and takes the item back. */
export function grantRevoke(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia()
    .use(identity)
    .get(
      `${ACCOUNTS}/:id/grants/revoke`,
      ({ params, query, owner }) => ask(desk, owner, params.id, (name) => query[name] ?? ''),
      { ownerDoor: true },
    )
    .post(
      `${ACCOUNTS}/:id/grants/revoke`,
      async ({ request, params, owner }) => {
        const { id, email } = await service.backOffice.roll.find(params.id);
        const { text } = await readForm(request);
        return attempt(
          async () => {
            const { kind, itemKey, slug, source } = await findGrant(desk, email, text);
            await service.office.grants.revokeOne({ accountId: id, kind, itemKey, source });
            await service.audit.note(owner, 'grant.revoke', email, { item: slug, source });
            return redirect(saying(`${ACCOUNTS}/${id}`, 'grant-revoked'));
          },
          (refused) => showAccount(desk, owner, id, { refused }),
        );
      },
      { ownerDoor: true, parse: 'none' },
    );
}

async function ask(desk: SiteDesk, owner: SessionPrincipal, id: string, names: Names): Promise<Response> {
  const { email } = await desk.service.backOffice.roll.find(id);
  const { kind, itemKey, slug, source } = await findGrant(desk, email, names);
  return sendConfirmation(desk, owner, {
    title: `Revoke “${slug}”?`,
    stops: `From the next request on ${email} cannot install, read or ask “${slug}” by the grant of the source “${source}”; what was downloaded stays with them, and other grants of the item go on. Granting it again brings it back.`,
    action: `${ACCOUNTS}/${id}/grants/revoke`,
    fields: { kind, item: itemKey, source },
    button: 'Revoke the grant',
    back: `${ACCOUNTS}/${id}`,
  });
}

async function findGrant({ service }: SiteDesk, email: string, names: Names): Promise<ListedGrant> {
  const grant = (await service.office.grants.list(email)).find(
    ({ kind, itemKey, source }) =>
      kind === names('kind') && itemKey === names('item') && source === names('source'),
  );
  if (grant !== undefined) return grant;
  throw new Refusal('not-found', 'Cannot find this grant: open the account, and choose one of its list');
}
