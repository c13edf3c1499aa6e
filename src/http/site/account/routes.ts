import { Elysia } from 'elysia';
import {
  claimLink,
  claimPurchase,
  givePurchase,
  joinAndClaim,
  sendClaimMail,
  showClaim,
  takeBuyer,
} from './claim.tsx';
import type { Http } from '../../http.ts';
import { joinAndRedeem, redeem, showRedeem } from './redeem.tsx';
import { openLink, useLink } from './link.tsx';
import { openRequest, sendRequested } from './mail-request.tsx';
import { showSignIn, signIn, signOut } from './sign-in.tsx';
import { askToEndNews, endNewsByMail } from './unsubscribe.tsx';

/** How one comes to an account and to what one bought: sign-in, one-time links, purchases and codes. */
export function account(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/sign-in', ({ query, visitor }) => showSignIn(http, visitor, query['next'] ?? ''), {
      visitor: true,
    })
    .post('/sign-in', ({ request, visitor }) => signIn(http, request, visitor), { visitor: true })
    .post('/sign-out', ({ visitor }) => signOut(http, visitor), { visitor: true })
    .get('/set-up', ({ visitor }) => openLink(http, '/set-up', visitor), { visitor: true })
    .post('/set-up', ({ request, visitor }) => useLink(http, '/set-up', visitor, request), { visitor: true })
    .get('/invite', ({ visitor }) => openLink(http, '/invite', visitor), { visitor: true })
    .post('/invite', ({ request, visitor }) => useLink(http, '/invite', visitor, request), { visitor: true })
    .get('/reset', ({ visitor }) => openLink(http, '/reset', visitor), { visitor: true })
    .post('/reset', ({ request, visitor }) => useLink(http, '/reset', visitor, request), { visitor: true })
    .get('/open', ({ visitor }) => openLink(http, '/open', visitor), { visitor: true })
    .post('/open', ({ request, visitor }) => useLink(http, '/open', visitor, request), { visitor: true })
    .get('/forgot', ({ visitor }) => openRequest(http, '/forgot', visitor), { visitor: true })
    .post('/forgot', ({ request, visitor }) => sendRequested(http, '/forgot', visitor, request), {
      visitor: true,
    })
    .get('/sign-up', ({ visitor }) => openRequest(http, '/sign-up', visitor), { visitor: true })
    .post('/sign-up', ({ request, visitor }) => sendRequested(http, '/sign-up', visitor, request), {
      visitor: true,
    })
    .get('/unsubscribe/:secret', ({ params, principal }) => askToEndNews(http, principal, params.secret), {
      open: true,
    })
    .post('/unsubscribe/:secret', ({ params, principal }) => endNewsByMail(http, principal, params.secret), {
      open: true,
    })
    .get('/claim', ({ request, visitor }) => showClaim(http, request, visitor), { visitor: true })
    .post('/claim', ({ request, visitor }) => claimLink(http, request, visitor), { visitor: true })
    .post('/claim/account', ({ request, visitor }) => joinAndClaim(http, request, visitor), { visitor: true })
    .post('/claim/add', ({ request, visitor }) => claimPurchase(http, request, visitor), { visitor: true })
    .post('/claim/present', ({ request, visitor }) => givePurchase(http, request, visitor), { visitor: true })
    .post('/claim/mail', ({ request, visitor }) => sendClaimMail(http, request, visitor), { visitor: true })
    .get('/claim/:provider', ({ params, query }) => takeBuyer(http, params.provider, query['id'] ?? ''), {
      visitor: true,
    })
    .get('/redeem', ({ visitor }) => showRedeem(http, visitor), { visitor: true })
    .post('/redeem', ({ request, visitor }) => redeem(http, request, visitor), { visitor: true })
    .post('/redeem/account', ({ request, visitor }) => joinAndRedeem(http, request, visitor), {
      visitor: true,
    });
}
