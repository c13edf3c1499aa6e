import type { ProviderFact } from '../fact.rule.ts';
import { amountAt, integerAt, textAt } from './json.ts';
import type { SaleEvent, SaleProvider } from './provider.ts';

/**
 * An event of the demo's provider: an order was paid, or refunded in full. `product` is the slug of an item or bundle,
 * `at` is in milliseconds since 1970 UTC, `amount` in minor units.
 */
export type DemoEvent = { readonly at: number; readonly order: string; readonly amount: number } & (
  | { readonly type: 'given-back' }
  | { readonly type: 'paid'; readonly product: string; readonly email: string; readonly currency: string }
);

/** The demo's provider. It verifies no webhook request: its events come from the demo's own checkout. */
export const demo: SaleProvider = { verify: () => false, eventIdOf: () => null, read };

function read(body: unknown): SaleEvent | null {
  const [type, order] = [textAt(body, 'type'), textAt(body, 'order')];
  const at = integerAt(body, 'at');
  if (type === null || order === null || at === null) return null;
  return { id: `${order} ${type}`, type, at, isTest: false, facts: readFacts(body, type, order) };
}

function readFacts(body: unknown, type: string, order: string): readonly ProviderFact[] {
  const [keys, ids, amount] = [[order], [order], amountAt(body, 'amount')];
  if (type === 'given-back')
    return [{ kind: 'refund', keys, ids, id: order, amount, isTotal: true, isFull: true }];
  const email = textAt(body, 'email');
  const products = [textAt(body, 'product') ?? ''];
  const money = { amount, tax: 0, currency: textAt(body, 'currency') ?? '', until: null };
  return [
    { kind: 'buyer', keys, ref: order, email, products, quantity: 1, isSubscription: false },
    { kind: 'payment', keys, ids, state: 'paid', ...money, products, quantity: 1 },
  ];
}
