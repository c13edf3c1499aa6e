import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
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

// Each route gets a copy: Elysia writes the guard's hooks into the object it is given.
const MEMBER = { memberGuard: true } as const;
const MEMBER_FORM = { memberGuard: true, parse: 'none' } as const;

/** The reader's pages; what they take away asks first, in `acts.tsx`. */
export function dashboard(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/dashboard', ({ member }) => showLibrary(http, member), { ...MEMBER })
    .get(KEYS, ({ query, member }) => showKeys(http, readFlash(query), member), { ...MEMBER })
    .get(`${KEYS}/create`, () => redirect(KEYS), { ...MEMBER })
    .post(`${KEYS}/create`, ({ request, member }) => makeKey(http, request, member), { ...MEMBER_FORM })
    .get(`${KEYS}/:id/rotate`, ({ params, member }) => showRotation(http, member, params.id), { ...MEMBER })
    .post(
      `${KEYS}/:id/rotate`,
      ({ request, params, member }) => replaceKey(http, request, member, params.id),
      { ...MEMBER_FORM },
    )
    .get(LINKS, ({ query, member }) => showLinks(http, readFlash(query), member), { ...MEMBER })
    .get(`${LINKS}/create`, () => redirect(LINKS), { ...MEMBER })
    .post(`${LINKS}/create`, ({ request, member }) => makeLink(http, request, member), { ...MEMBER_FORM })
    .get('/dashboard/logs', ({ request, member }) => showLog(http, request, member, questions), { ...MEMBER })
    .get('/dashboard/logs.csv', ({ request, member }) => sendLog(http, request, member, questions), {
      ...MEMBER,
    })
    .get('/dashboard/downloads', ({ request, member }) => showLog(http, request, member, downloads), {
      ...MEMBER,
    })
    .get('/dashboard/downloads.csv', ({ request, member }) => sendLog(http, request, member, downloads), {
      ...MEMBER,
    })
    .get(ACCOUNT, ({ query, member }) => showAccount(http, readFlash(query), member), { ...MEMBER })
    .get(`${ACCOUNT}/data.json`, ({ request, member }) => sendOwnData(http, request, member), { ...MEMBER })
    .get(`${ACCOUNT}/password`, () => redirect(ACCOUNT), { ...MEMBER })
    .post(`${ACCOUNT}/password`, ({ request, member }) => choosePassword(http, request, member), {
      ...MEMBER_FORM,
    })
    .post(`${ACCOUNT}/sessions/:id/end`, ({ params, member }) => endOne(http, member, params.id), {
      ...MEMBER_FORM,
    })
    .post(`${ACCOUNT}/sessions/end-others`, ({ member }) => endOthers(http, member), { ...MEMBER_FORM })
    .post(`${ACCOUNT}/reading`, ({ request, member }) => chooseReading(http, request, member), {
      ...MEMBER_FORM,
    })
    .post(`${ACCOUNT}/news`, ({ request, member }) => chooseNews(http, request, member), { ...MEMBER_FORM });
}
