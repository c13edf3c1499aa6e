import { afterAll, expect, test } from 'bun:test';
import { ANY_ORDER } from '../../src/service/orders.ts';
import { openSellingStall } from '../sales/selling-stall.ts';
import { completed, NOON, refund } from '../sales/stripe-events.ts';

/** This stall's clock is ten minutes behind the provider's; its signatures are as of now. */
const stall = await openSellingStall({ now: () => NOON * 1000 });
afterAll(() => stall.close());
const AHEAD = 600;
const { orders } = stall.app.admin;

async function sell(name: string): Promise<number> {
  await stall.stripe(completed(name, AHEAD));
  const { rows } = await orders.page(ANY_ORDER, null);
  return Math.max(...rows.map(({ id }) => id));
}

test.each([
  ['marks refunded', orders.giveBack, 'refunded'],
  ['revokes', orders.revoke, 'ended'],
] as const)('an order that the owner %s is so, by a clock behind its provider', async (name, act, state) => {
  const id = await sell(name.replace(' ', '_'));
  expect((await act(id)).state).toBe(state);
});

test('an order that the owner grants after its refund is paid, by a clock behind its provider', async () => {
  const id = await sell('granted');
  await stall.stripe(refund('refund.created', 'granted', AHEAD + 60));
  expect((await orders.find(id)).state).toBe('refunded');
  expect((await orders.grant(id)).state).toBe('paid');
});
