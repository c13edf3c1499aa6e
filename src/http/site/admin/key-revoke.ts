import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { withFlash } from '../frame/flash-message.ts';

type Names = { readonly id: string; readonly key: string };

/** `/admin/accounts/:id/keys/:key/revoke`: revokes a key of an account after a confirmation. */
export function keyRevoke(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNTS}/:id/keys/:key/revoke`, ({ params, owner }) => ask(deps, owner, params), {
      ownerGuard: true,
    })
    .post(
      `${ACCOUNTS}/:id/keys/:key/revoke`,
      async ({ params, owner }) => {
        const { key } = await findKey(deps, owner, params);
        await service.admin(owner).keys.revoke(String(key.id));
        return redirect(withFlash(`${ACCOUNTS}/${params.id}`, 'key-revoked'));
      },
      { ownerGuard: true, parse: 'none' },
    );
}

async function ask(deps: RouteDeps, owner: SessionPrincipal, names: Names): Promise<Response> {
  const { email, key } = await findKey(deps, owner, names);
  const used = key.lastUsedAt === null ? 'never used' : `last used ${day(key.lastUsedAt)}`;
  return sendConfirmation(deps, owner, {
    title: `Revoke “${key.name}”?`,
    stops: `Agents of ${email} that use “${key.name}” (${key.prefix}…, ${used}) get 401 from their next request on. This cannot be undone; a new key can be created at any time.`,
    action: `${ACCOUNTS}/${names.id}/keys/${key.id}/revoke`,
    button: 'Revoke key',
    back: `${ACCOUNTS}/${names.id}`,
  });
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The account's own key of this id, active or not; refuses another account's as not found. */
async function findKey(
  { service }: RouteDeps,
  owner: SessionPrincipal,
  { id, key }: Names,
): Promise<{ readonly email: string; readonly key: StoredKey }> {
  const { email } = await service.adminViews.accountSearch.find(id);
  const found = (await service.admin(owner).keys.list(email)).find((one) => String(one.id) === key);
  if (found !== undefined) return { email, key: found };
  throw new Refusal('not-found', 'Cannot find this key: open the account and choose one from its list');
}
