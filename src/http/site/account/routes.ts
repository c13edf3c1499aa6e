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

/** How one comes to an account and to what one bought: sign-in, one-time links, purchases and codes. */
export function account(deps: RouteDeps) {
  return new Elysia()
    .use(deps.guards)
    .get('/sign-in', ({ query, visitor }) => showSignIn(deps, visitor, query['next'] ?? ''), {
      visitorGuard: true,
    })
    .post('/sign-in', ({ request, visitor }) => signIn(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .post('/sign-out', ({ visitor }) => signOut(deps, visitor), { visitorGuard: true, parse: 'none' })
    .get('/set-up', ({ visitor }) => openLink(deps, '/set-up', visitor), { visitorGuard: true })
    .post('/set-up', ({ request, visitor }) => useLink(deps, '/set-up', visitor, request), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/invite', ({ visitor }) => openLink(deps, '/invite', visitor), { visitorGuard: true })
    .post('/invite', ({ request, visitor }) => useLink(deps, '/invite', visitor, request), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/reset', ({ visitor }) => openLink(deps, '/reset', visitor), { visitorGuard: true })
    .post('/reset', ({ request, visitor }) => useLink(deps, '/reset', visitor, request), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/open', ({ visitor }) => openLink(deps, '/open', visitor), { visitorGuard: true })
    .post('/open', ({ request, visitor }) => useLink(deps, '/open', visitor, request), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/forgot', ({ visitor }) => openRequest(deps, '/forgot', visitor), { visitorGuard: true })
    .post('/forgot', ({ request, visitor }) => sendRequested(deps, '/forgot', visitor, request), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/sign-up', ({ visitor }) => openRequest(deps, '/sign-up', visitor), { visitorGuard: true })
    .post('/sign-up', ({ request, visitor }) => sendRequested(deps, '/sign-up', visitor, request), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/unsubscribe/:secret', ({ params, principal }) => askToEndNews(deps, principal, params.secret), {
      openGuard: true,
    })
    .post('/unsubscribe/:secret', ({ params, principal }) => endNewsByMail(deps, principal, params.secret), {
      openGuard: true,
      parse: 'none',
    })
    .get('/claim', ({ request, visitor }) => showClaim(deps, request, visitor), { visitorGuard: true })
    .post('/claim', ({ request, visitor }) => claimLink(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .post('/claim/account', ({ request, visitor }) => joinAndClaim(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .post('/claim/add', ({ request, visitor }) => claimPurchase(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .post('/claim/present', ({ request, visitor }) => givePurchase(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .post('/claim/mail', ({ request, visitor }) => sendClaimMail(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .get('/claim/:provider', ({ params, query }) => takeBuyer(deps, params.provider, query['id'] ?? ''), {
      visitorGuard: true,
    })
    .get('/redeem', ({ visitor }) => showRedeem(deps, visitor), { visitorGuard: true })
    .post('/redeem', ({ request, visitor }) => redeem(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    })
    .post('/redeem/account', ({ request, visitor }) => joinAndRedeem(deps, request, visitor), {
      visitorGuard: true,
      parse: 'none',
    });
}
