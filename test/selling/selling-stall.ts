import { NO_SALES, type SalesConfig } from '../../src/platform/config/sales.ts';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';
import { LEMONSQUEEZY_SECRET, type Signed, signLemonSqueezy, signStripe, STRIPE_SECRET } from './signed.ts';

export const TEST_SECRET = 'whsec_of_the_sandbox';

/** Sales by Stripe and Lemon Squeezy. */
export const SALES: SalesConfig = {
  ...NO_SALES,
  isOn: true,
  secrets: {
    ...NO_SALES.secrets,
    stripe: { live: [STRIPE_SECRET], test: [TEST_SECRET] },
    lemonsqueezy: { live: [LEMONSQUEEZY_SECRET], test: [] },
  },
};

/** The ids of `paid-book` and `paid-skill` at the providers; the book's least is 5 dollars. */
export const SOLD = {
  ...SHELF,
  'books/paid-book/item.yaml': itemYaml({
    id: 'paid-id',
    title: 'The paid book',
    unitAmountCents: 1900,
    sell: '{stripe: [plink_paid], lemonsqueezy: ["510001"], least: {usd: 500}}',
  }),
  'skills/paid-skill/item.yaml': itemYaml({
    title: 'The paid skill',
    unitAmountCents: 900,
    sell: '{stripe: [plink_monthly, price_monthly], lemonsqueezy: ["510002"]}',
  }),
};

/** A stall that sells, with a way to deliver events to it. */
export async function openSellingStall({ config = {}, ...more }: Parameters<typeof openStall>[0] = {}) {
  const stall = await openStall({ files: SOLD, ...more, config: { sales: SALES, ...config } });
  await stall.app.salesSettled();
  const now = more.now ?? Date.now;
  const deliver = (provider: string, { body, headers }: Signed, extra: RequestInit = {}) =>
    stall.fetch(`/webhooks/${provider}`, { method: 'POST', body, headers, ...extra });
  return {
    ...stall,
    deliver,
    stripe: (event: unknown, secret?: string) => deliver('stripe', signStripe(event, now(), secret)),
    lemonsqueezy: (event: unknown, secret?: string) =>
      deliver('lemonsqueezy', signLemonSqueezy(event, secret)),
  };
}
