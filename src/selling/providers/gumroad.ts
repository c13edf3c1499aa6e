/**
 * Reads Gumroad's webhook requests, called pings (https://gumroad.com/ping), and sales (https://gumroad.com/api#sales). A
 * ping is not signed, so it only says about which sale to ask the API.
 */
import { sha256 } from '../../platform/base/runtime.ts';
import type { DisputeFact, ProviderFact } from '../fact.rule.ts';
import { amountAt, integerAt, known, objectAt, textAt, timeAt } from './json.ts';
import type { Answered, SaleEvent, SaleProvider } from './provider.ts';

export const PING_PLACE = '<the secret>';

/**
 * The events that Gumroad must report, each by its own webhook subscription; a ping set up in Gumroad's settings
 * reports sales too.
 */
export const GUMROAD_EVENTS: readonly string[] = [
  'sale',
  'refund',
  'dispute',
  'dispute_won',
  'cancellation',
  'subscription_ended',
  'subscription_restarted',
];

export const gumroad: SaleProvider = {
  // Always false, since Gumroad signs nothing: instead, the address of its pings ends in a secret.
  verify: () => false,
  eventIdOf: () => null,
  parse,
  read,
  asks: { pathOf, readAnswer },
};

function parse(text: string): unknown {
  if (text.startsWith('{')) return JSON.parse(text);
  return { ping: Object.fromEntries(new URLSearchParams(text)) };
}

function read(body: unknown): SaleEvent | null {
  const [ping, sale] = [objectAt(body, 'ping'), objectAt(body, 'sale')];
  if (ping !== null) {
    const type = textAt(ping, 'resource_name') ?? 'sale';
    const at = timeAt(ping, 'sale_timestamp') ?? 0;
    return { id: null, type, at, isTest: ping['test'] === 'true', facts: [] };
  }
  const [id, asked] = [textAt(sale, 'id'), integerAt(body, 'asked')];
  const at = asked ?? timeAt(sale, 'created_at') ?? timeAt(sale, 'timestamp');
  if (id === null || at === null) return null;
  const facts = asked === null ? readSale(sale, id) : readState(sale, id, at);
  return { id: null, type: asked === null ? 'sale' : 'sale state', at, isTest: false, facts };
}

function pathOf(body: unknown): string | null {
  // Pings about memberships name their purchases instead of a sale.
  const names = ['sale_id', 'purchase_ids[]', 'purchase_ids[0]'];
  const [id = null] = known(...names.map((name) => textAt(body, 'ping', name)));
  return id === null ? null : `/v2/sales/${encodeURIComponent(id)}`;
}

/** Makes two events of the API's answer: the sale at its own time, and the sale's present state. */
function readAnswer(answer: unknown, at: number): readonly Answered[] {
  const sale = objectAt(answer, 'sale');
  const id = textAt(sale, 'id');
  if (id === null) return [];
  const state = sha256(JSON.stringify(sale));
  return [
    { id: `sale:${id}`, body: { sale } },
    { id: `state:${state}`, body: { sale, asked: at } },
  ];
}

function keysOf(sale: unknown, id: string): readonly string[] {
  const [subscription, license] = [textAt(sale, 'subscription_id'), textAt(sale, 'license_key')];
  return known(
    `sale:${id}`,
    subscription === null ? null : `subscription:${subscription}`,
    license === null ? null : `license:${license.toUpperCase()}`,
  );
}

function readSale(sale: unknown, id: string): readonly ProviderFact[] {
  const keys = keysOf(sale, id);
  const products = known(textAt(sale, 'product_id'));
  const quantity = integerAt(sale, 'quantity');
  const email = textAt(sale, 'giftee_email') ?? textAt(sale, 'purchase_email') ?? textAt(sale, 'email');
  return [
    {
      kind: 'buyer',
      keys,
      ref: textAt(sale, 'subscription_id') ?? id,
      email,
      products,
      quantity,
      isSubscription: null,
    },
    {
      kind: 'payment',
      keys,
      ids: [`sale:${id}`],
      state: 'paid',
      amount: amountAt(sale, 'price'),
      tax: 0,
      // Gumroad's API gives prices in US cents, whatever the product's currency is.
      currency: 'usd',
      until: null,
      products,
      quantity,
    },
  ];
}

function readState(sale: unknown, id: string, at: number): readonly ProviderFact[] {
  const [keys, name] = [keysOf(sale, id), `sale:${id}`];
  const is = (field: string): boolean => objectAt(sale)?.[field] === true;
  const refunded = is('refunded') ? amountAt(sale, 'price') : 0;
  const part = 'Gumroad gave a part of this sale back, and does not say how much';
  return [
    { kind: 'refund', keys, ids: [name], id: name, amount: refunded, isTotal: true, isFull: is('refunded') },
    { kind: 'dispute', keys, ids: [name], id: name, state: disputeState(is) },
    ...(is('partially_refunded') && !is('refunded') ? [{ kind: 'note', keys, text: part } as const] : []),
    ...(is('ended') || textAt(sale, 'subscription_id') !== null ? [readMembership(sale, keys, at)] : []),
  ];
}

/**
 * Reads whether a membership is open: until Gumroad says that it ended, and again after a restart. Gumroad gives no
 * periods.
 */
function readMembership(sale: unknown, keys: readonly string[], at: number): ProviderFact {
  const about = { kind: 'subscription', keys, ids: [], products: [], quantity: null } as const;
  if (objectAt(sale)?.['ended'] !== true) return { ...about, state: 'active', until: null, isOpen: true };
  return { ...about, state: 'ended', until: timeAt(sale, 'ended_at') ?? at };
}

function disputeState(is: (field: string) => boolean): DisputeFact['state'] {
  if (is('dispute_won')) return 'none';
  // A dispute that has just begun is `chargedback` too, since Gumroad takes the money back at once.
  return is('disputed') ? 'open' : is('chargedback') ? 'lost' : 'none';
}
