import { Elysia } from 'elysia';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { findKey, revokeKey } from '../../../service/keys.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { LINKS } from './link-parts.tsx';

/** `/dashboard/connect/:id/revoke`: revokes a link after a confirmation. */
export function linkRevoke(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${LINKS}/:id/revoke`, ({ params, member }) => ask(deps, member, params.id), { memberGuard: true })
    .post(
      `${LINKS}/:id/revoke`,
      async ({ params, member }) => {
        await revokeKey(stall, 'itself', 'token', await findKey(stall, 'token', params.id, member.accountId));
        return redirect(withFlash(LINKS, 'agent-link-revoked'));
      },
      { memberGuard: true, parse: 'none' },
    );
}

async function ask({ stall, viewOf }: RouteDeps, member: SessionPrincipal, id: string): Promise<Response> {
  const link = await findKey(stall, 'token', id, member.accountId);
  if (!isUsable(link, stall.now()))
    throw new Refusal(
      'not-found',
      'Cannot find this link among your active links: open the list of your links',
    );
  return sendPage(
    viewOf(member),
    { title: 'Revoke a link', current: LINKS },
    <div class="narrow stack">
      <PageHeading title={`Revoke “${link.name}”?`} />
      <p>
        Agents that use the link <code>{link.prefix}…</code> find nothing there from their next request on.
        What they have installed stays. This cannot be undone; a new link can be made at any time.
      </p>
      <Form action={`${LINKS}/${link.id}/revoke`}>
        <div class="actions">
          <Button kind="danger">Revoke link</Button>
          <ButtonLink href={LINKS} kind="quiet">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </div>,
  );
}
