import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { type } from '../platform/cli/type.ts';

const secretsOf = (secret: string) => ({ live: [secret], test: [] });
const stall = await openStall({
  files: {
    'books/herons/item.yaml': itemYaml({
      id: 'herons-id',
      unitAmountCents: 1900,
      sell: '{stripe: [plink_1], lemonsqueezy: [510001], polar: [7c2d3f80-1b2c-4d3e-8f90-0123456789ab], least: {usd: 1900}}',
    }),
    'books/herons/a.md': '# A\n',
    'books/sets/item.yaml': itemYaml({ id: 'sets-id', unitAmountCents: 1500, sell: '{stripe: [price_9]}' }),
    'books/sets/a.md': '# B\n',
  },
  config: {
    sales: {
      ...NO_SALES,
      isOn: true,
      secrets: {
        ...NO_SALES.secrets,
        stripe: secretsOf('whsec_hush'),
        lemonsqueezy: secretsOf('lemon-hush'),
        polar: secretsOf('polar-hush'),
      },
    },
  },
});
const ENVIRONMENT = {
  BOOKSTALL_CONTENT: stall.content,
  BOOKSTALL_DATA: stall.data,
  BOOKSTALL_BASE_URL: 'https://stall.example.org',
  BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_hush',
  BOOKSTALL_LEMONSQUEEZY_WEBHOOK_SECRET: 'lemon-hush',
  BOOKSTALL_POLAR_WEBHOOK_SECRET: 'polar-hush',
};
const sell = (provider: string, slug: string, environment = {}, ...more: string[]) =>
  type(['sell', 'test', provider, slug, '--email', 'ada@example.org', ...more], {
    ...ENVIRONMENT,
    ...environment,
  });
await stall.app.admin.accounts.add('ada@example.org');

const grants = async (): Promise<readonly string[]> =>
  stall.app.admin.grants
    .list('ada@example.org')
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ itemKey, source }) => `${itemKey} ${source}`)
    .sort();

describe('a test sale', () => {
  test.each([
    ['stripe', 'herons', /^https:\/\/stall\.example\.org\/claim\/stripe\?id=cs_bookstall_[0-9a-f]{32}$/],
    ['stripe', 'sets', /^https:\/\/stall\.example\.org\/claim\/stripe\?id=cs_bookstall_/],
    ['polar', 'herons', /^https:\/\/stall\.example\.org\/claim\/polar\?id=[0-9a-f-]{36}$/],
    ['lemonsqueezy', 'herons', /^https:\/\/stall\.example\.org\/claim\/lemonsqueezy\?id=[0-9a-f-]{36}$/],
  ])('of %s sells %s; a refund takes it back', async (provider, slug, returnUrl) => {
    const { code, out } = await sell(provider, slug, {}, '--json');
    expect(code).toBe(0);
    const order = JSON.parse(out);
    expect(order).toMatchObject({
      provider,
      state: 'paid',
      items: [slug],
      email: 'ada@example.org',
      account: 'ada@example.org',
    });
    expect(order.returnUrl).toMatch(returnUrl);
    expect(await grants()).toEqual([`${slug}-id sale:${order.id}`]);
    expect((await type(['orders', 'refund', String(order.id)], ENVIRONMENT)).code).toBe(0);
    expect(await grants()).toEqual([]);
    expect((await type(['orders', 'erase', String(order.id)], ENVIRONMENT)).code).toBe(0);
    await stall.app.admin.orders.grant(order.id);
    expect(await stall.app.admin.listSales('12m')).toEqual([]);
  });

  test.each(['stripe', 'polar', 'lemonsqueezy'])(
    'of %s sells five copies, of which four are for others',
    async (provider) => {
      const { out } = await sell(provider, 'herons', {}, '--copies', '5', '--json');
      const { id } = JSON.parse(out);
      expect(stall.app.admin.orders.find(id)).toMatchObject({ state: 'paid', copies: 4, amount: 9500 });
      for (const act of ['refund', 'erase'])
        expect((await type(['orders', act, String(id)], ENVIRONMENT)).code).toBe(0);
      expect((await sell(provider, 'herons', {}, '--copies', '0')).code).toBe(2);
    },
  );

  test('says what to do in words', async () => {
    const { out } = await sell('stripe', 'herons');
    expect(out).toMatch(
      /^Order ([\w-]{11}) of \S+ is paid\.\nThe buyer returns to https:.*\nTo undo it: bookstall orders refund \1, then bookstall orders erase \1\n/,
    );
  });
});

describe('a test sale is refused', () => {
  test.each([
    ['gumroad', 'herons', {}, 'give stripe, polar or lemonsqueezy'],
    ['paypal', 'herons', {}, 'give stripe, polar or lemonsqueezy'],
    ['polar', 'sets', {}, 'names an id of Polar'],
    ['lemonsqueezy', 'sets', {}, 'names an id of Lemon Squeezy'],
    ['stripe', 'nothing', {}, 'names an id of Stripe'],
    [
      'stripe',
      'herons',
      { BOOKSTALL_STRIPE_WEBHOOK_SECRET: '' },
      'BOOKSTALL_STRIPE_WEBHOOK_SECRET is not set',
    ],
    [
      'stripe',
      'herons',
      { BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_other' },
      'it answered 401; start the server with the same',
    ],
  ])('%s %s %j', async (provider, slug, environment, reason) => {
    const { code, out, err } = await sell(provider, slug, environment);
    expect(code).not.toBe(0);
    expect(err).toContain(reason);
    expect(`${out}${err}`).not.toContain('hush');
  });

  test('to what is no address', async () => {
    const { code, err } = await type(['sell', 'test', 'stripe', 'herons', '--email', 'nobody'], ENVIRONMENT);
    expect([code, err]).toEqual([1, expect.stringContaining('Cannot read "nobody" as an e-mail address')]);
  });

  test('without a buyer', async () => {
    const { code, err } = await type(['sell', 'test', 'stripe', 'herons'], ENVIRONMENT);
    expect([code, err.includes('--email')]).toEqual([2, true]);
  });
});
