import { expect, test } from 'bun:test';
import type { Fact, OwnerFact } from '../../src/selling/fact.rule.ts';
import type { Stepped } from '../../src/selling/sale.sql.ts';
import { invoice, order, subscription } from './providers/lemonsqueezy-events.ts';
import { AT, BOOK, OFFERS, openSaleDatabase, settled, SKILL, servedEdition } from './sale-database.ts';
import {
  chargeRefunded,
  completed,
  DAY,
  invoicePaid,
  NOON,
  refund,
  subscribed,
} from './providers/stripe-events.ts';

type Sales = ReturnType<typeof openSaleDatabase>;

const EVE = { customer_details: { email: 'eve@example.org' } };
const settings = { grace: 3 * DAY * 1000, mail: 'manual', tellsSales: false } as const;

/** The state of the only order, and what its holder may open. */
async function look(sales: Sales) {
  const [found] = await sales.orders();
  return { state: found?.state, opens: sales.grants().map(({ account, item }) => `${account} ${item}`) };
}

/** An act on the first order, so many seconds after NOON. */
function act(sales: Sales, after: number, fact: OwnerFact) {
  return sales.writes.actOnOrder({ orderId: 1, fact, origin: 'owner', at: (NOON + after) * 1000 });
}

const grant = { kind: 'grant', items: null, bundle: null } as const;
const revoke = { kind: 'revoke', items: null } as const;
const ALL = ['ada paid-id'];

type Step = (sales: Sales) => unknown;
const sell: Step = (sales) => sales.deliver('stripe', completed('s', 0));
const sellCheap: Step = (sales) =>
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_cheap', amount_total: 100 }));
const give =
  (after: number): Step =>
  (sales) =>
    act(sales, after, grant);
const take =
  (after: number): Step =>
  (sales) =>
    act(sales, after, revoke);
const back: Step = (sales) => sales.deliver('stripe', refund('refund.created', 's', 100));
const failed: Step = (sales) =>
  sales.deliver('stripe', refund('refund.failed', 's', 200, { status: 'failed' }));

test.each<readonly [title: string, steps: readonly Step[], state: string, opens: readonly string[]]>([
  ['a revoked sale', [sell, take(50)], 'ended', []],
  ['a sale revoked and granted', [sell, take(50), give(60)], 'paid', ALL],
  ['a sale revoked and then refunded', [sell, take(50), back], 'refunded', []],
  ['a revoked sale whose refund failed', [sell, take(50), back, failed], 'ended', []],
  ['a held sale that the owner grants', [sellCheap, give(50)], 'paid', ALL],
  ['a held sale that was granted, and then refunded', [sellCheap, give(50), back], 'refunded', []],
  ['a refunded sale that the owner grants', [sell, back, give(150)], 'paid', ALL],
  ['a sale granted before its refund', [sell, give(50), back], 'refunded', []],
  [
    'a sale that the owner marks refunded',
    [sell, (sales) => act(sales, 50, { kind: 'give-back' })],
    'refunded',
    [],
  ],
  ['a sale turned into a present', [sell, (sales) => act(sales, 50, { kind: 'gift' })], 'paid', []],
])('%s is what the facts say by time, in any order of arrival', async (_, steps, state, opens) => {
  const sales = openSaleDatabase();
  for (const step of steps) await step(sales);
  expect(await look(sales)).toEqual({ state: state as 'paid', opens: [...opens] });
  const late = openSaleDatabase();
  // The sale must be there before an act on it; what the provider says later may come before the act.
  const [first, ...others] = steps;
  for (const step of [first, ...others.toReversed()]) await step?.(late);
  expect(await look(late)).toEqual(await look(sales));
});

test('an order is given to an account by the owner, and taken from the one that had it', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0));
  act(sales, 50, { kind: 'attach', accountId: 'eve', by: 'owner' });
  expect((await look(sales)).opens).toEqual(['eve paid-id']);
  sales.deliver('stripe', refund('refund.created', 's', 100));
  expect((await look(sales)).opens).toEqual([]);
});

test('an unmatched sale opens what the owner says it is', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_unknown' }));
  expect((await look(sales)).state).toBe('unmatched');
  act(sales, 50, { ...grant, items: [SKILL] });
  expect(await look(sales)).toEqual({ state: 'paid', opens: ['ada paid-skill'] });
});

