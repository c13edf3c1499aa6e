import { nameItem } from '../accounts/items.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { type Columns, When } from '../platform/site/data-table.tsx';
import { ORDERS } from '../platform/site/paths.ts';
import { nameOrder, type Order, type OrderState, stateAt } from './order.rule.ts';
import type { Stall } from './stall.ts';

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

const STATE_CLASSES: Readonly<Partial<Record<OrderState, string>>> = {
  paid: 'badge good',
  unmatched: 'badge warn',
  held: 'badge warn',
  disputed: 'badge warn',
  lost: 'badge bad',
};

export function OrderBadge({ order, now }: { order: Order; now: number }) {
  const state = stateAt(order, now);
  return (
    <>
      <span class={STATE_CLASSES[state] ?? 'badge'}>{STATES[state]}</span>
      {order.isTest && (
        <>
          {' '}
          <span class="badge">Test</span>
        </>
      )}
    </>
  );
}

export const orderColumns = (stall: Stall) =>
  ({
    Order: (order) => <a href={`${ORDERS}/${order.id}`}>{nameOrder(order)}</a>,
    State: (order) => <OrderBadge order={order} now={stall.now()} />,
    Amount: ({ amount, currency }) => moneyOf(amount, currency),
    When: ({ at }) => <When at={at} />,
    Bought: (order) =>
      stall.manifest().bundles.find(({ slug }) => slug === order.bundle)?.title ??
      goodsOf(order, ({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey)?.title ?? slug),
  }) satisfies Columns<Order>;

/** Returns the goods of an order: the slug of its bundle, else its items, else the provider's ids of the products. */
export const goodsOf = ({ bundle, items, products }: Order, nameOf: (item: OfferedItem) => string): string =>
  bundle ?? (items.length > 0 ? items.map(nameOf) : products).join(', ');

/** Writes an amount in the order's currency, or a dash before the first payment, when the currency is unknown. */
export const moneyOf = (amount: number, currency: string | null): string =>
  currency === null ? '–' : formatMoney(amount, currency);
