import { formatMoney } from '../../../item/price.ts';
import type { NameItem } from '../logs/log-table.tsx';
import { type Order, type OrderState, stateAt } from '../../../sales/order.ts';

export const ORDERS = '/admin/orders';

/** Each state in words that an owner knows from other shops. */
export const STATES: Readonly<Record<OrderState, string>> = {
  unmatched: 'No item',
  held: 'Held',
  pending: 'Payment pending',
  failed: 'Payment failed',
  paid: 'Paid',
  disputed: 'Disputed',
  lost: 'Dispute lost',
  refunded: 'Refunded',
  ended: 'Ended',
};

const LOOKS: Readonly<Partial<Record<OrderState, string>>> = {
  paid: 'badge good',
  unmatched: 'badge bad',
  held: 'badge bad',
  disputed: 'badge bad',
  lost: 'badge bad',
};

/** An order's state at a time as a badge. */
export function OrderBadge({ order, now }: { order: Order; now: number }) {
  const state = stateAt(order, now);
  return <span class={LOOKS[state] ?? 'badge'}>{STATES[state]}</span>;
}

/** The bundle or items of an order by their slugs; if they are unknown, the provider's ids. */
export function goodsOf({ bundle, items, products }: Order): string {
  return bundle ?? (items.length > 0 ? items.map(({ slug }) => slug) : products).join(', ');
}

/** What was bought, by the titles that the items have now. */
export function titlesOf(order: Order, nameItem: NameItem): string {
  if (order.bundle !== null || order.items.length === 0) return goodsOf(order);
  return order.items.map(({ kind, itemKey, slug }) => nameItem(kind, itemKey)?.title ?? slug).join(', ');
}

/** An amount of the order's currency; a sale of nothing yet has none. */
export function moneyOf(amount: number, currency: string | null): string {
  return currency === null ? '–' : formatMoney(amount, currency);
}
