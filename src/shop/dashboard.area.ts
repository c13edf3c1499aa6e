import { Elysia } from 'elysia';
import { redirect } from '../platform/http/answer.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import type { Http } from '../office/stall.ts';
import { downloads, questions, sendLog, showLog } from '../asking/log.page.tsx';
import { LINKS } from '../selling/buy.part.tsx';
import { ACCOUNT } from '../platform/site/page.tsx';
import {
  changeEmail,
  choose,
  choosePassword,
  EMAIL,
  endOne,
  endOthers,
  NEWS,
  PASSWORD,
  READING,
  sendOwnData,
  showAccount,
  showEmail,
  showPassword,
} from '../accounts/account.page.tsx';
import { KEYS, makeKey, makeLink, showKeys, showLinks } from '../accounts/key.page.tsx';
import { makeCopiesLink, showLibrary } from './library.page.tsx';

/** Returns the routes of a signed-in reader's pages. Actions that ask for confirmation are in `acts.page.tsx`. */
export function dashboard(http: Http) {
  return new Elysia().use(http.guards).guard({ member: true }, (routes) =>
    routes
      .get('/dashboard', ({ member }) => showLibrary(http, member))
      .post('/dashboard/orders/:ref/copies', ({ params, member }) => makeCopiesLink(http, member, params.ref))
      .get(KEYS, ({ query, member }) => showKeys(http, readFlash(query), member))
      .get(`${KEYS}/create`, () => redirect(KEYS))
      .post(`${KEYS}/create`, ({ request, member }) => makeKey(http, request, member))
      .get(LINKS, ({ query, member }) => showLinks(http, readFlash(query), member))
      .get(`${LINKS}/create`, () => redirect(LINKS))
      .post(`${LINKS}/create`, ({ request, member }) => makeLink(http, request, member))
      .get('/dashboard/logs', ({ query, member }) => showLog(http, member, '/dashboard', questions, query))
      .get('/dashboard/logs.csv', ({ request, query, member }) =>
        sendLog(http, request, member, { place: '/dashboard', table: questions, query }),
      )
      .get('/dashboard/downloads', ({ query, member }) =>
        showLog(http, member, '/dashboard', downloads, query),
      )
      .get('/dashboard/downloads.csv', ({ request, query, member }) =>
        sendLog(http, request, member, { place: '/dashboard', table: downloads, query }),
      )
      .get(ACCOUNT, ({ query, member }) => showAccount(http, readFlash(query), member))
      .get(`${ACCOUNT}/data.json`, ({ request, member }) => sendOwnData(http, request, member))
      .get(EMAIL, ({ member }) => showEmail(http, member))
      .post(EMAIL, ({ request, member }) => changeEmail(http, request, member))
      .get(PASSWORD, ({ member }) => showPassword(http, member))
      .post(PASSWORD, ({ request, member }) => choosePassword(http, request, member))
      .post(`${ACCOUNT}/sessions/:id/end`, ({ params, member }) => endOne(http, member, params.id))
      .post(`${ACCOUNT}/sessions/end-others`, ({ member }) => endOthers(http, member))
      .post(`${ACCOUNT}/reading`, ({ request, member }) => choose(http, request, member, READING))
      .post(`${ACCOUNT}/news`, ({ request, member }) => choose(http, request, member, NEWS)),
  );
}
