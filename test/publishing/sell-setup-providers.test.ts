import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPolar } from '@polar-sh/sdk/2026-10';
import type { PaymentProvider } from '../../src/words/payment-provider.ts';
import { LEMONSQUEEZY_EVENTS } from '../../src/selling/providers/lemonsqueezy.ts';
import { POLAR_EVENTS } from '../../src/selling/providers/polar.ts';
import { itemYaml, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import {
  type Asked,
  openGumroadAccount,
  openLemonStore,
  openPolarOrganization,
} from '../selling/providers/recording-api.ts';
import { type } from '../platform/cli/type.ts';

const BASE = 'https://stall.example.org';
const VARIABLES: Readonly<Record<string, string>> = {
  polar: 'BOOKSTALL_POLAR_WEBHOOK_SECRET',
  lemonsqueezy: 'BOOKSTALL_LEMONSQUEEZY_WEBHOOK_SECRET',
  gumroad: 'BOOKSTALL_GUMROAD_PING_SECRET',
};
type Api = {
  readonly url: string;
  readonly writes: () => readonly Asked[];
  readonly faults: { cut: number | null };
  readonly kinds: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly secretOf: () => string;
};

/** A stall that sells one book, and `sell setup` typed there. */
function stallAt(provider: PaymentProvider, api: Pick<Api, 'url' | 'writes'>, sell?: string) {
  const directory = temporaryDirectory();
  const file = join(directory, 'content/books/herons/item.yaml');
  writeFiles(join(directory, 'content'), {
    'books/herons/item.yaml': itemYaml({
      id: 'h',
      title: 'Herons',
      unitAmountCents: 1900,
      ...(sell ? { sell } : {}),
    }),
    'books/herons/a.md': '# A\n',
  });
  const secretFile = join(directory, 'secret');
  const name = provider.toUpperCase();
  const environment = {
    [`BOOKSTALL_${name}_SETUP_KEY`]: 'setup-hush',
    [`BOOKSTALL_${name}_API_URL`]: api.url,
    [`${VARIABLES[provider]}_FILE`]: secretFile,
  };
  const flags = [
    '--content',
    join(directory, 'content'),
    '--data',
    join(directory, 'data'),
    '--base-url',
    BASE,
  ];
  return {
    file,
    flags,
    environment,
    secretFile,
    item: () => readFileSync(file, 'utf8'),
    secret: () => (existsSync(secretFile) ? readFileSync(secretFile, 'utf8') : null),
    edit: (from: string | RegExp, to: string) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to)),
    async setup(...words: string[]) {
      const before = api.writes().length;
      const said = await type(['sell', 'setup', provider, ...words, ...flags], environment);
      const secret = existsSync(secretFile) ? readFileSync(secretFile, 'utf8') : '';
      expect(said.out + said.err).not.toMatch(/hush|polar_whs/);
      if (secret !== '') expect(said.out + said.err).not.toContain(secret);
      return { ...said, writes: api.writes().slice(before) };
    },
  };
}

const PROVIDERS: readonly (readonly [PaymentProvider, string, string | undefined, () => Promise<Api>])[] = [
  ['polar', 'https://buy.polar.sh/polar_cl_', undefined, openPolarOrganization],
  [
    'lemonsqueezy',
    'https://herons.lemonsqueezy.com/checkout/buy/0a-1b',
    '{lemonsqueezy: [510001]}',
    openLemonStore,
  ],
  ['gumroad', 'https://ada.gumroad.com/l/herons', '{gumroad: ["Ex4mple=="]}', openGumroadAccount],
];

