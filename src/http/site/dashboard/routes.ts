import { Elysia } from 'elysia';
import { redirect } from '../../answer.ts';
import { makeLink, showLinks } from './links.tsx';
import { readFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { downloads, questions } from '../logs.tsx';
import { LINKS } from '../parts/agent-steps.tsx';
import {
  ACCOUNT,
  chooseNews,
  choosePassword,
  chooseReading,
  endOne,
  endOthers,
  sendOwnData,
  showAccount,
} from './account.tsx';
import { KEYS, makeKey, replaceKey, showKeys, showRotation } from './keys.tsx';
import { showLibrary } from './library.tsx';
import { sendLog, showLog } from './logs.tsx';

/** The reader's pages; what they take away asks first, in `acts.tsx`. */
export function dashboard(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/dashboard', ({ member }) => showLibrary(http, member), { member: true })
    .get(KEYS, ({ query, member }) => showKeys(http, readFlash(query), member), { member: true })
    .get(`${KEYS}/create`, () => redirect(KEYS), { member: true })
    .post(`${KEYS}/create`, ({ request, member }) => makeKey(http, request, member), { member: true })
    .get(`${KEYS}/:id/rotate`, ({ params, member }) => showRotation(http, member, params.id), {
      member: true,
    })
    .post(
      `${KEYS}/:id/rotate`,
      ({ request, params, member }) => replaceKey(http, request, member, params.id),
      { member: true },
    )
    .get(LINKS, ({ query, member }) => showLinks(http, readFlash(query), member), { member: true })
    .get(`${LINKS}/create`, () => redirect(LINKS), { member: true })
    .post(`${LINKS}/create`, ({ request, member }) => makeLink(http, request, member), { member: true })
    .get('/dashboard/logs', ({ request, member }) => showLog(http, request, member, questions), {
      member: true,
    })
    .get('/dashboard/logs.csv', ({ request, member }) => sendLog(http, request, member, questions), {
      member: true,
    })
    .get('/dashboard/downloads', ({ request, member }) => showLog(http, request, member, downloads), {
      member: true,
    })
    .get('/dashboard/downloads.csv', ({ request, member }) => sendLog(http, request, member, downloads), {
      member: true,
    })
    .get(ACCOUNT, ({ query, member }) => showAccount(http, readFlash(query), member), { member: true })
    .get(`${ACCOUNT}/data.json`, ({ request, member }) => sendOwnData(http, request, member), {
      member: true,
    })
    .get(`${ACCOUNT}/password`, () => redirect(ACCOUNT), { member: true })
    .post(`${ACCOUNT}/password`, ({ request, member }) => choosePassword(http, request, member), {
      member: true,
    })
    .post(`${ACCOUNT}/sessions/:id/end`, ({ params, member }) => endOne(http, member, params.id), {
      member: true,
    })
    .post(`${ACCOUNT}/sessions/end-others`, ({ member }) => endOthers(http, member), { member: true })
    .post(`${ACCOUNT}/reading`, ({ request, member }) => chooseReading(http, request, member), {
      member: true,
    })
    .post(`${ACCOUNT}/news`, ({ request, member }) => chooseNews(http, request, member), { member: true });
}
