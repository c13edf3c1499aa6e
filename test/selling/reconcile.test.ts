import { afterAll, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryError, listHistory } from '../../src/selling/providers/provider-api.ts';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { ANY_ORDER } from '../../src/selling/order.ts';
import { itemYaml, openStall, SHELF, until } from '../helpers/harness.ts';
import { sale } from './providers/gumroad-sales.ts';
import { order as lemonOrder } from './providers/lemonsqueezy-events.ts';
import { BOOK, order as polarOrder } from './providers/polar-events.ts';
import { type } from '../platform/cli/type.ts';
import { completed, NOON, stripeEvent } from './providers/stripe-events.ts';

const KEY = 'rk_secret_of_this_stall';
let time = NOON * 1000 + 3_600_000;

/** The answers of the providers' API by path and query; a list answers one after the other. */
let answers: Record<string, (() => Response)[]> = {};
let asked: string[] = [];
const api = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const url = new URL(request.url);
    expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    const path = decodeURIComponent(url.pathname + url.search);
    asked.push(path);
    const found = Object.entries(answers).find(([start]) => path.startsWith(start))?.[1];
    return (found !== undefined && found.length > 1 ? found.shift() : found?.[0])?.() ?? Response.json({});
  },
});
afterAll(() => api.stop(true));
beforeEach(() => {
  answers = {};
  asked = [];
});

const own = { key: KEY, url: `http://127.0.0.1:${api.port}` };
const APIS = { stripe: own, polar: own, lemonsqueezy: own, gumroad: own };
const json = (body: unknown) => () => Response.json(body);
const openSelling = (apis = NO_SALES.apis) =>
  openStall({
    files: {
      ...SHELF,
      'books/paid-book/item.yaml': itemYaml({
        id: 'paid-id',
        unitAmountCents: 1900,
        sell: `{stripe: [plink_paid], polar: ["${BOOK}"], lemonsqueezy: ["510001"], gumroad: ["Ex4mple=="]}`,
      }),
    },
    now: () => time,
    config: { sales: { ...NO_SALES, isOn: true, apis } },
  });

const SALES = {
  '/v1/events': [json({ data: [completed('one', 0)], has_more: false })],
  '/v1/orders/?': [json({ items: [polarOrder('paid', 0).data], pagination: { max_page: 1 } })],
  '/v1/subscriptions/?': [json({ items: [], pagination: { max_page: 0 } })],
  '/v1/orders?': [json({ data: [lemonOrder('order_created', 0).data], meta: { page: { lastPage: 1 } } })],
  '/v1/subscriptions?': [json({ data: [], meta: { page: { lastPage: 1 } } })],
  '/v1/subscription-invoices?': [json({ data: [], meta: { page: { lastPage: 1 } } })],
  '/v2/sales': [json({ success: true, sales: [sale()] })],
};

test('sales of a day in which nothing arrived are found at the next start, once', async () => {
  answers = { ...SALES };
  const stall = await openSelling(APIS);
  const { admin } = stall.app;
  await stall.app.salesSettled();
  await until(() => stall.log.filter(({ event }) => event === 'sale-reconcile').length === 4);
  expect(admin.orders.count(ANY_ORDER)).toBe(4);
  const { rows } = admin.orders.page(ANY_ORDER, null);
  expect(rows.map(({ provider, state, email }) => `${provider} ${state} ${email}`).toSorted()).toEqual(
    ['gumroad', 'lemonsqueezy', 'polar', 'stripe'].map((provider) => `${provider} paid ada@example.org`),
  );
  const again = await admin.reconcile({ ...NO_SALES, isOn: true, apis: APIS }, {});
  expect(again.map(({ provider, added, problem }) => [provider, added, problem])).toEqual([
    ['stripe', 0, null],
    ['polar', 0, null],
    ['lemonsqueezy', 0, null],
    ['gumroad', 0, null],
  ]);
  expect(admin.orders.count(ANY_ORDER)).toBe(4);
  await stall.close();
});

