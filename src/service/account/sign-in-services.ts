import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import { createRedeemLink } from './redeem-link.ts';
import type { AdminServices } from '../admin/admin-services.ts';
import { createPasswords } from './passwords.ts';
import { createSessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';

type Dependencies = {
  readonly store: Store;
  readonly admin: AdminServices;
  readonly dataDirectory: string;
  readonly origin: () => string;
  readonly stallName: () => string;
  readonly log: Log;
  readonly now: () => number;
};

/** What people come to the site's door with: passwords, sessions, one-time links. */
export function createSignInServices({
  store,
  admin,
  dataDirectory,
  origin,
  stallName,
  log,
  now,
}: Dependencies) {
  const passwords = createPasswords(store, stallName, now);
  const throttle = createThrottle(() => performance.now());
  const { links } = admin;
  return {
    passwords,
    sessions: createSessions({ store, passwords, throttle, log, now }),
    links: {
      ...links,
      create: (email: string, purpose: 'invite' | 'reset') => links.create(email, purpose, origin()),
      ensureSetup: () => links.ensureSetup(origin()),
      use: createRedeemLink({ store, links, passwords, dataDirectory, now }),
    },
  };
}