describe.each(PROVIDERS)('sell setup %s', (provider, button, sell, open) => {
  test('sets up what its API can make, keeps the secret, and changes nothing the second time', async () => {
    const api = await open();
    const stall = stallAt(provider, api, sell);
    const first = await stall.setup();
    expect([first.code, first.err]).toEqual([0, '']);
    expect(stall.item()).toContain(`checkoutUrl: ${button}`);
    expect(stall.item()).toContain(`sell: {`);
    expect(stall.secret()).toBe(api.secretOf());
    expect(statSync(stall.secretFile).mode & 0o777).toBe(0o600);
    const before = stall.item();
    const second = await stall.setup();
    expect([second.code, second.writes, stall.item()]).toEqual([0, [], before]);
    const check = await type(['sell', 'check', ...stall.flags], {
      [`${VARIABLES[provider]}_FILE`]: stall.secretFile,
      [`BOOKSTALL_${provider.toUpperCase()}_${provider === 'lemonsqueezy' ? 'KEY' : 'TOKEN'}`]: 'read-hush',
      [`BOOKSTALL_${provider.toUpperCase()}_API_URL`]: api.url,
    });
    expect([check.code, check.err]).toEqual([0, 'Sales can begin\n']);
  });

  test('a dry run sends nothing and shows no secret', async () => {
    const api = await open();
    const stall = stallAt(provider, api, sell);
    const before = stall.item();
    const { code, out, writes } = await stall.setup('--dry-run');
    expect([code, writes, stall.item(), stall.secret()]).toEqual([0, [], before, null]);
    const sent = {
      polar: /POST \/v1\/webhooks\/endpoints /,
      lemonsqueezy: /POST \/v1\/webhooks .*"secret":"…"/,
      gumroad: /PUT \/v2\/resource_subscriptions .*\/webhooks\/gumroad\/…"/,
    };
    expect(out).toMatch(sent[provider as keyof typeof sent]);
  });

  test('an answer that is lost after any write leaves nothing twice, nor a secret that is not kept', async () => {
    const whole = await open();
    const { writes } = await stallAt(provider, whole, sell).setup();
    const counts = (api: Api) => Object.entries(api.kinds).map(([kind, objects]) => [kind, objects.length]);
    for (const cut of writes.keys()) {
      const api = await open();
      const stall = stallAt(provider, api, sell);
      api.faults.cut = cut + 1;
      expect((await stall.setup()).code).toBe(1);
      api.faults.cut = null;
      expect((await stall.setup()).code).toBe(0);
      expect(counts(api)).toEqual(counts(whole));
      expect(stall.secret()).toBe(api.secretOf());
      expect(stall.item()).toContain(`checkoutUrl: ${button}`);
    }
  });

  test('--new-secret replaces the secret, whatever answer of it is lost', async () => {
    const whole = await open();
    const stall = stallAt(provider, whole, sell);
    await stall.setup();
    const former = stall.secret();
    const { writes } = await stall.setup('--new-secret');
    expect(stall.secret()).toBe(whole.secretOf());
    expect(stall.secret()).not.toBe(former);
    for (const cut of writes.keys()) {
      const api = await open();
      const other = stallAt(provider, api, sell);
      await other.setup();
      api.faults.cut = cut + 1;
      await other.setup('--new-secret');
      api.faults.cut = null;
      await other.setup('--new-secret');
      expect(other.secret()).toBe(api.secretOf());
      for (const [kind, objects] of Object.entries(api.kinds))
        expect(objects).toHaveLength(whole.kinds[kind]!.length);
    }
  });
});

describe('a price that was changed in item.yaml', () => {
  test('changes the product at Polar; its link sells at the new price, and prices in other currencies stay', async () => {
    const api = await openPolarOrganization();
    const stall = stallAt('polar', api);
    await stall.setup();
    const [product] = api.kinds['products']!;
    product!['prices'] = [
      ...(product!['prices'] as object[]),
      { id: 'euros', amount_type: 'fixed', price_currency: 'eur', price_amount: 1700 },
    ];
    const before = stall.item();
    stall.edit('1900', '2900');
    const { writes } = await stall.setup();
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `PATCH /v1/products/${product!['id']}`,
    ]);
    expect(product!['prices']).toMatchObject([
      { id: 'euros' },
      { amount_type: 'fixed', price_currency: 'usd', price_amount: 2900 },
    ]);
    expect(stall.item()).toBe(before.replace('1900', '2900'));
    expect((await stall.setup()).writes).toEqual([]);
  });

  test.each([
    ['lemonsqueezy', '{lemonsqueezy: [510001]}', openLemonStore, 'https://app.lemonsqueezy.com/products'],
    ['gumroad', '{gumroad: ["Ex4mple=="]}', openGumroadAccount, 'https://gumroad.com/products'],
  ] as const)('is named at %s, with the page to change it on', async (provider, sell, open, page) => {
    const api = await open();
    const stall = stallAt(provider, api, sell);
    await stall.setup();
    stall.edit('Cents: 1900', 'Cents: 500\nsuggestedAmountCents: 1900');
    expect((await stall.setup()).out).toContain(
      `Change the price of "herons" from $19 to what buyers want to pay, from $5, with $19 suggested, at ${page}`,
    );
    Object.assign('variant' in api ? api.variant : api.product, {
      ...{ pay_what_you_want: true, min_price: 500, suggested_price: 1900 },
      ...{ customizable_price: true, price: 500 },
    });
    expect((await stall.setup()).out).not.toContain('Change the price');
    stall.edit('Cents: 500\nsuggestedAmountCents: 1900', 'Cents: 1900');
    Object.assign('variant' in api ? api.variant : api.product, {
      ...{ pay_what_you_want: false, customizable_price: null, price: 1900 },
    });
    stall.edit('1900', '2900');
    const { out, writes } = await stall.setup();
    expect(writes).toEqual([]);
    expect(out).toContain(`Change the price of "herons" from $19 to $29 at ${page}`);
  });
});

