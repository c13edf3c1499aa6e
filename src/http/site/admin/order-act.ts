import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Orders } from '../../../service/sales/orders.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendConfirmation } from './confirmation.tsx';
import { readNumber, showOrder } from './order-page.tsx';
import { ORDERS } from './order-parts.tsx';

const ORDER = `${ORDERS}/:id`;

/** The forms of an order's page: some at once, and after a confirmation those that take something away. */
export function orderAct(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .post(
      `${ORDER}/grant`,
      async ({ request, params, owner }) =>
        change(deps, owner, params.id, 'order-granted', await readSlug(request), (orders, id, slug) =>
          orders.grant(id, slug === '' ? [] : [slug]),
        ),
      { ownerGuard: true, parse: 'none' },
    )
    .post(
      `${ORDER}/attach`,
      async ({ request, params, owner }) =>
        change(deps, owner, params.id, 'order-attached', await readEmail(request), (orders, id, email) =>
          orders.attach(id, email),
        ),
      { ownerGuard: true, parse: 'none' },
    )
    .post(
      `${ORDER}/replay`,
      ({ params, owner }) =>
        change(deps, owner, params.id, 'order-replayed', '', (orders, id) => orders.replay(id)),
      { ownerGuard: true, parse: 'none' },
    )
    .get(`${ORDER}/revoke`, ({ params, owner }) => ask(deps, owner, params.id, 'revoke'), {
      ownerGuard: true,
    })
    .post(
      `${ORDER}/revoke`,
      ({ params, owner }) =>
        change(deps, owner, params.id, 'order-revoked', '', (orders, id) => orders.revoke(id)),
      { ownerGuard: true, parse: 'none' },
    )
    .get(`${ORDER}/give-back`, ({ params, owner }) => ask(deps, owner, params.id, 'give-back'), {
      ownerGuard: true,
    })
    .post(
      `${ORDER}/give-back`,
      ({ params, owner }) =>
        change(deps, owner, params.id, 'order-refunded', '', (orders, id) => orders.giveBack(id)),
      { ownerGuard: true, parse: 'none' },
    )
    .get(`${ORDER}/erase`, ({ params, owner }) => ask(deps, owner, params.id, 'erase'), { ownerGuard: true })
    .post(
      `${ORDER}/erase`,
      ({ params, owner }) =>
        change(deps, owner, params.id, 'order-erased', '', (orders, id) => orders.erase(id)),
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
  act: (orders: Orders, id: number, typed: string) => Promise<unknown>,
): Promise<Response> {
  const id = readNumber(number);
  return handleForm(
    async () => {
      await act(deps.service.admin(owner).orders, id, typed);
      return redirect(withFlash(`${ORDERS}/${id}`, word));
    },
    (refused) => showOrder(deps, owner, id, { refused }),
  );
}

const WORDS = {
  revoke: {
    title: 'Revoke this order?',
    stops:
      'From the next request on the buyer can no longer install, read or ask what this order gave. No money is paid back. “Grant anyway” restores it.',
    button: 'Revoke order',
  },
  'give-back': {
    title: 'Mark this order as refunded?',
    stops:
      'The order ends as if the provider had refunded it. This pays nothing back: do that at the provider, or however you were paid.',
    button: 'Mark as refunded',
  },
  erase: {
    title: 'Erase the buyer of this order?',
    stops:
      'The address and the bodies of its events are deleted for good. Amounts, items and times stay for your books, and the provider cannot bring the rest back.',
    button: 'Erase the buyer',
  },
} as const;

async function ask(
  deps: RouteDeps,
  owner: SessionPrincipal,
  number: string,
  act: keyof typeof WORDS,
): Promise<Response> {
  const { id } = await deps.service.admin(owner).orders.find(readNumber(number));
  return sendConfirmation(deps, owner, {
    ...WORDS[act],
    current: ORDERS,
    action: `${ORDERS}/${id}/${act}`,
    back: `${ORDERS}/${id}`,
  });
}
