/** Events as Lemon Squeezy sends them, with the fields that matter and some of those that do not. */

/** A time after 2026-11-02T10:00:00Z, in seconds. */
export const moment = (after: number): string =>
  new Date(Date.UTC(2026, 10, 2, 10) + after * 1000).toISOString().replace('.000Z', '.000000Z');

type More = Readonly<Record<string, unknown>>;

function event(name: string, type: string, id: string, attributes: More, meta: More = {}) {
  return {
    meta: {
      test_mode: false,
      event_name: name,
      webhook_id: '6f1c',
      custom_data: { slug: 'every-book' },
      ...meta,
    },
    data: { type, id, attributes: { store_id: 1, customer_id: 7, test_mode: false, ...attributes } },
  };
}

/** An order of the variant 510001; one that is not of a subscription has the number 900. */
export function order(name: string, after: number, { id = '900', meta = {}, ...more }: OrderOptions = {}) {
  const attributes = {
    identifier: `104e18a2-d755-4d4b-80c4-a6c1dcbe1c1${id.slice(-1)}`,
    order_number: 17,
    user_name: 'Ada L.',
    user_email: 'ada@example.org',
    currency: 'USD',
    subtotal: 1900,
    discount_total: 0,
    tax: 0,
    total: 1900,
    refunded_amount: 0,
    status: 'paid',
    refunded: false,
    refunded_at: null,
    first_order_item: { id: 1, order_id: Number(id), product_id: 3, variant_id: 510001, quantity: 1 },
    created_at: moment(0),
    updated_at: moment(after),
    ...more,
  };
  return event(name, 'orders', id, attributes, meta);
}

type OrderOptions = More & { readonly id?: string; readonly meta?: More };

/** A change of the subscription 70, of the order 901. */
export function subscription(name: string, after: number, status: string, more: More = {}) {
  const attributes = {
    order_id: 901,
    product_id: 4,
    variant_id: 510002,
    user_email: 'ada@example.org',
    status,
    cancelled: status === 'cancelled',
    trial_ends_at: null,
    renews_at: null,
    ends_at: null,
    first_subscription_item: { id: 1, quantity: 1 },
    created_at: moment(0),
    updated_at: moment(after),
    ...more,
  };
  return event(`subscription_${name}`, 'subscriptions', '70', attributes);
}

/** An invoice of the subscription 70. */
export function invoice(name: string, after: number, id: string, reason: string, more: More = {}) {
  const attributes = {
    subscription_id: 70,
    user_email: 'ada@example.org',
    billing_reason: reason,
    currency: 'USD',
    status: 'paid',
    refunded: false,
    refunded_amount: 0,
    subtotal: 900,
    tax: 0,
    total: 900,
    created_at: moment(after),
    updated_at: moment(after),
    ...more,
  };
  return event(`subscription_payment_${name}`, 'subscription-invoices', id, attributes);
}
