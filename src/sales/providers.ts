import { lemonsqueezy } from './lemonsqueezy.ts';
import { polar } from './polar.ts';
import type { SaleProvider } from './provider.ts';
import { stripe } from './stripe.ts';

/** The providers whose events are read: a provider is a file and a line. */
export const SALE_PROVIDERS: Readonly<Record<string, SaleProvider>> = { stripe, polar, lemonsqueezy };
