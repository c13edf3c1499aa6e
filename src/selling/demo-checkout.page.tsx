import { Elysia } from 'elysia';
import type { Principal } from '../platform/base/principal.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import { DEMO, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { buyInDemo, findDemoGoods, refundInDemo } from './demo.ts';
import { findOrderByKey } from './order.ts';
import type { Words } from '../words/words.ts';
import { redirect } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import { sendPage } from '../platform/site/page.tsx';
import { When } from '../platform/site/data-table.tsx';
import { Button, ButtonLink, EmailField, Form } from '../platform/site/form.tsx';
import { Goods, PaidGoods } from './after-payment.page.tsx';
import { returnUrlOf } from './claim.rule.ts';
import { priceIn } from '../catalog/item-words.ts';

/** The routes of the demo's pretended checkout and its receipts. They exist only if the server runs with --demo. */
export const demoCheckout = (http: Http) =>
  new Elysia().use(http.guards).guard({ visitor: true }, (routes) =>
    routes
      .get('/demo/buy/:slug', ({ params, visitor }) => showCheckout(http, visitor, { slug: params.slug }))
      .post('/demo/buy/:slug', ({ request, params, visitor }) => pay(http, request, visitor, params.slug))
      .get('/demo/receipt/:id', ({ params, visitor }) => showReceipt(http, visitor, params.id))
      .post('/demo/receipt/:id', async ({ params: { id } }) => {
        await refundInDemo(http.stall, id);
        return redirect(`/demo/receipt/${id}`);
      }),
  );

/** The prefilled address for a signed-out visitor. Example domains belong to nobody (RFC 2606). */
const SAMPLE = 'reader@example.com';

const pretended = ({ account }: Words): string => account.demo.pretended({ provider: PROVIDER_NAMES.demo });

function showCheckout(
  { stall, viewOf }: Http,
  visitor: Principal,
  typed: { readonly slug: string; readonly email?: string; readonly refused?: Refused | null },
): Response {
  const { slug, email, refused = null } = typed;
  const view = viewOf(visitor);
  const { demo } = view.words.account;
  const goods = findDemoGoods(stall, slug);
  const price = priceIn(view.words, goods);
  return sendPage(
    view,
    { title: PROVIDER_NAMES.demo, lead: pretended(view.words), refused, isNarrow: true },
    <>
      <Goods stall={stall} slug={slug} title={goods.title}>
        <p class="price">{price}</p>
      </Goods>
      <Form action={`/demo/buy/${slug}`} label={demo.pay}>
        <EmailField value={email ?? view.email ?? SAMPLE} hint={demo.emailHint} autocomplete="email" />
        <Button>{demo.payPrice({ price })}</Button>
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
    (refused) => showCheckout(http, visitor, { slug, email, refused }),
  );
}

function showReceipt({ stall, viewOf }: Http, visitor: Principal, id: string): Response {
  const order = findOrderByKey(stall, DEMO, id);
  const view = viewOf(visitor);
  const { demo } = view.words.account;
  const price = formatMoney(order.amount, order.currency ?? '', view.words.locale);
  const said = order.state === 'refunded' ? demo.givenBack : null;
  return sendPage(
    view,
    { title: demo.receipt, lead: pretended(view.words), said, isNarrow: true },
    <>
      <PaidGoods stall={stall} order={order} />
      <p>{demo.paid({ price, at: <When at={order.paidAt} /> })}</p>
      {said === null ? (
        <Form action={`/demo/receipt/${id}`} label={demo.refund} confirm={demo.refundNote}>
          <Button kind="danger">{demo.giveBack}</Button>
        </Form>
      ) : (
        <ButtonLink href="/">{demo.back}</ButtonLink>
      )}
    </>,
  );
}
