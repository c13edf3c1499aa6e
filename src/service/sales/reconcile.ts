import { DAY, HOUR } from '../../duration.ts';
import type { Log } from '../../log.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import { HistoryError, listHistory } from '../../providers/history.ts';
import { messageOf } from '../../refusal.ts';
import type { SalesConfig } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';

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
export type ReconcileRequest = {
  readonly provider?: PaymentProvider | null;
  readonly since?: number | null;
  readonly isDry?: boolean;
};

/** Asks the providers that have a key for their sales, and adds the events that never arrived. */
export function createReconcile(
  config: Pick<SalesConfig, 'apis' | 'secrets'>,
  store: Store,
  now: () => number,
) {
  const ask = async (
    provider: PaymentProvider,
    since: number | null,
    isDry: boolean,
  ): Promise<Reconciled> => {
    const api = config.apis[provider];
    let [found, added] = [0, 0];
    const orders = new Set<number>();
    const end = (problem: string | null): Reconciled => ({
      provider,
      found,
      added,
      orders: orders.size,
      problem,
    });
    if (api === null) return end('no key of its API is set');
    const began = now();
    // Not the newest event alone: after days without deliveries one may arrive before this.
    const known = (await store.findComparison(provider)) ?? (await store.findNewestEvent(provider)) ?? began;
    const mode = modeOf(provider, config);
    try {
      for await (const events of listHistory(provider, api, since ?? known - OVERLAP, { now })) {
        found += events.length;
        for (const { id, body } of events) {
          if (store.hasSaleEvent(provider, id)) continue;
          added += 1;
          if (isDry) continue;
          const text = new TextEncoder().encode(JSON.stringify(body));
          const event = {
            provider,
            mode,
            origin: 'api',
            body: text,
            eventId: id,
            at: now(),
          } as const;
          const { orderIds } = await store.write('addSaleEvent', event);
          orderIds.forEach((order) => orders.add(order));
        }
      }
      if (since === null && !isDry) await store.write('noteComparison', { provider, at: began });
      return end(null);
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      return end(error.message);
    }
  };
  return async ({ provider = null, since = null, isDry = false }: ReconcileRequest = {}) => {
    const asked = PAYMENT_PROVIDERS.filter((one) =>
      provider === null ? config.apis[one] !== null : one === provider,
    );
    const results: Reconciled[] = [];
    for (const one of asked) results.push(await ask(one, since, isDry));
    return results;
  };
}

/** Polar's sandbox does not say in its answers that no money moved. */
function modeOf(provider: PaymentProvider, { apis, secrets }: Pick<SalesConfig, 'apis' | 'secrets'>) {
  const isSandbox = provider === 'polar' && new URL(apis.polar?.url ?? '').hostname.startsWith('sandbox');
  const isTest =
    provider !== 'gumroad' && secrets[provider].live.length === 0 && secrets[provider].test.length > 0;
  return isSandbox || isTest ? 'test' : 'live';
}

type Dependencies = {
  readonly config: SalesConfig;
  readonly store: Store;
  readonly wakeOutbox: () => void;
  readonly log: Log;
  readonly now: () => number;
};

/** Reconciles when the server starts and every six hours; does nothing without a key. */
export function startReconciling({ config, store, wakeOutbox, log, now }: Dependencies) {
  if (PAYMENT_PROVIDERS.every((provider) => config.apis[provider] === null))
    return { start() {}, close() {} };
  const reconcile = createReconcile(config, store, now);
  const run = async (): Promise<void> => {
    try {
      for (const { provider, added, problem } of await reconcile()) {
        const name = PROVIDER_NAMES[provider];
        if (problem !== null)
          log({ event: 'sale-reconcile', message: `Cannot compare with ${name}: ${problem}` });
        if (added > 0) log({ event: 'sale-reconcile', message: `${name} told of ${added} events more` });
        if (added > 0) wakeOutbox();
      }
    } catch (error) {
      log({ event: 'sale-reconcile', message: `Cannot compare sales: ${messageOf(error)}` });
    }
  };
  const timer = setInterval(() => void run(), EVERY);
  timer.unref();
  return {
    /** Starts the first comparison; call it once the product ids are stored. */
    start: (): void => void run(),
    close: (): void => clearInterval(timer),
  };
}
