import { findByKey } from '../catalog/catalog.ts';
import { oneLine } from '../mailing/mail-text.ts';
import { DAY } from '../platform/base/duration.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { guaranteedDays } from './guarantee.rule.ts';
import { stateAt } from './order.rule.ts';
import type { AccountOrder } from './order.sql.ts';
import type { Stall } from './stall.ts';

export const LONGEST_REASON = 300;

/**
 * Whether the buyer of an order may ask for the money back: once, while the order is paid, within the days that an item's
 * guarantee names. A guarantee without a number of days does not end, since the owner decides.
 */
export function mayAskBack({ catalog, now }: Stall, order: AccountOrder): boolean {
  const { paidAt, amount, items, askedAt } = order;
  if (askedAt !== null || paidAt === null || amount === 0 || stateAt(order, now()) !== 'paid') return false;
  return items.some(({ kind, itemKey }) => {
    const guarantee = findByKey(catalog(), kind, itemKey)?.manifest.guarantee ?? null;
    // A day is added, so that the last day counts until midnight wherever the buyer lives.
    return guarantee !== null && now() < paidAt + (guaranteedDays(guarantee) + 1) * DAY;
  });
}

/** Asks the owner for the money that an account paid for an order. Refuses what `mayAskBack` does not allow. */
export async function askBack(stall: Stall, accountId: string, ref: string, typed: string): Promise<void> {
  const order = stall.store.listAccountOrders(accountId).find((one) => one.ref === ref);
  if (order === undefined || !mayAskBack(stall, order))
    throw new ToldRefusal('invalid-request', (r) => r.account.noMoneyBack);
  const reason = oneLine(typed.replaceAll(/\p{Bidi_Control}/gu, ''), LONGEST_REASON);
  const fact = { kind: 'ask-back', reason } as const;
  await stall.store.write.actOnOrder({ orderId: order.id, fact, origin: 'buyer', at: stall.now() });
}
