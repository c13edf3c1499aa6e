import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
import { makeLink, showLinks } from './links.tsx';
import { readFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
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

const MEMBER = { memberGuard: true } as const;
const MEMBER_FORM = { memberGuard: true, parse: 'none' } as const;

/** The reader's pages; what they take away asks first, in `acts.tsx`. */
export function dashboard(deps: RouteDeps) {
  return new Elysia()
    .use(deps.guards)
    .get('/dashboard', ({ member }) => showLibrary(deps, member), MEMBER)
    .get(KEYS, ({ query, member }) => showKeys(deps, readFlash(query), member), MEMBER)
    .get(`${KEYS}/create`, () => redirect(KEYS), MEMBER)
    .post(`${KEYS}/create`, ({ request, member }) => makeKey(deps, request, member), MEMBER_FORM)
    .get(`${KEYS}/:id/rotate`, ({ params, member }) => showRotation(deps, member, params.id), MEMBER)
    .post(
      `${KEYS}/:id/rotate`,
      ({ request, params, member }) => replaceKey(deps, request, member, params.id),
      MEMBER_FORM,
    )
    .get(LINKS, ({ query, member }) => showLinks(deps, readFlash(query), member), MEMBER)
    .get(`${LINKS}/create`, () => redirect(LINKS), MEMBER)
    .post(`${LINKS}/create`, ({ request, member }) => makeLink(deps, request, member), MEMBER_FORM)
    .get('/dashboard/logs', ({ request, member }) => showLog(deps, request, member, questions), MEMBER)
    .get('/dashboard/logs.csv', ({ request, member }) => sendLog(deps, request, member, questions), MEMBER)
    .get('/dashboard/downloads', ({ request, member }) => showLog(deps, request, member, downloads), MEMBER)
    .get(
      '/dashboard/downloads.csv',
      ({ request, member }) => sendLog(deps, request, member, downloads),
      MEMBER,
    )
    .get(ACCOUNT, ({ query, member }) => showAccount(deps, readFlash(query), member), MEMBER)
    .get(`${ACCOUNT}/data.json`, ({ request, member }) => sendOwnData(deps, request, member), MEMBER)
    .get(`${ACCOUNT}/password`, () => redirect(ACCOUNT), MEMBER)
    .post(`${ACCOUNT}/password`, ({ request, member }) => choosePassword(deps, request, member), MEMBER_FORM)
    .post(`${ACCOUNT}/sessions/:id/end`, ({ params, member }) => endOne(deps, member, params.id), MEMBER_FORM)
    .post(`${ACCOUNT}/sessions/end-others`, ({ member }) => endOthers(deps, member), MEMBER_FORM)
    .post(`${ACCOUNT}/reading`, ({ request, member }) => chooseReading(deps, request, member), MEMBER_FORM)
    .post(`${ACCOUNT}/news`, ({ request, member }) => chooseNews(deps, request, member), MEMBER_FORM);
}
