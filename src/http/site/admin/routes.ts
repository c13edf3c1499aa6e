import { Elysia } from 'elysia';
import { readFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { downloads, questions } from '../logs.tsx';
import { addAndLink, enableAgain, mailNewLink, showAccount, showAccounts, showNewLink } from './accounts.tsx';
import { showAudit } from './audit.tsx';
import { makeCodes, showCodes } from './codes.tsx';
import { showEditions } from './editions.tsx';
import { grantItem, importList, showImport } from './grants.tsx';
import { sendHolderFile, showItem } from './item.tsx';
import { reloadContent, showItems } from './items.tsx';
import { showLinks } from './links.tsx';
import { sendLog, showLog } from './logs.tsx';
import { sendMailAgain, showMail } from './mail.tsx';
import { giveToAccount, grantAnyway, readAgain, showClaimLink, showOrder } from './order.tsx';
import { readNumber, sendOrderFile, showOrders } from './orders.tsx';
import { showOverview } from './overview.tsx';
import { showSales } from './sales.tsx';

/** The owner's pages, which the site calls the office; the acts that ask first are in acts.tsx. */
export function office(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/admin', ({ owner }) => showOverview(http, owner), { owner: true })
    .get('/admin/items', ({ query, owner }) => showItems(http, owner, query), { owner: true })
    .post('/admin/items/reindex', ({ owner }) => reloadContent(http, owner), { owner: true })
    .get('/admin/items/:slug', ({ request, params, owner }) => showItem(http, request, owner, params.slug), {
      owner: true,
    })
    .get(
      '/admin/items/:slug/holders.csv',
      ({ request, params }) => sendHolderFile(http, request, params.slug),
      { owner: true },
    )
    .get(
      '/admin/items/:slug/editions',
      ({ params, query, owner }) => showEditions(http, owner, params.slug, query),
      { owner: true },
    )
    .get('/admin/orders', ({ request, owner }) => showOrders(http, request, owner), { owner: true })
    .get('/admin/orders.csv', ({ request }) => sendOrderFile(http, request), { owner: true })
    .get(
      '/admin/orders/:id',
      ({ params, query, owner }) => showOrder(http, owner, readNumber(params.id), { said: readFlash(query) }),
      { owner: true },
    )
    .post(
      '/admin/orders/:id/grant',
      ({ request, params, owner }) => grantAnyway(http, request, owner, params.id),
      { owner: true },
    )
    .post(
      '/admin/orders/:id/attach',
      ({ request, params, owner }) => giveToAccount(http, request, owner, params.id),
      { owner: true },
    )
    .post('/admin/orders/:id/replay', ({ params, owner }) => readAgain(http, owner, params.id), {
      owner: true,
    })
    .post('/admin/orders/:id/link', ({ params, owner }) => showClaimLink(http, owner, params.id), {
      owner: true,
    })
    .get('/admin/sales', ({ owner }) => showSales(http, owner), { owner: true })
    .get('/admin/mail', ({ request, owner }) => showMail(http, owner, new URL(request.url).searchParams), {
      owner: true,
    })
    .post('/admin/mail/:id/send', ({ params, owner }) => sendMailAgain(http, owner, params.id), {
      owner: true,
    })
    .get('/admin/codes', ({ query, owner }) => showCodes(http, owner, { said: readFlash(query) }), {
      owner: true,
    })
    .post('/admin/codes', ({ request, owner }) => makeCodes(http, request, owner), { owner: true })
    .get('/admin/accounts', ({ query, owner }) => showAccounts(http, owner, query), { owner: true })
    .post('/admin/accounts/add', ({ request, owner }) => addAndLink(http, request, owner), { owner: true })
    .get(
      '/admin/accounts/:id',
      ({ params, query, owner }) => showAccount(http, owner, params.id, { said: readFlash(query) }),
      { owner: true },
    )
    .post('/admin/accounts/:id/enable', ({ params, owner }) => enableAgain(http, owner, params.id), {
      owner: true,
    })
    .post('/admin/accounts/:id/link', ({ params, owner }) => showNewLink(http, owner, params.id), {
      owner: true,
    })
    .post('/admin/accounts/:id/mail', ({ params, owner }) => mailNewLink(http, owner, params.id), {
      owner: true,
    })
    .post(
      '/admin/accounts/:id/grants/add',
      ({ request, params, owner }) => grantItem(http, request, owner, params.id),
      { owner: true },
    )
    .get('/admin/links', ({ query, owner }) => showLinks(http, owner, readFlash(query)), { owner: true })
    .get('/admin/grants/import', ({ query, owner }) => showImport(http, owner, { said: readFlash(query) }), {
      owner: true,
    })
    .post('/admin/grants/import', ({ request, owner }) => importList(http, request, owner), { owner: true })
    .get('/admin/logs', ({ request, owner }) => showLog(http, request, owner, '/admin/logs', questions), {
      owner: true,
    })
    .get('/admin/logs.csv', ({ request }) => sendLog(http, request, '/admin/logs', questions), {
      owner: true,
    })
    .get(
      '/admin/downloads',
      ({ request, owner }) => showLog(http, request, owner, '/admin/downloads', downloads),
      { owner: true },
    )
    .get('/admin/downloads.csv', ({ request }) => sendLog(http, request, '/admin/downloads', downloads), {
      owner: true,
    })
    .get('/admin/audit', ({ query, owner }) => showAudit(http, owner, query), { owner: true });
}
