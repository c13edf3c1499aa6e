import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import { createLinkUse } from './redeem-link.ts';
import type { Office } from '../admin/admin-services.ts';
import { createPasswords } from './passwords.ts';
import { createSessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';

type Setting = {
  readonly store: Store;
  readonly office: Office;
  readonly dataDirectory: string;
  readonly origin: () => string;
  readonly stallName: () => string;
  readonly log: Log;
  readonly now: () => number;
};

/** What people come to the site's door with: passwords, sessions, one-time links. */
export function createFrontDesk({ store, office, dataDirectory, origin, stallName, log, now }: Setting) {
  const passwords = createPasswords(store, stallName, now);
  const throttle = createThrottle(() => performance.now());
  const { links } = office;
  return {
    passwords,
    sessions: createSessions({ store, passwords, throttle, log, now }),
    links: {
      ...links,
      create: (email: string, purpose: 'invite' | 'reset') => links.create(email, purpose, origin()),
      ensureSetup: () => links.ensureSetup(origin()),
      use: createLinkUse({ store, links, passwords, dataDirectory, now }),
    },
  };
}
