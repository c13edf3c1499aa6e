import type { Office } from '../words/office.ts';
import { useOffice } from '../platform/site/words.tsx';
import { nameItem } from '../accounts/items.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { type Columns, When } from '../platform/site/data-table.tsx';
import { ORDERS } from '../platform/site/linked-pages.ts';
import { nameOrder, type Order, type OrderState, stateAt } from './order.rule.ts';
import type { Stall } from './stall.ts';

const STATE_CLASSES: Readonly<Partial<Record<OrderState, string>>> = {
  paid: 'badge good',
  unmatched: 'badge warn',
  held: 'badge warn',
  disputed: 'badge warn',
  lost: 'badge bad',
};

export function OrderBadge({ order, now }: { order: Order; now: number }) {
  const w = useOffice();
  const state = stateAt(order, now);
  return (
    <>
      <span class={STATE_CLASSES[state] ?? 'badge'}>{w.orders.states[state]}</span>
      {order.isTest && (
        <>
          {' '}
          <span class="badge">{w.orders.test}</span>
        </>
      )}
    </>
  );
}

export const orderState = (w: Office, stall: Stall): Columns<Order> => ({
  [w.orders.order]: (order) => <a href={`${ORDERS}/${order.id}`}>{nameOrder(order)}</a>,
  [w.common.state]: (order) => <OrderBadge order={order} now={stall.now()} />,
});

export const orderColumns = (w: Office, stall: Stall): Columns<Order> => ({
  ...orderState(w, stall),
  [w.orders.amount]: ({ amount, currency }) => moneyOf(w, amount, currency),
  [w.common.when]: ({ at }) => <When at={at} />,
  [w.orders.bought]: (order) =>
    stall.manifest().bundles.find(({ slug }) => slug === order.bundle)?.title ??
    goodsOf(order, ({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey)?.title ?? slug),
});

export const goodsOf = ({ bundle, items, products }: Order, nameOf: (item: OfferedItem) => string): string =>
  bundle ?? (items.length > 0 ? items.map(nameOf) : products).join(', ');

/** Writes an amount in the order's currency, or a dash before the first payment, when the currency is unknown. */
export const moneyOf = (w: Office, amount: number, currency: string | null): string =>
  currency === null ? '–' : formatMoney(amount, currency, w.locale);
