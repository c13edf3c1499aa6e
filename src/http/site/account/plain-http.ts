import { Refusal } from '../../../refusal.ts';
import type { SessionCookie } from '../../session-cookie.ts';

/** Why nobody signs in where others on the way could read the password and the cookie would not be taken back. */
export const OVER_PLAIN_HTTP =
  'Cannot sign in over plain http from another machine: open the stall by https, or have it started with --insecure-http';

/** Refuses a form with a password, before anything of it is used, where no session could follow. */
export function refusePlainHttp(cookie: SessionCookie): void {
  if (cookie.mode() === 'refused') throw new Refusal('access-denied', OVER_PLAIN_HTTP);
}
