import { describe, expect, test } from 'bun:test';
import { ANY_ORDER } from '../../src/selling/order.ts';
import { buyInDemo } from '../../src/selling/demo.ts';
import { ensureSetup } from '../../src/accounts/one-time-link.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import { openStall, SHELF, type Stall } from '../helpers/harness.ts';
import { keyOf, openBrowser, openClaimStall } from './claim-stall.ts';

const YAML =
  'bundles:\n  - slug: both\n    title: Both herons\n    items: [paid-book, paid-skill]\n    unitAmountCents: 2900\n';
const FILES = { ...SHELF, 'stall.yaml': YAML };
const openDemo = (more = {}) => openStall({ files: FILES, config: { demo: true }, ...more });

/** Buys at the demo's checkout, signed out; gives the browser, what opens, and the page of the purchase. */
async function buy(stall: Stall, slug: string, email = 'reader@example.com') {
  const browser = openBrowser(stall.fetch);
  const paid = await browser.post(`/demo/buy/${slug}`, { email });
  await browser.open(paid.headers.get('location') ?? '');
  const opened = (await browser.open('/claim')).headers.get('location') ?? '';
  const path = `/claim/yours?order=${/\?(?:bought|order)=([\w-]{11})$/.exec(opened)?.[1]}`;
  return { browser, path, opened, page: await browser.open(path) };
}

const receiptOf = (html: string): string => /\/demo\/receipt\/demo_[0-9a-f]{32}/.exec(html)?.[0] ?? '';
const ordersOf = async ({ app }: Stall) => app.admin.orders.page(ANY_ORDER, null).rows;
const demo = await openDemo();
const sums = ({ app }: Stall) => app.stall.store.sumSales(0, Number.MAX_SAFE_INTEGER, true);

