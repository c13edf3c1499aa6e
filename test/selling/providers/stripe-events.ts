/** Events as Stripe sends them, with the fields that matter and some of those that do not. */

/** 2026-11-02T10:00:00Z in seconds. */
export const NOON = 1_793_613_600;
export const DAY = 86_400;

export type StripeEvent = {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly type: string;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
};

let count = 0;

/** An event of a type at a time in seconds after NOON. */
export function stripeEvent(
  type: string,
  after: number,
  object: Readonly<Record<string, unknown>>,
  more: Partial<StripeEvent> = {},
): StripeEvent {
  count += 1;
  return {
    id: `evt_1Q${String(count).padStart(6, '0')}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: NOON + after,
    livemode: true,
    type,
    data: { object },
    ...more,
  };
}

/** A Checkout Session of a Payment Link. */
export function session(name: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id: `cs_live_${name}`,
    object: 'checkout.session',
    amount_subtotal: 1900,
    amount_total: 1900,
    client_reference_id: null,
    currency: 'usd',
    customer: 'cus_1',
    customer_details: { email: 'ada@example.org', name: 'Ada L.', address: { line1: 'Street 1' } },
    customer_email: null,
    invoice: null,
    livemode: true,
    metadata: { slug: 'every-book' },
    mode: 'payment',
    payment_intent: `pi_${name}`,
    payment_link: 'plink_paid',
    payment_status: 'paid',
    status: 'complete',
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ...more,
  };
}

export const completed = (name: string, after: number, more = {}) =>
  stripeEvent('checkout.session.completed', after, session(name, more));

/** A charge after a refund: its total so far. */
export const chargeRefunded = (name: string, after: number, amount: number, total = 1900) =>
  stripeEvent('charge.refunded', after, {
    id: `ch_${name}`,
    object: 'charge',
    amount: total,
    amount_refunded: amount,
    refunded: amount === total,
    payment_intent: `pi_${name}`,
    currency: 'usd',
  });

export const refund = (
  type: string,
  name: string,
  after: number,
  { id = `re_${name}`, amount = 1900, status = 'succeeded' } = {},
) =>
  stripeEvent(type, after, {
    id,
    object: 'refund',
    amount,
    charge: `ch_${name}`,
    payment_intent: `pi_${name}`,
    currency: 'usd',
    status,
  });

export const dispute = (type: string, name: string, after: number, status: string) =>
  stripeEvent(`charge.dispute.${type}`, after, {
    id: `dp_${name}`,
    object: 'dispute',
    amount: 1900,
    charge: `ch_${name}`,
    payment_intent: `pi_${name}`,
    status,
  });

/** A paid invoice of a subscription, in the shape since 2025-03-31, or the one before. */
export function invoicePaid(
  id: string,
  after: number,
  { until, amount = 900, subscription = 'sub_a', isOld = false, intent = `pi_${id}` }: InvoiceOptions,
) {
  const period = { start: NOON + after, end: NOON + until };
  const line = isOld
    ? { id: 'il_1', period, price: { id: 'price_monthly' }, quantity: 1 }
    : { id: 'il_1', period, pricing: { price_details: { price: 'price_monthly' } }, quantity: 1 };
  return stripeEvent('invoice.paid', after, {
    id: `in_${id}`,
    object: 'invoice',
    amount_paid: amount,
    billing_reason: 'subscription_cycle',
    currency: 'usd',
    customer_email: 'ada@example.org',
    lines: { data: [line] },
    status: 'paid',
    total: amount,
    ...(isOld
      ? { subscription, payment_intent: intent, tax: 0 }
      : { parent: { subscription_details: { subscription } }, total_taxes: [] }),
  });
}

type InvoiceOptions = {
  readonly until: number;
  readonly amount?: number;
  readonly subscription?: string;
  readonly isOld?: boolean;
  readonly intent?: string;
};

export const invoicePayment = (id: string, after: number, intent = `pi_${id}`) =>
  stripeEvent('invoice_payment.paid', after, {
    id: `inpay_${id}`,
    object: 'invoice_payment',
    amount_paid: 900,
    invoice: `in_${id}`,
    payment: { type: 'payment_intent', payment_intent: intent },
    status: 'paid',
  });

export function subscription(
  change: string,
  after: number,
  { status = 'active', until, isOld = false, ...more }: SubscriptionOptions,
) {
  const item = { id: 'si_1', price: { id: 'price_monthly' }, quantity: 1 };
  const end = NOON + until;
  return stripeEvent(`customer.subscription.${change}`, after, {
    id: 'sub_a',
    object: 'subscription',
    status,
    cancel_at_period_end: false,
    items: { data: [isOld ? item : { ...item, current_period_end: end }] },
    ...(isOld ? { current_period_end: end } : {}),
    ended_at: null,
    ...more,
  });
}

type SubscriptionOptions = Readonly<Record<string, unknown>> & {
  readonly status?: string;
  readonly until: number;
  readonly isOld?: boolean;
};

export const subscribed = (after: number, more = {}) =>
  stripeEvent(
    'checkout.session.completed',
    after,
    session('sub', {
      mode: 'subscription',
      payment_intent: null,
      invoice: 'in_first',
      subscription: 'sub_a',
      amount_total: 900,
      payment_link: 'plink_monthly',
      ...more,
    }),
  );