describe('what differs is mended, named or refused', () => {
  test.each([
    [
      'lemonsqueezy',
      openLemonStore,
      'Make "Herons" for $19 at https://app.lemonsqueezy.com/products, add its id to "herons", as in "sell: {lemonsqueezy: [510001]}"',
    ],
    [
      'gumroad',
      openGumroadAccount,
      'Make "Herons" for $19 at https://gumroad.com/products, add its id to "herons", as in "sell: {gumroad: ["Ex4mple=="]}"',
    ],
  ] as const)('a product that %s must make by hand', async (provider, open, sentence) => {
    const { code, out } = await stallAt(provider, await open()).setup();
    expect([code, out]).toEqual([0, expect.stringContaining(sentence)]);
  });

  test.each([
    [
      'polar',
      openPolarOrganization,
      '{polar: [00000000-0000-4000-8000-00000000000b]}',
      'Polar does not know 0000',
    ],
    ['lemonsqueezy', openLemonStore, '{lemonsqueezy: [510009]}', 'Lemon Squeezy does not know 510009'],
    ['gumroad', openGumroadAccount, '{gumroad: ["Other=="]}', 'Gumroad does not know Other=='],
  ] as const)('%s with an id or a key of elsewhere', async (provider, open, sell, sentence) => {
    const { code, err } = await stallAt(provider, await open(), sell).setup();
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  });

  test('a variant of the test mode', async () => {
    const stall = stallAt('lemonsqueezy', await openLemonStore({ isTest: true }), '{lemonsqueezy: [510001]}');
    expect((await stall.setup()).out).toContain('510001 is of the test mode');
  });

  test('events, an endpoint that is switched off, a success URL, an archived product, a name', async () => {
    const api = await openPolarOrganization();
    const stall = stallAt('polar', api);
    await stall.setup();
    const { products, endpoints, 'checkout-links': links } = api.kinds;
    Object.assign(endpoints![0]!, {
      events: ['order.paid', 'product.created'],
      enabled: false,
      format: 'slack',
    });
    Object.assign(links![0]!, { success_url: 'https://elsewhere.example' });
    Object.assign(products![0]!, { is_archived: true, name: 'Old' });
    const { writes } = await stall.setup();
    expect(writes).toHaveLength(3);
    expect(endpoints![0]).toMatchObject({ events: [...POLAR_EVENTS], enabled: true, format: 'raw' });
    expect(links![0]).toMatchObject({ success_url: `${BASE}/claim/polar?id={CHECKOUT_ID}` });
    expect(products![0]).toMatchObject({ is_archived: false, name: 'Herons' });
    Object.assign(endpoints![0]!, { events: POLAR_EVENTS.toReversed() });
    expect((await stall.setup()).writes).toEqual([]);
  });

  test('at Polar a price that buyers choose, the tax of a price, and a link of several products stay', async () => {
    const api = await openPolarOrganization();
    const stall = stallAt('polar', api);
    await stall.setup();
    const { products, 'checkout-links': links } = api.kinds;
    const [price] = products![0]!['prices'] as Record<string, unknown>[];
    Object.assign(price!, { tax_behavior: 'inclusive' });
    Object.assign(links![0]!, { products: [{ id: products![0]!['id'] }, { id: 'another' }] });
    stall.edit('1900', '2900');
    await stall.setup();
    expect(products![0]!['prices']).toMatchObject([{ price_amount: 2900, tax_behavior: 'inclusive' }]);
    expect(links).toHaveLength(2);
    Object.assign(products![0]!, {
      prices: [{ id: 'chosen', amount_type: 'custom', price_currency: 'usd' }],
    });
    expect((await stall.setup()).writes).toEqual([]);
  });

  test.each(PROVIDERS)(
    '%s makes nothing if the secret could not be kept',
    async (provider, _, sell, open) => {
      const api = await open();
      const stall = stallAt(provider, api, sell);
      const variable = `${VARIABLES[provider]}_FILE`;
      Object.assign(stall.environment, { [variable]: `${stall.file}/secret` });
      const { code, err, writes } = await stall.setup();
      expect([code, writes]).toEqual([1, []]);
      expect(err).toContain('Cannot write');
    },
  );

  test('another currency, and events, at Lemon Squeezy; a secret that is elsewhere is left alone', async () => {
    const api = await openLemonStore({ currency: 'EUR' });
    const stall = stallAt('lemonsqueezy', api, '{lemonsqueezy: [510001]}');
    expect((await stall.setup()).out).toContain('from €19 to $19');
    Object.assign(api.kinds.webhooks[0]!['attributes'] as object, { events: ['order_created'] });
    stall.environment['BOOKSTALL_LEMONSQUEEZY_WEBHOOK_SECRET_FILE'] = `${stall.secretFile}.other`;
    const { out, writes } = await stall.setup();
    expect(writes).toHaveLength(1);
    expect(api.kinds.webhooks[0]!['attributes']).toMatchObject({ events: [...LEMONSQUEEZY_EVENTS] });
    expect(out).toContain('name the file of the secret, or make one with --new-secret');
  });

  test('a server without a token for Gumroad, without which it does not start', async () => {
    const stall = stallAt('gumroad', await openGumroadAccount(), '{gumroad: ["Ex4mple=="]}');
    expect((await stall.setup()).out).toContain('set BOOKSTALL_GUMROAD_TOKEN');
    expect((await stall.setup()).out).not.toContain('BOOKSTALL_GUMROAD_TOKEN');
  });

  test('a secret at Polar or Gumroad that is not here is found there', async () => {
    for (const [provider, , sell, open] of PROVIDERS.filter(([name]) => name !== 'lemonsqueezy')) {
      const api = await open();
      const stall = stallAt(provider, api, sell);
      await stall.setup();
      writeFileSync(stall.secretFile, '');
      expect((await stall.setup()).writes).toEqual([]);
      expect(stall.secret()).toBe(api.secretOf());
    }
  });

  test('a secret at Gumroad that no server would take is replaced', async () => {
    const gumroad = await openGumroadAccount();
    const stall = stallAt('gumroad', gumroad, '{gumroad: ["Ex4mple=="]}');
    await stall.setup();
    for (const one of gumroad.kinds.subscriptions)
      Object.assign(one, { post_url: `${BASE}/webhooks/gumroad/my-ping` });
    writeFileSync(stall.secretFile, '');
    expect((await stall.setup()).code).toBe(0);
    expect(stall.secret()).toMatch(/^[\w-]{40}$/);
    expect(new Set(gumroad.kinds.subscriptions.map((one) => one['post_url']))).toEqual(
      new Set([`${BASE}/webhooks/gumroad/${stall.secret()}`]),
    );
  });
});