test('one item of a bundle is revoked, and the others stay', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_both' }));
  const revoked = sales.writes.revokeGrants({
    accountId: 'ada',
    kind: 'book',
    itemKey: 'paid-id',
    source: null,
    at: (NOON + 50) * 1000,
  });
  expect(revoked).toBe(1);
  expect(await look(sales)).toEqual({ state: 'paid', opens: ['ada paid-skill'] });
  sales.deliver('stripe', chargeRefunded('s', 90, 100));
  expect(await look(sales)).toEqual({ state: 'paid', opens: ['ada paid-skill'] });
  const facts = sales.reads.listOrderFacts(1);
  expect(facts.map(({ fact }) => fact.kind)).toContain('revoke');
});

test('orders wait for their item, keep what they meant when paid, and are not shown once notOurs names them', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_new' }));
  sales.deliver('stripe', completed('t', 0));
  const set = (offers: typeof OFFERS) => {
    const orderIds = sales.writes.setOffers({ offers, settings, at: AT });
    sales.writes.refoldOrders({ orderIds, at: AT });
  };
  const item = { provider: 'stripe', bundle: null, least: null };
  set([...OFFERS, { ...item, product: 'plink_new', items: [SKILL] }]);
  expect(sales.grants().map(({ item: name }) => name)).toEqual(['paid-id', 'paid-skill']);
  set([
    { ...item, product: 'plink_new', items: [BOOK] },
    { ...item, product: 'plink_paid', items: [SKILL] },
  ]);
  sales.deliver('stripe', chargeRefunded('t', 9, 5));
  sales.deliver('stripe', chargeRefunded('s', 9, 5));
  expect(sales.grants().map(({ item: name }) => name)).toEqual(['paid-id', 'paid-skill']);

  sales.deliver('stripe', completed('u', 0, { payment_link: 'plink_shop' }));
  expect(await sales.orders()).toHaveLength(3);
  set([{ ...item, provider: '', product: 'plink_shop', items: [] }]);
  expect(await sales.orders()).toHaveLength(2);
  const kept = sales.db.query("SELECT count(*) AS n FROM sale_facts WHERE fact LIKE '%ada@%'").get();
  expect(kept).toEqual({ n: 2 });
  expect(
    sales.db
      .query("SELECT body, state FROM sale_events WHERE event_id LIKE 'evt%' AND state = 'ignored'")
      .all(),
  ).toEqual([{ body: null, state: 'ignored' }]);
});

test('a sale of notOurs leaves no order, no address and no body', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_other' }));
  sales.deliver('stripe', refund('refund.created', 's', 60));
  expect(await sales.orders()).toEqual([]);
  expect(await look(sales)).toEqual({ state: undefined, opens: [] });
  expect(sales.db.query('SELECT body FROM sale_events WHERE body IS NOT NULL').all()).toEqual([]);
  expect(JSON.stringify(sales.db.query('SELECT fact FROM sale_facts').all())).not.toContain('ada@');
});

test('an item that was never published is held, and opens once it is', async () => {
  const sales = openSaleDatabase();
  const later = { kind: 'book', itemKey: 'later-id', slug: 'later-book' } as const;
  const offer = { provider: 'stripe', product: 'plink_later', bundle: null, items: [later], least: null };
  sales.writes.setOffers({ offers: [offer], settings, at: AT });
  sales.deliver('stripe', completed('s', 0, { payment_link: 'plink_later' }));
  const [held] = await sales.orders();
  expect(held).toMatchObject({
    state: 'held',
    attention: '"later-book" was never published here: publish it, and this order opens it',
  });
  sales.writes.publishItems({ items: [{ ...later, edition: null }], at: 2 });
  // A draft: known, and never served.
  const draft = sales.writes.setOffers({ offers: [offer], settings, at: AT });
  sales.writes.refoldOrders({ orderIds: draft, at: AT });
  expect((await sales.orders())[0]?.state).toBe('held');
  sales.writes.publishItems({ items: [], editions: [servedEdition(later)], at: 2 });
  const orderIds = sales.writes.setOffers({ offers: [offer], settings, at: AT });
  sales.writes.refoldOrders({ orderIds, at: AT });
  expect(await look(sales)).toEqual({ state: 'paid', opens: ['ada later-id'] });
});

