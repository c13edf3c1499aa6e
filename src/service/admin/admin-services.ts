import type { Actor } from '../../access/actor.ts';
import { isServed } from '../../store/lock/serve-lock.ts';
import type { Store } from '../../store/store.ts';
import { createEditionActs } from './edition-acts.ts';
import { createLogs } from './logs.ts';
import { createPersonalData } from '../account/personal-data.ts';

/** The owner's use cases, for the commands beside a server and for the office; `by` goes into the audit log. */
export function createAdminServices(store: Store, dataDirectory: string, by: Actor, now: () => number) {
  return {
    editions: createEditionActs(store, dataDirectory, by, now),
    personalData: createPersonalData(store, by, now),
    logs: createLogs(store, () => isServed(dataDirectory)),
  };
}
