import type { PaymentProvider } from '../payment-provider.ts';
import type { ProviderApi, SalesConfig } from '../config/sales.ts';
import { createGumroadReader } from './gumroad.ts';
import { createLemonSqueezyReader } from './lemonsqueezy.ts';
import { createPolarReader } from './polar.ts';
import type { ProviderReader } from './history.ts';
import { createStripeReader } from './stripe.ts';

const READERS: Readonly<Record<PaymentProvider, (api: ProviderApi) => ProviderReader>> = {
  stripe: createStripeReader,
  polar: createPolarReader,
  lemonsqueezy: createLemonSqueezyReader,
  gumroad: createGumroadReader,
};

/** The reader of a provider's API; null without a key. */
export function readerOf({ apis }: SalesConfig, provider: PaymentProvider): ProviderReader | null {
  const api = apis[provider];
  return api === null ? null : READERS[provider](api);
}
