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

// Each route gets a copy: Elysia writes the guard's hooks into the object it is given.
const VISITOR = { visitorGuard: true } as const;
const VISITOR_FORM = { visitorGuard: true, parse: 'none' } as const;

/** How one comes to an account and to what one bought: sign-in, one-time links, purchases and codes. */
export function account(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/sign-in', ({ query, visitor }) => showSignIn(http, visitor, query['next'] ?? ''), { ...VISITOR })
    .post('/sign-in', ({ request, visitor }) => signIn(http, request, visitor), { ...VISITOR_FORM })
    .post('/sign-out', ({ visitor }) => signOut(http, visitor), { ...VISITOR_FORM })
    .get('/set-up', ({ visitor }) => openLink(http, '/set-up', visitor), { ...VISITOR })
    .post('/set-up', ({ request, visitor }) => useLink(http, '/set-up', visitor, request), {
      ...VISITOR_FORM,
    })
    .get('/invite', ({ visitor }) => openLink(http, '/invite', visitor), { ...VISITOR })
    .post('/invite', ({ request, visitor }) => useLink(http, '/invite', visitor, request), {
      ...VISITOR_FORM,
    })
    .get('/reset', ({ visitor }) => openLink(http, '/reset', visitor), { ...VISITOR })
    .post('/reset', ({ request, visitor }) => useLink(http, '/reset', visitor, request), { ...VISITOR_FORM })
    .get('/open', ({ visitor }) => openLink(http, '/open', visitor), { ...VISITOR })
    .post('/open', ({ request, visitor }) => useLink(http, '/open', visitor, request), { ...VISITOR_FORM })
    .get('/forgot', ({ visitor }) => openRequest(http, '/forgot', visitor), { ...VISITOR })
    .post('/forgot', ({ request, visitor }) => sendRequested(http, '/forgot', visitor, request), {
      ...VISITOR_FORM,
    })
    .get('/sign-up', ({ visitor }) => openRequest(http, '/sign-up', visitor), { ...VISITOR })
    .post('/sign-up', ({ request, visitor }) => sendRequested(http, '/sign-up', visitor, request), {
      ...VISITOR_FORM,
    })
    .get('/unsubscribe/:secret', ({ params, principal }) => askToEndNews(http, principal, params.secret), {
      openGuard: true,
    })
    .post('/unsubscribe/:secret', ({ params, principal }) => endNewsByMail(http, principal, params.secret), {
      openGuard: true,
      parse: 'none',
    })
    .get('/claim', ({ request, visitor }) => showClaim(http, request, visitor), { ...VISITOR })
    .post('/claim', ({ request, visitor }) => claimLink(http, request, visitor), { ...VISITOR_FORM })
    .post('/claim/account', ({ request, visitor }) => joinAndClaim(http, request, visitor), {
      ...VISITOR_FORM,
    })
    .post('/claim/add', ({ request, visitor }) => claimPurchase(http, request, visitor), { ...VISITOR_FORM })
    .post('/claim/present', ({ request, visitor }) => givePurchase(http, request, visitor), {
      ...VISITOR_FORM,
    })
    .post('/claim/mail', ({ request, visitor }) => sendClaimMail(http, request, visitor), { ...VISITOR_FORM })
    .get('/claim/:provider', ({ params, query }) => takeBuyer(http, params.provider, query['id'] ?? ''), {
      ...VISITOR,
    })
    .get('/redeem', ({ visitor }) => showRedeem(http, visitor), { ...VISITOR })
    .post('/redeem', ({ request, visitor }) => redeem(http, request, visitor), { ...VISITOR_FORM })
    .post('/redeem/account', ({ request, visitor }) => joinAndRedeem(http, request, visitor), {
      ...VISITOR_FORM,
    });
}
