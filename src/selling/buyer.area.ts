import { Elysia } from 'elysia';
import { showYours } from './yours.page.tsx';
import {
  claimLink,
  claimPurchase,
  givePurchase,
  joinAndClaim,
  sendClaimMail,
  showClaim,
  takeBuyer,
} from './claim.page.tsx';
import type { Http } from '../office/stall.ts';
import { confirmAddress, openConfirmation, subscribe } from './subscribe.page.tsx';
import { joinAndRedeem, redeem, showRedeem } from './redeem.page.tsx';
import {
  askToEndNews,
  endNewsByMail,
  openEmailLink,
  openLink,
  openRequest,
  sendRequested,
  showSignIn,
  signIn,
  signOut,
  useEmailLink,
  useLink,
} from '../accounts/sign-in.page.tsx';

/** Returns the routes to an account and to purchases: sign-in, one-time links, purchases and codes. */
export const account = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .get('/unsubscribe/:secret', ({ params, principal }) => askToEndNews(http, principal, params.secret), {
      open: true,
    })
    .post('/unsubscribe/:secret', ({ params, principal }) => endNewsByMail(http, principal, params.secret), {
      open: true,
    })
    .get('/claim/yours', ({ request, query, member }) => showYours(http, request, member, query), {
      member: true,
    })
    .guard({ visitor: true }, (routes) =>
      routes
        .get('/sign-in', ({ request, query, visitor }) =>
          showSignIn(http, request, visitor, query['next'] ?? ''),
        )
        .post('/sign-in', ({ request, visitor }) => signIn(http, request, visitor))
        .post('/sign-out', ({ visitor }) => signOut(http, visitor))
        .get('/set-up', ({ visitor }) => openLink(http, '/set-up', visitor))
        .post('/set-up', ({ request, visitor }) => useLink(http, '/set-up', visitor, request))
        .get('/invite', ({ visitor }) => openLink(http, '/invite', visitor))
        .post('/invite', ({ request, visitor }) => useLink(http, '/invite', visitor, request))
        .get('/reset', ({ visitor }) => openLink(http, '/reset', visitor))
        .post('/reset', ({ request, visitor }) => useLink(http, '/reset', visitor, request))
        .get('/open', ({ visitor }) => openLink(http, '/open', visitor))
        .post('/open', ({ request, visitor }) => useLink(http, '/open', visitor, request))
        .get('/email', ({ visitor }) => openEmailLink(http, visitor))
        .post('/email', ({ request, visitor }) => useEmailLink(http, request, visitor))
        .post('/news', ({ request, visitor }) => subscribe(http, request, visitor))
        .get('/news/confirm', ({ visitor }) => openConfirmation(http, visitor))
        .post('/news/confirm', ({ request, visitor }) => confirmAddress(http, request, visitor))
        .get('/forgot', ({ visitor }) => openRequest(http, '/forgot', visitor))
        .post('/forgot', ({ request, visitor }) => sendRequested(http, '/forgot', visitor, request))
        .get('/sign-up', ({ visitor }) => openRequest(http, '/sign-up', visitor))
        .post('/sign-up', ({ request, visitor }) => sendRequested(http, '/sign-up', visitor, request))
        .get('/claim', ({ request, visitor }) => showClaim(http, request, visitor))
        .post('/claim', ({ request, visitor }) => claimLink(http, request, visitor))
        .post('/claim/account', ({ request, visitor }) => joinAndClaim(http, request, visitor))
        .post('/claim/add', ({ request, visitor }) => claimPurchase(http, request, visitor))
        .post('/claim/present', ({ request, visitor }) => givePurchase(http, request, visitor))
        .post('/claim/mail', ({ request, visitor }) => sendClaimMail(http, request, visitor))
        .get('/claim/:provider', ({ params, query }) => takeBuyer(http, params.provider, query['id'] ?? ''))
        .get('/redeem', ({ request, visitor }) => showRedeem(http, request, visitor))
        .post('/redeem', ({ request, visitor }) => redeem(http, request, visitor))
        .post('/redeem/account', ({ request, visitor }) => joinAndRedeem(http, request, visitor)),
    );
