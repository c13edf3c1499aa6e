import { expect, test } from 'bun:test';
import { itemYaml } from '../helpers/harness.ts';
import { openSellingStall, SOLD } from './selling-stall.ts';
import { completed } from './providers/stripe-events.ts';

// Stories fold the offers that they are given: here they come of item.yaml, through the catalog.
test.each([
  [499, 'usd', 'held'],
  [0, 'usd', 'held'],
  [1900, 'eur', 'held'],
  [500, 'usd', 'paid'],
  [2500, 'usd', 'paid'],
] as const)('where buyers choose from 5.00 dollars, %d %s is %s', async (amount, currency, state) => {
  const item = itemYaml({
    id: 'paid-id',
    title: 'The paid book',
    unitAmountCents: 500,
    suggestedAmountCents: 1900,
    sell: '{stripe: [plink_paid]}',
  });
  const stall = await openSellingStall({ files: { ...SOLD, 'books/paid-book/item.yaml': item } });
  const event = completed('chosen', 0, { amount_total: amount, amount_subtotal: amount, currency });
  expect((await stall.stripe(event)).status).toBe(200);
  const order = stall.app.stall.store.findOrderByKey('stripe', 'cs_live_chosen');
  expect(order?.state).toBe(state);
});
