import { gumroad } from './gumroad.ts';
import { lemonsqueezy } from './lemonsqueezy.ts';
import { polar } from './polar.ts';
import type { SaleProvider } from './provider.ts';
import { stripe } from './stripe.ts';

/** The providers whose events are read: a provider is a file and a line. */
export const SALE_PROVIDERS: Readonly<Record<string, SaleProvider>> = {
  stripe,
  polar,
  lemonsqueezy,
  gumroad,
};

/** The value of a provider's body; undefined for one that cannot be read, or of an unknown provider. */
export function parseBody(provider: string, body: Uint8Array): unknown {
  const parse = SALE_PROVIDERS[provider]?.parse ?? JSON.parse;
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** What a provider's API must be asked about an event; null if nothing. */
export function questionOf(provider: string, body: Uint8Array): string | null {
  const value = parseBody(provider, body);
  return value === undefined ? null : (SALE_PROVIDERS[provider]?.asks?.pathOf(value) ?? null);
}
