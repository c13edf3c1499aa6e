import type { PaymentProvider } from '../payment-provider.ts';
import { gumroad } from './gumroad.ts';
import { lemonsqueezy } from './lemonsqueezy.ts';
import { polar } from './polar.ts';
import type { SaleProvider } from './provider.ts';
import { stripe } from './stripe.ts';

/** The providers whose events are read. To add one, write its file and add a line here. */
export const SALE_PROVIDERS: Readonly<Record<string, SaleProvider>> = {
  stripe,
  polar,
  lemonsqueezy,
  gumroad,
} satisfies Record<PaymentProvider, SaleProvider>;

/** A provider's parsed body; undefined if it cannot be read, or the provider is unknown. */
export function parseBody(provider: string, body: Uint8Array): unknown {
  const parse = SALE_PROVIDERS[provider]?.parse ?? JSON.parse;
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** How to ask a provider's API about an event; null if there is no need. */
export function questionOf(provider: string, body: Uint8Array): string | null {
  const value = parseBody(provider, body);
  return value === undefined ? null : (SALE_PROVIDERS[provider]?.asks?.pathOf(value) ?? null);
}
