import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { spell } from '../../src/office/office.part.tsx';
import { listSales } from '../../src/selling/order.ts';
import { TEST_DELIVERIES } from '../../src/publishing/sell-test.ts';
import { session, stripeEvent } from '../selling/providers/stripe-events.ts';
import { signStripe } from '../selling/signed.ts';
import { itemYaml, temporaryDirectory } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from './visit.ts';

const { stall, open } = await openAdmin({
  config: { budget: { limit: 1000, seconds: 60 } },
});
await stall.reader('anna@example.org', 'paid-book', 'paid-skill');

const look = async (): Promise<string> => (await open('/admin')).html;

test.each([
  ['2026-11-20', '20 Nov 2026'],
  ['2026-11', 'Nov 2026'],
])('%s is spelt %s', (period, words) => {
  expect(spell(period, 'en-GB')).toBe(words);
});

test('the page counts items, accounts, grants and keys', async () => {
  expect(wordsOf(await look())).toContain('items served 6 accounts 2 active grants 2 active key 1');
  await stall.app.admin.accounts.disable('anna@example.org');
  expect(wordsOf(await look())).toContain('accounts, 1 disabled 2');
  await stall.app.admin.accounts.enable('anna@example.org');
});

test('a problem is shown with its remedy, and passed checks below', async () => {
  const words = wordsOf(await look());
  expect(words).toContain('No backup is recorded. Make one in the office, under Settings, Backups');
  expect(words).toContain('Only this machine reaches the stall');
  expect(words).not.toContain('plain http');
  await stall.fetch('/api/install/free-book', { headers: { 'X-Forwarded-For': '203.0.113.7' } });
  expect(wordsOf(await look())).toMatch(
    /A proxy at 127\.0\.0\.1 forwards addresses and is not trusted: all readers share one budget/,
  );
  expect(wordsOf((await open('/admin')).html)).toContain('--trusted-proxies');
});

describe('the shop', async () => {
  let now = Date.parse('2026-11-20T12:00:00.000Z');
  const secret = 'whsec_of_this_stall';
  const shop = await openAdmin({
    now: () => now,
    files: {
      'stall.yaml': 'name: The Heron Stall\n',
      'books/herons/item.yaml': itemYaml({
        id: 'herons-id',
        title: 'Herons',
        unitAmountCents: 1900,
        sell: '{stripe: [plink_1]}',
      }),
      'books/herons/a.md': '# A\n',
    },
    config: {
      sales: {
        ...NO_SALES,
        isOn: true,
        secrets: { ...NO_SALES.secrets, stripe: { live: [secret], test: [] } },
      },
    },
  });
  const wordsAt = async (): Promise<string> => {
    now += 31_000;
    return wordsOf((await shop.open('/admin')).html);
  };
  const sell = (amount: number, currency: string, ago: number) => {
    const before = now;
    now -= ago;
    const sale = {
      email: 'ann@example.org',
      slugs: ['herons'],
      amount,
      currency,
      ref: null,
      isMailed: false,
    };
    return shop.stall.app.admin.addHandOrder(sale).finally(() => (now = before));
  };
  const DAY = 24 * 60 * 60 * 1000;

  test('before its first sale says what is done and the next step of the rest; a test sale changes nothing', async () => {
    const delivery = TEST_DELIVERIES.stripe(
      { copies: 1, product: 'plink_1', email: 'me@example.org', amount: 1900, currency: 'usd', at: now },
      secret,
    );
    const { status } = await shop.stall.fetch('/webhooks/stripe', { method: 'POST', ...delivery });
    expect(status).toBe(200);
    const words = await wordsAt();
    expect(words).toContain('Before your first sale 3 of 10 done');
    expect(words).toContain('Add an item Done Give it a way to be bought Done');
    expect(words).toContain('Name the shop Settings have its name');
    expect(words).not.toContain('unitAmountCents');
    expect(words).toContain('Let the stall send mail Set the mail server');
    expect(words).not.toContain('this month');
    expect(words).toMatch(/Last orders .* Paid Test \$19/);
    expect(await listSales(shop.stall.app.stall, '90d', false)).toEqual([]);
  });

  test('asks for the first sale also after an import of past ones, whose money it shows', async () => {
    const csv = 'ref,email,slug,paid_at,amount,currency\nold-1,bo@example.org,herons,2026-10-02,1000,gbp\n';
    await shop.stall.app.admin.importOrders(csv);
    const words = await wordsAt();
    expect(words).toContain('today £0 this month £0 in 90 days £10 0 sales this month');
    expect(words).toContain('Before your first sale by a provider: 3 of 10 done');
  });

  test('opens with what was paid today, this month and in ninety days, each currency alone', async () => {
    for (const [amount, currency, ago] of [
      [1900, 'usd', 0],
      [2100, 'usd', 5 * DAY],
      [700, 'eur', 5 * DAY],
      [3000, 'usd', 40 * DAY],
      [9900, 'usd', 90 * DAY],
    ] as const)
      await sell(amount, currency, ago);
    const back = await sell(500, 'usd', DAY);
    await shop.stall.app.admin.orders.giveBack(back.id);
    const words = await wordsAt();
    expect(words).toContain(
      'Sales today $19 this month $45 in 90 days $75 3 sales this month, $5 given back',
    );
    expect(words).toContain('today €0 this month €7 in 90 days €7 1 sale this month');
    const { html } = await shop.open('/admin');
    expect(html).toContain('aria-label="Paid in USD on each of 90 days: at most $30, on 11 Oct 2026"');
    expect(html).not.toContain('style=');
    const [usd] = await listSales(shop.stall.app.stall, '90d', false);
    expect(usd?.periods).toHaveLength(90);
    expect(usd?.periods.slice(-6).map(({ gross }) => gross)).toEqual([2100, 0, 0, 0, 500, 1900]);
  });

  test('keeps the steps folded after sales by hand, and lets them go with the first sale by a provider', async () => {
    expect(await wordsAt()).toContain('Before your first sale by a provider: 3 of 10 done');
    const sold = stripeEvent('checkout.session.completed', 0, session('1', { payment_link: 'plink_1' }));
    const sale = signStripe(sold, now, secret);
    expect((await shop.stall.fetch('/webhooks/stripe', { method: 'POST', ...sale })).status).toBe(200);
    expect(await wordsAt()).not.toContain('Before your first sale');
  });
});

