import type { Sell } from '../../item/sell.ts';
import { PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../../payment-provider.ts';
import { type SalesConfig, takesSales } from '../../sales-config.ts';

/** Says what happens after buying, if a provider that the stall hears from sells it; else null. */
export function createAfterBuying(sales: SalesConfig) {
  return (sell: Sell | null): string | null => {
    const provider = PAYMENT_PROVIDERS.find((one) => (sell?.[one].length ?? 0) > 0 && takesSales(sales, one));
    if (provider === undefined) return null;
    const name = PROVIDER_NAMES[provider];
    return provider === 'gumroad'
      ? `You pay at ${name}. Its mail has a licence key: enter it here and read at once.`
      : `You pay at ${name}. You return here and read at once.`;
  };
}
