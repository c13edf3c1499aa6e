import { isServed } from '../store/serve-lock.ts';
import type { Store } from '../store/store.ts';
import { createAccounts } from './accounts.ts';
import { createGrants } from './grants.ts';
import { createKeys } from './keys.ts';
import { createLinks } from './links.ts';
import { createLogs } from './logs.ts';
import { createPersonalData } from './personal-data.ts';

export type Office = ReturnType<typeof createOffice>;

/** The use cases of the one who runs the stall: those of the commands beside a server, and of the site's office. */
export function createOffice(store: Store, dataDirectory: string, now: () => number) {
  const accounts = createAccounts(store, now);
  return {
    accounts,
    keys: createKeys(store, accounts, now),
    grants: createGrants(store, accounts, now),
    links: createLinks(store, accounts, dataDirectory, now),
    personalData: createPersonalData(store, accounts),
    logs: createLogs(store, accounts, () => isServed(dataDirectory)),
  };
}
