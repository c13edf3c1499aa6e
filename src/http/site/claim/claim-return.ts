import { Elysia } from 'elysia';
import { isPaymentProvider } from '../../../payment-provider.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { keepPurchase } from './claim-cookie.ts';

/** The longest id that a cookie keeps. */
const LONGEST = 300;

/** `GET /claim/<provider>?id=…`: a provider sends its buyers here. The id goes into a cookie, and the address is left at once. */
export function claimReturn({ service, identity, cookie }: RouteDeps) {
  return new Elysia().use(identity).get(
    '/claim/:provider',
    ({ params: { provider }, query }) => {
      const id = (query['id'] ?? '').trim();
      if (!isPaymentProvider(provider) || id === '' || id.length > LONGEST) return redirect('/claim', UNSEEN);
      const isSecure = cookie.mode() === 'secure';
      const kept = keepPurchase({ provider, id, since: service.stall.now() }, isSecure);
      return redirect('/claim', { ...UNSEEN, 'Set-Cookie': kept });
    },
    { visitorGuard: true },
  );
}

const UNSEEN = { 'Referrer-Policy': 'no-referrer' };
