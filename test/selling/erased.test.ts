import { expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { ping, sale } from './providers/gumroad-sales.ts';
import { AT, openSaleDatabase } from './sale-database.ts';
import { completed, refund, stripeEvent } from './providers/stripe-events.ts';

type Sales = ReturnType<typeof openSaleDatabase>;

/** All that the tables of sales hold, bodies as they came. */
function everything(sales: Sales): string {
  const bodies = sales.db.query<{ body: Uint8Array | null }, []>('SELECT body FROM sale_events').all();
  const tables = ['sale_facts', 'sale_keys', 'orders', 'outbox', 'links'].map((table) =>
    JSON.stringify(sales.db.query(`SELECT * FROM ${table}`).all()),
  );
  const ids = JSON.stringify(sales.db.query('SELECT event_id FROM sale_events').all());
  const texts = bodies.map(({ body }) => (body === null ? '' : Buffer.from(gunzipSync(body)).toString()));
  return [...tables, ids, ...texts].join('\n');
}

const PERSON = /ada@|eve(@|%40)|wallet@|Ada L|cs_live|pi_s|ch_s|re_s/i;

test('events that come after an order was erased leave no body, and no id of the provider', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0));
  sales.writes.eraseOrder({ orderId: 1, at: AT });
  const told = completed('s', 5);
  const back = refund('refund.created', 's', 90);
  for (const event of [told, back]) sales.deliver('stripe', event);
  expect(await sales.orders()).toMatchObject([{ state: 'refunded', email: null }]);
  expect(everything(sales)).not.toMatch(PERSON);
  expect(everything(sales)).not.toContain(told.id);
  for (const event of [told, back]) expect(sales.deliver('stripe', event).isNew).toBeFalse();
});

test('erasing takes the buyer out of the events that said nothing, and leaves those of others', () => {
  const sales = openSaleDatabase();
  const charge = (name: string, email: string | null) =>
    stripeEvent('charge.succeeded', 1, {
      id: `ch_${name}`,
      payment_intent: `pi_${name}`,
      receipt_email: email,
    });
  sales.deliver('stripe', charge('s', 'ADA@example.org'));
  sales.deliver('stripe', completed('s', 0));
  sales.deliver('stripe', stripeEvent('payment_intent.succeeded', 1, { id: 'pi_s', description: 'Ada L.' }));
  sales.deliver(
    'lemonsqueezy',
    JSON.stringify({ meta: {}, data: { attributes: { user_email: 'ada@example.org' } } }),
  );
  sales.deliver('stripe', charge('t', 'zoe@example.org'));
  sales.writes.eraseOrder({ orderId: 1, at: AT });
  expect(everything(sales)).not.toMatch(PERSON);
  expect(everything(sales)).toContain('zoe@example.org');
});

test('an unverified account that is removed leaves its address the purchases and mails that wait for it', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, { customer_details: { email: 'eve@example.org' } }));
  sales.writes.removeAccount({ id: 'eve', at: AT });
  expect(await sales.orders()).toMatchObject([{ state: 'paid', email: 'eve@example.org' }]);
  expect(sales.mails()).toEqual([{ kind: 'claim', address: 'eve@example.org', state: 'manual' }]);
});

test('a ping that was answered keeps nothing of its buyer', () => {
  const sales = openSaleDatabase();
  const body = new TextEncoder().encode(ping());
  const moment = { mode: 'live', origin: 'webhook', eventId: null, at: AT } as const;
  expect(sales.writes.addSaleEvent({ provider: 'gumroad', body, canAsk: true, ...moment }).state).toBe(
    'waiting',
  );
  const answer = new TextEncoder().encode(JSON.stringify({ sale: sale() }));
  sales.writes.addSaleEvent({ provider: 'gumroad', body: answer, ...moment, origin: 'api' });
  sales.writes.endSaleEvent({ id: 1, reason: 'its answer is kept', at: AT });
  sales.writes.eraseOrder({ orderId: 1, at: AT });
  expect(everything(sales)).not.toMatch(PERSON);
});
