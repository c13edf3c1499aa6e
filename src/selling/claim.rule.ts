import type { PINGING, SaleSource } from '../words/payment-provider.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * How buyers return from a provider after paying: the form of the sale's id in the address, a function that turns the id
 * into the order's key, and the provider's placeholder for the id. `placeholder` is null for Gumroad, which sends nobody
 * back: its buyers type the license key of their receipt, at any time.
 */
type Return<Source extends SaleSource> = {
  readonly shape: RegExp;
  readonly key: (id: string) => string;
  readonly placeholder: Source extends typeof PINGING ? null : string;
};

export const RETURNS: { readonly [Source in SaleSource]: Return<Source> } = {
  stripe: { shape: /^cs_[A-Za-z0-9_]{8,250}$/, key: (id) => id, placeholder: '{CHECKOUT_SESSION_ID}' },
  polar: { shape: UUID, key: (id) => `checkout:${id.toLowerCase()}`, placeholder: '{CHECKOUT_ID}' },
  lemonsqueezy: {
    shape: UUID,
    key: (id) => `identifier:${id.toLowerCase()}`,
    placeholder: '[order_identifier]',
  },
  gumroad: {
    shape: /^[0-9a-f]{8}(?:-[0-9a-f]{8}){3}$/i,
    key: (id) => `license:${id.toUpperCase()}`,
    placeholder: null,
  },
  demo: { shape: /^demo_[0-9a-f]{32}$/, key: (id) => id, placeholder: '{ID}' },
};

export const sendsBack = (provider: SaleSource): boolean => RETURNS[provider].placeholder !== null;

export const returnUrlOf = (provider: SaleSource, origin: string, id: string): string =>
  `${origin}/claim/${provider}?id=${id}`;
