import { expect, test } from 'bun:test';
import { openSaleDatabase } from './sale-database.ts';
import { completed, NOON } from './providers/stripe-events.ts';

const PAID = NOON * 1000;
const NEW = { customer_details: { email: 'new@example.net' } };

/** A stall with an order that waits for its account. */
function openOrder() {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, NEW));
  return sales;
}

test('an order that has an account is given to no other', () => {
  const { writes, grants } = openOrder();
  const claim = { orderId: 1, since: 0, at: PAID };
  expect(writes.claimForAccount({ ...claim, accountId: 'eve' })).toBeTrue();
  expect(writes.claimForAccount({ ...claim, accountId: 'ada' })).toBeFalse();
  expect(grants().map(({ account }) => account)).toEqual(['eve']);
});

test('an order that was paid too long ago is not claimed by its id', () => {
  const { writes, grants } = openOrder();
  const claim = { orderId: 1, accountId: 'eve', at: PAID };
  expect(writes.claimForAccount({ ...claim, since: PAID + 1 })).toBeFalse();
  expect(grants()).toEqual([]);
  expect(writes.claimForAccount({ ...claim, since: PAID })).toBeTrue();
});

test('the mail that is sent again is of the order that waits for its account, not of a newer one', () => {
  const { writes, deliver, db } = openOrder();
  deliver('stripe', completed('t', 50, NEW));
  writes.claimForAccount({ orderId: 2, accountId: 'eve', since: 0, at: PAID });
  db.run('DELETE FROM outbox');
  expect(writes.repeatOrderMail({ address: 'new@example.net', details: {}, at: PAID + 60_000 })).toBeTrue();
  expect(db.query('SELECT kind, order_id AS orderId FROM outbox').all()).toEqual([
    { kind: 'claim', orderId: 1 },
  ]);
});
