import { parseCookie } from '../../src/accounts/session.rule.ts';
import type { SessionPrincipal } from '../../src/platform/base/principal.ts';
import type { Stall } from '../../src/office/stall.ts';
import { ensureSetup, type LinkAnswer, redeemLink } from '../../src/accounts/one-time-link.ts';
import { createPasswords } from '../../src/accounts/password.ts';
import {
  beginSession,
  createSessions,
  endSession,
  endSessions,
  endThisSession,
} from '../../src/accounts/session.ts';
import { changePassword } from '../../src/accounts/reader-proof.ts';
import { createThrottle } from '../../src/accounts/throttle.ts';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { openAdmin } from '../helpers/admin-services.ts';

export const ORIGIN = 'https://stall.example.org';
export const EMAIL = 'anna@example.org';
export const PASSWORD = 'four grey herons wade';
export const HERE = '203.0.113.7';

/** The use cases of the site's door over a real database, with a clock that only the test moves, and an account with a password. */
export async function openSignInServices() {
  const admin = await openAdmin();
  const { store, accounts, now, directory: dataDirectory } = admin;
  const log: LogEntry[] = [];
  const throttle = createThrottle(now);
  const passwords = createPasswords(
    store,
    () => 'The Heron Stall',
    (entry) => log.push(entry),
    throttle,
  );
  const kept = {
    store,
    now,
    passwords,
    config: { data: dataDirectory, proxySignIn: null },
  } as unknown as Stall;
  /** A new session by its cookie, with its account. */
  const seen = async (cookie: string) => {
    const holder = store.findSession(parseCookie(cookie)!.id);
    const { secretHash: _, accountDisabledAt: __, isByProxy: ___, email, isOwner, ...session } = holder!;
    return { cookie, session, account: { id: session.accountId, email, isOwner: isOwner === 1 } };
  };
  const links = { ...admin.links, ensureSetup: (origin: string) => ensureSetup(kept, origin) };
  const sessions = {
    ...createSessions(kept),
    signIn: (request: Parameters<typeof beginSession>[1]) => beginSession(kept, request).then(seen),
    end: (accountId: string, id: string) => endSession(kept, accountId, id),
    signOut: (member: SessionPrincipal) => endThisSession(kept, member),
    endAll: (accountId: string, but?: string) => endSessions(kept, accountId, but),
  };
  const use = (secret: string, answer: LinkAnswer) => redeemLink(kept, secret, answer).then(seen);

  /** An account that set its password through an invite; the session of that is given. */
  const join = async (email: string, password = PASSWORD) => {
    await accounts.add(email);
    const { url } = await links.create(email, 'invite', ORIGIN);
    return use(secretOf(url), { password, userAgent: null });
  };
  const signIn = (password = PASSWORD, email = EMAIL, address = HERE) =>
    sessions.signIn({ email, password, address, userAgent: 'Test/1.0' });
  const first = await join(EMAIL);
  return {
    ...admin,
    dataDirectory,
    log,
    passwords,
    throttle,
    links,
    sessions,
    changePassword: (member: SessionPrincipal, current: string, next: string, address: string) =>
      changePassword(kept, member, { current, next, address, disconnects: true }).then(seen),
    use,
    join,
    signIn,
    first,
  };
}

export function secretOf(url: string): string {
  return url.slice(url.indexOf('#') + 1);
}
