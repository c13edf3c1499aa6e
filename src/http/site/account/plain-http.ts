import type { SessionPrincipal } from '../../../access/principal.ts';
import type { SignedIn } from '../../../service/sessions.ts';
import { Refusal } from '../../../refusal.ts';
import type { SessionCookie } from '../../session-cookie.ts';

/** The reason why sign-in needs HTTPS: others could read the password, and browsers would not send the cookie back. */
export const OVER_PLAIN_HTTP =
  'Cannot sign in over plain http from another machine: open the stall over https, or start it with --insecure-http';

/** Refuses a form with a password before it is read any further, if no session could follow. */
export function refusePlainHttp(cookie: SessionCookie): void {
  if (cookie.mode() === 'refused') throw new Refusal('access-denied', OVER_PLAIN_HTTP);
}

/** Whoever has just signed in. */
export function toPrincipal({ session, account: { id, email, isOwner } }: SignedIn): SessionPrincipal {
  return { kind: 'account', accountId: id, email, keyId: null, sessionId: session.id, isOwner };
}
