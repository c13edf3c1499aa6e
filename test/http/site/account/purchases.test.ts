import { expect, test } from 'bun:test';
import { HOUR } from '../../../../src/duration.ts';
import { chosen, openClaimStall, secretOf } from './claim-stall.ts';

const stall = await openClaimStall();

test('the library shows an order, its receipt and its state, and an account whose address is not confirmed', async () => {
  const id = await stall.buy('heron0001');
  const browser = stall.browser();
  await browser.comeBack('heron0001');
  await browser.post('/claim/account', chosen());
  const { ref } = await stall.app.admin.orders.find(id);
  const page = await browser.open('/dashboard');
  expect(page.text).toContain('Purchases');
  expect(page.text).toContain(ref);
  expect(page.text).toContain('Stripe');
  expect(page.html).not.toContain('cs_live_');
  expect(page.text).toContain('$19');
  expect(page.html).toContain('<span class="badge good">Paid</span>');
  expect((await browser.open('/dashboard/account')).text).toContain('Not confirmed yet');
  stall.pass(HOUR);
  await stall.giveBack('heron0001');
  const after = await browser.open('/dashboard');
  expect(after.html).toContain('<span class="badge">Refunded</span>');
  expect(after.html).not.toContain('/books/paid-book/read');
});

test('somebody without orders sees none of it', async () => {
  await stall.app.admin.accounts.add('grace@example.org');
  const browser = stall.browser();
  const { Cookie } = await stall.signIn('grace@example.org');
  browser.cookies.set('bookstall', Cookie.slice('bookstall='.length));
  expect((await browser.open('/dashboard')).text).not.toContain('Purchases');
  expect((await browser.open('/dashboard/account')).text).not.toContain('Not confirmed');
});

test('the owner has the stall mail an invite, and the act is logged', async () => {
  await stall.app.admin.accounts.add('owner@example.org', true);
  const { id } = await stall.app.admin.accounts.add('joan@example.org');
  const owner = stall.browser();
  const { Cookie } = await stall.signIn('owner@example.org');
  owner.cookies.set('bookstall', Cookie.slice('bookstall='.length));
  expect((await owner.open(`/admin/accounts/${id}`)).text).toContain('Mail an invite link');
  const sent = await owner.post(`/admin/accounts/${id}/mail`);
  expect([sent.status, sent.headers.get('location')]).toEqual([
    303,
    `/admin/accounts/${id}?said=link-mailed`,
  ]);
  const mail = await stall.server.waitFor('joan@example.org');
  expect(mail.header('Subject')).toBe('Your account at The Heron Stall');
  const joan = stall.browser();
  expect((await joan.post('/invite', { code: secretOf(mail.text), ...chosen() })).status).toBe(303);
  expect((await owner.open('/admin/audit')).text).toContain('joan@example.org');
  expect((await owner.open(`/admin/accounts/${id}`)).text).toContain('Mail a reset link');
});

test('an account that the owner adds gets the purchases that wait for its address', async () => {
  const id = await stall.buy('heron0009', 'Late@Example.org');
  const { id: accountId } = await stall.app.admin.accounts.add('late@example.org');
  expect(await stall.app.admin.orders.find(id)).toMatchObject({ accountId, attachedBy: 'address' });
});

test('the owner is mailed each sale if that is switched on', async () => {
  const telling = await openClaimStall({ tellsSales: true });
  await telling.app.admin.accounts.add('owner@example.org', true);
  await telling.buy('heron0001');
  const mail = await telling.server.waitFor('owner@example.org');
  expect(mail.text).toContain('you sold “The paid book” for $19.');
});

test('a bundle is mailed by its own name', async () => {
  const yaml = `name: The Heron Stall
bundles:
  - slug: both
    title: Everything on herons
    items: [paid-book, paid-skill]
    unitAmountCents: 2900
    sell: {stripe: [plink_both]}
`;
  const bundling = await openClaimStall({ yaml });
  await bundling.buy('heron0001', 'ada@example.org', { payment_link: 'plink_both' });
  const mail = await bundling.server.waitFor('ada@example.org');
  expect(mail.text).toContain('thank you for buying “Everything on herons”.');
});
