import type { Actor } from '../../access/actor.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import type { Links } from './links.ts';
import { createChangePassword } from './change-password.ts';
import { createPasswords } from './passwords.ts';
import { createRedeemLink } from './redeem-link.ts';
import { createSessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';
import { createVerifyPassword } from './verify-password.ts';

type Dependencies = {
  readonly store: Store;
  readonly linksBy: (actor: Actor) => Links;
  readonly dataDirectory: string;
  readonly origin: () => string;
  readonly stallName: () => string;
  readonly log: Log;
  readonly now: () => number;
};

export type SignInServices = ReturnType<typeof createSignInServices>;

/** The services of signing in: passwords, sessions and one-time links. */
export function createSignInServices({
  store,
  linksBy,
  dataDirectory,
  origin,
  stallName,
  log,
  now,
}: Dependencies) {
  const passwords = createPasswords(store, stallName);
  const throttle = createThrottle(() => performance.now());
  const verifyPassword = createVerifyPassword({ store, passwords, throttle, log });
  const links = linksBy('command');
  return {
    passwords,
    sessions: createSessions({ store, passwords, verifyPassword, now }),
    changePassword: createChangePassword({ store, passwords, verifyPassword, now }),
    links: {
      ...links,
      create: (by: Actor, email: string, purpose: 'invite' | 'reset') =>
        linksBy(by).create(email, purpose, origin()),
      ensureSetup: () => links.ensureSetup(origin()),
      use: createRedeemLink({ store, links, passwords, dataDirectory, now }),
    },
  };
}
