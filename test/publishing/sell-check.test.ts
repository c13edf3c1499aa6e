import { describe, expect, test } from 'bun:test';
import { type Files, itemYaml, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { LEMONSQUEEZY_EVENTS } from '../../src/selling/providers/lemonsqueezy.ts';
import { POLAR_EVENTS } from '../../src/selling/providers/polar.ts';
import { STRIPE_EVENTS } from '../../src/selling/providers/stripe.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openScriptedApi } from '../selling/providers/scripted-api.ts';
import { openSellingStall } from '../selling/selling-stall.ts';
import { session, stripeEvent } from '../selling/providers/stripe-events.ts';
import { type } from '../platform/cli/type.ts';

const BASE = 'https://stall.example.org';
const CONTENT: Files = {
  'stall.yaml':
    'bundles:\n  - slug: both\n    title: Both\n    items: [herons, egrets]\n    unitAmountCents: 2900\n    checkoutUrl: https://buy.example.org/b\n    sell: {lemonsqueezy: [510001]}\n',
  'books/herons/item.yaml': itemYaml({
    id: 'h',
    unitAmountCents: 1900,
    checkoutUrl: 'https://buy.stripe.com/h',
    sell: '{stripe: [plink_1, price_1]}',
  }),
  'books/herons/a.md': '# A\n',
  'books/egrets/item.yaml': itemYaml({ id: 'e', unitAmountCents: 1500 }),
  'books/egrets/a.md': '# B\n',
};
const SECRETS = {
  BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_hush',
  BOOKSTALL_LEMONSQUEEZY_WEBHOOK_SECRET: 'hush-hush',
};

async function check(files: Files, environment: Readonly<Record<string, string>> = {}, ...flags: string[]) {
  const directory = temporaryDirectory();
  writeFiles(`${directory}/content`, files);
  const words = [
    'sell',
    'check',
    '--content',
    `${directory}/content`,
    '--data',
    `${directory}/data`,
    '--base-url',
    BASE,
  ];
  return type([...words, ...flags], environment);
}

const price = (more = {}) => ({
  active: true,
  livemode: true,
  unit_amount: 1900,
  currency: 'usd',
  recurring: null,
  ...more,
});
const link = (more = {}, redirect = `${BASE}/claim/stripe?id={CHECKOUT_SESSION_ID}`) => ({
  active: true,
  livemode: true,
  currency: 'usd',
  url: 'https://buy.stripe.com/h',
  after_completion: { type: 'redirect', redirect: { url: redirect } },
  line_items: { data: [{ price: price(more) }] },
});
const endpoint = (more: Readonly<Record<string, unknown>> = {}) => ({
  '/v1/webhook_endpoints': {
    data: [
      {
        url: `${BASE}/webhooks/stripe`,
        enabled_events: STRIPE_EVENTS,
        status: 'enabled',
        livemode: true,
        api_version: '2026-10-28.endive',
        ...more,
      },
    ],
  },
});
const stripeApi = (more: Readonly<Record<string, unknown>> = {}) =>
  openScriptedApi({
    '/v1/payment_links/plink_1': link(),
    '/v1/prices/price_1': price({ recurring: { interval: 'month' } }),
    ...endpoint(),
    ...more,
  });
const lemonApi = (price = 2900, events: readonly string[] = LEMONSQUEEZY_EVENTS) =>
  openScriptedApi({
    '/v1/variants/510001': {
      data: { attributes: { status: 'pending', price, is_subscription: false, test_mode: false } },
    },
    '/v1/webhooks': {
      data: [{ attributes: { url: `${BASE}/webhooks/lemonsqueezy`, events, test_mode: false } }],
    },
  });
const keys = (stripe: string, lemon: string) => ({
  ...SECRETS,
  BOOKSTALL_STRIPE_KEY: 'rk_hush',
  BOOKSTALL_STRIPE_API_URL: stripe,
  BOOKSTALL_LEMONSQUEEZY_KEY: 'ey_hush',
  BOOKSTALL_LEMONSQUEEZY_API_URL: lemon,
});

test('a stall that sells nothing is told how to begin', async () => {
  const { code, err } = await check({
    'books/egrets/item.yaml': itemYaml({ id: 'e' }),
    'books/egrets/a.md': '# B\n',
  });
  expect(code).toBe(1);
  expect(err).toContain('Nothing is sold at a payment provider yet');
});

test('without secrets it names the variables, and prints what to paste', async () => {
  const { code, out, err } = await check(CONTENT);
  expect(code).toBe(1);
  for (const line of [
    'not set (BOOKSTALL_STRIPE_WEBHOOK_SECRET)',
    `Webhook address   ${BASE}/webhooks/stripe\n`,
    `Events            ${STRIPE_EVENTS.join(' ')}\n`,
    `After buying      ${BASE}/claim/stripe?id={CHECKOUT_SESSION_ID}\n`,
    `Webhook address   ${BASE}/webhooks/lemonsqueezy\n`,
    `After buying      ${BASE}/claim/lemonsqueezy?id=[order_identifier]\n`,
    'plink_1  herons, $19\n',
    '510001  both, $29\n',
    'Items name ids of Lemon Squeezy, but BOOKSTALL_LEMONSQUEEZY_WEBHOOK_SECRET is not set',
  ])
    expect(out).toContain(line);
  expect(err).toContain('2 things to do');
});

test('an item of another currency than its bundle is named, also by a former slug', async () => {
  const egrets = itemYaml({ id: 'e', unitAmountCents: 1500, currency: 'eur' });
  const [stripe, lemon] = [stripeApi(), lemonApi()];
  const sold = keys(stripe.url, lemon.url);
  const sentence =
    '!  Cannot sell "egrets" in the bundle "both": its price is in EUR, the bundle\'s in USD. Give both the same "currency"\n';
  const { code, out, err } = await check({ ...CONTENT, 'books/egrets/item.yaml': egrets }, sold);
  expect([code, out, err]).toEqual([1, expect.stringContaining(sentence), '1 thing to do\n']);
  const { 'books/egrets/item.yaml': _, 'books/egrets/a.md': text = '', ...rest } = CONTENT;
  const renamed = { 'books/little/item.yaml': `${egrets}formerly: [egrets]\n`, 'books/little/a.md': text };
  expect((await check({ ...rest, ...renamed }, sold)).out).toContain(sentence);
});

test('with secrets, and a good answer of each API, sales can begin; no secret is shown', async () => {
  const [stripe, lemon] = [stripeApi(), lemonApi()];
  const { code, out, err } = await check(CONTENT, keys(stripe.url, lemon.url));
  expect(err).toContain('Sales can begin');
  expect(code).toBe(0);
  expect(out).toContain('  Secret            set (BOOKSTALL_STRIPE_WEBHOOK_SECRET)\n');
  expect(out).toContain('plink_1  herons, $19; at Stripe: on sale, $19\n');
  expect(out).toContain('price_1  herons, $19; at Stripe: on sale, $19, subscription\n');
  expect(out).toContain('510001  both, $29; at Lemon Squeezy: on sale, $29\n');
  expect(`${out}${err}`).not.toContain('hush');
  expect(stripe.requests[0]?.authorization).toBe('Bearer rk_hush');
});

describe('each fault is a sentence with its remedy', () => {
  test.each([
    [
      'another price',
      { '/v1/payment_links/plink_1': link({ unit_amount: 2900 }) },
      '"herons" is $19 here and $29 at Stripe (plink_1). Change the price at Stripe: bookstall sell setup stripe',
    ],
    [
      'another currency',
      { '/v1/prices/price_1': price({ currency: 'eur' }) },
      '"herons" is $19 here and €19 at Stripe (price_1)',
    ],
    [
      'switched off',
      { '/v1/payment_links/plink_1': { ...link(), active: false } },
      'plink_1 is switched off at Stripe',
    ],
    ['test mode', { '/v1/prices/price_1': price({ livemode: false }) }, "price_1 is of Stripe's test mode"],
    [
      'another account',
      { '/v1/prices/price_1': undefined },
      'Stripe does not know price_1 of books/herons/item.yaml',
    ],
    [
      'no return',
      { '/v1/payment_links/plink_1': link({}, 'https://elsewhere.example') },
      'plink_1 does not send its buyers back here',
    ],
    [
      'another button',
      { '/v1/payment_links/plink_1': { ...link(), url: 'https://buy.stripe.com/new' } },
      'The Buy button of "herons" leads to https://buy.stripe.com/h, and it is bought at https://buy.stripe.com/new',
    ],
    [
      'every event',
      endpoint({ enabled_events: ['*'] }),
      'The webhook at Stripe also sends *, which can name people who bought nothing here. Leave that out: bookstall sell setup stripe',
    ],
    [
      'an event too many',
      endpoint({ enabled_events: [...STRIPE_EVENTS, 'customer.created'] }),
      'also sends customer.created, which',
    ],
    [
      'a later API',
      endpoint({ api_version: '2027-09-30.fuchsia' }),
      'sends version 2027-09-30.fuchsia, which this Bookstall does not know',
    ],
    [
      'no webhook',
      { '/v1/webhook_endpoints': { data: [] } },
      `Stripe sends no events to ${BASE}/webhooks/stripe`,
    ],
    [
      'few events',
      endpoint({ enabled_events: STRIPE_EVENTS.slice(1), status: 'disabled' }),
      `The webhook at Stripe does not send ${STRIPE_EVENTS[0]}`,
    ],
    [
      'a weak key',
      { '/v1/webhook_endpoints': () => new Response('', { status: 403 }) },
      'could not be listed: the key may not do this (403)',
    ],
  ])('%s', async (_, answers, sentence) => {
    const { code, out } = await check(CONTENT, keys(stripeApi(answers).url, lemonApi().url));
    expect(out).toContain(sentence);
    expect(code).toBe(1);
  });

  test('of Lemon Squeezy', async () => {
    const { out } = await check(CONTENT, keys(stripeApi().url, lemonApi(2500, ['order_created']).url));
    expect(out).toContain('"both" is $29 here and $25 at Lemon Squeezy (510001)');
    expect(out).toContain('The webhook at Lemon Squeezy does not send order_refunded, subscription_created');
  });

  test('of the stall: no public address, no Buy button, a secret without ids, sales off', async () => {
    const { checkoutUrl: _, ...plain } = {
      checkoutUrl: '',
      id: 'h',
      unitAmountCents: 1900,
      sell: '{stripe: [plink_1]}',
    };
    const files = { 'books/herons/item.yaml': itemYaml(plain), 'books/herons/a.md': '# A\n' };
    const { out } = await check(
      files,
      { ...SECRETS, BOOKSTALL_SALES: 'off' },
      '--base-url',
      'http://127.0.0.1:7070',
    );
    expect(out).toContain('No payment provider can reach http://127.0.0.1:7070');
    expect(out).toContain('"herons" has no Buy button. Add "checkoutUrl"');
    expect(out).toContain('sales are switched off');
    const unsold = await check(files, { ...SECRETS });
    expect(unsold.out).toContain(
      'BOOKSTALL_LEMONSQUEEZY_WEBHOOK_SECRET is set, but no item names an id of Lemon Squeezy',
    );
  });
});

test('the mail server is greeted, and named without its password if it takes no mail', async () => {
  const server = await openMailServer();
  const mail = { ...SECRETS, BOOKSTALL_MAIL_FROM: 'stall@example.org' };
  const good = await check(CONTENT, { ...mail, BOOKSTALL_SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  expect(good.out).toContain(`Mail: 127.0.0.1:${server.port} takes mail from stall@example.org\n`);
  expect(good.code).toBe(0);
  expect(server.received).toEqual([]);
  const bad = await check(CONTENT, { ...mail, BOOKSTALL_SMTP_URL: 'smtp://ada:hush@127.0.0.1:1' });
  expect(bad.out).toContain('!  The mail server 127.0.0.1:1 takes no mail: ');
  expect([bad.code, bad.out.includes('hush')]).toEqual([1, false]);
  expect((await check(CONTENT, SECRETS)).out).toContain('Mail: not set (BOOKSTALL_SMTP_URL)');
});

test('--json has it all as one value', async () => {
  const { out } = await check(CONTENT, SECRETS, '--json');
  expect(JSON.parse(out)).toMatchObject({
    origin: BASE,
    problems: [],
    providers: [
      { provider: 'stripe', secrets: 1, testSecrets: 0, hasKey: false, problems: [] },
      { provider: 'lemonsqueezy', products: [{ id: '510001', slug: 'both', price: '$29', seen: null }] },
    ],
  });
  expect(out).not.toContain('hush');
});

test('a Payment Link that sells two of a thing has twice its price', async () => {
  const pair = {
    ...link({ unit_amount: 950 }),
    line_items: { data: [{ price: price({ unit_amount: 950 }), quantity: 2 }] },
  };
  const api = stripeApi({ '/v1/payment_links/plink_1': pair });
  const { out } = await check(CONTENT, keys(api.url, lemonApi().url));
  expect(out).not.toContain('$9.50');
});

test('the old link of a changed price may stay named, switched off; the Buy button may not lead to it', async () => {
  const files = (checkoutUrl: string): Files => ({
    'books/herons/item.yaml': itemYaml({
      id: 'h',
      unitAmountCents: 1900,
      checkoutUrl,
      sell: '{stripe: [plink_1, plink_0]}',
    }),
    'books/herons/a.md': '# A\n',
  });
  const old = { ...link({ unit_amount: 900 }), active: false, url: 'https://buy.stripe.com/old' };
  const api = stripeApi({ '/v1/payment_links/plink_0': old });
  const environment = {
    BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_hush',
    BOOKSTALL_STRIPE_KEY: 'rk_hush',
    BOOKSTALL_STRIPE_API_URL: api.url,
  };
  const fresh = await check(files('https://buy.stripe.com/h'), environment);
  expect([fresh.code, fresh.err]).toEqual([0, 'Sales can begin\n']);
  const { out } = await check(files('https://buy.stripe.com/old'), environment);
  expect(out).toContain('leads to https://buy.stripe.com/old, and it is bought at');
});

test('without a key the newest sales tell the price, unless one of them took it', async () => {
  const usd = (...grosses: readonly number[]) =>
    grosses.map((amount) => ({ amount, tax: 0, currency: 'usd' }));
  const rows: Readonly<Record<string, readonly [ReturnType<typeof usd>, string | null]>> = {
    unsold: [[], null],
    same: [usd(1900), null],
    taxed: [[{ amount: 2261, tax: 361, currency: 'usd' }], null],
    discounted: [usd(1900, 1500, 1500), null],
    changed: [usd(2900, 2900, 1900), null],
    tested: [usd(2900).map((sale) => ({ ...sale, id: 'cs_bookstall_1' })), null],
    older: [
      [...usd(1900, 2900, 2900), { amount: 3451, tax: 551, currency: 'usd' }],
      'The last 3 sales of "older" took $29, and books/older/item.yaml says $19. Change the price at Stripe: bookstall sell setup stripe',
    ],
    foreign: [
      [{ amount: 1900, tax: 0, currency: 'eur' }],
      'The last sale of "foreign" took €19, and books/foreign/item.yaml says $19.',
    ],
  };
  const files = Object.fromEntries(
    Object.keys(rows).flatMap((slug) => [
      [`books/${slug}/a.md`, '# A\n'],
      [
        `books/${slug}/item.yaml`,
        itemYaml({
          id: slug,
          unitAmountCents: 1900,
          checkoutUrl: 'https://buy.stripe.com/x',
          sell: `{stripe: [plink_${slug}]}`,
        }),
      ],
    ]),
  );
  const directory = temporaryDirectory();
  const { stripe } = await openSellingStall({ files, directory });
  for (const [slug, [sales]] of Object.entries(rows))
    for (const [n, { amount, tax, currency, ...more }] of sales.entries()) {
      const sold = session(`${slug}_${n}`, {
        payment_link: `plink_${slug}`,
        amount_total: amount,
        currency,
        total_details: { amount_tax: tax },
        ...more,
      });
      expect((await stripe(stripeEvent('checkout.session.completed', n, sold))).status).toBe(200);
    }
  const words = ['sell', 'check', '--content', `${directory}/content`, '--data', `${directory}/data`];
  const { out } = await type([...words, '--base-url', BASE], SECRETS);
  const expected = Object.values(rows).flatMap(([, sentence]) =>
    sentence === null ? [] : [expect.stringContaining(sentence)],
  );
  expect(out.match(/^.*took.*$/gm)?.toReversed()).toEqual(expected);
});

describe('Polar and Gumroad', () => {
  const PRODUCT = '7c2d3f80-0001-4000-8000-000000000001';
  const sold: Files = {
    'books/herons/item.yaml': itemYaml({
      id: 'h',
      unitAmountCents: 1900,
      checkoutUrl: 'https://buy.polar.sh/polar_cl_h?utm_source=stall',
      sell: `{polar: ["${PRODUCT}"], gumroad: ["Ex4mple=="]}`,
    }),
    'books/herons/a.md': '# A\n',
  };
  const PING = 'a_secret_of_thirty-two_letters_or_more';
  const api = (more: Readonly<Record<string, unknown>> = {}) => {
    const { url } = openScriptedApi({
      [`/v1/products/${PRODUCT}`]: {
        is_archived: false,
        is_recurring: false,
        prices: [{ price_amount: 1900, price_currency: 'usd' }],
      },
      '/v1/webhooks/endpoints': {
        items: [
          { url: `${BASE}/webhooks/polar`, events: POLAR_EVENTS, enabled: true, api_version: '2026-10' },
        ],
      },
      '/v1/checkout-links/': {
        items: [
          {
            url: 'https://buy.polar.sh/polar_cl_h',
            success_url: `${BASE}/claim/polar?id={CHECKOUT_ID}`,
          },
        ],
      },
      [`/v2/products/${encodeURIComponent('Ex4mple==')}`]: {
        product: {
          published: true,
          price: 1900,
          currency: 'usd',
          short_url: 'https://ada.gumroad.com/l/h',
        },
      },
      '/v2/resource_subscriptions': {
        resource_subscriptions: [{ post_url: `${BASE}/webhooks/gumroad/${PING}` }],
      },
      ...more,
    });
    return {
      BOOKSTALL_POLAR_WEBHOOK_SECRET: 'polar_whs_hush',
      BOOKSTALL_POLAR_TOKEN: 'polar_hush',
      BOOKSTALL_POLAR_API_URL: url,
      BOOKSTALL_GUMROAD_PING_SECRET: PING,
      BOOKSTALL_GUMROAD_TOKEN: 'gumroad_hush',
      BOOKSTALL_GUMROAD_API_URL: url,
    };
  };

  test('are looked up, and nothing is left to do', async () => {
    const { code, out, err } = await check(sold, api());
    expect([code, err]).toEqual([0, expect.not.stringContaining('!')]);
    expect(out).toContain('on sale, $19');
    expect(out).toContain(`${BASE}/webhooks/gumroad/<the secret>`);
    expect(out + err).not.toMatch(/hush|a_secret_of/);
  });

  test.each([
    [
      'another price',
      { [`/v1/products/${PRODUCT}`]: { prices: [{ price_amount: 900, price_currency: 'usd' }] } },
      'is $19 here and $9 at Polar',
    ],
    [
      'a checkout link that leads elsewhere',
      {
        '/v1/checkout-links/': {
          items: [{ url: 'https://buy.polar.sh/polar_cl_h', success_url: 'https://elsewhere.example' }],
        },
      },
      `does not send its buyers back here. Let it lead to ${BASE}/claim/polar?id={CHECKOUT_ID} after paying: bookstall sell setup polar`,
    ],
    ['no product', { [`/v2/products/${encodeURIComponent('Ex4mple==')}`]: undefined }, 'Gumroad'],
    ['no webhook', { '/v1/webhooks/endpoints': { items: [] } }, 'Polar sends no events to'],
    [
      'an endpoint that is switched off',
      {
        '/v1/webhooks/endpoints': {
          items: [{ url: `${BASE}/webhooks/polar`, events: POLAR_EVENTS, enabled: false }],
        },
      },
      'The webhook at Polar is switched off',
    ],
    [
      'no refunds told',
      { '/v2/resource_subscriptions': { resource_subscriptions: [] } },
      'Gumroad sends no events to',
    ],
  ])('with %s say what to do', async (_, more, sentence) => {
    const { code, out } = await check(sold, api(more));
    expect([code, out.includes(sentence)]).toEqual([1, true]);
  });
});