test('an erased order keeps amount, item and time, and nobody can bring its person back', async () => {
  const sales = openSaleDatabase();
  const sale = completed('s', 0);
  const paidBack = refund('refund.created', 's', 60, { amount: 100 });
  sales.deliver('stripe', sale);
  sales.deliver('stripe', paidBack);
  const [before] = await sales.orders();
  expect(sales.writes.eraseOrder({ orderId: 1, at: AT })).toBeTrue();
  const everything = () =>
    ['sale_events', 'sale_facts', 'sale_keys', 'orders', 'grants', 'outbox', 'links']
      .map((table) => JSON.stringify(sales.db.query(`SELECT * FROM ${table}`).all()))
      .join();
  const PERSON = /ada@|cs_live|pi_s|ch_s|re_s|evt_/i;
  expect(everything()).not.toMatch(PERSON);
  expect(await look(sales)).toEqual({ state: 'paid', opens: [] });
  for (const event of [sale, paidBack, sale]) expect(sales.deliver('stripe', event).isNew).toBeFalse();
  // A refund that comes later, and the same sale told by another event, find the order.
  sales.deliver('stripe', refund('refund.created', 's', 90, { id: 're_late', amount: 1800 }));
  sales.deliver('stripe', completed('s', 5));
  sales.writes.replayOrder({ orderId: 1, at: AT });
  const [after, ...others] = await sales.orders();
  expect(others).toEqual([]);
  expect(after).toMatchObject({
    state: 'refunded',
    amount: 1900,
    refunded: 1900,
    email: null,
    accountId: null,
  });
  expect(after).toMatchObject({ paidAt: before?.paidAt, items: before?.items, ref: before?.ref });
  expect(everything()).not.toMatch(/ada@|cs_live|pi_s|ch_s/i);
});

test('an account that is removed leaves its orders, mails and facts without a name', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0));
  sales.deliver('stripe', completed('other', 0, EVE));
  const data = Object.fromEntries(await Array.fromAsync(sales.reads.walkPersonalData('ada', false)));
  expect(data['orders']).toMatchObject([{ state: 'paid', items: 'paid-book', email: 'ada@example.org' }]);
  expect(data['mails']).toMatchObject([{ kind: 'library', address: 'ada@example.org' }]);
  expect(sales.writes.removeAccount({ id: 'ada', at: AT })).toMatchObject({ orders: 1, grants: 1 });
  const tables = ['sale_events', 'sale_facts', 'orders', 'outbox', 'accounts', 'grants'];
  const rest = tables.map((table) => JSON.stringify(sales.db.query(`SELECT * FROM ${table}`).all())).join();
  expect(rest).not.toContain('ada@');
  expect(rest).toContain('eve@');
});

test('bodies are dropped after their term, and the facts stay', () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('old', 0), AT - 1000);
  sales.deliver('stripe', completed('new', 0), AT);
  expect(sales.writes.blankSaleEvents({ before: AT, atMost: 10 })).toBe(1);
  expect(sales.db.query('SELECT count(body) AS bodies, count(*) AS events FROM sale_events').get()).toEqual({
    bodies: 1,
    events: 2,
  });
  expect(sales.reads.hasBodiesBefore(AT)).toBeFalse();
});

test('a replay of an order changes nothing, and mends a fold of before', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', subscribed(0));
  sales.deliver('stripe', invoicePaid('first', 1, { until: 30 * DAY }));
  const before = {
    orders: await sales.orders(),
    grants: sales.grants(),
    facts: sales.reads.listOrderFacts(1),
  };
  const replay = () => sales.writes.replayOrder({ orderId: 1, at: AT });
  expect(replay()).toBeTrue();
  expect({ orders: await sales.orders(), grants: sales.grants() }).toEqual({
    orders: before.orders,
    grants: before.grants,
  });
  const facts = async (): Promise<readonly Fact[]> => sales.reads.listOrderFacts(1).map(({ fact }) => fact);
  expect(await facts()).toEqual(before.facts.map(({ fact }) => fact));
  sales.db.run("UPDATE orders SET state = 'refunded', amount = 0");
  replay();
  expect(await sales.orders()).toEqual(before.orders);
  expect(sales.writes.replayOrder({ orderId: 99, at: AT })).toBeFalse();
});

test('a replay of all mends every order, and reads types that said nothing before', async () => {
  const sales = openSaleDatabase();
  for (const name of ['a', 'b', 'c']) sales.deliver('stripe', completed(name, 0));
  sales.writes.blankSaleEvents({ before: AT + 1, atMost: 1 });
  const before = await sales.orders();
  // As a program left it that did not know this type.
  sales.db.run(
    "DELETE FROM sale_facts WHERE event = 3; UPDATE sale_events SET state = 'ignored' WHERE id = 3",
  );
  sales.db.run("DELETE FROM orders WHERE id = 3; UPDATE orders SET state = 'refunded', amount = 0");
  const walk = (name: 'replaySaleEvents' | 'refoldAllOrders'): number => {
    let done = 0;
    for (let after: number | null = 0; after !== null;) {
      const step: Stepped = sales.writes[name]({ after, atMost: 2, at: AT });
      [done, after] = [done + step.done, step.last];
    }
    return done;
  };
  expect([walk('replaySaleEvents'), walk('refoldAllOrders')]).toEqual([2, 3]);
  expect((await sales.orders()).map(settled)).toEqual(before.map(settled));
});

