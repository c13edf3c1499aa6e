import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import type { Link } from '../../../store/tables/links.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendConfirmation } from './confirmation.tsx';
import { LINKS, PURPOSES } from './link-list.tsx';

/** `/admin/links/:id/revoke`: revokes a one-time link after a confirmation. */
export function linkRevoke(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(`${LINKS}/:id/revoke`, ({ params, owner }) => ask(deps, owner, params.id), { ownerGuard: true })
    .post(
      `${LINKS}/:id/revoke`,
      async ({ params, owner }) => {
        const { id } = await findLink(deps, owner, params.id);
        await service.admin(owner).links.revoke(id);
        return redirect(withFlash(LINKS, 'link-revoked'));
      },
      { ownerGuard: true, parse: 'none' },
    );
}

async function ask(deps: RouteDeps, owner: SessionPrincipal, name: string): Promise<Response> {
  const { id, purpose, email } = await findLink(deps, owner, name);
  return sendConfirmation(deps, owner, {
    current: LINKS,
    title: `Revoke the ${PURPOSES[purpose]} for ${email ?? 'the first owner'}?`,
    stops:
      'Whoever opens the link from now on is told that it cannot be used. The account stays as it is, and you can create another link on its page.',
    action: `${LINKS}/${id}/revoke`,
    button: 'Revoke link',
    back: LINKS,
  });
}

/** The open link of this id; refuses one that is used up, expired, revoked or unknown. */
async function findLink({ service }: RouteDeps, owner: SessionPrincipal, name: string): Promise<Link> {
  const link = (await service.admin(owner).links.list()).find(({ id }) => String(id) === name);
  if (link !== undefined) return link;
  throw new Refusal(
    'not-found',
    'Cannot find this link: it is used up, expired or revoked; open the list of links',
  );
}
