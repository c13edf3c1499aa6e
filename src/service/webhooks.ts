import { createHash, timingSafeEqual } from 'node:crypto';
import { isPaymentProvider, type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { Refusal } from '../refusal.ts';
import type { Delivery, SaleProvider } from '../sales/provider.ts';
import { SALE_PROVIDERS } from '../sales/providers.ts';
import { isSigning, type WebhookSecrets } from '../sales-config.ts';
import { notFound } from './access.ts';
import type { Stall } from './stall.ts';

type Part = Pick<Stall, 'config' | 'store' | 'outbox' | 'waitingEvents' | 'log' | 'now'>;

/**
 * Stores a delivery and updates its order in one write; resolves once that is on disk. Refuses unauthenticated if no secret
 * signed it within five minutes of now.
 */
type TakeDelivery = (delivery: Delivery) => Promise<void>;

/**
 * The webhook of a provider; `ping` is the part of the address after its name. Refuses not-found for a provider that is not
 * set up, and for a wrong ping.
 */
export function openWebhook(stall: Part, name: string, ping: string | null = null): TakeDelivery {
  const { sales } = stall.config;
  if (name === 'gumroad' && sales.isOn && isPing(sales.gumroadPing, ping))
    return (delivery) => keep(stall, 'gumroad', 'live', delivery, stall.now());
  const provider = isPaymentProvider(name) ? SALE_PROVIDERS[name] : undefined;
  if (provider === undefined || ping !== null || !isSigning(name)) throw notFound(name);
  const secrets = sales.secrets[name];
  if (!sales.isOn || secrets.live.length + secrets.test.length === 0) throw notSetUp(name);
  return async (delivery) => {
    const at = stall.now();
    const mode = findMode(provider, delivery, secrets, at);
    if (mode === null) throw unverified(name);
    await keep(stall, name, mode, delivery, at);
  };
}

async function keep(
  { config, store, outbox, waitingEvents, log }: Part,
  provider: PaymentProvider,
  mode: 'live' | 'test',
  delivery: Delivery,
  at: number,
): Promise<void> {
  const { state, reason, orderIds } = await store.write.addSaleEvent({
    provider,
    mode,
    origin: 'webhook',
    body: delivery.body,
    eventId: SALE_PROVIDERS[provider]?.eventIdOf(delivery) ?? null,
    canAsk: config.sales.apis[provider] !== null,
    at,
  });
  if (state === 'waiting') void waitingEvents.run();
  outbox.wake();
  const name = PROVIDER_NAMES[provider];
  if (state !== 'failed')
    log({ event: 'sale', message: `An event of ${name}`, state, reason, orders: orderIds.length });
  else
    log({
      event: 'sale-failed',
      message: `Cannot fold an event of ${name}: ${reason}; it is tried again every hour`,
    });
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