test('a dry run counts what is missing and changes nothing', async () => {
  const stall = await openSelling();
  answers = { ...SALES };
  const results = await stall.app.admin.reconcile({ ...NO_SALES, isOn: true, apis: APIS }, { isDry: true });
  expect(results.map(({ found, added, orders }) => [found, added, orders])).toEqual([
    [1, 1, 0],
    [1, 1, 0],
    [1, 1, 0],
    [2, 2, 0],
  ]);
  expect(stall.app.admin.orders.count(ANY_ORDER)).toBe(0);
  expect(stall.app.stall.store.findComparison('stripe')).toBeNull();
  await stall.close();
});

test('a comparison looks back to the one before, whatever arrived since', async () => {
  const stall = await openSelling();
  const { admin } = stall.app;
  const sales = { ...NO_SALES, isOn: true, apis: { ...NO_SALES.apis, stripe: own } };
  const sinceOf = async (): Promise<number> => {
    asked = [];
    await admin.reconcile(sales, {});
    return Number(/created\[gte\]=(\d+)/.exec(asked[0] ?? '')?.[1]) * 1000;
  };
  const days = (n: number): number => n * 86_400_000;
  answers = { ...SALES };
  expect(await sinceOf()).toBe(time - days(2));
  time += days(5);
  const { rows } = admin.orders.page(ANY_ORDER, null);
  await admin.orders.revoke(rows[0]?.id ?? 0);
  answers = { '/v1/events': [() => new Response('', { status: 500 })] };
  expect(await sinceOf()).toBe(time - days(7));
  answers = { ...SALES };
  expect(await sinceOf()).toBe(time - days(7));
  expect(await sinceOf()).toBe(time - days(2));
  time -= days(5);
  await stall.close();
});

test.each([
  ['its sandbox is asked', { live: ['polar_live'], test: [] }, 'http://sandbox.localhost'],
  ['only the secret of a sandbox is set', { live: [], test: ['polar_test'] }, 'http://127.0.0.1'],
])('what Polar lists grants nothing if %s', async (_, polar, host) => {
  const stall = await openSelling();
  answers = { ...SALES };
  const { secrets, apis } = NO_SALES;
  const sales = {
    ...NO_SALES,
    isOn: true,
    secrets: { ...secrets, polar },
    apis: { ...apis, polar: { key: KEY, url: `${host}:${api.port}` } },
  };
  expect(await stall.app.admin.reconcile(sales, {})).toMatchObject([{ found: 1, added: 1, problem: null }]);
  expect(stall.app.admin.orders.count(ANY_ORDER)).toBe(0);
  await stall.close();
});

test('an order refunded since is found as it is now', async () => {
  const stall = await openSelling();
  const { admin } = stall.app;
  const sales = { ...NO_SALES, isOn: true, apis: { ...NO_SALES.apis, lemonsqueezy: own } };
  answers = { ...SALES };
  await admin.reconcile(sales, {});
  const refunded = lemonOrder('order_created', 60, {
    status: 'refunded',
    refunded: true,
    refunded_amount: 1900,
  });
  answers = { ...SALES, '/v1/orders?': [json({ data: [refunded.data], meta: { page: { lastPage: 1 } } })] };
  expect((await admin.reconcile(sales, {}))[0]).toMatchObject({ found: 1, added: 1, orders: 1 });
  expect(admin.orders.page(ANY_ORDER, null).rows.map(({ state }) => state)).toEqual(['refunded']);
  await stall.close();
});

/** All that a list gives, or why it stopped. */
async function listAll(provider: keyof typeof APIS, since = 0) {
  const ids: string[] = [];
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  try {
    for await (const events of listHistory(provider, own, since, { now: () => time, sleep }))
      ids.push(...events.map(({ id }) => id));
    return { ids, waits, problem: null };
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return { ids, waits, problem: error.message };
  }
}

