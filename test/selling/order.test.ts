import { afterAll, describe, expect, test } from 'bun:test';
import { listAudit } from '../../src/platform/store/audit-entry.ts';
import fc from 'fast-check';
import { ANY_ORDER, listSales, type PeriodSum, totalOf } from '../../src/selling/order.ts';
import { runs } from '../helpers/runs.ts';
import { openStall, SHELF } from '../helpers/harness.ts';
import { openSellingStall } from './selling-stall.ts';
import { completed, NOON, refund } from './providers/stripe-events.ts';

let time = Date.parse('2026-10-20T12:00:00.000Z');
const stall = await openStall({ files: SHELF, now: () => time });
const { admin } = stall.app;
await admin.accounts.add('ann@example.org');

const held = async (email: string): Promise<readonly string[]> =>
  admin.grants
    .list(email)
    .flatMap(({ slug, source, revokedAt }) => (revokedAt === null ? [`${slug} ${source}`] : []));
const sell = (email: string, slugs: readonly string[], more: { amount?: number; ref?: string } = {}) =>
  admin.addHandOrder({ email, slugs, amount: 1900, currency: 'usd', ref: null, isMailed: false, ...more });
const refusal = async (act: Promise<unknown>): Promise<string> => {
  try {
    await act;
    return 'done';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an order made by hand', () => {
  test('gives its items to the verified account of its address at once, in any case of letters', async () => {
    const order = await sell('Ann@Example.org', ['paid-book', 'paid-skill']);
    expect(order).toMatchObject({ state: 'paid', account: 'ann@example.org', amount: 1900, currency: 'usd' });
    expect(order.items.map(({ slug }) => slug)).toEqual(['paid-book', 'paid-skill']);
    expect(await held('ann@example.org')).toEqual([
      `paid-book sale:${order.id}`,
      `paid-skill sale:${order.id}`,
    ]);
  });

  test('waits for its buyer if no account has its address', async () => {
    const order = await sell('bob@example.org', ['paid-book']);
    expect(order).toMatchObject({ state: 'paid', account: null, email: 'bob@example.org', claimedAt: null });
  });

  test('is one order if its reference is added twice', async () => {
    const first = await sell('cy@example.org', ['paid-book'], { ref: 'invoice 17' });
    const again = await sell('cy@example.org', ['paid-book'], { ref: 'invoice 17' });
    expect(again.id).toBe(first.id);
    expect(admin.orders.count({ ...ANY_ORDER, email: 'CY@example.org' })).toBe(1);
  });

  test.each([
    ['an item that was never published', () => sell('dee@example.org', ['nothing'])],
    ['a malformed address', () => sell('dee@example.org\r\nBcc: eve@example.org', ['paid-book'])],
    ['a reference of two lines', () => sell('dee@example.org', ['paid-book'], { ref: 'a\nb' })],
  ])('is refused with %s, and nothing is stored', async (_, act) => {
    const before = admin.orders.count(ANY_ORDER);
    expect(await refusal(act())).toMatch(/^Cannot /);
    expect(admin.orders.count(ANY_ORDER)).toBe(before);
  });
});

describe('acts of the owner', () => {
  test('revoke and grant by the order, and leave other grants alone', async () => {
    await admin.accounts.add('fay@example.org');
    await admin.grants.add({ email: 'fay@example.org', slug: 'paid-skill' });
    const { id } = await sell('fay@example.org', ['paid-book', 'paid-skill']);
    time += 1000;
    await admin.orders.revoke(id);
    expect(await held('fay@example.org')).toEqual(['paid-skill manual']);
    time += 1000;
    await admin.orders.grant(id);
    expect((await held('fay@example.org')).toSorted()).toEqual([
      `paid-book sale:${id}`,
      'paid-skill manual',
      `paid-skill sale:${id}`,
    ]);
  });

  test('give back: the order is refunded and its grants end', async () => {
    await admin.accounts.add('gus@example.org');
    const { id } = await sell('gus@example.org', ['paid-book']);
    time += 1000;
    expect(await admin.orders.giveBack(id)).toMatchObject({ state: 'refunded', refunded: 1900 });
    expect(await held('gus@example.org')).toEqual([]);
  });

  test('attach gives a waiting order to an account, and moves it to another', async () => {
    await admin.accounts.add('hal@example.org');
    await admin.accounts.add('ida@example.org');
    const { id } = await sell('somebody@example.net', ['paid-book']);
    time += 1000;
    expect(await admin.orders.attach(id, 'hal@example.org')).toMatchObject({ account: 'hal@example.org' });
    expect(await held('hal@example.org')).toEqual([`paid-book sale:${id}`]);
    time += 1000;
    await admin.orders.attach(id, 'ida@example.org');
    expect([await held('hal@example.org'), await held('ida@example.org')]).toEqual([
      [],
      [`paid-book sale:${id}`],
    ]);
    expect(await refusal(admin.orders.attach(id, 'nobody@example.org'))).toContain('Cannot find an account');
  });

  test('erase takes the address out for good, and keeps amount, item and time', async () => {
    const { id } = await sell('jo@example.org', ['paid-book'], { ref: 'for jo' });
    await admin.orders.erase(id);
    const order = admin.orders.find(id);
    expect(order).toMatchObject({ email: null, amount: 1900, currency: 'usd' });
    expect(order.items.map(({ slug }) => slug)).toEqual(['paid-book']);
    expect(JSON.stringify(admin.orders.story(id))).not.toMatch(/jo@example|for jo/);
    expect(admin.orders.count({ ...ANY_ORDER, email: 'jo@example.org' })).toBe(0);
  });

  test('are in the audit log, and refused for an order that is not there', async () => {
    const { entries } = listAudit(stall.app.stall);
    const actions = new Set(entries.map(({ action }) => action));
    for (const action of [
      'order.add',
      'order.revoke',
      'order.grant',
      'order.give-back',
      'order.attach',
      'order.erase',
    ])
      expect(actions.has(action)).toBe(true);
    for (const act of [admin.orders.revoke, admin.orders.giveBack, admin.orders.erase, admin.orders.replay])
      expect(await refusal(act(99_999))).toContain('Cannot find order "99999"');
  });
});

