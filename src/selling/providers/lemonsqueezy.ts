/** Lemon Squeezy's events (https://docs.lemonsqueezy.com/help/webhooks/event-types). */
import { pageFact, type PaymentFact, type ProviderFact, type SubscriptionFact } from '../fact.rule.ts';
import { amountAt, idAt, integerAt, known, objectAt, textAt, timeAt } from './json.ts';
import type { SaleEvent, SaleProvider, WebhookDelivery } from './provider.ts';
import { isSigned } from './signature.ts';

type Read = (id: string, attributes: unknown, at: number) => readonly ProviderFact[];

/** The functions that read events, by the type of the object in the event. An event holds the object's state at its time. */
const READERS: Readonly<Record<string, Read>> = {
  orders: readOrder,
  subscriptions: readSubscription,
  'subscription-invoices': readInvoice,
};

export const LEMONSQUEEZY_EVENTS: readonly string[] = [
  'order_created',
  'order_refunded',
  'subscription_created',
  'subscription_updated',
  'subscription_payment_success',
  'subscription_payment_refunded',
];

export const lemonsqueezy: SaleProvider = { verify, eventIdOf: () => null, read };

/**
 * Checks the header `X-Signature: <hex>`, which signs the body but no time
 * (https://docs.lemonsqueezy.com/help/webhooks/signing-requests).
 */
function verify({ body, header }: WebhookDelivery, secrets: readonly string[]): boolean {
  const signature = header('x-signature');
  return signature !== null && isSigned([body], [signature], secrets);
}

function read(body: unknown): SaleEvent | null {
  const [type, object] = [textAt(body, 'meta', 'event_name'), textAt(body, 'data', 'type')];
  const [id, attributes] = [idAt(body, 'data', 'id'), objectAt(body, 'data', 'attributes')];
  if (type === null || object === null || id === null || attributes === null) return null;
  const at = timeAt(attributes, 'updated_at') ?? timeAt(attributes, 'created_at');
  if (at === null) return null;
  const isTest = objectAt(body, 'meta')?.['test_mode'] === true || attributes['test_mode'] === true;
  const reader = Object.hasOwn(READERS, object) ? READERS[object] : undefined;
  return { id: null, type, at, isTest, facts: reader?.(id, attributes, at) ?? [] };
}

function readOrder(id: string, order: unknown): readonly ProviderFact[] {
  const name = `order:${id}`;
  const identifier = textAt(order, 'identifier');
  const keys = known(name, identifier === null ? null : `identifier:${identifier}`);
  const item = objectAt(order, 'first_order_item');
  const products = known(idAt(item, 'variant_id'));
  const quantity = integerAt(item, 'quantity');
  const email = textAt(order, 'user_email');
  return [
    { kind: 'buyer', keys, ref: id, email, products, quantity, isSubscription: null },
    { kind: 'payment', keys, ids: keys, ...readMoney(order), until: null, products, quantity },
    readRefund(keys, [name], name, order),
    ...pageFact('receipt', keys, textAt(order, 'urls', 'receipt')),
    ...(textAt(order, 'status') === 'fraudulent'
      ? [{ kind: 'dispute', keys, ids: [name], id: name, state: 'lost' } as const]
      : []),
  ];
}

/** Reads a subscription's invoice. The first one is the same payment as the subscription's order. */
function readInvoice(id: string, invoice: unknown): readonly ProviderFact[] {
  const subscription = idAt(invoice, 'subscription_id');
  if (subscription === null) return [];
  const name = `invoice:${id}`;
  const isInitial = textAt(invoice, 'billing_reason') === 'initial';
  const keys = [name, `subscription:${subscription}`];
  const ids = known(name, isInitial ? `initial:${subscription}` : null);
  return [
    { kind: 'payment', keys, ids, ...readMoney(invoice), until: null, products: [], quantity: null },
    readRefund(keys, ids, name, invoice),
  ];
}

const PAYMENT_STATES: Readonly<Record<string, PaymentFact['state']>> = {
  paid: 'paid',
  refunded: 'paid',
  partial_refund: 'paid',
  fraudulent: 'paid',
  pending: 'pending',
};

function readMoney(object: unknown): Pick<PaymentFact, 'state' | 'amount' | 'tax' | 'currency'> {
  const status = textAt(object, 'status') ?? '';
  return {
    state: (Object.hasOwn(PAYMENT_STATES, status) ? PAYMENT_STATES[status] : undefined) ?? 'failed',
    amount: amountAt(object, 'total'),
    tax: amountAt(object, 'tax'),
    currency: (textAt(object, 'currency') ?? '').toLowerCase(),
  };
}

/** Reads how much was given back. After a partial refund, `status` is still `paid` and `refunded` false. */
function readRefund(
  keys: readonly string[],
  ids: readonly string[],
  id: string,
  object: unknown,
): ProviderFact {
  const isFull = objectAt(object)?.['refunded'] === true || textAt(object, 'status') === 'refunded';
  const amount = integerAt(object, 'refunded_amount') ?? (isFull ? amountAt(object, 'total') : 0);
  return { kind: 'refund', keys, ids, id, amount: Math.max(amount, 0), isTotal: true, isFull };
}

const SUBSCRIPTION_STATES: Readonly<Record<string, SubscriptionFact['state']>> = {
  on_trial: 'active',
  active: 'active',
  past_due: 'past-due',
  paused: 'paused',
  unpaid: 'ended',
  cancelled: 'ended',
  expired: 'ended',
};

function readSubscription(id: string, subscription: unknown, at: number): readonly ProviderFact[] {
  const status = textAt(subscription, 'status') ?? '';
  const state = Object.hasOwn(SUBSCRIPTION_STATES, status) ? SUBSCRIPTION_STATES[status] : undefined;
  const order = idAt(subscription, 'order_id');
  if (state === undefined) return [];
  const ends = timeAt(subscription, 'ends_at');
  const renews = timeAt(subscription, 'renews_at');
  const untils: Readonly<Record<SubscriptionFact['state'], number | null>> = {
    active: status === 'on_trial' ? (timeAt(subscription, 'trial_ends_at') ?? renews) : renews,
    'past-due': renews,
    paused: ends,
    ended: ends ?? at,
  };
  const keys = known(`subscription:${id}`, order === null ? null : `order:${order}`);
  return [
    ...pageFact('subscription', keys, portalOf(subscription)),
    {
      kind: 'subscription',
      keys,
      ids: order === null ? [] : [`order:${order}`, `initial:${id}`],
      state,
      until: untils[state],
      products: known(idAt(subscription, 'variant_id')),
      quantity: integerAt(subscription, 'first_subscription_item', 'quantity'),
    },
  ];
}

/**
 * Returns the address of the customer portal without its signature, which signs in anyone for a day. Without it, the
 * portal asks customers for their e-mail address.
 */
function portalOf(subscription: unknown): string | null {
  const url = URL.parse(textAt(subscription, 'urls', 'customer_portal') ?? '');
  return url && `${url.origin}${url.pathname}`;
}
