/** The payment providers whose sales a stall can accept, as configuration, URLs and the database name them. */
export const PAYMENT_PROVIDERS = ['stripe', 'polar', 'lemonsqueezy', 'gumroad'] as const;

export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** The simulated provider of `--demo`. It has no configuration and no webhooks, and its sales count as tests. */
export const DEMO = 'demo';

/** A provider whose sales are read, including the simulated one. */
export type SaleSource = PaymentProvider | typeof DEMO;

/** The payment provider that signs nothing: it pings a secret address, and only its API is believed. */
export const PINGING = 'gumroad';

/** A payment provider that signs its webhook requests. */
export type SigningProvider = Exclude<PaymentProvider, typeof PINGING>;

/** The provider's name as it is shown to people. */
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

export const isSigning = (text: string): text is SigningProvider =>
  isPaymentProvider(text) && text !== PINGING;

export const isSaleSource = (text: string): text is SaleSource => isPaymentProvider(text) || text === DEMO;

export const SIGNING_PROVIDERS = PAYMENT_PROVIDERS.filter(isSigning);
