/** The payment providers whose sales a stall can take, by the names that configuration, URLs and the database use. */
export const PAYMENT_PROVIDERS = ['stripe', 'polar', 'lemonsqueezy', 'gumroad'] as const;

export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** How people write each provider's name. */
export const PROVIDER_NAMES: Readonly<Record<PaymentProvider, string>> = {
  stripe: 'Stripe',
  polar: 'Polar',
  lemonsqueezy: 'Lemon Squeezy',
  gumroad: 'Gumroad',
};

/** Whether the text names a provider. */
export function isPaymentProvider(text: string): text is PaymentProvider {
  return PAYMENT_PROVIDERS.some((provider) => provider === text);
}
