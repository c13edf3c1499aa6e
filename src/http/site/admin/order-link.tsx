import { Elysia } from 'elysia';
import { linkToClaim } from '../../../service/orders.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { readNumber, showOrder } from './order-page.tsx';
import { ORDERS } from './order-parts.tsx';

/** `POST /admin/orders/:id/link`: creates a link by which the buyer claims the order. No other page shows it. */
export function orderLink(deps: RouteDeps) {
  return new Elysia().use(deps.identity).post(
    `${ORDERS}/:id/link`,
    ({ params, owner }) => {
      const id = readNumber(params.id);
      return handleForm(
        async () => {
          const link = await linkToClaim(deps.stall, owner, id, deps.viewOf(owner).origin);
          return sendAdminPage(
            deps,
            owner,
            {
              current: ORDERS,
              title: 'Claim link',
              lead: `Send it to ${link.email} yourself: it is shown only once, and counts as the mail.`,
            },
            <>
              <section class="secret stack">
                <CopyLine text={link.url} label={`For ${link.email}`} />
                <p>
                  The link leads to the purchase, and works once. It is valid until{' '}
                  <When at={link.expiresAt} withTime />.
                </p>
              </section>
              <ButtonLink href={`${ORDERS}/${id}`} kind="quiet">
                Back to the order
              </ButtonLink>
            </>,
          );
        },
        (refused) => showOrder(deps, owner, id, { refused }),
      );
    },
    { ownerGuard: true, parse: 'none' },
  );
}
