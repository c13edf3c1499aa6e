import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import { createChangePassword } from './change-password.ts';
import { type LinkAnswer, redeemLink } from '../links.ts';
import type { Passwords } from './passwords.ts';
import { createSessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';
import { createVerifyPassword } from './verify-password.ts';

type Dependencies = {
  readonly store: Store;
  readonly dataDirectory: string;
  readonly passwords: Passwords;
  readonly log: Log;
  readonly now: () => number;
};

export type SignInServices = ReturnType<typeof createSignInServices>;

/** The services of signing in: passwords, sessions and one-time links. */
export function createSignInServices({ store, dataDirectory, passwords, log, now }: Dependencies) {
  const throttle = createThrottle(() => performance.now());
  const verifyPassword = createVerifyPassword({ store, passwords, throttle, log });
  return {
    passwords,
    sessions: createSessions({ store, passwords, verifyPassword, now }),
    changePassword: createChangePassword({ store, passwords, verifyPassword, now }),
    /** Sets a password by a one-time link, and signs in; see `redeemLink`. */
    useLink: (secret: string, answer: LinkAnswer) =>
      redeemLink({ store, now, config: { data: dataDirectory } }, passwords, secret, answer),
  };
}
