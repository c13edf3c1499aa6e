import { expect, test } from 'bun:test';
import { openStore } from '../../../src/store/store.ts';
import { visitAs, wordsOf } from '../site/admin/visit.ts';
import { openSellingStall, TEST_SECRET } from '../../sales/selling-stall.ts';
import { completed, refund } from '../../sales/stripe-events.ts';
import { order } from '../../sales/lemonsqueezy-events.ts';

const stall = await openSellingStall();
const reads = await openStore(stall.data);
const find = (key: string, provider = 'stripe') => reads.findOrderByKey(provider, key);

test('a sale of Stripe makes an order, and its account may install', async () => {
  const reader = await stall.reader('ada@example.org');
  expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(403);
  const answer = await stall.stripe(completed('first', 0));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('');
  expect(await find('cs_live_first')).toMatchObject({ state: 'paid', amount: 1900, attachedBy: 'address' });
  expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(200);
  await stall.stripe(refund('refund.created', 'first', 60));
  expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(403);
});

test('a sale of Lemon Squeezy makes an order', async () => {
  expect((await stall.lemonsqueezy(order('order_created', 0))).status).toBe(200);
  expect(await find('order:900', 'lemonsqueezy')).toMatchObject({ state: 'paid', providerRef: '900' });
});

test('the page of an order lists what happened by its time, not by its arrival', async () => {
  await stall.stripe(refund('refund.created', 'late', 60));
  await stall.stripe(completed('late', 0));
  await stall.app.admin.accounts.add('owner@example.org', true);
  const { open } = visitAs(stall, await stall.signIn('owner@example.org'));
  const words = wordsOf((await open(`/admin/orders/${(await find('cs_live_late'))?.id}`)).html);
  const events = [...words.matchAll(/checkout\.session\.completed|refund\.created/g)].map(([event]) => event);
  expect([...new Set(events)]).toEqual(['checkout.session.completed', 'refund.created']);
});

test('an event of the sandbox is answered and grants nothing', async () => {
  expect((await stall.stripe(completed('sandbox', 0), TEST_SECRET)).status).toBe(200);
  expect((await stall.stripe({ ...completed('marked', 0), livemode: false })).status).toBe(200);
  expect([await find('cs_live_sandbox'), await find('cs_live_marked')]).toEqual([null, null]);
});
