import { type Order, stateAt } from '../../sales/order.ts';
import { iso } from '../output.ts';

/** An order as `--json` prints it. Amounts are in minor units of the currency. */
export function describeOrder(order: Order, now: number) {
  return {
    id: order.id,
    provider: order.provider,
    providerRef: order.providerRef,
    ref: order.ref,
    state: stateAt(order, now),
    email: order.email,
    account: order.account,
    items: order.items.map(({ slug }) => slug),
    bundle: order.bundle,
    quantity: order.quantity,
    amount: order.amount,
    tax: order.tax,
    currency: order.currency,
    refunded: order.refunded,
    until: iso(order.until),
    paidAt: iso(order.paidAt),
    claimedAt: iso(order.claimedAt),
    attention: order.attention,
  };
}

/** An order as a row of a table for people: what was bought, by whom, and what is to be done. */
export function summarizeOrder(order: Order, now: number) {
  return {
    id: order.id,
    ref: order.ref,
    state: stateAt(order, now),
    bought: goodsOf(order),
    amount: `${order.amount} ${order.currency?.toUpperCase() ?? ''}`.trim(),
    email: order.email,
    account: order.account,
    paid: iso(order.paidAt)?.slice(0, 10) ?? null,
    attention: order.attention,
  };
}

function goodsOf({ bundle, items, products }: Order): string {
  return bundle ?? (items.length > 0 ? items.map(({ slug }) => slug) : products).join(' ');
}
