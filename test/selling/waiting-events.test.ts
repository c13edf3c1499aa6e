import { afterAll, describe, expect, test } from 'bun:test';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';
import { moment, ping, sale } from './providers/gumroad-sales.ts';
import { benefitRevoked, BOOK, dispute, order } from './providers/polar-events.ts';
import { POLAR_SECRET, signPolar, signStripe, STRIPE_SECRET } from './signed.ts';
import { completed, session } from './providers/stripe-events.ts';

const SECRET = 'a_secret_of_thirty-two_letters_or_more';
let time = moment(60);

/** The providers' APIs: a path answers what the test says, else 404. Counts what was asked. */
let answers: Readonly<Record<string, () => Response>> = {};
const asked: { readonly path: string; readonly authorization: string | null }[] = [];
const api = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    // The server also asks for its lists when it starts.
    if (!/^\/v2\/sales\/|^\/v1\/(disputes|checkout)/.test(pathname)) return new Response('{}');
    asked.push({ path: pathname + search, authorization: request.headers.get('authorization') });
    return answers[decodeURIComponent(pathname + search)]?.() ?? new Response('', { status: 404 });
  },
});
afterAll(() => api.stop(true));

const url = `http://127.0.0.1:${api.port}`;
const stall = await openStall({
  files: {
    ...SHELF,
    'books/paid-book/item.yaml': itemYaml({
      id: 'paid-id',
      unitAmountCents: 1900,
      sell: `{gumroad: ["Ex4mple=="], polar: ["${BOOK}"], stripe: [plink_paid]}`,
    }),
  },
  now: () => time,
  config: {
    sales: {
      ...NO_SALES,
      isOn: true,
      gumroadPing: SECRET,
      secrets: {
        ...NO_SALES.secrets,
        polar: { live: [POLAR_SECRET], test: [] },
        stripe: { live: [STRIPE_SECRET], test: [] },
      },
      apis: {
        ...NO_SALES.apis,
        gumroad: { key: 'gumroad-token', url },
        polar: { key: 'polar-token', url },
        stripe: { key: 'stripe-key', url },
      },
    },
  },
});
const { admin } = stall.app;
const { waitingEvents } = stall.app.stall;
await stall.app.salesSettled();
await admin.accounts.add('ada@example.org');

const pinged = async (body: string, secret = SECRET): Promise<number> =>
  (await stall.fetch(`/webhooks/gumroad/${secret}`, { method: 'POST', body })).status;
const states = async (email = 'ada@example.org') =>
  admin.orders
    .page({ state: null, email, since: null, attention: false }, null)
    .rows.map(({ state }) => state);
const SALE = `/v2/sales/${sale().id}`;

test('a sale at Stripe opens at once, and the copies for others follow when the API tells of them', async () => {
  const bought = { customer_details: { email: 'team@example.org' }, amount_total: 5700 };
  const path = '/v1/checkout/sessions/cs_live_team?expand[]=line_items';
  const find = () => {
    const query = { state: null, email: 'team@example.org', since: null, attention: false };
    return admin.orders.page(query, null).rows.map(({ state, copies }) => [state, copies]);
  };
  answers = { [path]: () => new Response('', { status: 403 }) };
  const event = signStripe(completed('team', 0, bought), time);
  expect((await stall.fetch('/webhooks/stripe', { method: 'POST', ...event })).status).toBe(200);
  await waitingEvents.run();
  expect(find()).toEqual([['paid', 0]]);
  // Reading its events again does not end the wait.
  await admin.orders.replay(stall.app.stall.store.findOrderByKey('stripe', 'cs_live_team')!.id);
  const lines = { line_items: { data: [{ price: { id: 'price_1' }, quantity: 3 }] } };
  answers = { [path]: () => Response.json({ ...session('team', bought), ...lines }) };
  time += 61_000;
  await waitingEvents.run();
  expect(find()).toEqual([['paid', 2]]);
  const { length } = asked;
  expect((await stall.fetch('/webhooks/stripe', { method: 'POST', ...event })).status).toBe(200);
  await waitingEvents.run();
  expect(asked).toHaveLength(length);
  asked.length = 0;
  time = moment(60);
});

