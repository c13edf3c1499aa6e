import { DAY, HOUR } from '../duration.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { HistoryError, listHistory } from '../providers/history.ts';
import type { SalesConfig } from '../config/sales.ts';
import { startChore } from './chore.ts';
import type { Records, Stall } from './stall.ts';

/** How far before the newest event a comparison begins, and how often the server makes one, in milliseconds. */
const OVERLAP = 2 * DAY;
const EVERY = 6 * HOUR;

/**
 * The result for one provider: the events it listed, those that were missing, the orders they changed, and why it
 * stopped early.
 */
type Reconciled = {
  readonly provider: PaymentProvider;
  readonly found: number;
  readonly added: number;
  readonly orders: number;
  readonly problem: string | null;
};

/** The providers to ask, and since when; null begins two days before the last complete comparison, at first before the newest event. A dry run changes nothing. */
type ReconcileRequest = {
  readonly provider?: PaymentProvider | null;
  readonly since?: number | null;
  readonly isDry?: boolean;
};

/** Asks the providers that have a key for their sales, and adds the events that never arrived. */
export async function reconcile(
  stall: Records,
  sales: SalesConfig,
  { provider = null, since = null, isDry = false }: ReconcileRequest = {},
): Promise<readonly Reconciled[]> {
  const asked = PAYMENT_PROVIDERS.filter((one) =>
    provider === null ? sales.apis[one] !== null : one === provider,
  );
  const results: Reconciled[] = [];
  for (const one of asked) results.push(await compare(stall, sales, one, since, isDry));
  return results;
}

async function compare(
  { store, now }: Records,
  sales: SalesConfig,
  provider: PaymentProvider,
  since: number | null,
  isDry: boolean,
): Promise<Reconciled> {
  const api = sales.apis[provider];
  let [found, added] = [0, 0];
  const orders = new Set<number>();
  const end = (problem: string | null) => ({ provider, found, added, orders: orders.size, problem });
  if (api === null) return end('no key of its API is set');
  const began = now();
  // Not the newest event alone: after days without deliveries one may arrive before this.
  const known = (await store.findComparison(provider)) ?? (await store.findNewestEvent(provider)) ?? began;
  const mode = modeOf(provider, sales);
  try {
    for await (const events of listHistory(provider, api, since ?? known - OVERLAP, { now })) {
      found += events.length;
      for (const { id, body: told } of events) {
        if (store.hasSaleEvent(provider, id)) continue;
        added += 1;
        if (isDry) continue;
        const body = new TextEncoder().encode(JSON.stringify(told));
        const event = { provider, mode, origin: 'api', body, eventId: id, at: now() } as const;
        const { orderIds } = await store.write.addSaleEvent(event);
        orderIds.forEach((order) => orders.add(order));
      }
    }
    if (since === null && !isDry) await store.write.noteComparison({ provider, at: began });
    return end(null);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return end(error.message);
  }
}

/** Polar's sandbox does not say in its answers that no money moved. */
function modeOf(provider: PaymentProvider, { apis, secrets }: SalesConfig) {
  const isSandbox = provider === 'polar' && new URL(apis.polar?.url ?? '').hostname.startsWith('sandbox');
  const isTest =
    provider !== 'gumroad' && secrets[provider].live.length === 0 && secrets[provider].test.length > 0;
  return isSandbox || isTest ? 'test' : 'live';
}

/** Reconciles every six hours and when `run` is called: at the start, once the product ids are stored. Does nothing without a key. */
export function startReconciling(stall: Stall) {
  const { config, outbox, log } = stall;
  const run = async (): Promise<void> => {
    for (const { provider, added, problem } of await reconcile(stall, config.sales)) {
      const name = PROVIDER_NAMES[provider];
      if (problem !== null)
        log({ event: 'sale-reconcile', message: `Cannot compare with ${name}: ${problem}` });
      if (added === 0) continue;
      log({ event: 'sale-reconcile', message: `${name} told of ${added} events more` });
      outbox.wake();
    }
  };
  return startChore(EVERY, run, (reason) =>
    log({ event: 'sale-reconcile', message: `Cannot compare sales: ${reason}` }),
  );
}
