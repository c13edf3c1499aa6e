import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';
import { NO_SALES } from '../../src/platform/config/sales.ts';

const STALL = `contact: stall@example.org
bundles:
  - slug: marsh-pair
    title: "The <b>Marsh</b> Pair"
    items: [herons, sets]
    description: Both of the marsh. <script>alert(1)</script> They are **wet**.
    unitAmountCents: 2000
    checkoutUrl: https://buy.stripe.com/abc
    sell: {stripe: [plink_pair]}
  - slug: with-draft
    title: With a Draft
    items: [herons, draft-book]
    unitAmountCents: 900
`;
const FILES = {
  ...SHELF,
  'stall.yaml': STALL,
  'books/herons/item.yaml': itemYaml({
    id: 'herons',
    title: 'Herons',
    unitAmountCents: 1900,
    checkoutUrl: 'https://shop.lemonsqueezy.com/buy/x?enabled=1',
    sell: '{lemonsqueezy: [510001]}',
  }),
  'books/herons/a.md': '# A\n',
  'books/sets/item.yaml': itemYaml({
    id: 'sets',
    title: 'Sets',
    unitAmountCents: 1500,
    checkoutUrl: 'https://buy.example.org/y',
    sell: '{polar: [7c2d3f80-1b2c-4d3e-8f90-0123456789ab]}',
  }),
  'books/sets/a.md': '# B\n',
};
const secret = { live: ['whsec_1'], test: [] };
const stall = await openStall({
  files: FILES,
  config: {
    sales: { ...NO_SALES, isOn: true, secrets: { ...NO_SALES.secrets, stripe: secret, polar: secret } },
  },
});
await stall.reader('ada@example.org', 'herons');
await stall.reader('rich@example.org', 'herons', 'sets');
const ada = await stall.signIn('ada@example.org');
const rich = await stall.signIn('rich@example.org');

const read = async (path: string, headers = {}): Promise<string> =>
  (await stall.fetch(path, { headers })).text();
const textOf = (html: string): string =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of a bundle', () => {
  test('names price, saving and items, with links, and escapes its title', async () => {
    const response = await stall.fetch('/bundles/marsh-pair');
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).not.toContain('<b>');
    const text = textOf(html);
    for (const words of [
      '&lt;b>Marsh',
      '$20',
      '$34 one by one: you save $14',
      '$19 alone',
      'Buy for $20',
      'Both of the marsh.',
    ])
      expect(text).toContain(words);
    expect(html).toContain('They are <strong>wet</strong>.');
    expect(html).not.toContain('<script>');
    expect(html).toContain('href="/books/herons"');
    expect(html).toContain('href="/books/sets"');
    expect(html).toContain('href="https://buy.stripe.com/abc"');
    expect(text).toContain('You pay at Stripe. You return here and read at once.');
    const cover = /\/covers\/marsh-pair-[0-9a-f]{16}\.svg/.exec(html)?.[0] ?? '';
    const image = await stall.fetch(cover);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(image.headers.get('content-security-policy')).toContain('sandbox');
    const data = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '');
    expect(data).toMatchObject({ '@type': 'Product', offers: { price: '20.00', priceCurrency: 'USD' } });
  });

  test('says what its visitor has already', async () => {
    const [some, all] = [await read('/bundles/marsh-pair', ada), await read('/bundles/marsh-pair', rich)];
    expect(textOf(some)).toContain('You have 1 item of it already.');
    expect(some).toContain('Buy for $20');
    expect(textOf(all)).toContain('You have everything in it.');
    expect(all).not.toContain('Buy for');
  });

  test.each(['with-draft', 'herons', 'nothing'])('there is none at /bundles/%s', async (slug) => {
    expect((await stall.fetch(`/bundles/${slug}`)).status).toBe(404);
  });
});

test('the window has a shelf of bundles, and finds them by their items', async () => {
  expect(await read('/')).toContain('href="/bundles/marsh-pair"');
  expect(await read('/?q=marsh+sets')).toContain('href="/bundles/marsh-pair"');
  expect(textOf(await read('/?q=marsh+pair'))).toContain('1 item found');
  for (const query of ['q=nothing', 'kind=book', 'price=free', 'tag=x'])
    expect(await read(`/?${query}`)).not.toContain('/bundles/');
  expect(await read('/')).not.toContain('with-draft');
});

test('bundles are in the sitemap and not among the items', async () => {
  expect(await read('/sitemap.xml')).toContain('/bundles/marsh-pair</loc>');
  expect(await read('/sitemap.xml')).not.toContain('with-draft');
  const { items } = (await (await stall.fetch('/api/items?limit=100')).json()) as {
    items: { slug: string }[];
  };
  expect(items.map(({ slug }) => slug)).not.toContain('marsh-pair');
});

test.each([
  ['marsh-pair', 'Cannot install "marsh-pair": it is a bundle; install its items: herons, sets'],
  ['with-draft', 'Cannot install "with-draft": it is a bundle; install its items: herons'],
  ['nothing', 'Cannot find "nothing"'],
])('installing %s is refused with a sentence', async (slug, sentence) => {
  const response = await stall.fetch(`/api/install/${slug}`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain(JSON.stringify(sentence).slice(1, -1));
});

describe('the Buy link carries a member’s address where the provider takes it', () => {
  test.each([
    ['/bundles/marsh-pair', {}, 'https://buy.stripe.com/abc"'],
    ['/bundles/marsh-pair', ada, 'https://buy.stripe.com/abc?prefilled_email=ada%40example.org"'],
    ['/books/sets', ada, 'https://buy.example.org/y?customer_email=ada%40example.org"'],
    ['/books/sets', {}, 'https://buy.example.org/y"'],
  ])('%s', async (path, headers, link) => {
    expect(await read(path, headers)).toContain(`href="${link}`);
  });

  test('at Lemon Squeezy beside its own parameters', async () => {
    await stall.reader('new@example.org');
    const html = await read('/books/herons', await stall.signIn('new@example.org'));
    expect(html).toContain('/buy/x?enabled=1&amp;checkout%5Bemail%5D=new%40example.org"');
    // Its secret is not set, so that nothing would come back.
    expect(html).not.toContain('You pay at');
  });
});

test('a later page of the window counts the bundles too, and leads to their shelf', async () => {
  const many = Array.from({ length: 40 }, (_, n) => [`books/many-${n}/item.yaml`, `many-${n}`] as const);
  const books = many.flatMap(([path, id]) => [
    [path, itemYaml({ id, title: id })],
    [path.replace('item.yaml', 'a.md'), '# A\n'],
  ]);
  const large = await openStall({ files: { ...FILES, ...Object.fromEntries(books) } });
  const [first, second, found] = await Promise.all(
    ['/', '/?page=2', '/?q=many&page=2'].map(async (path) => (await large.fetch(path)).text()),
  );
  expect(textOf(second ?? '')).toMatch(/4\d items · 1 bundle/);
  expect(second).toContain('<a href="/">1 bundle</a>');
  expect([first?.includes('/bundles/marsh-pair'), second?.includes('/bundles/marsh-pair')]).toEqual([
    true,
    false,
  ]);
  expect(found).not.toContain('1 bundle');
  await large.close();
});
