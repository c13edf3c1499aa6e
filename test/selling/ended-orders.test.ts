import { expect, test } from 'bun:test';
import { AT, openSaleDatabase } from './sale-database.ts';
import { completed, DAY, invoicePaid, NOON, subscribed } from './providers/stripe-events.ts';

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

const WEEK = 7 * DAY * 1000;

/** An event that the provider's API told of. */
function tell(sales: ReturnType<typeof openSaleDatabase>, at: number): void {
  const body = new TextEncoder().encode(JSON.stringify(completed('told', 0)));
  sales.writes.addSaleEvent({ provider: 'stripe', mode: 'live', origin: 'api', body, eventId: null, at });
}

test('a provider is silent if only its API told of something in the last 7 days', async () => {
  const sales = openSaleDatabase();
  const silent = async (at: number) => sales.reads.findSaleTroubles(at).silent;
  expect(await silent(AT)).toEqual([]);
  sales.deliver('stripe', completed('heard', 0), AT);
  tell(sales, AT + WEEK);
  expect(await silent(AT + WEEK)).toEqual([]);
  expect(await silent(AT + WEEK + 1)).toEqual(['stripe']);
  expect(await silent(AT + 2 * WEEK + 1)).toEqual([]);
});

test('failed and waiting events, unmatched sales and mails that failed are counted', async () => {
  const sales = openSaleDatabase();
  const find = (at = AT) => sales.reads.findSaleTroubles(at);
  const none = { silent: [], failed: 0, waitingSince: null, unmatched: 0 };
  expect(find()).toEqual(none);
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_unknown' }));
  sales.deliver('stripe', completed('t', 0, { customer_details: { email: 'new@example.net' } }));
  sales.db.run("UPDATE outbox SET state = 'failed' WHERE address = 'new@example.net'");
  sales.db.run("UPDATE sale_events SET state = iif(id = 1, 'failed', 'waiting')");
  expect(find()).toEqual({ ...none, failed: 1, waitingSince: AT, unmatched: 1 });
  expect([AT, AT + WEEK + 1].map(sales.reads.countFailedMails)).toEqual([1, 0]);
});
