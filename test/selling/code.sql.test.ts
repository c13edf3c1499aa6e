import { expect, test } from 'bun:test';
import { AT, BOOK, openSaleDatabase } from './sale-database.ts';
import { completed, DAY, invoicePaid, invoicePayment, NOON } from './providers/stripe-events.ts';

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const code = (byte: number, orderId: number) => ({
  hash: hash(byte),
  prefix: 'ABCD',
  name: 'paid-book',
  isBundle: false,
  items: [BOOK],
  orderId,
  note: 'present',
  uses: 1,
  until: null,
  createdAt: NOON * 1000,
});

/** A stall with the order of a book. */
function openOrder() {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0));
  return sales;
}

/** A month of a subscription, which ends at `END` with its grace. */
function openSubscription() {
  const sales = openSaleDatabase();
  const monthly = { mode: 'subscription', subscription: 'sub_a', payment_intent: null, invoice: 'in_a' };
  sales.deliver('stripe', completed('s', 0, monthly));
  sales.deliver('stripe', invoicePaid('a', 0, { until: 30 * DAY }));
  return sales;
}
const END = (NOON + 33 * DAY) * 1000;

test('an order is turned into one code, and not into a second', async () => {
  const { writes } = openOrder();
  expect(writes.giveOrder({ code: code(1, 1), at: AT })).toBeTrue();
  expect(writes.giveOrder({ code: code(2, 1), at: AT })).toBeFalse();
  expect(writes.redeemCode({ hash: hash(2), accountId: 'eve', at: AT })).toEqual({ state: 'unknown' });
});

test('an order whose buyer was taken out of it is turned into no code', () => {
  const { writes, db } = openOrder();
  db.run('UPDATE orders SET erased_at = 1');
  expect(writes.giveOrder({ code: code(1, 1), at: AT })).toBeFalse();
});

test('what a code of a subscription opened follows its renewals, its refund and the payment after that', () => {
  const { writes, grants, deliver } = openSubscription();
  writes.giveOrder({ code: code(1, 1), at: NOON * 1000 });
  writes.redeemCode({ hash: hash(1), accountId: 'eve', at: NOON * 1000 });
  const untils = () => grants().map(({ account, until }) => [account, until]);
  expect(untils()).toEqual([['eve', END]]);
  deliver('stripe', invoicePaid('second', 30 * DAY, { until: 60 * DAY }));
  expect(untils()).toEqual([['eve', END + 30 * DAY * 1000]]);
  writes.actOnOrder({
    orderId: 1,
    fact: { kind: 'give-back' },
    origin: 'owner',
    at: (NOON + 31 * DAY) * 1000,
  });
  expect(untils()).toEqual([]);
});

test('a present of an order that turns out to be part of another is still that order’s', () => {
  const { writes, grants, deliver, db } = openSaleDatabase();
  deliver('stripe', completed('first', 0, { invoice: 'in_first', payment_intent: null }));
  deliver('stripe', completed('second', 1));
  writes.giveOrder({ code: code(1, 2), at: AT });
  writes.redeemCode({ hash: hash(1), accountId: 'eve', at: AT });
  const ids = () => db.query('SELECT id FROM orders ORDER BY id').values();
  expect(ids()).toEqual([[1], [2]]);
  deliver('stripe', invoicePayment('first', 2, 'pi_second'));
  expect(ids()).toEqual([[1]]);
  expect(grants().map(({ account }) => account)).toContain('eve');
  writes.actOnOrder({ orderId: 1, fact: { kind: 'give-back' }, origin: 'owner', at: AT + 1 });
  expect(grants()).toEqual([]);
});

test('a code of a subscription opens its items until that ends, and nothing after it', () => {
  const { writes, grants } = openSubscription();
  expect(writes.giveOrder({ code: { ...code(1, 1), uses: 2 }, at: NOON * 1000 })).toBeTrue();
  expect(writes.redeemCode({ hash: hash(1), accountId: 'eve', at: END - 1 }).state).toBe('redeemed');
  expect(grants()).toEqual([expect.objectContaining({ account: 'eve', item: 'paid-id', until: END })]);
  expect(writes.redeemCode({ hash: hash(1), accountId: 'ada', at: END })).toEqual({ state: 'unpaid' });
});
