import { Elysia } from 'elysia';
import { readFlash } from '../platform/site/handle-form.ts';
import { SECOND_STEP } from '../platform/site/page.tsx';
import type { Http } from './stall.ts';
import { downloads, questions, sendLog, showLog } from '../asking/log.page.tsx';
import {
  addAndLink,
  enableAgain,
  mailNewLink,
  showAccount,
  showAccounts,
  showEmailLink,
  showLinks,
  showNewLink,
  grantItem,
} from '../accounts/accounts.page.tsx';
import { showAnnounce, tell } from '../selling/announce.page.tsx';
import { showAudit } from './audit.page.tsx';
import { REPORTS } from './office.part.tsx';
import { makeCodes, showCodes } from '../selling/code.page.tsx';
import { addMembers, giveToGroup, makeGroup, showGroup, showGroups } from '../accounts/group.page.tsx';
import { sendHolderFile, showEditions, showItem } from '../publishing/item.page.tsx';
import { reloadContent, showItems } from '../publishing/items.page.tsx';
import { sendMailAgain, sendSubscriberFile, showMail } from '../selling/mail.page.tsx';
import { giveToAccount, grantAnyway, readAgain, showClaimLink, showOrder } from '../selling/order.page.tsx';
import { importSales, showOrderImport } from '../selling/order-import.page.tsx';
import { readNumber, sendOrderFile, showOrders } from '../selling/orders.page.tsx';
import { sendSalesFile, showSales } from '../selling/sales.page.tsx';
import { sendSecondStep, showSecondStep } from '../accounts/second-step.page.tsx';
import { setReport, showReports } from '../reading/reports.page.tsx';
import { showOverview } from './overview.page.tsx';
import { showAdd, takeUpload } from '../publishing/add-item.page.tsx';
import { replaceFiles, saveEdit, sendFolder, showEdit } from '../publishing/edit-item.page.tsx';

/**
 * Returns the routes of the owner's pages, which the site calls the office. Actions that ask for confirmation are in acts.page.tsx.
 */
export const office = (http: Http) =>
  new Elysia().use(http.guards).guard({ owner: true }, (routes) =>
    routes
      .get('/admin', ({ owner }) => showOverview(http, owner))
      .get('/admin/items', ({ query, owner }) => showItems(http, owner, query))
      .post('/admin/items/reindex', ({ owner }) => reloadContent(http, owner))
      .get('/admin/add', ({ owner }) => showAdd(http, owner, {}))
      .post('/admin/add', ({ request, owner }) => takeUpload(http, request, owner))
      .get('/admin/items/:slug/edit', ({ params, query, owner }) =>
        showEdit(http, owner, params.slug, { said: readFlash(query) }),
      )
      .post('/admin/items/:slug/edit', ({ request, params, owner }) =>
        saveEdit(http, request, owner, params.slug),
      )
      .post('/admin/items/:slug/replace', ({ request, params, owner }) =>
        replaceFiles(http, request, owner, params.slug),
      )
      .get('/admin/items/:slug/folder.zip', ({ request, params, owner }) =>
        sendFolder(http, request, owner, params.slug),
      )
      .get('/admin/items/:slug', ({ params, query, owner }) => showItem(http, owner, params.slug, query))
      .get('/admin/items/:slug/holders.csv', ({ request, params, query }) =>
        sendHolderFile(http, request, params.slug, query),
      )
      .get('/admin/items/:slug/editions', ({ params, query, owner }) =>
        showEditions(http, owner, params.slug, query),
      )
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
      .get(SECOND_STEP, ({ query, owner }) => showSecondStep(http, owner, { said: readFlash(query) }))
      .post(SECOND_STEP, ({ request, owner }) => sendSecondStep(http, request, owner))
      .get('/admin/mail', ({ query, owner }) => showMail(http, owner, query))
      .post('/admin/mail/:id/send', ({ params, owner }) => sendMailAgain(http, owner, params.id))
      .get('/admin/subscribers.csv', ({ request }) => sendSubscriberFile(http, request))
      .get('/admin/codes', ({ query, owner }) => showCodes(http, owner, { said: readFlash(query) }))
      .post('/admin/codes', ({ request, owner }) => makeCodes(http, request, owner))
      .get(REPORTS, ({ query, owner }) => showReports(http, owner, query))
      .post('/admin/reports/:id', ({ request, params, owner }) => setReport(http, request, owner, params.id))
      .get('/admin/groups', ({ query, owner }) => showGroups(http, owner, { said: readFlash(query) }))
      .post('/admin/groups', ({ request, owner }) => makeGroup(http, request, owner))
      .get('/admin/groups/:name', ({ params, query, owner }) =>
        showGroup(http, owner, params.name, { said: readFlash(query) }),
      )
      .post('/admin/groups/:name/join', ({ request, params, owner }) =>
        addMembers(http, request, owner, params.name),
      )
      .post('/admin/groups/:name/grant', ({ request, params, owner }) =>
        giveToGroup(http, request, owner, params.name),
      )
      .get('/admin/accounts', ({ query, owner }) => showAccounts(http, owner, query))
      .post('/admin/accounts/add', ({ request, owner }) => addAndLink(http, request, owner))
      .get('/admin/accounts/:id', ({ params, query, owner }) =>
        showAccount(http, owner, params.id, { said: readFlash(query) }),
      )
      .post('/admin/accounts/:id/enable', ({ params, owner }) => enableAgain(http, owner, params.id))
      .post('/admin/accounts/:id/link', ({ params, owner }) => showNewLink(http, owner, params.id))
      .post('/admin/accounts/:id/email', ({ request, params, owner }) =>
        showEmailLink(http, request, owner, params.id),
      )
      .post('/admin/accounts/:id/mail', ({ params, owner }) => mailNewLink(http, owner, params.id))
      .post('/admin/accounts/:id/grants/add', ({ request, params, owner }) =>
        grantItem(http, request, owner, params.id),
      )
      .get('/admin/links', ({ query, owner }) => showLinks(http, owner, readFlash(query)))
      .get('/admin/logs', ({ query, owner }) => showLog(http, owner, '/admin', questions, query))
      .get('/admin/logs.csv', ({ request, query, owner }) =>
        sendLog(http, request, owner, { place: '/admin', table: questions, query }),
      )
      .get('/admin/downloads', ({ query, owner }) => showLog(http, owner, '/admin', downloads, query))
      .get('/admin/downloads.csv', ({ request, query, owner }) =>
        sendLog(http, request, owner, { place: '/admin', table: downloads, query }),
      )
      .get('/admin/audit', ({ query, owner }) => showAudit(http, owner, query)),
  );
