import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { findKey, revokeKey } from '../../../service/keys.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { findUsable, KeyDescription, KEYS } from './key-parts.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `/dashboard/api-keys/:id/revoke`: revokes a key after a confirmation. */
export function keyRevoke(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${KEYS}/:id/revoke`, ({ params, member }) => ask(deps, member, params.id), { memberGuard: true })
    .post(
      `${KEYS}/:id/revoke`,
      async ({ params, member }) => {
        await revokeKey(stall, 'itself', 'key', await findKey(stall, 'key', params.id, member.accountId));
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
        Agents that use <KeyDescription of={key} /> get 401 from their next request on. This cannot be undone;
        a new key can be created at any time.
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
