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

// Each route gets a copy: Elysia writes the guard's hooks into the object it is given.
const OWNER = { ownerGuard: true } as const;
const OWNER_FORM = { ownerGuard: true, parse: 'none' } as const;

/** The owner's pages, which the site calls the office; the acts that ask first are in acts.tsx. */
export function office(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/admin', ({ owner }) => showOverview(http, owner), { ...OWNER })
    .get('/admin/items', ({ query, owner }) => showItems(http, owner, query), { ...OWNER })
    .post('/admin/items/reindex', ({ owner }) => reloadContent(http, owner), { ...OWNER_FORM })
    .get('/admin/items/:slug', ({ request, params, owner }) => showItem(http, request, owner, params.slug), {
      ...OWNER,
    })
    .get(
      '/admin/items/:slug/holders.csv',
      ({ request, params }) => sendHolderFile(http, request, params.slug),
      { ...OWNER },
    )
    .get(
      '/admin/items/:slug/editions',
      ({ params, query, owner }) => showEditions(http, owner, params.slug, query),
      { ...OWNER },
    )
    .get('/admin/orders', ({ request, owner }) => showOrders(http, request, owner), { ...OWNER })
    .get('/admin/orders.csv', ({ request }) => sendOrderFile(http, request), { ...OWNER })
    .get(
      '/admin/orders/:id',
      ({ params, query, owner }) => showOrder(http, owner, readNumber(params.id), { said: readFlash(query) }),
      { ...OWNER },
    )
    .post(
      '/admin/orders/:id/grant',
      ({ request, params, owner }) => grantAnyway(http, request, owner, params.id),
      { ...OWNER_FORM },
    )
    .post(
      '/admin/orders/:id/attach',
      ({ request, params, owner }) => giveToAccount(http, request, owner, params.id),
      { ...OWNER_FORM },
    )
    .post('/admin/orders/:id/replay', ({ params, owner }) => readAgain(http, owner, params.id), {
      ...OWNER_FORM,
    })
    .post('/admin/orders/:id/link', ({ params, owner }) => showClaimLink(http, owner, params.id), {
      ...OWNER_FORM,
    })
    .get('/admin/sales', ({ owner }) => showSales(http, owner), { ...OWNER })
    .get('/admin/mail', ({ request, owner }) => showMail(http, owner, new URL(request.url).searchParams), {
      ...OWNER,
    })
    .post('/admin/mail/:id/send', ({ params, owner }) => sendMailAgain(http, owner, params.id), {
      ...OWNER_FORM,
    })
    .get('/admin/codes', ({ query, owner }) => showCodes(http, owner, { said: readFlash(query) }), {
      ...OWNER,
    })
    .post('/admin/codes', ({ request, owner }) => makeCodes(http, request, owner), { ...OWNER_FORM })
    .get('/admin/accounts', ({ query, owner }) => showAccounts(http, owner, query), { ...OWNER })
    .post('/admin/accounts/add', ({ request, owner }) => addAndLink(http, request, owner), { ...OWNER_FORM })
    .get(
      '/admin/accounts/:id',
      ({ params, query, owner }) => showAccount(http, owner, params.id, { said: readFlash(query) }),
      { ...OWNER },
    )
    .post('/admin/accounts/:id/enable', ({ params, owner }) => enableAgain(http, owner, params.id), {
      ...OWNER_FORM,
    })
    .post('/admin/accounts/:id/link', ({ params, owner }) => showNewLink(http, owner, params.id), {
      ...OWNER_FORM,
    })
    .post('/admin/accounts/:id/mail', ({ params, owner }) => mailNewLink(http, owner, params.id), {
      ...OWNER_FORM,
    })
    .post(
      '/admin/accounts/:id/grants/add',
      ({ request, params, owner }) => grantItem(http, request, owner, params.id),
      { ...OWNER_FORM },
    )
    .get('/admin/links', ({ query, owner }) => showLinks(http, owner, readFlash(query)), { ...OWNER })
    .get('/admin/grants/import', ({ query, owner }) => showImport(http, owner, { said: readFlash(query) }), {
      ...OWNER,
    })
    .post('/admin/grants/import', ({ request, owner }) => importList(http, request, owner), { ...OWNER_FORM })
    .get('/admin/logs', ({ request, owner }) => showLog(http, request, owner, '/admin/logs', questions), {
      ...OWNER,
    })
    .get('/admin/logs.csv', ({ request }) => sendLog(http, request, '/admin/logs', questions), { ...OWNER })
    .get(
      '/admin/downloads',
      ({ request, owner }) => showLog(http, request, owner, '/admin/downloads', downloads),
      { ...OWNER },
    )
    .get('/admin/downloads.csv', ({ request }) => sendLog(http, request, '/admin/downloads', downloads), {
      ...OWNER,
    })
    .get('/admin/audit', ({ query, owner }) => showAudit(http, owner, query), { ...OWNER });
}
