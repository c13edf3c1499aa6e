import { expect, test } from 'bun:test';
import { AT, openSaleDatabase } from './sale-database.ts';
import { completed, DAY, invoicePaid, NOON, subscribed } from './stripe-events.ts';

const START = NOON * 1000;
const END = START + 33 * DAY * 1000;

/** A subscription of a month and three days of grace, told of as it began. */
function subscribe(email = 'ada@example.org') {
  const sales = openSaleDatabase();
  sales.deliver('stripe', subscribed(0, { customer_details: { email } }), START);
  sales.deliver('stripe', invoicePaid('first', 1, { until: 30 * DAY }), START);
  const ended = () => sales.mails().filter(({ kind }) => kind === 'ended');
  /** As the hour does at a time. */
  const look = (at: number): void => {
    let after: number | null = sales.reads.hasEndedOrders(at) ? 0 : null;
    for (let turns = 0; after !== null; turns += 1) {
      expect(turns).toBeLessThan(5);
      after = sales.writes.tellEndedOrders({ at, after, atMost: 1 });
    }
  };
  return { ...sales, ended, look };
}

test('a subscription that runs out is told to its buyer once', () => {
  const sales = subscribe();
  sales.look(END - 1);
  expect(sales.ended()).toEqual([]);
  sales.look(END);
  sales.look(END + 1);
  expect(sales.ended()).toEqual([{ kind: 'ended', address: 'ada@example.org', state: 'manual' }]);
  expect(sales.reads.hasEndedOrders(END + 1)).toBeFalse();
});

test('a subscription that goes on, or ended a week ago while the stall was down, is told to nobody', () => {
  const renewed = subscribe();
  renewed.deliver('stripe', invoicePaid('second', 30 * DAY, { until: 60 * DAY }), END - 1);
  renewed.look(END);
  expect(renewed.ended()).toEqual([]);
  const late = subscribe();
  late.look(END + 7 * DAY * 1000);
  expect(late.ended()).toEqual([]);
});

test('an address that cannot be mailed holds up no other', () => {
  const sales = subscribe('"ada"@example.org');
  sales.look(END);
  expect(sales.ended()).toEqual([]);
});

test('the buyer of a present hears nothing of its end, nor does one whose order was over when it was imported', () => {
  const given = subscribe();
  given.writes.actOnOrder({ orderId: 1, fact: { kind: 'gift' }, origin: 'buyer', at: AT });
  given.look(END);
  expect(given.ended()).toEqual([]);
  const past = openSaleDatabase();
  past.deliver('stripe', subscribed(0), END + 1);
  past.deliver('stripe', invoicePaid('first', 1, { until: 30 * DAY }), END + 1);
  expect(past.reads.hasEndedOrders(END + 2)).toBeFalse();
  past.deliver('stripe', completed('s', 0), END + 1);
  expect(past.reads.hasEndedOrders(END + 2)).toBeFalse();
});
