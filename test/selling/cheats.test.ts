import { expect, test } from 'bun:test';
import { asked, created, MEMBERSHIP, moment } from './providers/gumroad-sales.ts';
import { invoice, order, subscription } from './providers/lemonsqueezy-events.ts';
import { renewal, subscription as polarSubscription } from './providers/polar-events.ts';
import { AT, BOOK, OFFERS, openSaleDatabase } from './sale-database.ts';
import {
  completed,
  DAY,
  dispute,
  invoicePaid,
  invoicePayment,
  NOON,
  refund,
} from './providers/stripe-events.ts';

type Sales = ReturnType<typeof openSaleDatabase>;

const settings = { grace: 3 * DAY * 1000, mail: 'manual', tellsSales: false } as const;
const [CREATED, GRACE] = [NOON * 1000, 3 * DAY * 1000];

async function look(sales: Sales) {
  const [found] = await sales.orders();
  return { state: found?.state, opens: sales.grants().map(({ account, item }) => `${account} ${item}`) };
}

/** Says what is for sale from now on, as a publish does. */
function setOffers(sales: Sales, offers: typeof OFFERS): void {
  const orderIds = sales.writes.setOffers({ offers, settings, at: AT });
  sales.writes.refoldOrders({ orderIds, at: AT });
}

const cheap = completed('s', 0, { payment_link: 'plink_cheap', amount_total: 100 });

test.each([
  [
    'a dispute that was won',
    [dispute('created', 's', 10, 'needs_response'), dispute('closed', 's', 20, 'won')],
  ],
  [
    'a refund that failed',
    [
      refund('refund.created', 's', 10, { amount: 100 }),
      refund('refund.failed', 's', 20, { status: 'failed' }),
    ],
  ],
] as const)('a sale below "least" is held after %s', async (_, events) => {
  const sales = openSaleDatabase();
  for (const event of [cheap, ...events]) sales.deliver('stripe', event);
  expect(await look(sales)).toEqual({ state: 'held', opens: [] });
});

test.each<[number, number, string]>([
  [700, 200, 'paid'],
  [699, 200, 'held'],
])('of %d that were paid with a tax of %d, what is left decides: %s', async (total, tax, wanted) => {
  const sales = openSaleDatabase();
  const details = { amount_discount: 0, amount_shipping: 0, amount_tax: tax };
  const sold = { payment_link: 'plink_cheap', amount_total: total, total_details: details };
  sales.deliver('stripe', completed('s', 0, sold));
  expect(String((await look(sales)).state)).toBe(wanted);
});

test.each([5, 501])(
  '%d copies that were paid before copies had a code get none, however often they are read',
  async (quantity) => {
    const sales = openSaleDatabase();
    const sold = order('order_created', 0, { first_order_item: { variant_id: 510001, quantity } });
    const end = async () => {
      const [found] = await sales.orders();
      return [found?.state, found?.copies, sales.db.query('SELECT * FROM codes').all().length];
    };
    sales.deliver('lemonsqueezy', sold);
    expect(await end()).toEqual(quantity === 5 ? ['paid', 4, 1] : ['held', 0, 0]);
    sales.db.run('DELETE FROM codes');
    sales.db.run('UPDATE sale_settings SET last_without_copies = (SELECT max(id) FROM sale_events)');
    sales.writes.replayOrder({ orderId: 1, at: AT });
    sales.deliver(
      'lemonsqueezy',
      order('order_created', 5, { first_order_item: { variant_id: 510001, quantity } }),
    );
    expect(await end()).toEqual(['paid', 0, 0]);
  },
);

test('two orders of copies that turn out to be one have one code for others', async () => {
  const sales = openSaleDatabase();
  const line_items = { data: [{ quantity: 3 }] };
  for (const name of ['a', 'b']) sales.deliver('stripe', completed(name, 0, { line_items }));
  for (const name of ['a', 'b']) sales.deliver('stripe', invoicePayment('one', 5, `pi_${name}`));
  expect(await sales.orders()).toMatchObject([{ id: 1, copies: 2 }]);
  const codes = sales.db.query('SELECT order_id, is_copies, revoked_at IS NULL AS isOpen FROM codes').all();
  expect(codes).toEqual([
    { order_id: 1, is_copies: 1, isOpen: 1 },
    { order_id: 1, is_copies: 0, isOpen: 0 },
  ]);
});

