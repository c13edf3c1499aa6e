import type { SessionPrincipal } from '../../access/principal.ts';
import type { Store } from '../../store/store.ts';
import type { Passwords } from './passwords.ts';
import { mintRow, signedIn, type SignedIn } from './sessions.ts';
import { passwordChanged, type VerifyPassword } from './verify-password.ts';

type Dependencies = {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly verifyPassword: VerifyPassword;
  readonly now: () => number;
};

const WRONG = 'Cannot change the password: the current one is wrong; type it again';

/**
 * Sets a new password if `current` is right, under the same throttle as a sign-in. Ends every session of the account, uses
 * up its links, and begins a new session for the browser that asked. A forgotten password is set by `redeemLink`.
 */
export function createChangePassword({ store, passwords, verifyPassword, now }: Dependencies) {
  return async (
    { accountId, email, sessionId }: SessionPrincipal,
    current: string,
    next: string,
    address: string,
  ): Promise<SignedIn> => {
    const credentials = await verifyPassword({ email, password: current, address }, WRONG);
    const to = await passwords.hash(next, email);
    const userAgent = (await store.findSession(sessionId))?.userAgent ?? null;
    const { cookie, row } = mintRow(accountId, userAgent, now());
    const from = credentials.passwordHash ?? '';
    if (!(await store.write('changePassword', { accountId, from, to, session: row, at: now() })))
      throw passwordChanged();
    return signedIn(cookie, row, credentials);
  };
}
