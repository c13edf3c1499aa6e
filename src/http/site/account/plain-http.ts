import { Refusal } from '../../../refusal.ts';
import type { SessionCookie } from '../../session-cookie.ts';

/** The reason why sign-in needs HTTPS: others could read the password, and browsers would not send the cookie back. */
export const OVER_PLAIN_HTTP =
  'Cannot sign in over plain http from another machine: open the stall over https, or start it with --insecure-http';

/** Refuses a form with a password before it is read any further, if no session could follow. */
export function refusePlainHttp(cookie: SessionCookie): void {
  if (cookie.mode() === 'refused') throw new Refusal('access-denied', OVER_PLAIN_HTTP);
}