test('pages are followed to the end', async () => {
  const event = (id: string) => ({ ...stripeEvent('checkout.session.completed', 0, {}), id });
  answers = {
    '/v1/events': [
      json({ data: [event('evt_1'), event('evt_2')], has_more: true }),
      json({ data: [event('evt_3')], has_more: false }),
    ],
    '/v2/sales?after': [json({ sales: [sale({ id: 'a' })], next_page_key: 'k&1' })],
    '/v2/sales?page_key=k&1': [json({ sales: [sale({ id: 'b' })] })],
  };
  expect((await listAll('stripe', 1_700_000_000_000)).ids).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(asked[0]).toStartWith(
    '/v1/events?limit=100&created[gte]=1700000000&types[]=checkout.session.completed',
  );
  expect(asked[1]).toEndWith('&starting_after=evt_2');
  expect((await listAll('gumroad')).ids.filter((id) => id.startsWith('sale:'))).toEqual(['sale:a', 'sale:b']);
});

test('a list ends where its objects are too old, but subscriptions are listed to the end', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 9, day)).toISOString();
  const page = (day: number, id: string) =>
    json({ items: [{ id, created_at: at(day) }], pagination: { max_page: 3 } });
  answers = {
    '/v1/orders/?': [page(20, 'o1'), page(10, 'o2'), page(1, 'o3')],
    '/v1/subscriptions/?': [page(20, 's1'), page(10, 's2'), page(1, 's3')],
  };
  expect((await listAll('polar', Date.UTC(2026, 9, 15))).ids).toHaveLength(5);
  expect(asked.filter((path) => path.startsWith('/v1/orders/'))).toHaveLength(2);
});

test.each<[string, readonly (() => Response)[], string, number]>([
  [
    'asked too often, and answers later',
    [() => new Response('', { status: 429, headers: { 'Retry-After': '7' } }), json({ data: [] })],
    'null',
    1,
  ],
  [
    'asked too often for ever',
    [() => new Response('', { status: 429, headers: { 'Retry-After': '7' } })],
    'asked too often',
    3,
  ],
  [
    'asked too often for an hour',
    [() => new Response('', { status: 429, headers: { 'Retry-After': '3600' } })],
    'asked too often',
    0,
  ],
  ['broken', [() => new Response('', { status: 500 })], 'it answered 500', 0],
  ['refusing the key', [() => new Response('', { status: 401 })], 'it refuses the key', 0],
  [
    'leading elsewhere',
    [() => new Response('', { status: 302, headers: { Location: 'https://example.org/' } })],
    'is not followed',
    0,
  ],
  ['answering 50 MB', [() => new Response('[' + ' '.repeat(50 * 1024 * 1024))], 'more than', 0],
  ['answering no JSON', [() => new Response('<html>')], 'not JSON', 0],
])('a provider that is %s', async (_, own, problem, waits) => {
  answers = { '/v1/events': [...own] };
  const result = await listAll('stripe');
  expect(String(result.problem)).toContain(problem);
  expect(result.waits).toHaveLength(waits);
  expect(String(result.problem)).not.toContain(KEY);
});

test('the command reads the secrets of its environment, as the server does: with one for tests alone a sale grants nothing', async () => {
  answers = SALES;
  const stall = await openSelling();
  const data = join(stall.directory, 'data');
  const secret = join(stall.directory, 'secret');
  writeFileSync(secret, 'whsec_of_tests');
  const environment = {
    BOOKSTALL_POLAR_TOKEN: KEY,
    BOOKSTALL_POLAR_API_URL: own.url,
    BOOKSTALL_POLAR_WEBHOOK_SECRET_TEST_FILE: secret,
  };
  const { code, err } = await type(
    ['orders', 'reconcile', '--provider', 'polar', '--data', data],
    environment,
  );
  expect([code, err]).toEqual([0, '']);
  expect(asked).not.toEqual([]);
  expect(stall.app.admin.orders.count(ANY_ORDER)).toBe(0);
  const unset = await type(['orders', 'reconcile', '--provider', 'stripe', '--data', data], environment);
  expect([unset.code, unset.out]).toEqual([1, expect.stringContaining('no key of its API is set')]);
});
