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
import type { RouteDeps } from '../frame/route-deps.ts';
import { joinAndRedeem, redeem, showRedeem } from './redeem.tsx';
import { openLink, useLink } from './link.tsx';
import { openRequest, sendRequested } from './mail-request.tsx';
import { showSignIn, signIn, signOut } from './sign-in.tsx';
import { askToEndNews, endNewsByMail } from './unsubscribe.tsx';

const VISITOR = { visitorGuard: true } as const;
const VISITOR_FORM = { visitorGuard: true, parse: 'none' } as const;

/** How one comes to an account and to what one bought: sign-in, one-time links, purchases and codes. */
export function account(deps: RouteDeps) {
  return new Elysia()
    .use(deps.guards)
    .get('/sign-in', ({ query, visitor }) => showSignIn(deps, visitor, query['next'] ?? ''), VISITOR)
    .post('/sign-in', ({ request, visitor }) => signIn(deps, request, visitor), VISITOR_FORM)
    .post('/sign-out', ({ visitor }) => signOut(deps, visitor), VISITOR_FORM)
    .get('/set-up', ({ visitor }) => openLink(deps, '/set-up', visitor), VISITOR)
    .post('/set-up', ({ request, visitor }) => useLink(deps, '/set-up', visitor, request), VISITOR_FORM)
    .get('/invite', ({ visitor }) => openLink(deps, '/invite', visitor), VISITOR)
    .post('/invite', ({ request, visitor }) => useLink(deps, '/invite', visitor, request), VISITOR_FORM)
    .get('/reset', ({ visitor }) => openLink(deps, '/reset', visitor), VISITOR)
    .post('/reset', ({ request, visitor }) => useLink(deps, '/reset', visitor, request), VISITOR_FORM)
    .get('/open', ({ visitor }) => openLink(deps, '/open', visitor), VISITOR)
    .post('/open', ({ request, visitor }) => useLink(deps, '/open', visitor, request), VISITOR_FORM)
    .get('/forgot', ({ visitor }) => openRequest(deps, '/forgot', visitor), VISITOR)
    .post('/forgot', ({ request, visitor }) => sendRequested(deps, '/forgot', visitor, request), VISITOR_FORM)
    .get('/sign-up', ({ visitor }) => openRequest(deps, '/sign-up', visitor), VISITOR)
    .post(
      '/sign-up',
      ({ request, visitor }) => sendRequested(deps, '/sign-up', visitor, request),
      VISITOR_FORM,
    )
    .get('/unsubscribe/:secret', ({ params, principal }) => askToEndNews(deps, principal, params.secret), {
      openGuard: true,
    })
    .post('/unsubscribe/:secret', ({ params, principal }) => endNewsByMail(deps, principal, params.secret), {
      openGuard: true,
      parse: 'none',
    })
    .get('/claim', ({ request, visitor }) => showClaim(deps, request, visitor), VISITOR)
    .post('/claim', ({ request, visitor }) => claimLink(deps, request, visitor), VISITOR_FORM)
    .post('/claim/account', ({ request, visitor }) => joinAndClaim(deps, request, visitor), VISITOR_FORM)
    .post('/claim/add', ({ request, visitor }) => claimPurchase(deps, request, visitor), VISITOR_FORM)
    .post('/claim/present', ({ request, visitor }) => givePurchase(deps, request, visitor), VISITOR_FORM)
    .post('/claim/mail', ({ request, visitor }) => sendClaimMail(deps, request, visitor), VISITOR_FORM)
    .get(
      '/claim/:provider',
      ({ params, query }) => takeBuyer(deps, params.provider, query['id'] ?? ''),
      VISITOR,
    )
    .get('/redeem', ({ visitor }) => showRedeem(deps, visitor), VISITOR)
    .post('/redeem', ({ request, visitor }) => redeem(deps, request, visitor), VISITOR_FORM)
    .post('/redeem/account', ({ request, visitor }) => joinAndRedeem(deps, request, visitor), VISITOR_FORM);
}
