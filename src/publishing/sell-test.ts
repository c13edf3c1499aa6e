import { createHmac } from 'node:crypto';
import type { SaleTerms } from '../selling/order.ts';
import type { SigningProvider } from '../words/payment-provider.ts';

/** `at` is in milliseconds since 1970. */
type TestSale = Pick<SaleTerms, 'email' | 'amount' | 'currency'> & {
  readonly product: string;
  readonly copies: number;
  readonly at: number;
};

/**
 * A webhook request as the provider would send it. `key` is the order's key; `returnId` is the id in the address to
 * which the buyer returns.
 */
export type TestDelivery = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
  readonly returnId: string;
};

/**
 * For each provider that signs, a function that makes the webhook request of a paid sale, signed with the stall's own
 * secret. `isTestSale` recognises such a sale by its ids.
 */
export const TEST_DELIVERIES: Readonly<
  Record<SigningProvider, (sale: TestSale, secret: string) => TestDelivery>
> = { stripe: makeStripe, polar: makePolar, lemonsqueezy: makeLemonSqueezy };

function makeStripe({ product, copies, email, amount, currency, at }: TestSale, secret: string) {
  const created = Math.floor(at / 1000);
  const session = `cs_bookstall_${crypto.randomUUID().replaceAll('-', '')}`;
  const isLink = product.startsWith('plink_');
  const body = JSON.stringify({
    id: session.replace('cs_', 'evt_'),
    object: 'event',
    type: 'checkout.session.completed',
    created,
    livemode: true,
    data: {
      object: {
        id: session,
        object: 'checkout.session',
        mode: 'payment',
        payment_status: 'paid',
        payment_link: isLink ? product : null,
        line_items: { data: [{ ...(isLink ? {} : { price: { id: product } }), quantity: copies }] },
        amount_total: amount,
        currency,
        customer_details: { email },
      },
    },
  });
  const signature = hmac(secret, `${created}.${body}`);
  return {
    body,
    headers: { 'Stripe-Signature': `t=${created},v1=${signature}` },
    key: session,
    returnId: session,
  };
}

function makePolar({ product, copies, email, amount, currency, at }: TestSale, secret: string): TestDelivery {
  const [checkout, event] = [crypto.randomUUID(), `msg_${crypto.randomUUID()}`];
  const id = `b0057a11-${crypto.randomUUID().slice(9)}`;
  const created = Math.floor(at / 1000);
  const time = new Date(at).toISOString();
  const body = JSON.stringify({
    type: 'order.paid',
    timestamp: time,
    data: {
      id,
      created_at: time,
      status: 'paid',
      paid: true,
      checkout_id: checkout,
      subscription_id: null,
      product_id: product,
      seats: copies,
      total_amount: amount,
      tax_amount: 0,
      refunded_amount: 0,
      refunded_tax_amount: 0,
      currency,
      customer: { email },
    },
  });
  const headers = {
    'webhook-id': event,
    'webhook-timestamp': String(created),
    'webhook-signature': `v1,${hmac(secret, `${event}.${created}.${body}`, 'base64')}`,
  };
  return { body, headers, key: `checkout:${checkout}`, returnId: checkout };
}

function makeLemonSqueezy({ product, copies, email, amount, currency, at }: TestSale, secret: string) {
  const identifier = crypto.randomUUID();
  const time = new Date(at).toISOString();
  const body = JSON.stringify({
    meta: { event_name: 'order_created', test_mode: false },
    data: {
      type: 'orders',
      // The id is far above the numbers that Lemon Squeezy gives out.
      id: String(9e14 + crypto.getRandomValues(new Uint32Array(1))[0]!),
      attributes: {
        identifier,
        user_email: email,
        status: 'paid',
        total: amount,
        tax: 0,
        currency: currency.toUpperCase(),
        refunded: false,
        created_at: time,
        updated_at: time,
        first_order_item: { variant_id: Number(product), quantity: copies },
      },
    },
  });
  const headers = { 'X-Signature': hmac(secret, body), 'X-Event-Name': 'order_created' };
  return { body, headers, key: `identifier:${identifier}`, returnId: identifier };
}

const hmac = (secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', secret).update(text).digest(encoding);
