/** Polar's events (https://polar.sh/docs/integrate/webhooks/events), signed by Standard Webhooks. */
import {
  readSubscriptionState,
  type PaymentFact,
  type ProviderFact,
  type DisputeState,
} from '../fact.rule.ts';
import { amountAt, idAt, integerAt, known, listAt, objectAt, textAt, timeAt } from './json.ts';
import type { Answered, SaleEvent, SaleProvider, WebhookDelivery } from './provider.ts';
import { isFresh, isSigned } from './signature.ts';

type Read = (object: unknown, type: string, at: number) => readonly ProviderFact[];

/** The event type that we give to an answer of `GET /v1/disputes/`. */
const ASKED = 'dispute.asked';

const READERS: Readonly<Record<string, Read>> = {
  'order.created': readOrder,
  'order.updated': readOrder,
  'order.paid': readOrder,
  'order.refunded': readOrder,
  'subscription.created': readSubscription,
  'subscription.active': readSubscription,
  'subscription.updated': readSubscription,
  'subscription.canceled': readSubscription,
  'subscription.uncanceled': readSubscription,
  'subscription.revoked': readSubscription,
  'subscription.past_due': readSubscription,
  'subscription.paused': readSubscription,
  'subscription.resumed': readSubscription,
  'benefit_grant.revoked': readRevoked,
  [ASKED]: readDispute,
};

export const POLAR_EVENTS: readonly string[] = Object.keys(READERS).filter((type) => type !== ASKED);

export const polar: SaleProvider = {
  verify,
  eventIdOf: ({ header }) => header('webhook-id'),
  read,
  asks: { pathOf, readAnswer },
};

/**
 * Returns the API path of an order's disputes for an event about a revoked benefit, which does not say whether the
 * payment was disputed; null for other events.
 */
function pathOf(body: unknown): string | null {
  const order = textAt(body, 'type') === 'benefit_grant.revoked' ? textAt(body, 'data', 'order_id') : null;
  return order === null ? null : `/v1/disputes/?order_id=${encodeURIComponent(order)}`;
}

function readAnswer(answer: unknown, at: number): readonly Answered[] {
  return listAt(answer, 'items').map((data) => ({
    id: `dispute:${textAt(data, 'id')}:${textAt(data, 'status')}`,
    body: { type: ASKED, timestamp: new Date(at).toISOString(), data },
  }));
}

/** Verifies `webhook-signature: v1,<base64> …`, which signs `id.timestamp.body` (https://www.standardwebhooks.com). */
function verify({ body, header }: WebhookDelivery, secrets: readonly string[], now: number): boolean {
  const [id, time] = [header('webhook-id'), header('webhook-timestamp')];
  if (id === null || time === null || id.includes(',') || !isFresh(time, now)) return false;
  const signatures = (header('webhook-signature') ?? '')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [one.slice('v1,'.length)] : []));
  return isSigned([`${id}.${time}.`, body], signatures, secrets.flatMap(keysOf), 'base64');
}

/**
 * Returns the keys that a secret stands for: Polar signs with its text, Standard Webhooks with the bytes that its base64
 * encodes.
 */
function keysOf(secret: string): readonly (string | Uint8Array)[] {
  if (!secret.startsWith('whsec_')) return [secret];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return key.length === 0 ? [secret] : [secret, key];
}

function read(body: unknown): SaleEvent | null {
  const [type, at, object] = [textAt(body, 'type'), timeAt(body, 'timestamp'), objectAt(body, 'data')];
  if (type === null || at === null || object === null) return null;
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return { id: null, type, at, isTest: false, facts: reader?.(object, type, at) ?? [] };
}

function readOrder(order: unknown, type: string): readonly ProviderFact[] {
  const id = textAt(order, 'id');
  if (id === null) return [];
  const [subscription, checkout] = [textAt(order, 'subscription_id'), textAt(order, 'checkout_id')];
  const keys = known(id, subscription, checkout === null ? null : `checkout:${checkout.toLowerCase()}`);
  const products = known(textAt(order, 'product_id') ?? textAt(order, 'product', 'id'));
  const quantity = integerAt(order, 'seats');
  const email = textAt(order, 'customer', 'email');
  const isSubscription = subscription !== null;
  const isFull = textAt(order, 'status') === 'refunded';
  const amount = amountAt(order, 'refunded_amount') + amountAt(order, 'refunded_tax_amount');
  return [
    { kind: 'buyer', keys, ref: subscription ?? id, email, products, quantity, isSubscription },
    {
      kind: 'payment',
      keys,
      ids: [id],
      state: paymentState(order),
      amount: amountAt(order, 'total_amount'),
      tax: amountAt(order, 'tax_amount'),
      currency: (textAt(order, 'currency') ?? '').toLowerCase(),
      // Only from this event: later events of the order hold the subscription's present period, which another order pays for.
      until: type === 'order.paid' ? timeAt(order, 'subscription', 'current_period_end') : null,
      products,
      quantity,
    },
    { kind: 'refund', keys, ids: [id], id, amount, isTotal: true, isFull },
  ];
}

function paymentState(order: unknown): PaymentFact['state'] {
  if (objectAt(order)?.['paid'] === true) return 'paid';
  return textAt(order, 'status') === 'void' ? 'failed' : 'pending';
}

function readSubscription(subscription: unknown, _type: string, at: number): readonly ProviderFact[] {
  const [id, status] = [textAt(subscription, 'id'), textAt(subscription, 'status') ?? ''];
  const state = readSubscriptionState(status);
  if (id === null || state === undefined) return [];
  const ended = timeAt(subscription, 'ended_at') ?? timeAt(subscription, 'ends_at') ?? at;
  const running =
    (status === 'trialing' ? timeAt(subscription, 'trial_end') : null) ??
    timeAt(subscription, 'current_period_end');
  const until = state === 'ended' ? ended : state === 'paused' ? null : running;
  const products = known(textAt(subscription, 'product_id') ?? textAt(subscription, 'product', 'id'));
  const quantity = integerAt(subscription, 'seats');
  return [{ kind: 'subscription', keys: [id], ids: [], state, until, products, quantity }];
}

/**
 * Makes a note for the owner from a revoked benefit. Polar sends this event after a dispute, won or lost, and after the
 * benefit was removed from the product, without saying which.
 */
function readRevoked(grant: unknown): readonly ProviderFact[] {
  const keys = known(textAt(grant, 'order_id'), textAt(grant, 'subscription_id'));
  const text = 'Polar took the benefits of this order away: look there whether its payment was disputed';
  return keys.length === 0 ? [] : [{ kind: 'note', keys, text }];
}

const DISPUTE_STATES: Readonly<Record<string, DisputeState>> = {
  needs_response: 'open',
  under_review: 'open',
  early_warning: 'none',
  prevented: 'lost',
  won: 'none',
  lost: 'lost',
};

function readDispute(dispute: unknown): readonly ProviderFact[] {
  const [id, order] = [textAt(dispute, 'id'), idAt(dispute, 'order_id') ?? idAt(dispute, 'order')];
  const status = textAt(dispute, 'status') ?? '';
  const state = (Object.hasOwn(DISPUTE_STATES, status) ? DISPUTE_STATES[status] : undefined) ?? 'open';
  return id === null || order === null ? [] : [{ kind: 'dispute', keys: [order], ids: [order], id, state }];
}
