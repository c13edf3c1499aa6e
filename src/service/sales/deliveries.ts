import type { Log } from '../../log.ts';
import { isPaymentProvider, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import { Refusal } from '../../refusal.ts';
import type { Delivery, SaleProvider } from '../../sales/provider.ts';
import { SALE_PROVIDERS } from '../../sales/providers.ts';
import type { SalesConfig, WebhookSecrets } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../access.ts';

type Dependencies = {
  readonly config: SalesConfig;
  readonly store: Store;
  readonly wakeOutbox: () => void;
  readonly log: Log;
  readonly now: () => number;
};

/** A provider whose deliveries can be verified here. */
export type SaleDoor = {
  /** Stores a delivery and folds its order. Refused with `unauthenticated` if nobody who knows a secret sent it just now. */
  readonly take: (delivery: Delivery) => Promise<void>;
};

/** The use case of a provider's webhook: a verified delivery is one write, and answered once that is on disk. */
export function createDeliveries({ config, store, wakeOutbox, log, now }: Dependencies) {
  const openDoor = (name: PaymentProvider, provider: SaleProvider, secrets: WebhookSecrets): SaleDoor => ({
    async take(delivery) {
      const at = now();
      const mode = findMode(provider, delivery, secrets, at);
      if (mode === null) throw unverified(name);
      const { state, reason, orderIds } = await store.write('addSaleEvent', {
        provider: name,
        mode,
        origin: 'webhook',
        body: delivery.body,
        eventId: provider.eventIdOf(delivery),
        at,
      });
      wakeOutbox();
      if (state === 'failed')
        log({
          event: 'sale-failed',
          message: `Cannot fold an event of ${PROVIDER_NAMES[name]}: ${reason}; it is tried again every hour`,
        });
      else
        log({
          event: 'sale',
          message: `An event of ${PROVIDER_NAMES[name]}`,
          state,
          reason,
          orders: orderIds.length,
        });
    },
  });
  /** The door of a provider's name; refused with `not-found` for one that is not set up. */
  return (name: string): SaleDoor => {
    const provider = isPaymentProvider(name) ? SALE_PROVIDERS[name] : undefined;
    if (provider === undefined || !config.isOn || !isSigning(name)) throw notFound(name);
    const secrets = config.secrets[name];
    if (secrets.live.length + secrets.test.length === 0) throw notFound(name);
    return openDoor(name, provider, secrets);
  };
}

const isSigning = (name: string): name is keyof SalesConfig['secrets'] =>
  name === 'stripe' || name === 'polar' || name === 'lemonsqueezy';

function findMode(
  provider: SaleProvider,
  delivery: Delivery,
  { live, test }: WebhookSecrets,
  at: number,
): 'live' | 'test' | null {
  if (live.length > 0 && provider.verify(delivery, live, at)) return 'live';
  return test.length > 0 && provider.verify(delivery, test, at) ? 'test' : null;
}

function unverified(name: PaymentProvider): Refusal {
  return new Refusal(
    'unauthenticated',
    `Cannot take this delivery: no secret of ${PROVIDER_NAMES[name]} signed these bytes within five minutes of now; check the secret, and the clock`,
  );
}
