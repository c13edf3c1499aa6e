import type { PaymentProvider } from '../payment-provider.ts';
import type { ProviderApi, SalesConfig } from '../sales-config.ts';
import { createLemonSqueezyReader } from './lemonsqueezy.ts';
import type { ProviderReader } from './product.ts';
import { createStripeReader } from './stripe.ts';

const READERS: Readonly<Partial<Record<PaymentProvider, (api: ProviderApi) => ProviderReader>>> = {
  stripe: createStripeReader,
  lemonsqueezy: createLemonSqueezyReader,
};

/** The reader of a provider's API; null without a key, or for a provider that is not read yet. */
export function readerOf({ apis }: SalesConfig, provider: PaymentProvider): ProviderReader | null {
  const api = apis[provider];
  return api === null ? null : (READERS[provider]?.(api) ?? null);
}