test('a draft is no step of a new stall', async () => {
  const files = {
    'books/mine/item.yaml': itemYaml({ id: 'mine', status: 'draft' }),
    'books/mine/a.md': '# A\n',
  };
  const drafts = await openAdmin({ files });
  const words = wordsOf((await drafts.open('/admin')).html);
  expect(words).toMatch(
    /1 of 10 done .* Add an item Add a book or skill , look .* Give it a way to be bought Connect/,
  );
});

test('the list is put away, and is then folded', async () => {
  const { open: look, send } = await openAdmin();
  expect(wordsOf((await look('/admin')).html)).toContain('Put this list away');
  expect(await send('/admin/first-steps/away')).toMatchObject({ status: 303, location: '/admin' });
  expect(wordsOf((await look('/admin')).html)).toContain('Before your first sale by a provider: ');
});

test('the chapters of the Handbook that it names are inside the program, by their titles', async () => {
  const { html } = await (await openAdmin()).open('/admin');
  const links = [...html.matchAll(/href="(\/handbook\/[^"#]+)#?([^"]*)" lang="en">([^<]*)</g)];
  expect(links).toHaveLength(8);
  for (const [, path = '', id = '', title = ''] of links) {
    const chapter = (await open(path)).html;
    expect(chapter).toContain(id === '' ? '<h1' : ` id="${id}"`);
    expect(wordsOf(/<h1[^]*?<\/h1>/.exec(chapter)?.[0] ?? '').trim()).toBe(title);
  }
});

test('every link of the Handbook inside the program leads to a chapter and to a heading of it', async () => {
  const list = (await open('/handbook')).html;
  const paths = [...new Set(list.match(/\/handbook\/[a-z0-9-]+\.md/g))];
  expect(paths.length).toBeGreaterThan(20);
  const pages = new Map(
    await Promise.all(paths.map(async (path) => [path, (await open(path)).html] as const)),
  );
  const broken = [...pages].flatMap(([path, html]) =>
    [...html.slice(html.indexOf('<main')).matchAll(/href="(\/handbook\/[^"#]*)?(?:#([^"]+))?"/g)]
      .filter(
        ([, to = path, id]) => pages.get(to)?.includes(id === undefined ? '<h1' : `id="${id}"`) !== true,
      )
      .map(([link]) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
  expect((await open('/handbook/..%2f..%2fpackage.json')).status).not.toBe(200);
  expect((await open('/handbook/none.md')).status).toBe(404);
});

test('a stall without a content directory is an empty shop without an error, whose settings count', async () => {
  const directory = temporaryDirectory();
  const content = join(directory, 'none');
  const { stall: bare, open: look, send } = await openAdmin({ directory, files: {}, config: { content } });
  expect((await bare.fetch('/')).status).toBe(200);
  expect(wordsOf((await look('/admin/items')).html)).not.toContain('is missing');
  await send('/admin/settings', { setting: 'name', value: 'Quince Press' });
  expect(await (await bare.fetch('/')).text()).toContain('Quince Press');
});
