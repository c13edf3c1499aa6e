import type { Principal, SessionPrincipal } from '../../../access/principal.ts';
import { endThisSession } from '../../../service/sessions.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';

/**
 * Ends this session and clears the browser's cache (ASVS 14.3.1), but no cookie except our own: "cookies" would also clear
 * those of every other host of the registered domain (https://www.w3.org/TR/clear-site-data/#clear-cookies).
 */
export async function signOut({ stall, cookie }: RouteDeps, visitor: Exclude<Principal, { kind: 'account' }> | SessionPrincipal): Promise<Response> {
  if (visitor.kind === 'account') await endThisSession(stall, visitor);
  return redirect('/', { 'Set-Cookie': cookie.drop(), 'Clear-Site-Data': '"cache"' });
}
