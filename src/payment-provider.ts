/** The payment providers whose sales a stall can take, by the names that configuration, URLs and the database use. */
export const PAYMENT_PROVIDERS = ['stripe', 'polar', 'lemonsqueezy', 'gumroad'] as const;

export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** The pretended provider of `--demo`: no configuration names it, no address takes its events, and its sales are tests. */
export const DEMO = 'demo';

/** A provider whose events are read. */
export type SaleSource = PaymentProvider | typeof DEMO;

/** How people write each provider's name. */
export const PROVIDER_NAMES: Readonly<Record<SaleSource, string>> = {
  stripe: 'Stripe',
  polar: 'Polar',
  lemonsqueezy: 'Lemon Squeezy',
  gumroad: 'Gumroad',
  demo: 'Demo Pay',
};

/** Reports whether a text is the name of a provider. */
export const isPaymentProvider = (text: string): text is PaymentProvider =>
  PAYMENT_PROVIDERS.some((provider) => provider === text);
