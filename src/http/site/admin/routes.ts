import { Elysia } from 'elysia';
import { readFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { downloads, questions } from '../logs.tsx';
import { addAndLink, enableAgain, mailNewLink, showAccount, showAccounts, showNewLink } from './accounts.tsx';
import { showAudit } from './audit.tsx';
import { makeCodes, showCodes } from './codes.tsx';
import { sendHolderFile, showEditions, showItem } from './item.tsx';
import { grantItem, importList, showImport } from './grants.tsx';
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
    .guard({ owner: true })
    .get('/admin', ({ owner }) => showOverview(http, owner))
    .get('/admin/items', ({ query, owner }) => showItems(http, owner, query))
    .post('/admin/items/reindex', ({ owner }) => reloadContent(http, owner))
    .get('/admin/items/:slug', ({ request, params, owner }) => showItem(http, request, owner, params.slug))
    .get('/admin/items/:slug/holders.csv', ({ request, params }) =>
      sendHolderFile(http, request, params.slug),
    )
    .get('/admin/items/:slug/editions', ({ params, query, owner }) =>
      showEditions(http, owner, params.slug, query),
    )
    .get('/admin/orders', ({ request, owner }) => showOrders(http, request, owner))
    .get('/admin/orders.csv', ({ request }) => sendOrderFile(http, request))
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
    .get('/admin/sales', ({ owner }) => showSales(http, owner))
    .get('/admin/mail', ({ request, owner }) => showMail(http, owner, new URL(request.url).searchParams))
    .post('/admin/mail/:id/send', ({ params, owner }) => sendMailAgain(http, owner, params.id))
    .get('/admin/codes', ({ query, owner }) => showCodes(http, owner, { said: readFlash(query) }))
    .post('/admin/codes', ({ request, owner }) => makeCodes(http, request, owner))
    .get('/admin/accounts', ({ query, owner }) => showAccounts(http, owner, query))
    .post('/admin/accounts/add', ({ request, owner }) => addAndLink(http, request, owner))
    .get('/admin/accounts/:id', ({ params, query, owner }) =>
      showAccount(http, owner, params.id, { said: readFlash(query) }),
    )
    .post('/admin/accounts/:id/enable', ({ params, owner }) => enableAgain(http, owner, params.id))
    .post('/admin/accounts/:id/link', ({ params, owner }) => showNewLink(http, owner, params.id))
    .post('/admin/accounts/:id/mail', ({ params, owner }) => mailNewLink(http, owner, params.id))
    .post('/admin/accounts/:id/grants/add', ({ request, params, owner }) =>
      grantItem(http, request, owner, params.id),
    )
    .get('/admin/links', ({ query, owner }) => showLinks(http, owner, readFlash(query)))
    .get('/admin/grants/import', ({ query, owner }) => showImport(http, owner, { said: readFlash(query) }))
    .post('/admin/grants/import', ({ request, owner }) => importList(http, request, owner))
    .get('/admin/logs', ({ request, owner }) => showLog(http, request, owner, '/admin/logs', questions))
    .get('/admin/logs.csv', ({ request }) => sendLog(http, request, '/admin/logs', questions))
    .get('/admin/downloads', ({ request, owner }) =>
      showLog(http, request, owner, '/admin/downloads', downloads),
    )
    .get('/admin/downloads.csv', ({ request }) => sendLog(http, request, '/admin/downloads', downloads))
    .get('/admin/audit', ({ query, owner }) => showAudit(http, owner, query));
}
