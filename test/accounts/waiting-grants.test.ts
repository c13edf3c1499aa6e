import { expect, test } from 'bun:test';
import { PASSWORD as OWN, takeData } from '../helpers/harness.ts';
import { chosen, keyOf, openClaimStall, secretOf } from '../selling/claim-stall.ts';

const stall = await openClaimStall();
const { admin } = stall.app;
await admin.accounts.add('owner@example.org', true);
const owner = { ...(await stall.signIn('owner@example.org')), 'Sec-Fetch-Site': 'same-origin' };

const office = (path: string, fields?: Readonly<Record<string, string>>) =>
  stall.fetch(path, {
    redirect: 'manual',
    headers: owner,
    ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
  });

/** An account whose address its holder only typed, with the book that they bought; its browser is still signed in. */
async function openTyped(name: string) {
  const email = `${name}@example.org`;
  await stall.buy(`${name}000`, email);
  const browser = stall.browser();
  const key = keyOf((await browser.arrive(`${name}000`)).html);
  const { id } = stall.store.findAccountByAddress(email)!;
  const { text: shelf } = await browser.open('/dashboard');
  expect([shelf.includes('The paid book'), shelf.includes('The paid skill')]).toEqual([true, false]);
  return {
    id,
    email,
    key,
    browser,
    /** Whether the account has what it bought, and what the owner gave. */
    async has() {
      const { text } = await browser.open('/dashboard');
      const { status } = await browser.open('/skills/paid-skill/read/SKILL.md');
      return [text.includes('The paid book'), text.includes('The paid skill'), status];
    },
    /** Proves the address by a link that the owner makes. */
    async prove() {
      const { url } = await admin.links.create(email, 'invite', stall.url);
      await browser.post('/invite', { code: secretOf(url), ...chosen() });
    },
  };
}

const WAITS = 'waits for the address to be proven';
type Typed = { readonly id: string; readonly email: string };

test.each<[string, string, (typed: Typed) => Promise<unknown>]>([
  ['page', WAITS, ({ id }) => office(`/admin/accounts/${id}/grants/add`, { slug: 'paid-skill' })],
  ['command', WAITS, ({ email }) => admin.grants.add({ email, slug: 'paid-skill' })],
  ['file', WAITS, ({ email }) => admin.grants.import(`email,slug\n${email},paid-skill\n`)],
  [
    'group',
    WAITS,
    async ({ email }) => {
      await admin.groups.add('reviewers');
      await admin.groups.grant('reviewers', ['paid-skill'], {});
      await office('/admin/groups/reviewers/join', { emails: email });
    },
  ],
  ['everyone', 'not yet', () => admin.groups.grant('everyone', ['paid-skill'], {})],
  ['sales', 'not yet', ({ email }) => admin.importOrders(`ref,email,slug\nP-1,${email},paid-skill\n`)],
])(
  'what the owner gives by %s to an address that was only typed is had once it is proven',
  async (way, shown, give) => {
    const typed = await openTyped(`by${way}`);
    await give(typed);
    expect(await typed.has()).toEqual([true, false, 403]);
    expect(await (await office(`/admin/accounts/${typed.id}`)).text()).toContain(shown);
    await typed.prove();
    expect(await typed.has()).toEqual([true, true, 200]);
    if (way === 'everyone') await admin.groups.revoke('everyone', 'paid-skill');
  },
);

test('an order of somebody else is not given to an address that was only typed', async () => {
  const typed = await openTyped('attached');
  const order = await stall.buy('lostorder0', 'lost@example.org');
  await expect(admin.orders.attach(order, typed.email)).rejects.toThrow('nobody has proven that address');
  await typed.prove();
  expect((await admin.orders.attach(order, typed.email)).accountId).toBe(typed.id);
  await admin.grants.importWithAccounts('email,slug\nlisted@example.org,paid-book\n', stall.url);
  const other = await stall.buy('lostorder1', 'lost@example.org');
  const { id } = stall.store.findAccount('listed@example.org')!;
  expect((await admin.orders.attach(other, 'listed@example.org')).accountId).toBe(id);
});

test('one’s own data does not tell whoever typed an address what waits for it', async () => {
  const typed = await openTyped('exported');
  await admin.grants.add({ email: typed.email, slug: 'paid-skill' });
  await stall.buy('waiting000', typed.email);
  await typed.browser.post('/dashboard/account/password', { password: OWN });
  const [, session = ''] = [...typed.browser.cookies].find(([name]) => name === 'bookstall') ?? [];
  const data = await stall.fetch('/dashboard/account/data', takeData({ Cookie: `bookstall=${session}` }));
  const own = await data.text();
  expect([data.status, own.includes('paid-book'), own.includes('paid-skill')]).toEqual([200, true, false]);
  expect(own).not.toContain(`order:${await stall.buy('waiting000', typed.email)}`);
  expect(JSON.stringify(await admin.personalData.export(typed.email))).toContain('paid-skill');
});

test('a first address proven by a change ends keys and what was given to the one before, not this session', async () => {
  const typed = await openTyped('moving');
  await admin.grants.add({ email: typed.email, slug: 'paid-skill' });
  await admin.groups.add('movers');
  await admin.groups.join('movers', [typed.email]);
  expect(await stall.install(typed.key)).toBe(200);
  await typed.browser.post('/dashboard/account/password', { password: OWN });
  await typed.browser.post('/dashboard/account/email', { email: 'moved@example.org', current: OWN });
  const mail = await stall.server.waitFor('moved@example.org');
  await typed.browser.post('/email', { code: secretOf(mail.text) });
  expect(stall.store.findAccountById(typed.id)?.email).toBe('moved@example.org');
  expect(await stall.install(typed.key)).toBe(401);
  expect(await typed.has()).toEqual([true, false, 403]);
  expect(stall.store.listGroupsOf(typed.id)).toEqual([]);
});
