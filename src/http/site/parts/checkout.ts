import type { Sell } from '../../../item/sell.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { type SalesConfig, takesSales } from '../../../sales-config.ts';

/** The parameter by which a provider's checkout takes the buyer's address. */
const EMAIL: Readonly<Partial<Record<PaymentProvider, string>>> = {
  stripe: 'prefilled_email',
  polar: 'customer_email',
  lemonsqueezy: 'checkout[email]',
};

const HOSTS: readonly (readonly [host: RegExp, provider: PaymentProvider])[] = [
  [/(^|\.)stripe\.com$/, 'stripe'],
  [/(^|\.)polar\.sh$/, 'polar'],
  [/(^|\.)lemonsqueezy\.com$/, 'lemonsqueezy'],
  [/(^|\.)gumroad\.com$/, 'gumroad'],
];

/** The link to buy; for a member it carries their address, so that the sale finds their account. */
export function checkoutLink(checkoutUrl: string, sell: Sell | null, email: string | null): string {
  const provider = email === null ? null : providerOf(checkoutUrl, sell);
  const name = provider === null ? undefined : EMAIL[provider];
  const url = URL.parse(checkoutUrl);
  if (email === null || name === undefined || url === null || url.searchParams.has(name)) return checkoutUrl;
  url.searchParams.append(name, email);
  return url.href;
}

/** The provider of a checkout: by its host, else the only one of `sell`, since checkouts may have a domain of their own. */
function providerOf(checkoutUrl: string, sell: Sell | null): PaymentProvider | null {
  const hostname = URL.parse(checkoutUrl)?.hostname ?? '';
  const known = HOSTS.find(([host]) => host.test(hostname));
  if (known !== undefined) return known[1];
  const sellers = PAYMENT_PROVIDERS.filter((provider) => (sell?.[provider].length ?? 0) > 0);
  return sellers.length === 1 ? (sellers[0] ?? null) : null;
}

/** Says what happens after buying, if a provider that the stall hears from sells it; else null. */
export function afterBuying(sales: SalesConfig, sell: Sell | null): string | null {
  const provider = PAYMENT_PROVIDERS.find((one) => (sell?.[one].length ?? 0) > 0 && takesSales(sales, one));
  if (provider === undefined) return null;
  const name = PROVIDER_NAMES[provider];
  return provider === 'gumroad'
    ? `You pay at ${name}. Its mail has a licence key: enter it here and read at once.`
    : `You pay at ${name}. You return here and read at once.`;
}
