import { PING_PLACE } from '../../sales/gumroad.ts';
import { LEMONSQUEEZY_EVENTS } from '../../sales/lemonsqueezy.ts';
import { POLAR_EVENTS } from '../../sales/polar.ts';
import { STRIPE_EVENTS } from '../../sales/stripe.ts';
import type { PaymentProvider } from '../../payment-provider.ts';

/**
 * The settings that an owner pastes at a provider: the address for events, their types, and the address that buyers
 * return to.
 */
export type ProviderAddresses = {
  readonly webhook: string;
  readonly events: readonly string[];
  /** The return address with the provider's placeholder for the sale; null if it sends nobody back. */
  readonly returnUrl: string | null;
};

const EVENTS: Readonly<Record<PaymentProvider, readonly string[]>> = {
  stripe: STRIPE_EVENTS,
  polar: POLAR_EVENTS,
  lemonsqueezy: LEMONSQUEEZY_EVENTS,
  gumroad: [
    'sale',
    'refund',
    'dispute',
    'dispute_won',
    'cancellation',
    'subscription_ended',
    'subscription_restarted',
  ],
};

const PLACEHOLDERS: Readonly<Record<PaymentProvider, string | null>> = {
  stripe: '{CHECKOUT_SESSION_ID}',
  polar: '{CHECKOUT_ID}',
  lemonsqueezy: '[order_identifier]',
  gumroad: null,
};

/** The addresses of a stall at an origin. Gumroad's ends in a secret, which is never shown. */
export function addressesOf(provider: PaymentProvider, origin: string): ProviderAddresses {
  const placeholder = PLACEHOLDERS[provider];
  const webhook = `${origin}/webhooks/${provider}`;
  return {
    webhook: provider === 'gumroad' ? `${webhook}/${PING_PLACE}` : webhook,
    events: EVENTS[provider],
    returnUrl: placeholder === null ? null : returnUrlOf(provider, origin, placeholder),
  };
}

/** The address that a buyer with this sale's id returns to. */
export function returnUrlOf(provider: PaymentProvider, origin: string, id: string): string {
  return `${origin}/claim/${provider}?id=${id}`;
}
