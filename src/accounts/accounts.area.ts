import { Elysia } from 'elysia';
import { jsonAnswer, redirect } from '../platform/http/answer.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import { SECOND_STEP } from '../platform/site/page.tsx';
import { addMembers, giveToGroup, GROUP_ACTS, makeGroup, showGroup, showGroups } from './group.page.tsx';
import { KEY_ACTS, makeKey, makeLink, showKeys, showLinks } from './key.page.tsx';
import { changeDevices, DEVICE_ACTS, showDevices } from './device-key.page.tsx';
import { AGENT_LINKS, DEVICES, KEYS } from './key.part.tsx';
import { readLibrary } from './library.ts';
import { sendSecondStep, showSecondStep } from './second-step.page.tsx';
import {
  openEmailLink,
  openLink,
  openRequest,
  sendRequested,
  showSignIn,
  signIn,
  signOut,
  useEmailLink,
  useLink,
} from './sign-in.page.tsx';
import { openSignInLink, useSignInLink } from './sign-in-link.page.tsx';
import type { Http } from './stall.ts';

const OF_KEY = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
const OF_ACCOUNT = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

export const accounts = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .get(
      '/api/cli/library',
      async ({ request, account }) =>
        jsonAnswer(
          request,
          readLibrary(http.stall, account).library,
          OF_KEY,
          http.requestLog.of(request).quota,
        ),
      { library: true },
    )
    .get(
      '/api/holdings',
      async ({ request, account }) =>
        jsonAnswer(request, readLibrary(http.stall, account).holdings, OF_ACCOUNT),
      { account: true },
    )
    .guard({ visitor: true }, (routes) =>
      routes
        .get('/sign-in', ({ request, query, visitor }) =>
          showSignIn(http, request, visitor, query['next'] ?? ''),
        )
        .post('/sign-in', ({ request, visitor }) => signIn(http, request, visitor))
        .get('/sign-in/mail', ({ query, visitor }) =>
          openRequest(http, '/sign-in/mail', visitor, query['next']),
        )
        .post('/sign-in/mail', ({ request, visitor }) =>
          sendRequested(http, request, visitor, '/sign-in/mail'),
        )
        .get('/sign-in/link', ({ visitor }) => openSignInLink(http, visitor))
        .post('/sign-in/link', ({ request, visitor }) => useSignInLink(http, request, visitor))
        .post('/sign-out', ({ query, visitor }) => signOut(http, visitor, query['next'] ?? ''))
        .get('/set-up', ({ visitor }) => openLink(http, '/set-up', visitor))
        .post('/set-up', ({ request, visitor }) => useLink(http, request, visitor, '/set-up'))
        .get('/invite', ({ visitor }) => openLink(http, '/invite', visitor))
        .post('/invite', ({ request, visitor }) => useLink(http, request, visitor, '/invite'))
        .get('/reset', ({ visitor }) => openLink(http, '/reset', visitor))
        .post('/reset', ({ request, visitor }) => useLink(http, request, visitor, '/reset'))
        .get('/open', ({ visitor }) => openLink(http, '/open', visitor))
        .post('/open', ({ request, visitor }) => useLink(http, request, visitor, '/open'))
        .get('/email', ({ visitor }) => openEmailLink(http, visitor))
        .post('/email', ({ request, visitor }) => useEmailLink(http, request, visitor))
        .get('/forgot', ({ visitor }) => openRequest(http, '/forgot', visitor))
        .post('/forgot', ({ request, visitor }) => sendRequested(http, request, visitor, '/forgot'))
        .get('/sign-up', ({ visitor }) => openRequest(http, '/sign-up', visitor))
        .post('/sign-up', ({ request, visitor }) => sendRequested(http, request, visitor, '/sign-up')),
    )
    .guard({ member: true }, (routes) =>
      routes
        .get(KEYS, ({ query, member }) => showKeys(http, { said: readFlash(query), member }))
        .get(`${KEYS}/create`, () => redirect(KEYS))
        .post(`${KEYS}/create`, ({ request, member }) => makeKey(http, request, member))
        .get(DEVICES, ({ member }) => showDevices(http, member))
        .post(DEVICES, ({ request, member }) => changeDevices(http, request, member))
        .get(AGENT_LINKS, ({ query, member }) => showLinks(http, { said: readFlash(query), member }))
        .get(`${AGENT_LINKS}/create`, () => redirect(AGENT_LINKS))
        .post(`${AGENT_LINKS}/create`, ({ request, member }) => makeLink(http, request, member)),
    )
    .guard({ editor: true }, (routes) =>
      routes
        .get(SECOND_STEP, ({ query, editor }) => showSecondStep(http, editor, { said: readFlash(query) }))
        .post(SECOND_STEP, ({ request, editor }) => sendSecondStep(http, request, editor)),
    )
    .guard({ owner: true }, (routes) =>
      routes
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
        ),
    )
    .use([...KEY_ACTS, ...DEVICE_ACTS, ...GROUP_ACTS].map((routes) => routes(http)));
