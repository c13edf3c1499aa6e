import { describe, expect, test } from 'bun:test';
import { ANY_ORDER } from '../../src/selling/order.ts';
import { type ImportChoices, importOrders, readSaleList } from '../../src/selling/order-import.ts';
import { openStall, SHELF } from '../helpers/harness.ts';
import { order } from './providers/lemonsqueezy-events.ts';
import { openSellingStall } from './selling-stall.ts';
import { completed, NOON, refund } from './providers/stripe-events.ts';

const HEADER = 'ref,email,slug,paid_at,amount,currency,refunded,until,provider';
const stall = await openStall({ files: SHELF, now: () => Date.parse('2026-11-20T12:00:00.000Z') });
const { admin } = stall.app;
await admin.accounts.add('ann@example.org');
const load = async (...lines: readonly string[]) =>
  (await admin.importOrders([HEADER, ...lines].join('\n'))).orders;
const count = () => admin.orders.count(ANY_ORDER);
const refusal = async (act: Promise<unknown>): Promise<string> => {
  try {
    await act;
    return 'done';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('past sales', () => {
  test('become orders with time, amount, refund and end, and verified accounts hold them at once', async () => {
    const orders = await load(
      'A-1,ann@example.org,paid-book paid-skill,2025-03-01,1900,usd,,,',
      'A-2,bob@example.org,paid-book,2025-04-01T10:00:00Z,500,EUR,,2027-01-01,',
      'A-3,cy@example.org,paid-book,2025-05-01,900,USD,900,,gumroad',
      'A-4,dee@example.org,paid-book,2025-05-01,900,USD,300,,',
      'A-5,eve@example.org,paid-skill,,,,,,hand',
    );
    expect(
      orders.map(({ provider, providerRef, state, account, amount, currency, refunded, until, paidAt }) => [
        provider,
        providerRef,
        state,
        account,
        amount,
        currency,
        refunded,
        until === null ? null : new Date(until).toISOString().slice(0, 7),
        paidAt === null ? null : new Date(paidAt).toISOString().slice(0, 10),
      ]),
    ).toEqual([
      ['hand', 'A-1', 'paid', 'ann@example.org', 1900, 'usd', 0, null, '2025-03-01'],
      ['hand', 'A-2', 'paid', null, 500, 'eur', 0, '2027-01', '2025-04-01'],
      ['gumroad', 'A-3', 'refunded', null, 900, 'usd', 900, null, '2025-05-01'],
      ['hand', 'A-4', 'paid', null, 900, 'usd', 300, null, '2025-05-01'],
      ['hand', 'A-5', 'paid', null, 0, 'usd', 0, null, '2026-11-20'],
    ]);
    expect(admin.grants.list('ann@example.org').map(({ slug }) => slug)).toEqual(['paid-book', 'paid-skill']);
  });

  test('twice are the same orders, and no mail is queued', async () => {
    const lines = ['B-1,fay@example.org,paid-book,,,,,,', 'B-2,gus@example.org,paid-book,,,,,,'];
    const first = await load(...lines);
    const before = count();
    expect((await load(...lines)).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(count()).toBe(before);
    expect(admin.mails.page(null, null).rows).toEqual([]);
  });

  test.each([
    ['a malformed address', 'C-1,hal,paid-book,,,,,,'],
    ['two addresses', 'C-1,"hal@example.org,ida@example.org",paid-book,,,,,,'],
    ['an amount with a point', 'C-1,hal@example.org,paid-book,,19.00,USD,,,'],
    ['an amount without a currency', 'C-1,hal@example.org,paid-book,,1900,,,,'],
    ['a day that is none', 'C-1,hal@example.org,paid-book,2025-02-31,,,,,'],
    ['an unknown provider', 'C-1,hal@example.org,paid-book,,,,,,constructor'],
    ['a charge of Stripe, which its events do not name', 'ch_1,hal@example.org,paid-book,,,,,,stripe'],
    ['no ref', ',hal@example.org,paid-book,,,,,,'],
    ['a field too many', 'C-1,hal@example.org,paid-book,,1,900,USD,,,'],
    ['a field too few', 'C-1,hal@example.org,paid-book,,'],
    ['a ref that another line has', 'C-0,jo@example.org,paid-book,,,,,,'],
  ])('with %s are refused by line, and nothing is added', async (_, line) => {
    const before = count();
    expect(await refusal(load('C-0,ida@example.org,paid-book,,,,,,', line))).toMatch(
      /^Cannot import the orders, none was added:\nline 3: /,
    );
    expect(count()).toBe(before);
  });

  test.each([['email,slug\na@example.org,paid-book'], [`${HEADER},tax\n`], ['']])(
    'below another header are refused',
    async (csv) => {
      expect(await refusal(admin.importOrders(csv))).toStartWith(
        `Cannot import the orders: the first line must be "${HEADER}", those after "slug" optional`,
      );
    },
  );
});

/** Imports with a store whose writes are noted. */
async function importNoting(csv: string): Promise<readonly string[]> {
  const store = stall.app.stall.store;
  const written: string[] = [];
  const write = new Proxy(store.write, {
    get: (writes, name) => (row: never) => {
      written.push(
        `${String(name)}${JSON.stringify(row).includes('orders.import') ? ' with its audit row' : ''}`,
      );
      return writes[name as keyof typeof writes](row);
    },
  });
  await importOrders({ store: { ...store, write }, now: Date.now }, 'command', await readSaleList(csv));
  return written;
}

test('many past sales are several writes, so that a server writes between them, and one act', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => `M-${n},many${n}@example.org,paid-book,,,,,,`);
  const before = count();
  // As a crash after the first write would leave it.
  await load(...rows.slice(0, 100));
  expect(await importNoting([HEADER, ...rows].join('\n'))).toEqual([
    'addHandOrders with its audit row',
    'addHandOrders',
  ]);
  expect(count()).toBe(before + 250);
});

test('what the provider says later of an imported sale is about that order', async () => {
  const sales = await openSellingStall({ now: () => NOON * 1000 });
  const { admin: owner } = sales.app;
  const csv = [
    HEADER,
    'pi_old,bob@example.org,paid-skill,2026-11-02,900,usd,,,stripe',
    '104e18a2-d755-4d4b-80c4-a6c1dcbe1c10,bea@example.org,paid-book,2026-09-01,1900,usd,,,lemonsqueezy',
    '70,cleo@example.org,paid-book,2026-09-01,1900,usd,,,lemonsqueezy',
  ].join('\n');
  const { orders: imported } = await owner.importOrders(csv);
  expect(imported.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
  // The sale itself is told of once more, as by reconciliation.
  await sales.stripe(completed('old', 0));
  expect(owner.orders.find(imported[0]?.id ?? 0)).toMatchObject({
    state: 'paid',
    amount: 1900,
    email: 'ada@example.org',
    providerRef: 'cs_live_old',
    items: [{ slug: 'paid-book' }],
  });
  await sales.stripe(refund('refund.created', 'old', 60));
  const back = { status: 'refunded', refunded: true, refunded_amount: 1900 };
  await sales.lemonsqueezy(order('order_refunded', 60, back));
  await sales.lemonsqueezy(order('order_refunded', 60, { ...back, id: '70', identifier: 'another' }));
  const states = await Promise.all(imported.map(async ({ id }) => owner.orders.find(id).state));
  expect(states).toEqual(['refunded', 'refunded', 'refunded']);
  expect(owner.orders.count(ANY_ORDER)).toBe(3);
  await sales.close();
});

describe('a row about an order that is known', () => {
  const NAMED = 'ref,email,slug,paid_at,amount,currency,refunded,until,provider\n';
  test.each([
    ['its own', 'ADA@example.org,paid-book,2026-11-02,1900,USD,,', null],
    ['no more than its buyer and item', 'ada@example.org,paid-book,,,,,', null],
    ['another address', 'bob@example.org,paid-book,2026-11-02,1900,usd,,', 'it is ada@example.org’s'],
    ['another amount', 'ada@example.org,paid-book,2026-11-02,900,usd,,', '1900 usd were paid for it'],
    ['another currency', 'ada@example.org,paid-book,2026-11-02,1900,eur,,', '1900 usd were paid for it'],
    ['another item', 'ada@example.org,paid-book paid-skill,,1900,usd,,', 'it is for paid-book'],
    ['a refund', 'ada@example.org,paid-book,,1900,usd,1900,', '0 usd of it were given back'],
    ['another day', 'ada@example.org,paid-book,2026-10-01,1900,usd,,', 'it was paid on 2026-11-02'],
  ])('adds nothing to it, and is listed if it contradicts: %s', async (_, row, reason) => {
    const sales = await openSellingStall({ now: () => NOON * 1000 });
    const { orders, importOrders } = sales.app.admin;
    await sales.stripe(completed('new', 0));
    const before = orders.story(1);
    const found = await importOrders(`${NAMED}pi_new,${row},stripe\n`, { isMailed: true });
    expect(found.left).toEqual(
      reason === null ? [] : [expect.objectContaining({ line: 2, reason: expect.stringContaining(reason) })],
    );
    expect(found.orders.map(({ id }) => id)).toEqual(reason === null ? [1] : []);
    expect(orders.story(1)).toEqual(before);
    expect(orders.count(ANY_ORDER)).toBe(1);
    await sales.close();
  });

  test('or about nothing known is left and listed, and the others are imported', async () => {
    await load('D-1,kim@example.org,paid-book,,900,USD,,,');
    const rows = [
      'D-1,kim@example.org,paid-book,,950,USD,,,',
      'D-2,lee@example.org,nothing,,,,,,',
      'D-3,mo@example.org,paid-book,,,,,,',
    ];
    const { orders, left } = await admin.importOrders(`${NAMED}${rows.join('\n')}`);
    expect(orders.map(({ providerRef }) => providerRef)).toEqual(['D-3']);
    expect(left).toMatchObject([
      { line: 2, reason: expect.stringMatching(/^order .+: 900 usd were paid for it$/) },
      { line: 3, reason: expect.stringContaining('"nothing"') },
    ]);
  });
});

describe('a list of another program', () => {
  const SOLD: ImportChoices['sold'] = [
    { slug: 'paid-book', title: 'The paid book', sell: null },
    {
      slug: 'paid-skill',
      title: 'Skill',
      sell: { stripe: ['price_1'], polar: [], lemonsqueezy: [], gumroad: [], least: null },
    },
    { slug: 'both', title: 'Both', sell: null, items: ['paid-book', 'paid-skill'] },
  ];
  const GUMROAD =
    'Purchase ID,Item Name,Buyer Name,Purchase Email,Purchase Date,Purchase Time (UTC timezone),Sale Price ($),Refunded?,Partial Refund ($),Fully Refunded?,Disputed?,Dispute Won?,Access Revoked?,Pre-order authorization?,Giftee Email,Recurrence';
  const STRIPE =
    'id,Created date (UTC),Amount,Amount Refunded,Currency,Description,Mode,PaymentIntent ID,Status,Customer Email';
  const POLAR = 'Email,Created At,Product,Net Amount,Currency,Status,Invoice number';

  test.each<[name: string, header: string, row: string, choices: ImportChoices, expected: object | string]>([
    [
      'Gumroad',
      GUMROAD,
      'a1==,the PAID book,Ann,ann@example.org,2023-04-05,2023-04-05 06:07:08 UTC,"1,019.5",1,3.25,0,0,0,0,0,,',
      {},
      {
        provider: 'gumroad',
        providerRef: 'a1==',
        email: 'ann@example.org',
        amount: 101_950,
        refunded: 325,
        currency: 'usd',
        paidAt: Date.parse('2023-04-05T06:07:08Z'),
      },
    ],
    [
      'a present at Gumroad',
      GUMROAD,
      'a2==,paid-book,,giver@example.org,2023-04-05,2023-04-05 06:07:08 +0000,9,0,0,0,0,0,0,0,giftee@example.org,',
      {},
      { email: 'giftee@example.org', amount: 900, paidAt: Date.parse('2023-04-05T06:07:08Z') },
    ],
    [
      'a bundle at Gumroad',
      GUMROAD,
      'a3==,Set,,b@example.org,2023-04-05,,9,0,0,0,0,0,0,0,,',
      { products: new Map([['Set', 'both']]) },
      { bundle: 'both', items: [{ slug: 'paid-book' }, { slug: 'paid-skill' }] },
    ],
    [
      'a dispute won',
      GUMROAD,
      'a4==,paid-book,,b@example.org,2023-04-05,,9,0,0,0,1,1,0,0,,',
      {},
      { state: 'paid' },
    ],
    [
      'a dispute',
      GUMROAD,
      'a5==,paid-book,,b@example.org,2023-04-05,,9,0,0,0,1,0,0,0,,',
      {},
      'it was disputed',
    ],
    [
      'a refund',
      GUMROAD,
      'a6==,paid-book,,b@example.org,2023-04-05,,9,1,0,1,0,0,0,0,,',
      {},
      'it was refunded in full',
    ],
    [
      'a membership',
      GUMROAD,
      'a7==,paid-book,,b@example.org,2023-04-05,,9,0,0,0,0,0,0,0,,monthly',
      {},
      'it is of a subscription',
    ],
    ['the line of totals', GUMROAD, 'Totals,,,,,,9.0,,0.0,,,,,,,', {}, 'it has no e-mail address'],
    [
      'a sum without a currency',
      'Who,What,Sum',
      'b@example.org,paid-book,"9,00 €"',
      { columns: { email: 'Who', product: 'What', amount: 'Sum' } },
      '"9,00 €" is no amount: say the currency of amounts that name none',
    ],
    [
      'an unknown product',
      GUMROAD,
      'a8==,Notes,,b@example.org,2023-04-05,,9,0,0,0,0,0,0,0,,',
      {},
      'nothing here is known as "Notes"',
    ],
    [
      'Stripe',
      STRIPE,
      'ch_1,2026-06-05 20:38:34,3125.00,0.00,usd,,Live,pi_list1,Paid,ann@example.org',
      { products: new Map([['', 'paid-book']]) },
      {
        provider: 'stripe',
        providerRef: 'pi_list1',
        amount: 312_500,
        paidAt: Date.parse('2026-06-05T20:38:34Z'),
      },
    ],
    [
      'Stripe without the PaymentIntent',
      STRIPE,
      'ch_2,2026-06-05 20:38,500,0,jpy,,Live,,Paid,ann@example.org',
      { products: new Map([['', 'price_1']]) },
      { provider: 'hand', providerRef: 'ch_2', amount: 500, items: [{ slug: 'paid-skill' }] },
    ],
    [
      'a failed payment',
      STRIPE,
      'ch_3,2026-06-05 20:38,5,0,usd,,Live,pi_3,Failed,ann@example.org',
      {},
      'its status is "Failed"',
    ],
    [
      'a renewal',
      STRIPE,
      'ch_4,2026-06-05 20:38,5,0,usd,Subscription update,Live,pi_4,Paid,ann@example.org',
      {},
      'it is of a subscription',
    ],
    ['a test', STRIPE, 'ch_5,2026-06-05 20:38,5,0,usd,,Test,pi_5,Paid,ann@example.org', {}, 'it is a test'],
    [
      'all given back',
      STRIPE,
      'ch_6,2026-06-05 20:38,5,5.00,usd,,Live,pi_6,Paid,ann@example.org',
      {},
      'it was refunded in full',
    ],
    [
      'no item',
      STRIPE,
      'ch_7,2026-06-05 20:38,5,0,usd,,Live,pi_7,Paid,ann@example.org',
      {},
      'it names no product',
    ],
    [
      'Polar',
      POLAR,
      'pol@example.org,2026-01-02T03:04:05.678901+01:00,The paid book,19.0,usd,partially_refunded,ABC-0001',
      {},
      { provider: 'hand', providerRef: 'ABC-0001', amount: 1900, paidAt: Date.parse('2026-01-02T02:04:05Z') },
    ],
    [
      'Polar, given back',
      POLAR,
      'pol@example.org,2026-01-02T03:04:05+00:00,The paid book,19.0,usd,refunded,ABC-2',
      {},
      'it was refunded in full',
    ],
    [
      'an amount without a currency',
      'Buyer,Price',
      'x@example.org,5',
      { columns: { email: 'Buyer', amount: 'Price' } },
      'its amount has no currency',
    ],
    [
      'a currency in the amount',
      'Buyer,Price',
      'x@example.org,5.5 CHF',
      { columns: { email: 'Buyer', amount: 'Price' }, products: new Map([['', 'paid-book']]) },
      { amount: 550, currency: 'chf' },
    ],
    [
      'three decimals, and nothing given back',
      'Buyer,Price,Back',
      'kwd@example.org,1.500 KWD,',
      {
        columns: { email: 'Buyer', amount: 'Price', refunded: 'Back' },
        products: new Map([['', 'paid-book']]),
      },
      { amount: 1500, refunded: 0, currency: 'kwd' },
    ],
    [
      'a day of no one way',
      'Buyer,On',
      'x@example.org,03/04/2025',
      { columns: { email: 'Buyer', paid_at: 'On' } },
      'Cannot read the time "03/04/2025"',
    ],
    [
      'a defused cell',
      'Buyer,Price',
      "'+tag@example.org,'-",
      { columns: { email: 'Buyer' }, products: new Map([['', 'paid-book']]) },
      { email: '+tag@example.org' },
    ],
    [
      'an end',
      'Buyer,Until',
      'end@example.org,2027-01-01',
      { columns: { email: 'Buyer', until: 'Until' }, products: new Map([['', 'paid-book']]) },
      { isSubscription: true, until: Date.parse('2027-01-04') },
    ],
    [
      'a row that is too long',
      'Buyer,Price',
      'x@example.org,5,00',
      { columns: { email: 'Buyer', amount: 'Price' } },
      'the first line has 2 fields, and it has 3',
    ],
    [
      'a stray quotation mark',
      'Buyer,Name,Price',
      'quote@example.org,5" disk,5 USD',
      { columns: { email: 'Buyer', amount: 'Price' }, products: new Map([['', 'paid-book']]) },
      { amount: 500 },
    ],
    [
      'a row that is too short',
      'Buyer,Price,Currency',
      'short@example.org',
      { columns: { email: 'Buyer', amount: 'Price' }, products: new Map([['', 'paid-book']]) },
      { amount: 0 },
    ],
  ])('%s', async (_, header, row, choices, expected) => {
    const given = { sold: SOLD, ...choices };
    const { orders, made, left } = await admin.importOrders(`${header}\n${row}\n`, given);
    if (typeof expected === 'string') {
      expect([made, left]).toEqual([
        0,
        [expect.objectContaining({ line: 2, reason: expect.stringContaining(expected) })],
      ]);
      return;
    }
    expect(left).toEqual([]);
    expect(orders).toMatchObject([expected]);
    expect(await admin.importOrders(`${header}\n${row}\n`, given)).toMatchObject({
      made: 0,
      known: 1,
      left: [],
    });
  });

  test('whose columns nobody named is refused, and so is a column that it has not', async () => {
    expect(await refusal(admin.importOrders('Buyer,Price\na@example.org,5\n'))).toContain(
      '--column email=Buyer; the first line reads "Buyer,Price"',
    );
    expect(await refusal(admin.importOrders('Buyer\n', { columns: { email: 'Mail' } }))).toContain(
      'no column is called "Mail"',
    );
    expect(await refusal(admin.importOrders('a,'.repeat(200)))).toContain('it has 201 columns, and 200');
  });

  test('makes one order of rows that say the same, none of what its provider told already, and nothing when it is tried', async () => {
    const sales = await openSellingStall({ now: () => NOON * 1000 });
    const owner = sales.app.admin;
    await sales.stripe(completed('told', 0));
    const day = new Date(NOON * 1000).toISOString().slice(0, 10);
    const csv = `Who,When,Paid\nada@example.org,${day},19\nbo@example.org,${day},19\nbo@example.org,${day},19\n`;
    const choices = {
      columns: { email: 'Who', paid_at: 'When', amount: 'Paid' },
      products: new Map([['', 'paid-book']]),
      currency: 'USD',
    };
    const expected = { made: 1, known: 1, left: [{ line: 4, reason: 'line 3 is about the same sale' }] };
    expect(await owner.importOrders(csv, { ...choices, isDry: true })).toMatchObject(expected);
    expect(owner.orders.count(ANY_ORDER)).toBe(1);
    expect(await owner.importOrders(csv, choices)).toMatchObject(expected);
    expect(owner.orders.count(ANY_ORDER)).toBe(2);
    expect(owner.mails.page(null, null).rows).toHaveLength(1);
    await sales.close();
  });
});
