import { createHash, timingSafeEqual } from 'node:crypto';
import type { Log } from '../../log.ts';
import { isPaymentProvider, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import { Refusal } from '../../refusal.ts';
import type { Delivery, SaleProvider } from '../../sales/provider.ts';
import { SALE_PROVIDERS } from '../../sales/providers.ts';
import { isSigning, type SalesConfig, type WebhookSecrets } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../access.ts';

type Dependencies = {
  readonly config: SalesConfig;
  readonly store: Store;
  readonly wakeOutbox: () => void;
  /** Asks the provider about waiting events. */
  readonly askSoon: () => void;
  readonly log: Log;
  readonly now: () => number;
};

/** A provider whose deliveries can be verified here. */
type Webhook = {
  /** Stores a delivery and updates its order. Refuses unauthenticated if no secret signed it within five minutes of now. */
  readonly take: (delivery: Delivery) => Promise<void>;
};

/** Receives the deliveries of payment providers. A verified delivery is one write, and is answered once that is on disk. */
export function createDeliveries({ config, store, wakeOutbox, askSoon, log, now }: Dependencies) {
  const keep = async (name: PaymentProvider, mode: 'live' | 'test', delivery: Delivery, at: number) => {
    const { state, reason, orderIds } = await store.write('addSaleEvent', {
      provider: name,
      mode,
      origin: 'webhook',
      body: delivery.body,
      eventId: SALE_PROVIDERS[name]?.eventIdOf(delivery) ?? null,
      canAsk: config.apis[name] !== null,
      at,
    });
    if (state === 'waiting') askSoon();
    wakeOutbox();
    const orders = orderIds.length;
    if (state !== 'failed')
      log({ event: 'sale', message: `An event of ${PROVIDER_NAMES[name]}`, state, reason, orders });
    else
      log({
        event: 'sale-failed',
        message: `Cannot fold an event of ${PROVIDER_NAMES[name]}: ${reason}; it is tried again every hour`,
      });
  };
  const open = (name: PaymentProvider, provider: SaleProvider, secrets: WebhookSecrets): Webhook => ({
    async take(delivery) {
      const at = now();
      const mode = findMode(provider, delivery, secrets, at);
      if (mode === null) throw unverified(name);
      await keep(name, mode, delivery, at);
    },
  });
  /** The webhook of a provider; `ping` is the part of the address after its name. Refuses not-found for a provider that is not set up, and for a wrong ping. */
  return (name: string, ping: string | null = null): Webhook => {
    if (name === 'gumroad' && config.isOn && isPing(config.gumroadPing, ping))
      return { take: (delivery) => keep('gumroad', 'live', delivery, now()) };
    const provider = isPaymentProvider(name) ? SALE_PROVIDERS[name] : undefined;
    if (provider === undefined || ping !== null || !isSigning(name)) throw notFound(name);
    const secrets = config.secrets[name];
    if (!config.isOn || secrets.live.length + secrets.test.length === 0) throw notSetUp(name);
    return open(name, provider, secrets);
  };
}

/** Whether the last part of the address is the secret; compared whole, in constant time. */
function isPing(secret: string | null, ping: string | null): boolean {
  if (secret === null || ping === null) return false;
  const [expected, given] = [secret, ping].map((text) => createHash('sha256').update(text).digest());
  return expected !== undefined && given !== undefined && timingSafeEqual(expected, given);
}

function findMode(
  provider: SaleProvider,
  delivery: Delivery,
  { live, test }: WebhookSecrets,
  at: number,
): 'live' | 'test' | null {
  if (live.length > 0 && provider.verify(delivery, live, at)) return 'live';
  return test.length > 0 && provider.verify(delivery, test, at) ? 'test' : null;
}

function notSetUp(name: PaymentProvider): Refusal {
  return new Refusal(
    'not-found',
    `Cannot take this delivery: sales of ${PROVIDER_NAMES[name]} are not set up here; "bookstall sell check" says what is missing`,
  );
}

function unverified(name: PaymentProvider): Refusal {
  return new Refusal(
    'unauthenticated',
    `Cannot take this delivery: no secret of ${PROVIDER_NAMES[name]} signed these bytes within five minutes of now; check the secret, and the clock`,
  );
}
