import { Elysia } from 'elysia';
import type { Principal } from '../../../access/principal.ts';
import { formatPrice } from '../../../item/price.ts';
import { DEMO, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { buyInDemo, findDemoGoods, refundInDemo } from '../../../service/demo.ts';
import { findOrderByKey } from '../../../service/orders.ts';
import { returnUrlOf } from '../../../service/sell-check.ts';
import { redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';
import type { Http } from '../../http.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import { When } from '../parts/data-table.tsx';
import { Button, ButtonLink, EmailField, Form } from '../parts/form.tsx';
import { Goods, PaidGoods } from './purchase.tsx';

/** The pages of the demo's checkout and its receipts, as a payment provider has them. Only a stall with --demo has these routes. */
export const demoCheckout = (http: Http) =>
  new Elysia().use(http.guards).guard({ visitor: true }, (routes) =>
    routes
      .get('/demo/buy/:slug', ({ params, visitor }) => showCheckout(http, visitor, params.slug))
      .post('/demo/buy/:slug', ({ request, params, visitor }) => pay(http, request, visitor, params.slug))
      .get('/demo/receipt/:id', ({ params, visitor }) => showReceipt(http, visitor, params.id))
      .post('/demo/receipt/:id', async ({ params: { id } }) => {
        await refundInDemo(http.stall, id);
        return redirect(`/demo/receipt/${id}`);
      }),
  );

/** The address of a buyer who types none. Example domains belong to nobody (RFC 2606). */
const SAMPLE = 'reader@example.com';

/** The notice on each of its pages: nobody may take it for a real checkout. */
const PRETENDED = `${PROVIDER_NAMES.demo} is pretended: it asks for no card, and no money moves.`;

function showCheckout(
  { stall, viewOf }: Http,
  visitor: Principal,
  slug: string,
  email?: string,
  refused: Refused | null = null,
): Response {
  const view = viewOf(visitor);
  const { title, unitAmountCents, currency } = findDemoGoods(stall, slug);
  const price = formatPrice(unitAmountCents, currency);
  return sendPage(
    view,
    { title: PROVIDER_NAMES.demo, lead: PRETENDED, refused, isNarrow: true },
    <>
      <Goods stall={stall} slug={slug} title={title}>
        <p class="price">{price}</p>
      </Goods>
      <Form action={`/demo/buy/${slug}`} label="Pay">
        <EmailField
          value={email ?? view.email ?? SAMPLE}
          hint="At a real checkout the buyer types it. Any address will do here"
          autocomplete="email"
        />
        <Button>Pay {price} (pretended)</Button>
      </Form>
    </>,
  );
}

function pay(http: Http, request: Request, visitor: Principal, slug: string): Promise<Response> {
  let email = '';
  return handleForm(
    async () => {
      email = (await readForm(request)).text('email');
      return redirect(returnUrlOf(DEMO, '', await buyInDemo(http.stall, slug, email)));
    },
    (refused) => showCheckout(http, visitor, slug, email, refused),
  );
}

function showReceipt({ stall, viewOf }: Http, visitor: Principal, id: string): Response {
  const order = findOrderByKey(stall, DEMO, id);
  const said =
    order.state === 'refunded' ? 'The money was given back. The buyer can no longer read it.' : null;
  return sendPage(
    viewOf(visitor),
    { title: 'Receipt', lead: PRETENDED, said, isNarrow: true },
    <>
      <PaidGoods stall={stall} order={order} />
      <p>
        {formatPrice(order.amount, order.currency ?? '')} on <When at={order.paidAt} />
      </p>
      {said === null ? (
        <Form
          action={`/demo/receipt/${id}`}
          label="Refund"
          confirm="The buyer can no longer read it, as after a real refund."
        >
          <Button kind="danger">Give the money back</Button>
        </Form>
      ) : (
        <ButtonLink href="/">Back to the shop</ButtonLink>
      )}
    </>,
  );
}
