import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import { redirect } from '../../origin.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { saying } from '../frame/flash-message.ts';

type Names = { readonly id: string; readonly key: string };

/** `/admin/accounts/:id/keys/:key/revoke`: says what stops, and stops it. */
export function keyRevoke(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNTS}/:id/keys/:key/revoke`, ({ params, owner }) => ask(desk, owner, params), {
      ownerDoor: true,
    })
    .post(
      `${ACCOUNTS}/:id/keys/:key/revoke`,
      async ({ params, owner }) => {
        const { email, key } = await findKey(desk, params);
        await service.office.keys.revoke(String(key.id));
        await service.audit.note(owner, 'key.revoke', email, { name: key.name, prefix: key.prefix });
        return redirect(saying(`${ACCOUNTS}/${params.id}`, 'key-revoked'));
      },
      { ownerDoor: true, parse: 'none' },
    );
}

async function ask(desk: SiteDesk, owner: SessionPrincipal, names: Names): Promise<Response> {
  const { email, key } = await findKey(desk, names);
  const used = key.lastUsedAt === null ? 'never used' : `last used ${day(key.lastUsedAt)}`;
  return sendConfirmation(desk, owner, {
    title: `Revoke “${key.name}”?`,
    stops: `Agents of ${email} that use “${key.name}” (${key.prefix}…, ${used}) get 401 from their next request on. It cannot be taken back; a new key can be made at any time.`,
    action: `${ACCOUNTS}/${names.id}/keys/${key.id}/revoke`,
    button: 'Revoke the key',
    back: `${ACCOUNTS}/${names.id}`,
  });
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The account's own key of this id, of any state; another account's is not found. */
async function findKey(
  { service }: SiteDesk,
  { id, key }: Names,
): Promise<{ readonly email: string; readonly key: StoredKey }> {
  const { email } = await service.backOffice.roll.find(id);
  const found = (await service.office.keys.list(email)).find((one) => String(one.id) === key);
  if (found !== undefined) return { email, key: found };
  throw new Refusal('not-found', 'Cannot find this key: open the account, and choose one of its list');
}
