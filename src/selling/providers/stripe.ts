/** Stripe's events (https://docs.stripe.com/api/events/types), in the shapes before and since API version 2025-03-31. */
import {
  readSubscriptionState,
  type DisputeFact,
  pageFact,
  type PaymentFact,
  type ProviderFact,
} from '../fact.rule.ts';
import { amountAt, idAt, integerAt, known, listAt, objectAt, secondsAt, textAt } from './json.ts';
import { isTestSale } from '../order.rule.ts';
import type { Answered, SaleEvent, SaleProvider, WebhookDelivery } from './provider.ts';
import { isFresh, isSigned } from './signature.ts';

type Read = (object: unknown, type: string, at: number) => readonly ProviderFact[];

const READERS: Readonly<Record<string, Read>> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'checkout.session.async_payment_failed': readSession,
  'invoice.paid': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'charge.refunded': readRefundedCharge,
  'charge.refund.updated': readRefund,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.closed': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
  'customer.subscription.created': readSubscription,
  'customer.subscription.updated': readSubscription,
  'customer.subscription.deleted': readSubscription,
  'customer.subscription.paused': readSubscription,
  'customer.subscription.resumed': readSubscription,
};

export const STRIPE_EVENTS: readonly string[] = Object.keys(READERS);

export const stripe: SaleProvider = {
  verify,
  eventIdOf: () => null,
  read,
  asks: { isExtra: true, pathOf, readAnswer },
};

/**
 * Returns the API path of a paid checkout session's line items, since no event has the number of copies; null for other
 * events.
 */
function pathOf(body: unknown): string | null {
  const session = objectAt(body, 'data', 'object');
  const id = textAt(session, 'object') === 'checkout.session' ? textAt(session, 'id') : null;
  const isPaid = textAt(session, 'mode') === 'payment' && textAt(session, 'payment_status') === 'paid';
  if (id === null || !isPaid || isTestSale(id) || objectAt(session, 'line_items') !== null) return null;
  return `/v1/checkout/sessions/${encodeURIComponent(id)}?expand[]=line_items`;
}

/**
 * Makes an event of our own from a checkout session with its line items. Of the lines, only the quantities are kept and,
 * if there are several lines, the prices.
 */
function readAnswer(session: unknown, at: number): readonly Answered[] {
  const id = textAt(session, 'id');
  if (id === null) return [];
  const { livemode } = objectAt(session) ?? {};
  const event = { type: 'checkout.session.completed', created: Math.floor(at / 1000), livemode };
  const lines = listAt(session, 'line_items', 'data');
  const data = lines.map((line) => ({
    quantity: integerAt(line, 'quantity'),
    ...(lines.length > 1 ? { price: idAt(line, 'price') } : {}),
  }));
  const object = { ...objectAt(session), line_items: { data } };
  return [{ id, body: { id, ...event, data: { object } } }];
}

/**
 * Verifies `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]`, which signs `t.body`
 * (https://docs.stripe.com/webhooks#verify-manually).
 */
function verify({ body, header }: WebhookDelivery, secrets: readonly string[], now: number): boolean {
  const fields = (header('stripe-signature') ?? '').split(',').map((field) => field.trim().split('='));
  const valuesOf = (name: string) => fields.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [time, ...others] = valuesOf('t');
  if (time === undefined || others.length > 0 || !isFresh(time, now)) return false;
  return isSigned([`${time}.`, body], valuesOf('v1'), secrets);
}

function read(body: unknown): SaleEvent | null {
  const [id, type, at] = [textAt(body, 'id'), textAt(body, 'type'), secondsAt(body, 'created')];
  const object = objectAt(body, 'data', 'object');
  if (id === null || type === null || at === null || object === null) return null;
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  const isTest = objectAt(body)?.['livemode'] !== true;
  return { id, type, at, isTest, facts: reader?.(object, type, at) ?? [] };
}

function readSession(session: unknown, type: string): readonly ProviderFact[] {
  const id = textAt(session, 'id');
  const mode = textAt(session, 'mode');
  if (id === null || mode === 'setup') return [];
  const [intent, invoice] = [idAt(session, 'payment_intent'), idAt(session, 'invoice')];
  const keys = known(id, intent, invoice, idAt(session, 'subscription'));
  const bought = readLines(listAt(session, 'line_items', 'data'));
  const products = known(idAt(session, 'payment_link'), ...bought.products);
  const email = textAt(session, 'customer_details', 'email') ?? textAt(session, 'customer_email');
  const isSubscription = mode === 'subscription';
  return [
    { kind: 'buyer', keys, ref: id, email, ...bought, products, isSubscription },
    {
      kind: 'payment',
      keys,
      ids: known(id, intent, invoice),
      state: sessionState(textAt(session, 'payment_status'), type),
      amount: amountAt(session, 'amount_total'),
      tax: amountAt(session, 'total_details', 'amount_tax'),
      currency: textAt(session, 'currency') ?? '',
      until: null,
      ...bought,
      products,
    },
    ...(isSubscription ? [] : noteOnLines(keys, bought)),
  ];
}

/** Reads the lines of a session, an invoice or a subscription. Of several lines with one price, the largest quantity counts. */
function readLines(lines: readonly unknown[]) {
  const read = lines.map((line) => ({ price: priceOf(line), quantity: integerAt(line, 'quantity') }));
  const quantities = read.map(({ quantity }) => quantity).filter((quantity) => quantity !== null);
  const named: Record<string, number> = {};
  for (const { price, quantity } of read)
    if (price !== null && quantity !== null) named[price] = Math.max(named[price] ?? 0, quantity);
  return {
    products: known(...read.map(({ price }) => price)),
    quantity: quantities.length === 0 ? null : Math.min(...quantities),
    ...(lines.length > 1 ? { lines: named } : {}),
  };
}

