import { createChangePassword } from '../../../src/service/account/change-password.ts';
import { createVerifyPassword } from '../../../src/service/account/verify-password.ts';
import { ensureSetup, type LinkAnswer, redeemLink } from '../../../src/service/links.ts';
import { createPasswords } from '../../../src/service/account/passwords.ts';
import { createSessions } from '../../../src/service/account/sessions.ts';
import { createThrottle } from '../../../src/service/account/throttle.ts';
import type { LogEntry } from '../../../src/log.ts';
import { openAdmin } from '../admin/admin-services.ts';

export const ORIGIN = 'https://stall.example.org';
export const EMAIL = 'anna@example.org';
export const PASSWORD = 'four grey herons wade';
export const HERE = '203.0.113.7';

/** The use cases of the site's door over a real database, with a clock that only the test moves, and an account with a password. */
export async function openSignInServices() {
  const admin = await openAdmin();
  const { store, accounts, now, directory: dataDirectory } = admin;
  const log: LogEntry[] = [];
  const passwords = createPasswords(store, () => 'The Heron Stall');
  const throttle = createThrottle(now);
  const kept = { store, now, config: { data: dataDirectory } };
  const links = { ...admin.links, ensureSetup: (origin: string) => ensureSetup(kept, origin) };
  const verifyPassword = createVerifyPassword({
    store,
    passwords,
    throttle,
    log: (entry) => log.push(entry),
  });
  const sessions = createSessions({ store, passwords, verifyPassword, now });
  const changePassword = createChangePassword({ store, passwords, verifyPassword, now });
  const use = (secret: string, answer: LinkAnswer) => redeemLink(kept, passwords, secret, answer);

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
    changePassword,
    use,
    join,
    signIn,
    first,
  };
}

export function secretOf(url: string): string {
  return url.slice(url.indexOf('#') + 1);
}
