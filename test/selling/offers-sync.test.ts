import { expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { itemYaml, temporaryDirectory, until, writeFiles } from '../helpers/harness.ts';
import { openSellingStall, SALES, SOLD } from './selling-stall.ts';
import { completed, DAY, invoicePaid, NOON, subscribed } from './providers/stripe-events.ts';

test('a sale of an id that no item names opens the item once its item.yaml does', async () => {
  const stall = await openSellingStall();
  const reads = stall.app.stall.store;
  const reader = await stall.reader('ada@example.org');
  const status = async () =>
    (await stall.fetch('/api/install/paid-skill', { headers: reader.headers })).status;
  await stall.stripe(completed('early', 0, { payment_link: 'plink_forgotten' }));
  expect([await status(), reads.findOrder(1)?.state]).toEqual([403, 'unmatched']);
  writeFiles(stall.content, {
    'skills/paid-skill/item.yaml': itemYaml({
      title: 'The paid skill',
      unitAmountCents: 900,
      sell: '{stripe: [plink_forgotten]}',
    }),
  });
  await stall.app.publish();
  await stall.app.salesSettled();
  expect([await status(), reads.findOrder(1)?.state]).toEqual([200, 'paid']);

  // The meaning when it was paid is final.
  writeFiles(stall.content, {
    'skills/paid-skill/item.yaml': itemYaml({ title: 'The paid skill', unitAmountCents: 900 }),
  });
  await stall.app.publish();
  await stall.app.salesSettled();
  await stall.stripe(completed('early', 5, { payment_link: 'plink_forgotten' }));
  expect([await status(), reads.findOrder(1)?.state]).toEqual([200, 'paid']);
});

test('orders that could not be written when their item was for sale are at the next publish', async () => {
  const stall = await openSellingStall();
  const reads = stall.app.stall.store;
  const alter = (sql: string): void => {
    const db = new Database(join(stall.data, 'bookstall.db'));
    db.run(sql);
    db.close();
  };
  await stall.stripe(completed('early', 0, { payment_link: 'plink_forgotten' }));
  writeFiles(stall.content, {
    'skills/paid-skill/item.yaml': itemYaml({
      title: 'The paid skill',
      unitAmountCents: 900,
      sell: '{stripe: [plink_forgotten]}',
    }),
  });
  alter("CREATE TRIGGER broken BEFORE INSERT ON order_items BEGIN SELECT RAISE(ABORT, 'no'); END");
  await stall.app.publish();
  await stall.app.salesSettled();
  expect(stall.log.some(({ event }) => event === 'sales-mapping')).toBeTrue();
  expect(reads.findOrder(1)?.state).toBe('unmatched');
  alter('DROP TRIGGER broken');
  await stall.app.publish();
  await stall.app.salesSettled();
  expect(reads.findOrder(1)?.state).toBe('paid');
});

test('events that failed are folded at the next start', async () => {
  const directory = temporaryDirectory();
  const first = await openSellingStall({ directory });
  const alter = (sql: string): void => {
    const db = new Database(join(first.data, 'bookstall.db'));
    // The writer may hold the database just then.
    db.run('PRAGMA busy_timeout = 10000');
    db.run(sql);
    db.close();
  };
  alter("CREATE TRIGGER broken BEFORE INSERT ON order_items BEGIN SELECT RAISE(ABORT, 'no'); END");
  expect((await first.stripe(completed('broken', 0))).status).toBe(200);
  expect(first.log.some(({ event }) => event === 'sale-failed')).toBeTrue();
  await first.close();
  alter('DROP TRIGGER broken');
  const second = await openSellingStall({ directory, files: {} });
  const reads = second.app.stall.store;
  await until(async () => reads.findOrder(1)?.state === 'paid');
  await until(() => second.log.some(({ event }) => event === 'sale-retry'));
  expect(second.log.filter(({ event }) => event === 'sale-retry')).toHaveLength(1);
});

test('buyers of subscriptions that ran out while the stall was down are told at the next start', async () => {
  const directory = temporaryDirectory();
  const first = await openSellingStall({ directory, now: () => NOON * 1000 });
  await first.stripe(subscribed(0, { payment_link: 'plink_monthly' }));
  await first.stripe(invoicePaid('first', 1, { until: 30 * DAY }));
  await first.close();
  const second = await openSellingStall({ directory, files: {}, now: () => (NOON + 34 * DAY) * 1000 });
  const reads = second.app.stall.store;
  await until(async () => reads.listOrderMails(1).some(({ kind }) => kind === 'ended'));
});

test('bodies older than their term are dropped at the start', async () => {
  const directory = temporaryDirectory();
  const first = await openSellingStall({ directory });
  await first.stripe(completed('old', 0));
  await first.close();
  const config = { sales: { ...SALES, keepEvents: 1 } };
  const second = await openSellingStall({ directory, files: {}, config });
  const reads = second.app.stall.store;
  await until(() => !reads.hasBodiesBefore(Date.now()));
  expect(reads.findOrder(1)).toMatchObject({ state: 'paid', email: 'ada@example.org' });
});

test('without sales the webhooks are not found', async () => {
  const stall = await openSellingStall({ files: SOLD, config: { sales: { ...SALES, isOn: false } } });
  expect((await stall.stripe(completed('off', 0))).status).toBe(404);
});
