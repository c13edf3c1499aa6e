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

/** The reader's pages; what they take away asks first, in `acts.tsx`. */
export function dashboard(deps: RouteDeps) {
  return new Elysia()
    .use(deps.guards)
    .get('/dashboard', ({ member }) => showLibrary(deps, member), { memberGuard: true })
    .get(KEYS, ({ query, member }) => showKeys(deps, readFlash(query), member), { memberGuard: true })
    .get(`${KEYS}/create`, () => redirect(KEYS), { memberGuard: true })
    .post(`${KEYS}/create`, ({ request, member }) => makeKey(deps, request, member), {
      memberGuard: true,
      parse: 'none',
    })
    .get(`${KEYS}/:id/rotate`, ({ params, member }) => showRotation(deps, member, params.id), {
      memberGuard: true,
    })
    .post(
      `${KEYS}/:id/rotate`,
      ({ request, params, member }) => replaceKey(deps, request, member, params.id),
      { memberGuard: true, parse: 'none' },
    )
    .get(LINKS, ({ query, member }) => showLinks(deps, readFlash(query), member), { memberGuard: true })
    .get(`${LINKS}/create`, () => redirect(LINKS), { memberGuard: true })
    .post(`${LINKS}/create`, ({ request, member }) => makeLink(deps, request, member), {
      memberGuard: true,
      parse: 'none',
    })
    .get('/dashboard/logs', ({ request, member }) => showLog(deps, request, member, questions), {
      memberGuard: true,
    })
    .get('/dashboard/logs.csv', ({ request, member }) => sendLog(deps, request, member, questions), {
      memberGuard: true,
    })
    .get('/dashboard/downloads', ({ request, member }) => showLog(deps, request, member, downloads), {
      memberGuard: true,
    })
    .get('/dashboard/downloads.csv', ({ request, member }) => sendLog(deps, request, member, downloads), {
      memberGuard: true,
    })
    .get(ACCOUNT, ({ query, member }) => showAccount(deps, readFlash(query), member), { memberGuard: true })
    .get(`${ACCOUNT}/data.json`, ({ request, member }) => sendOwnData(deps, request, member), {
      memberGuard: true,
    })
    .get(`${ACCOUNT}/password`, () => redirect(ACCOUNT), { memberGuard: true })
    .post(`${ACCOUNT}/password`, ({ request, member }) => choosePassword(deps, request, member), {
      memberGuard: true,
      parse: 'none',
    })
    .post(`${ACCOUNT}/sessions/:id/end`, ({ params, member }) => endOne(deps, member, params.id), {
      memberGuard: true,
      parse: 'none',
    })
    .post(`${ACCOUNT}/sessions/end-others`, ({ member }) => endOthers(deps, member), {
      memberGuard: true,
      parse: 'none',
    })
    .post(`${ACCOUNT}/reading`, ({ request, member }) => chooseReading(deps, request, member), {
      memberGuard: true,
      parse: 'none',
    })
    .post(`${ACCOUNT}/news`, ({ request, member }) => chooseNews(deps, request, member), {
      memberGuard: true,
      parse: 'none',
    });
}
