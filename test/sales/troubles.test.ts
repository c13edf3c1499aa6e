import { expect, test } from 'bun:test';
import { AT, openSaleDatabase } from './sale-database.ts';
import { completed, DAY } from './stripe-events.ts';

const WEEK = 7 * DAY * 1000;

/** An event that the provider's API told of. */
function tell(sales: ReturnType<typeof openSaleDatabase>, at: number): void {
  const body = new TextEncoder().encode(JSON.stringify(completed('told', 0)));
  sales.writes.addSaleEvent({ provider: 'stripe', mode: 'live', origin: 'api', body, eventId: null, at });
}

test('a provider is silent if only its API told of something in the last 7 days', async () => {
  const sales = openSaleDatabase();
  const silent = async (at: number) => (await sales.reads.findSaleTroubles(at)).silent;
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
  const none = { silent: [], failed: 0, waitingSince: null, unmatched: 0, failedMails: 0 };
  expect(await find()).toEqual(none);
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_unknown' }));
  sales.deliver('stripe', completed('t', 0, { customer_details: { email: 'new@example.net' } }));
  sales.db.run("UPDATE outbox SET state = 'failed' WHERE address = 'new@example.net'");
  sales.db.run("UPDATE sale_events SET state = iif(id = 1, 'failed', 'waiting')");
  expect(await find()).toEqual({ ...none, failed: 1, waitingSince: AT, unmatched: 1, failedMails: 1 });
  expect((await find(AT + WEEK + 1)).failedMails).toBe(0);
});
