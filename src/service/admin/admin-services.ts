import type { Actor } from '../../access/actor.ts';
import { isServed } from '../../store/lock/serve-lock.ts';
import type { Store } from '../../store/store.ts';
import { createEditionActs } from './edition-acts.ts';
import { createLogs } from './logs.ts';
import { createPersonalData } from '../account/personal-data.ts';
import { createCodes } from '../sales/codes.ts';
import { createClaimLinks } from '../sales/claim-links.ts';
import { createMails } from '../sales/mails.ts';
import { createHandOrders } from '../sales/hand-orders.ts';
import { createOrderImport } from '../sales/order-import.ts';
import { createReconcile, type ReconcileRequest } from '../sales/reconcile.ts';
import type { SalesConfig } from '../../sales-config.ts';
import { createOrders } from '../sales/orders.ts';
import { createReplays } from '../sales/replays.ts';

/** The owner's use cases, for the commands beside a server and for the office; `by` goes into the audit log. */
export function createAdminServices(store: Store, dataDirectory: string, by: Actor, now: () => number) {
  return {
    orders: createOrders(store, by, now),
    /** Asks the providers of a configuration for sales that did not arrive. */
    reconcile: (config: SalesConfig, request: ReconcileRequest) =>
      createReconcile(config, store, now)(request),
    importOrders: createOrderImport(store, by, now),
    replays: createReplays(store, by, now),
    linkToClaim: createClaimLinks(store, by, now),
    codes: createCodes(store, by, now),
    mails: createMails(store, by, now),
    addHandOrder: createHandOrders(store, by, now),
    editions: createEditionActs(store, dataDirectory, by, now),
    personalData: createPersonalData(store, by, now),
    logs: createLogs(store, () => isServed(dataDirectory)),
  };
}