const WEBHOOK = { url: `${BASE}/webhooks/polar`, format: 'raw', events: [...POLAR_EVENTS] } as const;
const RETURN = `${BASE}/claim/polar?id={CHECKOUT_ID}`;

test('each request to Polar is the one that its own SDK makes for the same act', async () => {
  const [ours, theirs] = [await openPolarOrganization(), await openPolarOrganization()];
  const stall = stallAt('polar', ours);
  await stall.setup();
  stall.edit('1900', '2900');
  Object.assign(ours.kinds['checkout-links']![0]!, { success_url: null });
  Object.assign(ours.kinds['endpoints']![0]!, { enabled: false });
  await stall.setup('--new-secret');
  const polar = createPolar({ accessToken: 'setup-hush', baseUrl: theirs.url });
  const metadata = { bookstall: `herons ${RETURN}` };
  const price = { amount_type: 'fixed', price_currency: 'usd', price_amount: 1900 } as const;
  await polar.webhooks.listWebhookEndpoints({ limit: 100 });
  const endpoint = await polar.webhooks.createWebhookEndpoint({
    ...WEBHOOK,
    events: [...WEBHOOK.events] as never,
    api_version: '2026-10',
  });
  await polar.products.list({ limit: 100, metadata });
  const product = await polar.products.create({ name: 'Herons', prices: [price], metadata });
  await polar.checkoutLinks.list({ product_id: product.id, limit: 100 });
  const link = await polar.checkoutLinks.create({
    payment_processor: 'stripe',
    products: [product.id],
    success_url: RETURN,
    metadata,
  });
  await polar.webhooks.listWebhookEndpoints({ limit: 100 });
  await polar.webhooks.updateWebhookEndpoint(endpoint.id, { enabled: true });
  await polar.webhooks.resetWebhookEndpointSecret(endpoint.id);
  await polar.products.get(product.id);
  await polar.products.update(product.id, { prices: [{ ...price, price_amount: 2900 }] });
  await polar.checkoutLinks.list({ product_id: product.id, limit: 100 });
  await polar.checkoutLinks.update(link.id, { success_url: RETURN });
  stall.edit('Cents: 2900', 'Cents: 500\nsuggestedAmountCents: 1900');
  await stall.setup();
  await polar.webhooks.listWebhookEndpoints({ limit: 100 });
  await polar.products.get(product.id);
  const custom = { amount_type: 'custom', minimum_amount: 500, preset_amount: 1900 } as const;
  await polar.products.update(product.id, { prices: [{ ...custom, price_currency: 'usd' }] });
  await polar.checkoutLinks.list({ product_id: product.id, limit: 100 });
  const plain = ({ method, path, fields, sent, headers }: Asked) => ({
    ...{ method, path, sent },
    // The SDK states defaults of a list: its first page and its order.
    fields: Object.fromEntries(
      Object.entries(fields).filter(([name]) => !['page', 'sorting'].includes(name)),
    ),
    headers: ['authorization', 'content-type', 'polar-version'].map((name) => headers[name]),
  });
  expect(ours.asked.map(plain)).toEqual(theirs.asked.map(plain));
  expect((await stall.setup()).writes).toEqual([]);
  const check = await type(['sell', 'check', ...stall.flags], {
    BOOKSTALL_POLAR_WEBHOOK_SECRET_FILE: stall.secretFile,
    BOOKSTALL_POLAR_TOKEN: 'read-hush',
    BOOKSTALL_POLAR_API_URL: ours.url,
  });
  expect([check.code, check.out]).toEqual([0, expect.stringContaining('on sale, from $5')]);
});

