/** Events as Polar sends them, with the fields that matter and some of those that do not. */

/** A time after 2026-11-02T10:00:00Z, in seconds. */
export const moment = (after: number): string =>
  new Date(Date.UTC(2026, 10, 2, 10) + after * 1000).toISOString();

type More = Readonly<Record<string, unknown>>;

export const BOOK = '7c2d3f80-0001-4000-8000-000000000001';
export const MONTHLY = '7c2d3f80-0002-4000-8000-000000000002';
export const CHOSEN = '7c2d3f80-0003-4000-8000-000000000003';
export const ORDER = '0a000000-0000-4000-8000-000000000900';
export const SUBSCRIPTION = '0b000000-0000-4000-8000-000000000070';

const event = (type: string, after: number, data: More) => ({ type, timestamp: moment(after), data });

/** An order of the book, paid unless it says otherwise. */
export function order(type: string, after: number, more: More = {}) {
  return event(`order.${type}`, after, {
    id: ORDER,
    created_at: moment(0),
    status: 'paid',
    paid: true,
    subtotal_amount: 1900,
    discount_amount: 0,
    net_amount: 1900,
    tax_amount: 361,
    total_amount: 2261,
    refunded_amount: 0,
    refunded_tax_amount: 0,
    currency: 'usd',
    billing_reason: 'purchase',
    customer_id: '0c000000-0000-4000-8000-000000000007',
    product_id: BOOK,
    subscription_id: null,
    checkout_id: 'C0DE0000-0000-4000-8000-000000000001',
    metadata: { reference_id: 'every-book', product_id: MONTHLY },
    customer: { id: '0c000000-0000-4000-8000-000000000007', email: 'ada@example.org', email_verified: true },
    product: { id: BOOK, name: 'The paid book' },
    subscription: null,
    ...more,
  });
}

/** An order of the monthly product for the period that ends then. */
export function renewal(type: string, after: number, id: string, end: number, more: More = {}) {
  return order(type, after, {
    id,
    billing_reason: id.endsWith('1') ? 'subscription_create' : 'subscription_cycle',
    product_id: MONTHLY,
    subscription_id: SUBSCRIPTION,
    checkout_id: null,
    tax_amount: 0,
    total_amount: 900,
    subscription: { id: SUBSCRIPTION, status: 'active', current_period_end: moment(end) },
    ...more,
  });
}

export function subscription(type: string, after: number, status: string, more: More = {}) {
  return event(`subscription.${type}`, after, {
    id: SUBSCRIPTION,
    status,
    product_id: MONTHLY,
    cancel_at_period_end: false,
    ended_at: null,
    ends_at: null,
    ...more,
  });
}

export function benefitRevoked(after: number, more: More = {}) {
  return event('benefit_grant.revoked', after, {
    id: '0d000000-0000-4000-8000-000000000001',
    order_id: ORDER,
    subscription_id: null,
    ...more,
  });
}

/** An answer about disputes, in the words of our own. */
export function dispute(after: number, status: string, id = '0e000000-0000-4000-8000-000000000001') {
  return event('dispute.asked', after, { id, order_id: ORDER, status, amount: 2261 });
}
