import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { migrations, openForWriting } from '../../src/platform/store/database.ts';
import { type } from '../platform/cli/type.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { openSellingStall } from './selling-stall.ts';
import { openSaleDatabase } from './sale-database.ts';
import { chargeRefunded, completed, invoicePayment } from './providers/stripe-events.ts';

type Listed = { readonly id: number; readonly number: number | null; readonly state: string };

test('orders are numbered when they are paid, without gaps; test sales, waiting and foreign ones take no number', async () => {
  const stall = await openSellingStall();
  const data = join(stall.directory, 'data');
  const list = async () => {
    const { out } = await type(['orders', 'list', '--json', '--data', data]);
    return (JSON.parse(out) as readonly Listed[]).toSorted((a, b) => a.id - b.id);
  };
  const events = [
    completed('a', 0),
    completed('bookstall_test', 1, { id: 'cs_bookstall_test' }),
    completed('foreign', 2, { payment_link: 'plink_unknown' }),
    completed('waits', 3, { payment_status: 'unpaid' }),
    completed('b', 4),
    completed('a', 5),
    chargeRefunded('a', 6, 1900),
  ];
  for (const event of events) expect((await stall.stripe(event)).status).toBe(200);
  await stall.app.salesSettled();
  expect((await list()).map(({ number, state }) => [number, state])).toEqual([
    [1, 'refunded'],
    [null, 'paid'],
    [null, 'unmatched'],
    [null, 'pending'],
    [2, 'paid'],
  ]);
  const [first, , foreign] = await list();
  const act = (...words: readonly string[]) => type(['orders', ...words, '--data', data]);
  expect((await act('erase', String(first?.id))).code).toBe(0);
  expect((await act('grant', String(foreign?.id), 'paid-book')).code).toBe(0);
  expect((await act('replay', String(first?.id))).code).toBe(0);
  expect((await list()).map(({ number }) => number)).toEqual([1, null, 3, null, 2]);
});

test('two paid orders that turn out to be one keep the earlier number, and none is given twice', async () => {
  const { deliver, db } = openSaleDatabase();
  const numbers = () => db.query('SELECT number FROM orders ORDER BY id').values().flat();
  deliver('stripe', completed('first', 0, { invoice: 'in_first', payment_intent: null }));
  deliver('stripe', completed('second', 1));
  expect(numbers()).toEqual([1, 2]);
  deliver('stripe', invoicePayment('first', 2, 'pi_second'));
  expect(numbers()).toEqual([1]);
  deliver('stripe', completed('third', 3));
  expect(numbers()).toEqual([1, 3]);
});

test('orders of 0.3.0 get their numbers by the time of payment', () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const old = openForWriting(file, migrations.slice(0, 24));
  const orders = [
    ['late', 'paid', 30, 0],
    ['early', 'refunded', 10, 0],
    ['test', 'paid', 5, 1],
    ['waiting', 'pending', null, 0],
    ['middle', 'ended', 20, 0],
    ['unknown', 'unmatched', 1, 0],
  ] as const;
  for (const [n, [ref, state, paidAt, isTest]] of orders.entries()) {
    old.run(
      `INSERT INTO orders (id, chain, provider, provider_ref, ref, state, at, products, quantity, amount, tax, refunded,
         is_subscription, paid_at, is_test) VALUES (${n + 1}, ${n}, 'stripe', ?, ?, ?, 1, '[]', 1, 1900, 0, 0, 0, ?, ?)`,
      [ref, ref, state, paidAt, isTest],
    );
    old.run(`INSERT INTO order_items VALUES (${n + 1}, 'book', 'x', 'x', 'p', 1)`);
  }
  old.close();
  const db = openForWriting(file);
  expect(db.query('SELECT ref, number FROM orders WHERE number > 0 ORDER BY number').values()).toEqual([
    ['early', 1],
    ['middle', 2],
    ['late', 3],
  ]);
  expect(db.query('SELECT last FROM order_numbers').values()).toEqual([[3]]);
  db.close();
});