test('sales count in the month they were paid, refunds in the month they were made, by currency', async () => {
  time = Date.parse('2026-11-02T12:00:00.000Z');
  const own = await openStall({ files: SHELF, now: () => time });
  const add = (currency: string, ref: string, slugs = ['paid-book']) =>
    own.app.admin.addHandOrder({
      email: 'ann@example.org',
      slugs,
      amount: 1000,
      currency,
      ref,
      isMailed: false,
    });
  const { id } = await add('usd', '1');
  await add('usd', '2');
  await add('eur', '3', ['paid-skill', 'paid-book']);
  time = Date.parse('2026-12-05T12:00:00.000Z');
  await own.app.admin.orders.giveBack(id);
  const [usd, eur, ...others] = await own.app.admin.listSales('12m');
  expect(usd?.sums).toEqual([
    { period: '2026-12', name: 'paid-book', currency: 'usd', payments: 0, gross: 0, givenBack: 1000 },
    { period: '2026-11', name: 'paid-book', currency: 'usd', payments: 2, gross: 2000, givenBack: 0 },
  ]);
  expect(usd?.periods.slice(-3)).toEqual([
    { period: '2026-10', payments: 0, gross: 0, givenBack: 0 },
    { period: '2026-11', payments: 2, gross: 2000, givenBack: 0 },
    { period: '2026-12', payments: 0, gross: 0, givenBack: 1000 },
  ]);
  expect(eur?.sums).toEqual([
    {
      period: '2026-11',
      name: 'paid-book + paid-skill',
      currency: 'eur',
      payments: 1,
      gross: 1000,
      givenBack: 0,
    },
  ]);
  expect(others).toEqual([]);
  await own.close();
});

test('sums by day add up to those by month and to those of the list of orders, in each currency', async () => {
  const START = Date.parse('2026-09-20T00:00:00.000Z');
  let at = START;
  const own = await openStall({ files: SHELF, now: () => at });
  const { admin: office, stall } = own.app;
  const moment = fc.integer({ min: 0, max: 60 * 24 }).map((hours) => START + hours * 60 * 60 * 1000);
  const sale = fc.record({
    at: moment,
    backAt: fc.option(moment),
    amount: fc.integer({ min: 0, max: 5000 }),
    currency: fc.constantFrom('usd', 'eur', 'jpy'),
    slugs: fc.constantFrom(['paid-book'], ['paid-skill'], ['paid-book', 'paid-skill']),
    isTest: fc.boolean(),
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { maxLength: 4 }), async (sales) => {
      for (const { at: soldAt, backAt, isTest, ...rest } of sales) {
        at = soldAt;
        const ref = `${isTest ? 'cs_bookstall_' : 'sum-'}${++count}`;
        const { id } = await office.addHandOrder({ ...rest, email: 'sum@example.org', ref, isMailed: false });
        at = Math.max(backAt ?? 0, soldAt);
        if (backAt !== null) await office.orders.giveBack(id);
      }
      at = START + 61 * 24 * 60 * 60 * 1000;
      const expected = new Map<string, readonly number[]>();
      for await (const rows of office.orders.rows(ANY_ORDER))
        for (const { currency, amount, refunded, isTest } of rows) {
          const [n = 0, gross = 0, back = 0] = expected.get(currency ?? '') ?? [];
          if (!isTest) expected.set(currency ?? '', [n + 1, gross + amount, back + refunded]);
        }
      for (const [span, isByItem] of [
        ['90d', true],
        ['90d', false],
        ['12m', true],
      ] as const) {
        const add = (sums: readonly Omit<PeriodSum, 'name' | 'currency'>[]): readonly number[] =>
          (['payments', 'gross', 'givenBack'] as const).map((of) => totalOf(sums, of));
        const found = await listSales(stall, span, isByItem);
        expect(new Map(found.map(({ currency, sums }) => [currency, add(sums)]))).toEqual(expected);
        expect(new Map(found.map(({ currency, periods }) => [currency, add(periods)]))).toEqual(expected);
      }
    }),
    { numRuns: runs(50) },
  );
});

describe('clock skew', async () => {
  /** This stall's clock is ten minutes behind the provider's; its signatures are as of now. */
  const stall = await openSellingStall({ now: () => NOON * 1000 });
  afterAll(() => stall.close());
  const AHEAD = 600;
  const { orders } = stall.app.admin;

  async function sell(name: string): Promise<number> {
    await stall.stripe(completed(name, AHEAD));
    const { rows } = orders.page(ANY_ORDER, null);
    return Math.max(...rows.map(({ id }) => id));
  }

  test.each([
    ['marks refunded', orders.giveBack, 'refunded'],
    ['revokes', orders.revoke, 'ended'],
  ] as const)(
    'an order that the owner %s is so, by a clock behind its provider',
    async (name, act, state) => {
      const id = await sell(name.replace(' ', '_'));
      expect((await act(id)).state).toBe(state);
    },
  );

  test('an order that the owner grants after its refund is paid, by a clock behind its provider', async () => {
    const id = await sell('granted');
    await stall.stripe(refund('refund.created', 'granted', AHEAD + 60));
    expect(orders.find(id).state).toBe('refunded');
    expect((await orders.grant(id)).state).toBe('paid');
  });
});
