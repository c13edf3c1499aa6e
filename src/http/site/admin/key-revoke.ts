import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { KeyHolder } from '../../../store/tables/keys.ts';
import { revokeKey } from '../../../service/keys.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNTS } from './account-list.tsx';
import { sendConfirmation } from './confirmation.tsx';
import { withFlash } from '../frame/flash-message.ts';

type Names = { readonly id: string; readonly key: string };

/** `/admin/accounts/:id/keys/:key/revoke`: revokes a key of an account after a confirmation. */
export function keyRevoke(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${ACCOUNTS}/:id/keys/:key/revoke`, ({ params, owner }) => ask(deps, owner, params), {
      ownerGuard: true,
    })
    .post(
      `${ACCOUNTS}/:id/keys/:key/revoke`,
      async ({ params, owner }) => {
        const key = await findKey(deps, params);
        await revokeKey(stall, owner, 'key', key);
        return redirect(withFlash(`${ACCOUNTS}/${params.id}`, 'key-revoked'));
      },
      { ownerGuard: true, parse: 'none' },
    );
}

async function ask(deps: RouteDeps, owner: SessionPrincipal, names: Names): Promise<Response> {
  const key = await findKey(deps, names);
  const used = key.lastUsedAt === null ? 'never used' : `last used ${day(key.lastUsedAt)}`;
  return sendConfirmation(deps, owner, {
    title: `Revoke “${key.name}”?`,
    stops: `Agents of ${key.email} that use “${key.name}” (${key.prefix}…, ${used}) get 401 from their next request on. This cannot be undone; a new key can be created at any time.`,
    action: `${ACCOUNTS}/${names.id}/keys/${key.id}/revoke`,
    button: 'Revoke key',
    back: `${ACCOUNTS}/${names.id}`,
  });
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The account's own key of this id, active or not; refuses another account's as not found. */
async function findKey({ stall, service }: RouteDeps, { id, key }: Names): Promise<KeyHolder<'key'>> {
  await service.adminViews.accountSearch.find(id);
  const found = (await stall.store.listKeys('key', id)).find((one) => String(one.id) === key);
  if (found !== undefined) return found;
  throw new Refusal('not-found', 'Cannot find this key: open the account and choose one from its list');
}
