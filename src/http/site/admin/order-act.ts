import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Stall } from '../../../service/stall.ts';
import { attachOrder, grantOrder, replayOrder } from '../../../service/orders.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readNumber, showOrder } from './order-page.tsx';
import { ORDERS } from './order-parts.tsx';

const ORDER = `${ORDERS}/:id`;

/** The forms of an order's page that act at once; acts.tsx has those that ask first. */
export function orderAct(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .post(
      `${ORDER}/grant`,
      async ({ request, params, owner }) =>
        change(deps, owner, params.id, 'order-granted', await readSlug(request), (stall, id, slug) =>
          grantOrder(stall, owner, id, slug === '' ? [] : [slug]),
        ),
      { ownerGuard: true, parse: 'none' },
    )
    .post(
      `${ORDER}/attach`,
      async ({ request, params, owner }) =>
        change(deps, owner, params.id, 'order-attached', await readEmail(request), (stall, id, email) =>
          attachOrder(stall, owner, id, email),
        ),
      { ownerGuard: true, parse: 'none' },
    )
    .post(
      `${ORDER}/replay`,
      ({ params, owner }) =>
        change(deps, owner, params.id, 'order-replayed', '', (stall, id) => replayOrder(stall, owner, id)),
      { ownerGuard: true, parse: 'none' },
    );
}

async function readSlug(request: Request): Promise<string> {
  return request.headers.get('content-length') === '0' ? '' : (await readForm(request)).text('slug').trim();
}

async function readEmail(request: Request): Promise<string> {
  return (await readForm(request)).text('email');
}

/** Runs an act on an order and shows its page again. */
function change(
  deps: RouteDeps,
  owner: SessionPrincipal,
  number: string,
  word: Parameters<typeof withFlash>[1],
  typed: string,
  act: (stall: Stall, id: number, typed: string) => Promise<unknown>,
): Promise<Response> {
  const id = readNumber(number);
  return handleForm(
    async () => {
      await act(deps.stall, id, typed);
      return redirect(withFlash(`${ORDERS}/${id}`, word));
    },
    (refused) => showOrder(deps, owner, id, { refused }),
  );
}