test('Lemon Squeezy and Gumroad get the requests of their documents', async () => {
  const lemon = await openLemonStore();
  const store = stallAt('lemonsqueezy', lemon, '{lemonsqueezy: [510001]}');
  await store.setup();
  // https://docs.lemonsqueezy.com/api/webhooks/create-webhook
  expect(
    lemon
      .writes()
      .map(({ method, path, sent, headers }) => [
        method,
        path,
        sent,
        headers['accept'],
        headers['content-type'],
      ]),
  ).toEqual([
    [
      'POST',
      '/v1/webhooks',
      {
        data: {
          type: 'webhooks',
          attributes: {
            url: `${BASE}/webhooks/lemonsqueezy`,
            events: [...LEMONSQUEEZY_EVENTS],
            secret: store.secret(),
          },
          relationships: { store: { data: { type: 'stores', id: '1' } } },
        },
      },
      'application/vnd.api+json',
      'application/vnd.api+json',
    ],
  ]);
  expect(store.secret()).toMatch(/^[\w-]{40}$/);
  const gumroad = await openGumroadAccount();
  const account = stallAt('gumroad', gumroad, '{gumroad: ["Ex4mple=="]}');
  await account.setup();
  // https://gumroad.com/api#resource-subscriptions
  const post_url = `${BASE}/webhooks/gumroad/${account.secret()}`;
  expect(gumroad.writes().map(({ method, path, sent }) => [method, path, sent])).toEqual(
    [
      'sale',
      'refund',
      'dispute',
      'dispute_won',
      'cancellation',
      'subscription_ended',
      'subscription_restarted',
    ].map((resource_name) => ['PUT', '/v2/resource_subscriptions', { resource_name, post_url }]),
  );
});
