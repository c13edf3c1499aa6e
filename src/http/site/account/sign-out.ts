import { Elysia } from 'elysia';
import { endThisSession } from '../../../service/sessions.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';

/**
 * `POST /sign-out`: ends this session and clears the browser's cache (ASVS 14.3.1), but no cookie except our own:
 * "cookies" would also clear those of every other host of the registered domain
 * (https://www.w3.org/TR/clear-site-data/#clear-cookies).
 */
export function signOut({ stall, identity, cookie }: RouteDeps) {
  return new Elysia().use(identity).post(
    '/sign-out',
    async ({ visitor }) => {
      if (visitor.kind === 'account') await endThisSession(stall, visitor);
      return redirect('/', { 'Set-Cookie': cookie.drop(), 'Clear-Site-Data': '"cache"' });
    },
    { visitorGuard: true, parse: 'none' },
  );
}
