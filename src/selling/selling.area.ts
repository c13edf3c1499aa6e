import { Elysia } from 'elysia';
import { jsonAnswer } from '../platform/http/answer.ts';
import { readJson } from '../platform/http/body.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import { showAnnounce, tell } from './announce.page.tsx';
import {
  claimLink,
  claimPurchase,
  givePurchase,
  sendClaimMail,
  showClaim,
  takeBuyer,
} from './claim.page.tsx';
import { CODE_ACTS, makeCodes, showCodes } from './code.page.tsx';
import { CODE_BODY, redeemCode } from './code.ts';
import { demoCheckout } from './demo-checkout.page.tsx';
import { sendBook, showEReader } from './e-reader.page.tsx';
import { sendMailAgain, sendSubscriberFile, showMail } from './mail.page.tsx';
import {
  giveToAccount,
  grantAnyway,
  ORDER_ACTS,
  readAgain,
  showClaimLink,
  showOrder,
} from './order.page.tsx';
import { importSales, showOrderImport } from './order-import.page.tsx';
import { readNumber, sendOrderFile, showOrders } from './orders.page.tsx';
import { joinAndRedeem, redeem, showRedeem } from './redeem.page.tsx';
import { sendSalesFile, showSales } from './sales.page.tsx';
import { createWebhooks } from './webhook.api.ts';
import { showYours } from './yours.page.tsx';
import type { Http } from './stall.ts';

const ONCE = { 'Cache-Control': 'no-store', Vary: 'Authorization' };

export function selling(http: Http) {
  const { stall, budgets, readLarge } = http;
  const takeWebhook = createWebhooks(http);
  const app = new Elysia()
    .use(http.guards)
    .guard({ uncounted: true }, (routes) =>
      routes
        .post('/webhooks/:provider', ({ request, params }) => takeWebhook(request, params.provider))
        .post('/webhooks/:provider/:ping', ({ request, params }) =>
          takeWebhook(request, params.provider, params.ping),
        ),
    )
    .post(
      '/api/redeem',
      async ({ request, account }) => {
        const { code } = await readJson(readLarge, request, CODE_BODY, 'Cannot redeem a code');
        const items = await redeemCode(stall, code, {
          accountId: account.accountId,
          address: budgets.addressOf(request).key,
        });
        return jsonAnswer(request, { items: items.map(({ slug }) => slug) }, ONCE);
      },
      { key: true },
    )
    .guard({ member: true }, (routes) =>
      routes
        .get('/claim/yours', ({ request, query, member }) => showYours(http, request, member, query))
        .get('/books/:slug/send', ({ params, query, member }) =>
          showEReader(http, member, params.slug, { said: readFlash(query) }),
        )
        .post('/books/:slug/send', ({ request, params, member }) =>
          sendBook(http, request, member, params.slug),
        ),
    )
    .guard({ visitor: true }, (routes) =>
      routes
        .get('/claim', ({ request, visitor }) => showClaim(http, request, visitor))
        .post('/claim', ({ request, visitor }) => claimLink(http, request, visitor))
        .post('/claim/add', ({ request, visitor }) => claimPurchase(http, request, visitor))
        .post('/claim/present', ({ request, visitor }) => givePurchase(http, request, visitor))
        .post('/claim/mail', ({ request, visitor }) => sendClaimMail(http, request, visitor))
        .get('/claim/:provider', ({ params, query }) => takeBuyer(http, params.provider, query['id'] ?? ''))
        .get('/redeem', ({ request, visitor }) => showRedeem(http, request, visitor))
        .post('/redeem', ({ request, visitor }) => redeem(http, request, visitor))
        .post('/redeem/account', ({ request, visitor }) => joinAndRedeem(http, request, visitor)),
    )
    .use(office(http))
    .use([...CODE_ACTS, ...ORDER_ACTS].map((routes) => routes(http)));
  return stall.config.demo ? app.use(demoCheckout(http)) : app;
}

const office = (http: Http) =>
  new Elysia().use(http.guards).guard({ owner: true }, (routes) =>
    routes
      .get('/admin/items/:slug/announce', ({ params, owner }) => showAnnounce(http, owner, params.slug))
      .post('/admin/items/:slug/announce', ({ request, params, owner }) =>
        tell(http, request, owner, params.slug),
      )
      .get('/admin/orders', ({ query, owner }) => showOrders(http, owner, query))
      .get('/admin/orders.csv', ({ request, query }) => sendOrderFile(http, request, query))
      .get('/admin/orders/import', ({ owner }) => showOrderImport(http, owner))
      .post('/admin/orders/import', ({ request, owner }) => importSales(http, request, owner))
      .get('/admin/orders/:id', ({ params, query, owner }) =>
        showOrder(http, owner, readNumber(params.id), { said: readFlash(query) }),
      )
      .post('/admin/orders/:id/grant', ({ request, params, owner }) =>
        grantAnyway(http, request, owner, params.id),
      )
      .post('/admin/orders/:id/attach', ({ request, params, owner }) =>
        giveToAccount(http, request, owner, params.id),
      )
      .post('/admin/orders/:id/replay', ({ params, owner }) => readAgain(http, owner, params.id))
      .post('/admin/orders/:id/link', ({ params, owner }) => showClaimLink(http, owner, params.id))
      .get('/admin/sales', ({ query, owner }) => showSales(http, owner, query))
      .get('/admin/sales.csv', ({ request, query }) => sendSalesFile(http, request, query))
      .get('/admin/mail', ({ query, owner }) => showMail(http, owner, query))
      .post('/admin/mail/:id/send', ({ params, owner }) => sendMailAgain(http, owner, params.id))
      .get('/admin/subscribers.csv', ({ request }) => sendSubscriberFile(http, request))
      .get('/admin/codes', ({ query, owner }) => showCodes(http, owner, { said: readFlash(query) }))
      .post('/admin/codes', ({ request, owner }) => makeCodes(http, request, owner)),
  );