describe('a ping of Gumroad', () => {
  test.each(['', 'wrong', `${SECRET}x`, SECRET.slice(1), '__proto__'])(
    'at the address %p is not found, and nothing is asked',
    async (secret) => {
      expect(await pinged(ping(), secret)).toBe(404);
      expect((await stall.fetch('/webhooks/gumroad', { method: 'POST', body: ping() })).status).toBe(404);
      expect(asked).toEqual([]);
    },
  );

  test('is taken at once, and only what the API answers is believed', async () => {
    answers = { [SALE]: () => Response.json({ success: true, sale: sale() }) };
    expect(await pinged(ping())).toBe(200);
    await waitingEvents.run();
    expect(asked.at(-1)).toEqual({
      path: `/v2/sales/${encodeURIComponent(sale().id)}`,
      authorization: 'Bearer gumroad-token',
    });
    expect([await states(), await states('eve@example.org')]).toEqual([['paid'], []]);
    expect(admin.grants.list('ada@example.org').map(({ slug }) => slug)).toEqual(['paid-book']);
  });

  test('about a refund asks again, and the answer takes the grant away', async () => {
    time = moment(120);
    answers = { [SALE]: () => Response.json({ success: true, sale: sale({ refunded: true }) }) };
    expect(await pinged(ping({ resource_name: 'refund', refunded: 'true' }))).toBe(200);
    await waitingEvents.run();
    expect(await states()).toEqual(['refunded']);
  });

  test('asks again if the same bytes come once more after their answer', async () => {
    const id = 'again==';
    const buyer = { id, purchase_email: 'gus@example.org', license_key: 'a' };
    answers = { [`/v2/sales/${id}`]: () => Response.json({ sale: sale(buyer) }) };
    const twice = ping({ sale_id: id });
    expect(await pinged(twice)).toBe(200);
    await waitingEvents.run();
    expect(await states('gus@example.org')).toEqual(['paid']);
    answers = { [`/v2/sales/${id}`]: () => Response.json({ sale: sale({ ...buyer, refunded: true }) }) };
    time += 60_000;
    expect(await pinged(twice)).toBe(200);
    await waitingEvents.run();
    expect(await states('gus@example.org')).toEqual(['refunded']);
  });

  test('that waits is asked about when the owner replays what waits, though it is not due', async () => {
    const id = 'replayed==';
    const path = `/v2/sales/${id}`;
    answers = { [path]: () => new Response('', { status: 500 }) };
    expect(await pinged(ping({ sale_id: id }))).toBe(200);
    await waitingEvents.run();
    const apis = { ...NO_SALES.apis, gumroad: { key: 'gumroad-token', url } };
    expect(await admin.replays.waiting({ apis })).toEqual({ answered: 0, waiting: 1 });
    expect(await admin.replays.waiting(NO_SALES)).toEqual({ answered: 0, waiting: 1 });
    const bought = sale({ id, purchase_email: 'zoe@example.org' });
    answers = { [path]: () => Response.json({ success: true, sale: bought }) };
    expect(await admin.replays.waiting({ apis })).toEqual({ answered: 1, waiting: 0 });
    expect(await states('zoe@example.org')).toEqual(['paid']);
  });

  test('waits as long as the API asks for', async () => {
    const path = '/v2/sales/soon==';
    time = moment(190);
    answers = { [path]: () => new Response('', { status: 429, headers: { 'Retry-After': '3600' } }) };
    expect(await pinged(ping({ sale_id: 'soon==', email: 'tim@example.org' }))).toBe(200);
    await waitingEvents.run();
    const before = asked.length;
    time += 59 * 60_000;
    await waitingEvents.run();
    expect(asked.length).toBe(before);
    answers = { [path]: () => new Response('', { status: 404 }) };
    time += 60_000;
    await waitingEvents.run();
    expect(asked.length).toBe(before + 1);
  });

  test('waits while the API fails, is too large, leads elsewhere or is late, and is asked again', async () => {
    const id = 'later==';
    const path = `/v2/sales/${id}`;
    const failures = [
      () => new Response('', { status: 500 }),
      () => new Response('', { status: 429, headers: { 'Retry-After': '120' } }),
      () => new Response('', { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }),
      () => new Response('x'.repeat(5 * 1024 * 1024)),
      () => new Response('no JSON'),
    ];
    time = moment(200);
    answers = { [path]: failures[0] ?? Response.error };
    expect(await pinged(ping({ sale_id: id, email: 'bob@example.org' }))).toBe(200);
    await waitingEvents.run();
    for (const failure of failures.slice(1)) {
      answers = { [path]: failure };
      const before = asked.length;
      await waitingEvents.run();
      expect(asked.length).toBe(before);
      time += 60 * 60_000;
      await waitingEvents.run();
      expect(asked.length).toBe(before + 1);
    }
    answers = {
      [path]: () =>
        Response.json({ sale: sale({ id, purchase_email: 'bob@example.org', license_key: 'b' }) }),
    };
    time += 60 * 60_000;
    await waitingEvents.run();
    expect(await states('bob@example.org')).toEqual(['paid']);
  });

  test.each([
    ['a sale that is not there', ping({ sale_id: 'nothing' }), {}],
    [
      'a sale of another shop',
      ping({ sale_id: 'other==' }),
      { '/v2/sales/other==': () => Response.json({ success: false }) },
    ],
    ['no sale', ping({ sale_id: '' }), {}],
    [
      'a test by the seller',
      ping({ test: 'true', sale_id: 'test==' }),
      { '/v2/sales/test==': () => Response.json({ sale: sale({ id: 'test==' }) }) },
    ],
    ['bytes that are no text', '\u0000\u0001', {}],
  ])('about %s makes no order', async (_, body, own) => {
    answers = own;
    const before = admin.orders.count({ state: null, email: null, since: null, attention: false });
    expect(await pinged(body)).toBe(200);
    await waitingEvents.run();
    expect(admin.orders.count({ state: null, email: null, since: null, attention: false })).toBe(before);
  });
});