test('an id that is named after the sale changes nothing of a sale that another id opened', async () => {
  const sales = openSaleDatabase();
  sales.deliver(
    'stripe',
    completed('sub', 0, { payment_link: 'plink_later', invoice: 'in_first', subscription: 'sub_a' }),
  );
  sales.deliver('stripe', invoicePaid('first', 1, { until: 30 * DAY }));
  expect((await look(sales)).opens).toEqual(['ada paid-skill']);
  setOffers(sales, [
    ...OFFERS,
    { provider: 'stripe', product: 'plink_later', bundle: null, items: [BOOK], least: null },
  ]);
  sales.deliver('stripe', invoicePaid('second', 30 * DAY, { until: 60 * DAY }));
  expect((await look(sales)).opens).toEqual(['ada paid-skill']);
});

test('a renewal that was given back does not keep the period it paid for open', async () => {
  const sales = openSaleDatabase();
  const bought = { id: '901', total: 900, first_order_item: { variant_id: 510002, quantity: 1 } };
  const month = 30 * DAY;
  const renews = (after: number) => ({ renews_at: new Date(CREATED + after * 1000).toISOString() });
  const events = [
    order('order_created', 0, bought),
    subscription('created', 1, 'active', renews(month)),
    invoice('success', 1, '1', 'initial'),
    subscription('updated', month, 'active', renews(2 * month)),
    invoice('success', month + 5, '2', 'renewal'),
    invoice('refunded', month + 60, '2', 'renewal', {
      status: 'refunded',
      refunded: true,
      refunded_amount: 900,
    }),
  ];
  for (const event of events) sales.deliver('lemonsqueezy', event);
  const end = CREATED + (month + 60) * 1000;
  expect((await sales.orders())[0]?.until).toBeLessThan(end + GRACE);
  // The next one is good again.
  sales.deliver('lemonsqueezy', subscription('updated', 2 * month, 'active', renews(3 * month)));
  sales.deliver('lemonsqueezy', invoice('success', 2 * month + 5, '3', 'renewal'));
  expect((await sales.orders())[0]?.until).toBe(CREATED + 3 * month * 1000 + GRACE);
});

test('a renewal that only reconciliation tells of is open to the end of its period', async () => {
  const sales = openSaleDatabase();
  const month = 30 * DAY;
  const [first, second] = [1, 2].map((n) => `0a000000-0000-4000-8000-00000000000${n}`) as [string, string];
  const ends = (after: number) => ({ current_period_end: new Date(CREATED + after * 1000).toISOString() });
  sales.deliver('polar', renewal('paid', 1, first, month));
  sales.deliver('polar', polarSubscription('active', 1, 'active', ends(month)));
  sales.deliver('polar', renewal('updated', month, second, 2 * month));
  sales.deliver('polar', polarSubscription('updated', month, 'active', ends(2 * month)));
  expect((await sales.orders())[0]).toMatchObject({
    state: 'paid',
    until: CREATED + 2 * month * 1000 + GRACE,
  });
});

test('a membership of Gumroad that was restarted is open', async () => {
  const sales = openSaleDatabase();
  for (const event of [created(MEMBERSHIP), asked(10 * DAY, { ...MEMBERSHIP, ended: true })])
    sales.deliver('gumroad', event);
  expect((await sales.orders())[0]?.until).toBe(moment(10 * DAY));
  sales.deliver('gumroad', asked(20 * DAY, MEMBERSHIP));
  expect((await sales.orders())[0]).toMatchObject({ state: 'paid', until: null });
});

test('a note to the owner is answered by their next act', async () => {
  const sales = openSaleDatabase();
  sales.deliver('gumroad', created());
  sales.deliver('gumroad', asked(60, { partially_refunded: true }));
  expect((await sales.orders())[0]?.attention).toContain('a part of this sale');
  sales.writes.actOnOrder({
    orderId: 1,
    fact: { kind: 'grant', items: null, bundle: null },
    origin: 'owner',
    at: AT,
  });
  expect((await sales.orders())[0]).toMatchObject({ state: 'paid', attention: null });
});
