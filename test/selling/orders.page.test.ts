import { expect, test } from 'bun:test';
import { SHELF } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

let time = Date.parse('2026-11-20T12:00:00.000Z');
const { stall, open, send } = await openAdmin({ files: SHELF, now: () => time });
const { admin } = stall.app;
await admin.accounts.add('ann@example.org');
const sell = (email: string, more: { amount?: number; ref?: string; isMailed?: boolean } = {}) =>
  admin.addHandOrder({
    email,
    slugs: ['paid-book'],
    amount: 1900,
    currency: 'usd',
    ref: null,
    isMailed: false,
    ...more,
  });
const holds = async (email: string): Promise<boolean> =>
  admin.grants.list(email).some(({ slug, revokedAt }) => slug === 'paid-book' && revokedAt === null);

test('without orders, pages say where sales come from', async () => {
  expect(wordsOf((await open('/admin/orders')).html)).toContain('No orders yet. They arrive by themselves');
  expect(wordsOf((await open('/admin/sales')).html)).toContain('No sales in the last 12 months.');
  const mail = wordsOf((await open('/admin/mail')).html);
  expect(mail).toContain('No mail yet.');
  expect(mail).toContain('This stall sends no mail: pass the links on yourself');
});

test('the list names orders with state, goods, amount, buyer and account', async () => {
  const { ref } = await sell('ann@example.org');
  await sell('bob@example.org', { amount: 2950 });
  const words = wordsOf((await open('/admin/orders')).html);
  expect(words).toContain(` 1 (${ref}) Paid $19 20 Nov 2026 The paid book ann@example.org the same`);
  expect(words).toContain('Paid $29.50 20 Nov 2026 The paid book bob@example.org none yet');
  expect(wordsOf((await open('/admin/orders?email=BOB%40example.org')).html)).not.toContain(
    'ann@example.org',
  );
  expect(wordsOf((await open('/admin/orders?state=refunded')).html)).toContain('No orders match.');
  expect((await open('/admin/orders?state=constructor&older=x')).status).toBe(200);
});

test('an order has its items by their titles, and its mails in the words of the list of mails', async () => {
  const { id } = await sell('cara@example.org', { isMailed: true });
  const words = wordsOf((await open(`/admin/orders/${id}`)).html);
  expect(words).toContain('Bought The paid book Buyer cara@example.org');
  expect(words).toContain('Link to a purchase cara@example.org For you to pass on');
});

test('the file has a line for each order, and no formula of a spreadsheet', async () => {
  await sell('"=cmd()"@example.org'.replaceAll('"', ''));
  const { status, html } = await open('/admin/orders.csv');
  expect(status).toBe(200);
  const [header = '', ...lines] = html.trimEnd().split('\r\n');
  expect(header).toStartWith('id,time,provider,provider_ref,ref,number,state,email,account,items');
  expect(lines).toHaveLength(4);
  expect(html).not.toMatch(/,=cmd/);
});

test('an order is revoked after a confirmation, and granted again', async () => {
  const fay = await admin.accounts.add('fay@example.org');
  const { id } = await sell(fay.email);
  const path = `/admin/orders/${id}`;
  time += 1000;
  expect(wordsOf((await open(`${path}/revoke`)).html)).toContain('Revoke this order?');
  expect(await holds(fay.email)).toBe(true);
  expect((await send(`${path}/revoke`)).location).toBe(`${path}?said=order-revoked`);
  expect(await holds(fay.email)).toBe(false);
  time += 1000;
  expect((await send(`${path}/grant`)).location).toBe(`${path}?said=order-granted`);
  expect(await holds(fay.email)).toBe(true);
  const words = wordsOf((await open(path)).html);
  expect(words).toContain('Revoked by you');
  expect(words).toContain('Granted by you');
  expect(words).toContain('Payment paid: $19');
});