/** Notes for the owner that lines were bought in different numbers: the link for further copies opens all items alike. */
function noteOnLines(keys: readonly string[], { lines = {}, quantity }: ReturnType<typeof readLines>) {
  const told = Object.entries(lines).map(([price, count]) => `${count} of "${price}"`);
  if (Object.values(lines).every((count) => count === quantity)) return [];
  const text = `It is for ${told.join(' and ')}, and opens ${quantity} of each: grant the others by hand`;
  return [{ kind: 'note' as const, keys, text }];
}

function sessionState(status: string | null, type: string): PaymentFact['state'] {
  if (status === 'paid' || status === 'no_payment_required') return 'paid';
  return type === 'checkout.session.async_payment_failed' ? 'failed' : 'pending';
}

function readInvoice(invoice: unknown): readonly ProviderFact[] {
  const id = textAt(invoice, 'id');
  if (id === null) return [];
  const subscription =
    idAt(invoice, 'parent', 'subscription_details', 'subscription') ?? idAt(invoice, 'subscription');
  const lines = listAt(invoice, 'lines', 'data');
  const ends = lines.map((line) => secondsAt(line, 'period', 'end')).filter((end) => end !== null);
  const ids = known(id, idAt(invoice, 'payment_intent'), idAt(invoice, 'charge'));
  const fact: PaymentFact = {
    kind: 'payment',
    keys: known(...ids, subscription),
    ids,
    state: 'paid',
    amount: amountAt(invoice, 'amount_paid'),
    tax: invoiceTax(invoice),
    currency: textAt(invoice, 'currency') ?? '',
    until: subscription === null || ends.length === 0 ? null : Math.max(...ends),
    ...readLines(lines),
  };
  return [fact, ...pageFact('receipt', fact.keys, textAt(invoice, 'hosted_invoice_url'))];
}

const priceOf = (line: unknown): string | null =>
  idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price');

function invoiceTax(invoice: unknown): number {
  const taxes = [...listAt(invoice, 'total_taxes'), ...listAt(invoice, 'total_tax_amounts')];
  return taxes.length === 0
    ? amountAt(invoice, 'tax')
    : taxes.reduce<number>((sum, tax) => sum + amountAt(tax, 'amount'), 0);
}

/** Reads which payment paid an invoice. Since API version 2025-03-31, no other event says so. */
function readInvoicePayment(payment: unknown): readonly ProviderFact[] {
  const ids = known(
    idAt(payment, 'invoice'),
    idAt(payment, 'payment', 'payment_intent'),
    idAt(payment, 'payment', 'charge'),
  );
  return ids.length < 2 ? [] : [{ kind: 'tie', keys: ids, ids }];
}

/** Reads the total that was refunded of a charge. The event is also sent for partial refunds, but does not list them. */
function readRefundedCharge(charge: unknown): readonly ProviderFact[] {
  const id = textAt(charge, 'id');
  if (id === null) return [];
  const ids = known(id, idAt(charge, 'payment_intent'), idAt(charge, 'invoice'));
  const isFull = objectAt(charge)?.['refunded'] === true;
  return [
    {
      kind: 'refund',
      keys: ids,
      ids,
      id,
      amount: amountAt(charge, 'amount_refunded'),
      isTotal: true,
      isFull,
    },
    ...pageFact('receipt', ids, textAt(charge, 'receipt_url')),
  ];
}

function readRefund(refund: unknown): readonly ProviderFact[] {
  const id = textAt(refund, 'id');
  const ids = known(idAt(refund, 'charge'), idAt(refund, 'payment_intent'));
  if (id === null || ids.length === 0) return [];
  const isOff = ['failed', 'canceled'].includes(textAt(refund, 'status') ?? '');
  const amount = isOff ? 0 : amountAt(refund, 'amount');
  return [{ kind: 'refund', keys: ids, ids, id, amount, isTotal: false, isFull: false }];
}

/** Reads a dispute. A status `warning_*` is only an inquiry: no money was taken yet. */
function readDispute(dispute: unknown): readonly ProviderFact[] {
  const [id, status] = [textAt(dispute, 'id'), textAt(dispute, 'status')];
  const ids = known(idAt(dispute, 'charge'), idAt(dispute, 'payment_intent'));
  if (id === null || status === null || ids.length === 0) return [];
  return [{ kind: 'dispute', keys: ids, ids, id, state: disputeState(status) }];
}

function disputeState(status: string): DisputeFact['state'] {
  if (status.startsWith('warning_') || status === 'won') return 'none';
  return ['lost', 'prevented'].includes(status) ? 'lost' : 'open';
}

function readSubscription(subscription: unknown, _type: string, at: number): readonly ProviderFact[] {
  const [id, status] = [textAt(subscription, 'id'), textAt(subscription, 'status') ?? ''];
  const state = readSubscriptionState(status);
  if (id === null || state === undefined) return [];
  const items = listAt(subscription, 'items', 'data');
  const ended = secondsAt(subscription, 'ended_at') ?? at;
  const until = state === 'ended' ? ended : state === 'paused' ? null : periodEnd(subscription, items);
  return [{ kind: 'subscription', keys: [id], ids: [], state, until, ...readLines(items) }];
}

function periodEnd(subscription: unknown, items: readonly unknown[]): number | null {
  if (textAt(subscription, 'status') === 'trialing') return secondsAt(subscription, 'trial_end');
  const ends = items.map((item) => secondsAt(item, 'current_period_end')).filter((end) => end !== null);
  return ends.length > 0 ? Math.max(...ends) : secondsAt(subscription, 'current_period_end');
}