describe('a license key of Gumroad', () => {
  const KEY = sale().license_key;
  const claim = async (id: string): Promise<string> => {
    const found = await stall.fetch(`/claim/gumroad?id=${encodeURIComponent(id)}`, { redirect: 'manual' });
    expect([found.status, found.headers.get('location')]).toEqual([303, '/claim']);
    const cookie = found.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await stall.fetch('/claim', { redirect: 'manual', headers: { Cookie: cookie } });
    return `${page.headers.get('location')} ${await page.text()}`;
  };

  test('finds a purchase long after it was paid, in capitals or not', async () => {
    const id = 'years-ago==';
    const license = KEY.replace('83db262a', '99999999');
    answers = {
      [`/v2/sales/${id}`]: () =>
        Response.json({ sale: sale({ id, purchase_email: 'fay@example.org', license_key: license }) }),
    };
    expect(await pinged(ping({ sale_id: id }))).toBe(200);
    await waitingEvents.run();
    time += 400 * 24 * 60 * 60_000;
    for (const typed of [license, license.toUpperCase(), ` ${license} `])
      expect(await claim(typed)).toMatch(/\?bought=|\/claim\/yours\?order=|in the library of f…@e…/);
  });

  test.each(['', '00000000-00000000-00000000-00000000', 'years-ago==', '__proto__', 'x'.repeat(300)])(
    'that is %p finds nothing',
    async (typed) => {
      expect(await claim(typed)).not.toMatch(/fay@example|ada@example/);
    },
  );

  test('is asked for on the page only if Gumroad is set up', async () => {
    expect(await (await stall.fetch('/claim')).text()).toContain('Bought at Gumroad?');
  });
});

describe('benefits that Polar takes away', () => {
  const polar = (event: unknown, id: string) => {
    const { body, headers } = signPolar(event, time, id);
    return stall.fetch('/webhooks/polar', { method: 'POST', body, headers });
  };
  const DISPUTES = `/v1/disputes/?order_id=${order('paid', 0).data['id']}`;

  test('are a dispute only if the API says so', async () => {
    time = Date.UTC(2026, 10, 3);
    const data = { customer: { email: 'cy@example.org' } };
    expect((await polar(order('paid', 0, data), 'msg_1')).status).toBe(200);
    answers = { [DISPUTES]: () => Response.json({ items: [], pagination: { total_count: 0 } }) };
    await polar(benefitRevoked(60), 'msg_2');
    await waitingEvents.run();
    expect(await states('cy@example.org')).toEqual(['paid']);
    answers = { [DISPUTES]: () => Response.json({ items: [dispute(70, 'lost').data] }) };
    await polar(benefitRevoked(80), 'msg_3');
    await waitingEvents.run();
    expect(await states('cy@example.org')).toEqual(['lost']);
  });

  test('are a note to the owner after a week without an answer', async () => {
    const id = '0a000000-0000-4000-8000-0000000009ff';
    const data = { id, checkout_id: null, customer: { email: 'dee@example.org' } };
    await polar(order('paid', 0, data), 'msg_4');
    answers = { [`/v1/disputes/?order_id=${id}`]: () => new Response('', { status: 503 }) };
    await polar(benefitRevoked(60, { order_id: id }), 'msg_5');
    await waitingEvents.run();
    time += 8 * 24 * 60 * 60_000;
    await waitingEvents.run();
    const { rows } = admin.orders.page(
      { state: null, email: 'dee@example.org', since: null, attention: true },
      null,
    );
    expect(rows.map(({ state, attention }) => [state, attention])).toEqual([
      ['paid', expect.stringContaining('disputed')],
    ]);
  });
});