describe('the checkout of the demo', () => {
  test.each([
    ['/books/paid-book', '/demo/buy/paid-book', '$19'],
    ['/skills/paid-skill', '/demo/buy/paid-skill', '$19'],
    ['/bundles/both', '/demo/buy/both', '$29'],
  ])('is where Buy on %s leads, and says that it is pretended', async (page, checkout, price) => {
    const stall = demo;
    const browser = openBrowser(stall.fetch);
    expect((await browser.open(page)).html).toContain(`href="${checkout}"`);
    const { status, text, html } = await browser.open(checkout);
    expect(status).toBe(200);
    expect(text).toContain('no money moves');
    expect(text).toContain(`Pay ${price} (pretended)`);
    expect(html).toContain('value="reader@example.com"');
  });

  test('sells by the way of a webhook: read, asked, and given back', async () => {
    const stall = await openDemo();
    const { browser, page, path, opened } = await buy(stall, 'paid-book');
    // From "Pay" to the first page of the book in one click, with nothing typed.
    const first = await browser.open(opened);
    expect([opened, first.status]).toEqual([
      expect.stringMatching(/^\/books\/paid-book\/read\/01\.md\?bought=/),
      200,
    ]);
    expect(first.html).toContain(`href="${path}"`);
    expect(page.text).toContain('It is yours');
    expect(page.html).toContain('href="/books/paid-book/read"');
    expect(keyOf(page.html)).toBe('');
    expect((await browser.open('/books/paid-book/read/01.md')).text).toContain(
      'The grey heron of paid marsh',
    );
    expect((await browser.open('/books/paid-book/ask')).status).toBe(200);
    const [order] = await ordersOf(stall);
    expect(order).toMatchObject({
      provider: 'demo',
      state: 'paid',
      amount: 1900,
      email: 'reader@example.com',
      isTest: true,
    });
    expect(stall.app.stall.store.listOrderFacts(order?.id ?? 0)).toContainEqual(
      expect.objectContaining({
        origin: 'webhook',
        fact: expect.objectContaining({ kind: 'buyer' }),
      }),
    );
    const sum = { name: 'paid-book', currency: 'usd', payments: 1, gross: 1900, givenBack: 0 };
    expect(sums(stall)).toEqual([sum]);
    await stall.app.admin.accounts.add('owner@example.org', true);
    const office = visitAs(stall, await stall.signIn('owner@example.org'));
    const sales = wordsOf((await office.open('/admin/sales')).html);
    expect(sales).toContain('Sales at the demo’s checkout count until the demo ends.');
    expect(sales).toMatch(/The paid book 1 \$19/);

    const receipt = receiptOf(page.html);
    const library = await browser.open('/dashboard');
    expect(library.text).toContain('Test sale');
    expect(receiptOf(library.html)).toBe(receipt);
    expect((await browser.open(receipt)).text).toContain('Give the money back');
    expect((await browser.post(receipt)).status).toBe(303);
    expect((await browser.open(receipt)).text).toContain('The money was given back');
    expect((await browser.open('/books/paid-book/read/01.md')).status).toBe(403);
    expect((await browser.open(path)).headers.get('location')).toBe('/dashboard');
    expect((await ordersOf(stall))[0]).toMatchObject({ state: 'refunded', refunded: 1900 });
    expect(sums(stall)).toEqual([{ ...sum, givenBack: 1900 }]);
  });

  test('names the bundle, with a row for each of its items', async () => {
    const stall = await openDemo();
    const { page } = await buy(stall, 'both');
    expect(page.text).toContain('Both herons');
    expect(page.html).toContain('href="/books/paid-book/read"');
    expect(page.html).toContain('href="/skills/paid-skill/read"');
  });

  test.each([
    ['free-book', 404],
    ['draft-book', 404],
    ['archived-book', 404],
    ['none', 404],
  ])('does not sell %s', async (slug, status) => {
    const browser = openBrowser(demo.fetch);
    expect((await browser.open(`/demo/buy/${slug}`)).status).toBe(status);
    expect((await browser.post(`/demo/buy/${slug}`, { email: 'ada@example.org' })).status).toBe(status);
  });

  test.each(['', 'nobody', 'a@b\r\nBcc: x@example.org'])('refuses the address %j', async (email) => {
    const stall = demo;
    const refused = await openBrowser(stall.fetch).post('/demo/buy/paid-book', { email });
    expect([refused.status, refused.text.includes('Pay $19 (pretended)')]).toEqual([400, true]);
  });

  test('takes no form of another site, and no event from outside', async () => {
    const stall = demo;
    const body = new URLSearchParams({ email: 'ada@example.org' });
    const foreign = { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'cross-site' } };
    expect((await stall.fetch('/demo/buy/paid-book', foreign)).status).toBe(403);
    expect((await stall.fetch('/webhooks/demo', { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('is not there without --demo', async () => {
    const stall = await openStall({ files: FILES });
    const browser = openBrowser(stall.fetch);
    for (const path of ['/demo/buy/paid-book', `/demo/receipt/demo_${'0'.repeat(32)}`]) {
      expect((await browser.open(path)).status).toBe(404);
      expect((await browser.post(path, { email: 'ada@example.org' })).status).toBe(404);
    }
    expect((await browser.open(`/claim/demo?id=demo_${'0'.repeat(32)}`)).headers.has('set-cookie')).toBe(
      false,
    );
    expect((await browser.open('/books/paid-book')).html).not.toContain('/demo/');
    await expect(buyInDemo(stall.app.stall, 'paid-book', 'ada@example.org')).rejects.toThrow('Cannot find');
    expect(await ordersOf(stall)).toEqual([]);
  });
});

test('its orders outlive a restart, and end with all that they opened at a start without --demo', async () => {
  const first = await openDemo();
  const { directory } = first;
  const { browser, page } = await buy(first, 'paid-book');
  const gift = await openBrowser(first.fetch).post('/demo/buy/paid-skill', { email: 'giver@example.org' });
  const giver = openBrowser(first.fetch);
  await giver.open(gift.headers.get('location') ?? '');
  const code = /svg_[\w-]+/.exec((await giver.post('/claim/present')).html)?.[0] ?? '';
  await first.app.admin.accounts.add('gifted@example.org');
  await first.app.admin.accounts.add('member@example.org');
  await buyInDemo(first.app.stall, 'paid-book', 'member@example.org');
  const gifted = await first.signIn('gifted@example.org');
  const redeemed = await first.fetch('/redeem', {
    method: 'POST',
    redirect: 'manual',
    headers: { ...gifted, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ code }),
  });
  expect(redeemed.headers.get('location')).toBe('/claim/yours?items=paid-skill');
  await first.close();

  const second = await openDemo({ directory, files: {} });
  const again = openBrowser(second.fetch);
  for (const [name, value] of browser.cookies) again.cookies.set(name, value);
  expect((await again.open('/books/paid-book/read/01.md')).status).toBe(200);
  expect((await again.open(receiptOf(page.html))).status).toBe(200);
  await second.close();

  const third = await openStall({ directory, files: {} });
  expect(await ordersOf(third)).toEqual([]);
  expect(third.app.admin.codes.list()).toEqual([]);
  expect(third.app.admin.mails.page(null, null).rows).toEqual([]);
  const live = third.app.admin.grants.list(null).filter(({ revokedAt }) => revokedAt === null);
  expect(live).toEqual([]);
  const real = openBrowser(third.fetch);
  for (const [name, value] of browser.cookies) real.cookies.set(name, value);
  expect((await real.open('/books/paid-book/read/01.md')).status).toBe(401);
  const accounts = third.app.admin.accounts.list();
  expect(accounts.map(({ email }) => email).toSorted()).toEqual(['gifted@example.org', 'member@example.org']);
});

test('a demo mails nobody, and leaves what the real stall queued for its next start', async () => {
  const stall = await openClaimStall({ config: { demo: true } });
  const { id } = await stall.app.admin.accounts.add('ada@example.org');
  const queued = { subject: 'account:ada', orderId: null, state: 'queued', at: stall.now() } as const;
  const told = {
    ...queued,
    kind: 'moving',
    address: 'ada@example.org',
    accountId: id,
    details: { to: 'l' },
  } as const;
  await stall.store.write.queueMails({ mails: [told] });
  await buyInDemo(stall.app.stall, 'paid-book', 'reader@example.com');
  await stall.settle();
  expect(stall.server.received).toEqual([]);
  const { rows } = stall.app.admin.mails.page(null, null);
  expect(rows.find(({ address }) => address === 'ada@example.org')?.state).toBe('queued');
});

test('the owner of the demo enters without a password, and ends with it', async () => {
  const first = await openDemo();
  const { url = '' } = (await ensureSetup(first.app.stall, first.url)) ?? {};
  const browser = openBrowser(first.fetch);
  expect((await browser.open('/set-up')).html).not.toContain('name="password"');
  const entered = await browser.post('/set-up', { code: url.slice(url.indexOf('#') + 1) });
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/admin']);
  expect((await browser.open('/admin')).status).toBe(200);
  await first.close();
  for (const demo of [true, false]) {
    const next = await openStall({ directory: first.directory, files: {}, config: { demo } });
    const after = openBrowser(next.fetch);
    for (const [name, value] of browser.cookies) after.cookies.set(name, value);
    expect((await after.open('/admin')).status).not.toBe(200);
    expect(next.app.stall.store.findOwner()).toBeNull();
    await next.close();
  }
});