test('an event that cannot be folded is kept as failed, and folded when it can be', async () => {
  const sales = openSaleDatabase();
  sales.db.run(
    "CREATE TRIGGER broken BEFORE INSERT ON order_items BEGIN SELECT RAISE(ABORT, 'no room for items'); END",
  );
  const sale = completed('s', 0);
  expect(sales.deliver('stripe', sale)).toMatchObject({ state: 'failed', reason: 'no room for items' });
  expect(await sales.orders()).toEqual([]);
  expect(sales.db.query('SELECT count(*) AS facts FROM sale_facts').get()).toEqual({ facts: 0 });
  expect(sales.writes.retrySaleEvents({ after: 0, atMost: 9, at: AT })).toEqual({ last: 1, done: 0 });
  expect(sales.deliver('stripe', sale)).toMatchObject({ state: 'failed' });
  sales.db.run('DROP TRIGGER broken');
  expect(sales.writes.retrySaleEvents({ after: 0, atMost: 9, at: AT })).toEqual({ last: 1, done: 1 });
  expect(await look(sales)).toEqual({ state: 'paid', opens: ALL });
  expect(sales.reads.hasFailedEvents(0)).toBeFalse();
});

test('an event that could not be folded is folded when its provider sends it again', async () => {
  const sales = openSaleDatabase();
  sales.db.run("CREATE TRIGGER broken BEFORE INSERT ON order_items BEGIN SELECT RAISE(ABORT, 'no'); END");
  const sale = completed('s', 0);
  sales.deliver('stripe', sale);
  sales.db.run('DROP TRIGGER broken');
  expect(sales.deliver('stripe', sale)).toMatchObject({ isNew: true, state: 'folded' });
  expect(await look(sales)).toEqual({ state: 'paid', opens: ALL });
  expect(sales.reads.hasFailedEvents(0)).toBeFalse();
});

test.each([
  ['by its secret', 'test', true],
  ['by its own words', 'live', false],
] as const)('an event of the sandbox, %s, makes no order', async (_, mode, livemode) => {
  const sales = openSaleDatabase();
  const body = new TextEncoder().encode(JSON.stringify({ ...completed('s', 0), livemode }));
  const arrival = { provider: 'stripe', mode, origin: 'webhook', body, eventId: null, at: AT } as const;
  expect(sales.writes.addSaleEvent(arrival)).toMatchObject({ state: 'ignored', reason: 'test' });
  expect(await sales.orders()).toEqual([]);
});

test('a mail that waits for the owner is dropped with the sale it is about', () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', completed('s', 0, { customer_details: { email: 'new@example.net' } }));
  expect(sales.mails()).toMatchObject([{ kind: 'claim', state: 'manual' }]);
  sales.deliver('stripe', refund('refund.created', 's', 100));
  expect(sales.mails()[0]).toMatchObject({ kind: 'claim', state: 'dropped' });
});

test('two orders that turn out to be one keep the first number, its mails and its claim', async () => {
  const sales = openSaleDatabase();
  const bought = {
    id: '901',
    first_order_item: { variant_id: 510002, quantity: 1 },
    user_email: 'eve@example.org',
  };
  sales.deliver('lemonsqueezy', order('order_created', 0, bought));
  sales.deliver('lemonsqueezy', order('order_created', 0, { ...bought, id: '902' }));
  sales.writes.actOnOrder({
    orderId: 2,
    fact: { kind: 'attach', accountId: 'ada', by: 'return' },
    origin: 'buyer',
    at: AT,
  });
  expect(sales.grants()).toHaveLength(1);
  // No provider says so: the subscription of one order is said to be of the other, too.
  sales.deliver('lemonsqueezy', subscription('created', 1, 'active'));
  sales.deliver('lemonsqueezy', subscription('updated', 2, 'active', { order_id: 902 }));
  const orders = await sales.orders();
  expect(orders.map(({ id, accountId }) => [id, accountId])).toEqual([[1, 'ada']]);
  expect(sales.grants().map(({ account, source }) => [account, source])).toEqual([['ada', 'sale:1']]);
  expect(sales.db.query('SELECT DISTINCT order_id FROM outbox').all()).toEqual([{ order_id: 1 }]);
});

test('invoices wait for their session', async () => {
  const sales = openSaleDatabase();
  sales.deliver('stripe', invoicePaid('first', 1, { until: 30 * DAY }));
  sales.deliver('lemonsqueezy', invoice('success', 2, '1', 'initial'));
  expect(await sales.orders()).toEqual([]);
  sales.deliver('stripe', subscribed(0));
  expect((await sales.orders()).map(({ state, isSubscription }) => [state, isSubscription])).toEqual([
    ['paid', true],
  ]);
});
