import { Elysia } from 'elysia';
import { Refusal } from '../../../refusal.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { CODES } from './code-list.tsx';
import { sendConfirmation } from './confirmation.tsx';

/** `/admin/codes/:id/revoke`: ends a code after a confirmation. */
export function codeRevoke(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(
      `${CODES}/:id/revoke`,
      async ({ params, owner }) => {
        const { id, prefix, name } = await service.admin(owner).codes.find(readId(params.id));
        return sendConfirmation(deps, owner, {
          current: CODES,
          title: `Revoke the code ${prefix}… for ${name}?`,
          stops:
            'Anyone who enters it from now on is told that it was withdrawn. What it opened before stays open.',
          action: `${CODES}/${id}/revoke`,
          button: 'Revoke code',
          back: CODES,
        });
      },
      { ownerGuard: true },
    )
    .post(
      `${CODES}/:id/revoke`,
      async ({ params, owner }) => {
        await service.admin(owner).codes.revoke(readId(params.id));
        return redirect(withFlash(CODES, 'code-revoked'));
      },
      { ownerGuard: true, parse: 'none' },
    );
}

function readId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal('not-found', 'Cannot find this code: open the list of codes');
}