test.each<[state: string, prepare: (id: number) => unknown, primary: string[], taking: string[]]>([
  ['waits for its buyer', () => {}, ['Create claim link'], ['revoke', 'give-back', 'erase']],
  [
    'is in an account',
    (id) => send(`/admin/orders/${id}/attach`, { email: 'ann@example.org' }),
    [],
    ['revoke', 'give-back', 'erase'],
  ],
  ['was given back', (id) => admin.orders.giveBack(id), [], ['erase']],
  ['was revoked', (id) => send(`/admin/orders/${id}/revoke`), [], ['give-back', 'erase']],
  ['lost its buyer', (id) => admin.orders.erase(id), ['Give to account'], ['revoke', 'give-back']],
])(
  'an order that %s has one primary act at the most, and the rest below “More”',
  async (_, prepare, primary, taking) => {
    const { id } = await sell('hal@example.org');
    time += 1000;
    await prepare(id);
    const { html } = await open(`/admin/orders/${id}`);
    const [shown = '', more = ''] = html.split('<details class="more">');
    expect([...html.matchAll(/class="button primary"[^>]*>([^<]+)</g)].map(([, name]) => name ?? '')).toEqual(
      primary,
    );
    expect(shown).not.toContain('class="button danger"');
    expect([...more.matchAll(/href="[^"]*\/(revoke|give-back|erase)"/g)].map(([, act]) => act ?? '')).toEqual(
      taking,
    );
  },
);

test('an order is given to an account; an unknown one is refused on the page', async () => {
  const { id } = await sell('somebody@example.net');
  const refused = await send(`/admin/orders/${id}/attach`, { email: 'nobody@example.org' });
  expect([
    refused.status,
    wordsOf(refused.html).includes('Cannot find an account "nobody@example.org"'),
  ]).toEqual([404, true]);
  time += 1000;
  const given = await send(`/admin/orders/${id}/attach`, { email: 'owner@example.org' });
  expect(given.location).toBe(`/admin/orders/${id}?said=order-attached`);
  expect(await holds('owner@example.org')).toBe(true);
});

test('a claim link is shown once, counts as the mail, and is refused for an order that is not paid', async () => {
  const { id } = await sell('cy@example.org', { isMailed: true });
  expect(wordsOf((await open('/admin/mail')).html)).toContain(
    'Link to a purchase cy@example.org For you to pass on',
  );
  const { status, html } = await send(`/admin/orders/${id}/link`);
  const url = new RegExp(`${stall.url}/claim#([A-Za-z0-9_-]{43})`).exec(html);
  expect([status, url === null]).toEqual([200, false]);
  expect((await open(`/admin/orders/${id}`)).html).not.toContain(url?.[1] ?? '');
  expect(wordsOf((await open('/admin/mail')).html)).toContain('Link to a purchase cy@example.org Sent');
  time += 1000;
  expect((await open(`/admin/orders/${id}`)).html).toContain('Mark as refunded');
  await send(`/admin/orders/${id}/give-back`);
  expect((await open(`/admin/orders/${id}`)).html).not.toContain('Mark as refunded');
  const refused = await send(`/admin/orders/${id}/link`);
  expect(wordsOf(refused.html)).toContain('it is refunded, and only paid orders can be claimed');
});

test('a mail is queued once more only if it does not wait already', async () => {
  const { id } = await sell('dee@example.org', { isMailed: true });
  const mail = admin.orders.story(id).mails[0]?.id ?? 0;
  expect((await send(`/admin/mail/${mail}/send`)).location).toBe('/admin/mail?said=mail-queued');
  expect((await send('/admin/mail/99999/send')).status).toBe(404);
  const { html } = await open('/admin/audit');
  expect(wordsOf(html).match(/Sent a mail again/g)).toHaveLength(1);
  expect(wordsOf(html)).toContain(`mail ${mail}`);
});

test('the buyer is erased after a confirmation', async () => {
  const { id } = await sell('eve@example.org', { ref: 'invoice for eve' });
  expect(wordsOf((await open(`/admin/orders/${id}/erase`)).html)).toContain('Erase the buyer of this order?');
  expect((await send(`/admin/orders/${id}/erase`)).location).toBe(`/admin/orders/${id}?said=order-erased`);
  const page = (await open(`/admin/orders/${id}`)).html;
  expect(page).not.toMatch(/eve@example|invoice for eve/);
  expect((await open('/admin/orders')).html).not.toContain('eve@example');
  expect((await open('/admin/audit')).html).not.toMatch(/eve@example|invoice for eve/);
});

test.each([
  ['', 'Nov 2026', 'month', '2026-11'],
  ['?span=30d', '20 Nov 2026', 'day', '2026-11-20'],
  ['?span=constructor', 'Nov 2026', 'month', '2026-11'],
])(
  'sales at /admin/sales%s are drawn and listed, and the file has the same rows',
  async (query, when, column, period) => {
    await admin.addHandOrder({
      email: 'zoe@example.org',
      slugs: ['paid-book', 'paid-skill'],
      amount: 0,
      currency: 'jpy',
      ref: 'yen',
      isMailed: false,
    });
    const { html } = await open(`/admin/sales${query}`);
    const words = wordsOf(html);
    expect(words).toContain('Gross sales in USD');
    expect(words).toMatch(new RegExp(`${when} The paid book \\d+ \\$[\\d,.]+ \\$38 \\$`));
    const href = /href="(\/admin\/sales\.csv[^"]*)"/.exec(html)?.[1] ?? '';
    const [header = '', ...lines] = (await open(href)).html.trimEnd().split('\r\n');
    expect(header).toBe(`${column},item,slug,currency,sales,gross,given_back,net`);
    const [, sales, gross] = new RegExp(`${when} The paid book (\\d+) \\$([\\d,.]+) `).exec(words) ?? [];
    const all = Number(gross?.replace(',', ''));
    expect(lines).toEqual([
      `${period},The paid book,paid-book,USD,${sales},${all},38,${all - 38}`,
      `${period},The paid book + The paid skill,paid-book + paid-skill,JPY,1,0,0,0`,
    ]);
  },
);

test('a test sale is marked wherever it is listed, and no figure counts it', async () => {
  const before = (await open('/admin/sales')).html;
  const { id, ref } = await sell('tess@example.org', { ref: 'cs_bookstall_0123', amount: 777_700 });
  expect((await open('/admin/sales')).html).toBe(before);
  expect(wordsOf((await open('/admin')).html).split('Last orders')[0]).not.toContain('7,777');
  for (const path of ['/admin/orders', `/admin/orders/${id}`])
    expect(wordsOf((await open(path)).html)).toMatch(new RegExp(`${ref} .*Paid Test `));
  const [, line = ''] = (await open('/admin/orders.csv?email=tess%40example.org')).html.split('\r\n');
  expect(line).toEndWith(',test');
  time += 1000;
  await admin.orders.erase(id);
  // The rest of it is folded again, as by a publish.
  await admin.orders.grant(id);
  expect(admin.orders.find(id).isTest).toBe(true);
  expect((await open('/admin/sales')).html).toBe(before);
});

test.each(['0', '-1', '1e3', '99999', 'constructor', '%3Cscript%3E'])('order %s is not found', async (id) => {
  expect((await open(`/admin/orders/${id}`)).status).toBe(404);
  for (const act of ['revoke', 'give-back', 'erase', 'grant', 'replay', 'link'])
    expect((await send(`/admin/orders/${id}/${act}`)).status).toBe(404);
});
