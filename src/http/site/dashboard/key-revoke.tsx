import { Elysia } from 'elysia';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { StoredKey } from '../../../store/tables/keys.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { When } from '../parts/when.tsx';
import { KEYS } from './key-list.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `/dashboard/api-keys/:id/revoke`: revokes a key after a confirmation. */
export function keyRevoke(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${KEYS}/:id/revoke`, ({ params, member }) => ask(deps, member, params.id), { memberGuard: true })
    .post(
      `${KEYS}/:id/revoke`,
      async ({ params, member }) => {
        await service.ownKeys.revoke(member.accountId, params.id);
        return redirect(withFlash(KEYS, 'key-revoked'));
      },
      { memberGuard: true, parse: 'none' },
    );
}

async function ask(deps: RouteDeps, member: SessionPrincipal, id: string): Promise<Response> {
  const key = await findUsable(deps, member, id);
  return sendPage(
    deps.viewOf(member),
    { title: 'Revoke a key', current: KEYS },
    <div class="narrow stack">
      <PageHeading title={`Revoke “${key.name}”?`} />
      <p>
        Agents that use <KeyInWords of={key} /> get 401 from their next request on. This cannot be undone; a
        new key can be created at any time.
      </p>
      <Form action={`${KEYS}/${key.id}/revoke`}>
        <div class="actions">
          <Button kind="danger">Revoke key</Button>
          <ButtonLink href={KEYS} kind="quiet">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </div>,
  );
}

/** A key's name, how it begins, and when it was last used. */
export function KeyInWords({ of: { name, prefix, lastUsedAt } }: { of: StoredKey }) {
  return (
    <>
      “{name}” (<code>{prefix}…</code>,{' '}
      {lastUsedAt === null ? (
        'never used'
      ) : (
        <>
          last used <When at={lastUsedAt} withTime />
        </>
      )}
      )
    </>
  );
}

/** The account's own key of this id that still works; any other is not found. */
export async function findUsable(
  { service }: RouteDeps,
  { accountId }: SessionPrincipal,
  id: string,
): Promise<StoredKey> {
  const now = service.now();
  const key = (await service.ownKeys.list(accountId)).find((one) => String(one.id) === id);
  if (key !== undefined && isUsable(key, now)) return key;
  throw new Refusal(
    'not-found',
    'Cannot find this key among those of yours that work: open the list of your keys',
  );
}
