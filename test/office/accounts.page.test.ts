import { expect, test } from 'bun:test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PASSWORD } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from './visit.ts';
import { redeemLink } from '../../src/accounts/one-time-link.ts';

const { stall, owner, open, send } = await openAdmin();
const { accounts } = stall.app.admin;
const anna = await stall.reader('anna@example.org', 'paid-book', 'paid-skill');
const page = `/admin/accounts/${anna.account.id}`;

const statusOfKey = async (key = anna.key) =>
  (await stall.fetch('/api/cli/library', { headers: { Authorization: `Bearer ${key}` } })).status;

test('the items to grant have their titles, and free ones are not among them', async () => {
  const { html } = await open(page);
  expect(html).toContain('<option value="paid-book">The paid book (paid-book)</option>');
  expect(html).not.toContain('<option value="free-book"');
});

test('a new account gets an invite link, which works once and is shown only once', async () => {
  const { status, html } = await send('/admin/accounts/add', { email: ' Ben@example.org ' });
  expect(status).toBe(200);
  const [, secret = ''] = /\/invite#([A-Za-z0-9_-]{43})</.exec(html) ?? [];
  expect(wordsOf(html)).toContain('It is valid until');
  const [, until = ''] = /valid until <time dateTime="([^"]*)"/i.exec(html) ?? [];
  expect(Math.abs(Date.parse(until) - Date.now() - 72 * 60 * 60 * 1000)).toBeLessThan(60_000);
  const { id } = accounts.find('ben@example.org');
  for (const path of ['/admin/accounts', `/admin/accounts/${id}`, '/admin/audit', '/admin'])
    expect((await open(path)).html).not.toContain(secret);
  expect(JSON.stringify(stall.log)).not.toContain(secret);
  for (const file of readdirSync(stall.data).filter((name) => name.includes('bookstall.db')))
    expect(readFileSync(join(stall.data, file), 'latin1')).not.toContain(secret);
  await redeemLink(stall.app.stall, secret, { password: PASSWORD, userAgent: null });
  expect(accounts.find('ben@example.org').hasPassword).toBe(true);
});

test.each([
  ['anna@example.org', 'it has an account already'],
  ['no address', 'write it as name@example.org'],
  ['<script>alert(1)</script>', 'write it as name@example.org'],
])('the form for %j is refused, and keeps the typed value', async (email, reason) => {
  const { status, html } = await send('/admin/accounts/add', { email });
  expect(status).toBe(400);
  expect(wordsOf(html)).toContain(reason);
  const escaped = email.replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  expect(html).toContain(`name="email" type="email" value="${escaped}"`);
  expect(html).not.toContain('<script>alert');
});

test('the list can be searched by e-mail address and subscriber id', async () => {
  const found = async (q: string) =>
    [
      ...wordsOf((await open(`/admin/accounts?${new URLSearchParams({ q })}`)).html).matchAll(
        /\S+@example.org/g,
      ),
    ]
      .map(([email]) => email)
      .filter((email) => email !== owner.email);
  expect(await found('ANNA')).toEqual([anna.email]);
  expect(await found(anna.account.id)).toEqual([anna.email]);
  expect(await found('nobody')).toEqual([]);
  expect(wordsOf((await open('/admin/accounts?q=nobody')).html)).toContain('No accounts match');
});

test('a disabled account loses keys and sessions at once, and the confirmation says so', async () => {
  const cookie = await stall.signIn(anna.email);
  const seen = async () => (await stall.fetch('/sign-in', { headers: cookie, redirect: 'manual' })).status;
  expect([await statusOfKey(), await seen()]).toEqual([200, 303]);
  const asked = await open(`${page}/disable`);
  expect(wordsOf(asked.html)).toMatch(/its keys \(1\) are refused and its grants \(2\) give no access/);
  expect(await statusOfKey()).toBe(200);
  expect((await send(`${page}/disable`)).location).toBe(`${page}?said=disabled`);
  expect([await statusOfKey(), await seen()]).toEqual([401, 200]);
  expect(wordsOf((await open(page)).html)).toContain('inactive (account disabled)');
  expect((await send(`${page}/link`)).html).toContain('the account is disabled');
  expect((await send(`${page}/enable`)).location).toBe(`${page}?said=enabled`);
  expect([await statusOfKey(), await seen()]).toEqual([200, 200]);
});

test("the owner's own account cannot be disabled here", async () => {
  const own = `/admin/accounts/${owner.id}`;
  expect((await open(own)).html).not.toContain(`${own}/disable`);
  expect((await open(`${own}/disable`)).status).toBe(400);
  expect((await send(`${own}/disable`)).status).toBe(400);
  expect(accounts.find(owner.email).disabledAt).toBeNull();
});

test('an account with a password gets a reset link', async () => {
  await stall.signIn(anna.email);
  const { html } = await send(`${page}/link`);
  expect(html).toMatch(/\/reset#[A-Za-z0-9_-]{43}</);
});

test('a grant is added with dates, changed by the same source, and revoked', async () => {
  const grants = async () =>
    stall.app.admin.grants.list(anna.email).filter(({ source }) => source === 'order 7');
  const fields = { slug: 'archived-book', source: 'order 7', from: '2026-01-01', until: '2999-01-01' };
  expect((await send(`${page}/grants/add`, fields)).location).toBe(`${page}?said=granted`);
  expect(await grants()).toMatchObject([
    { slug: 'archived-book', from: Date.parse('2026-01-01'), until: Date.parse('2999-01-01') },
  ]);
  await send(`${page}/grants/add`, { ...fields, until: '' });
  expect(await grants()).toMatchObject([{ until: null, revokedAt: null }]);
  const name = { kind: 'book', item: 'archived-id', source: 'order 7' };
  const asked = await open(`${page}/grants/revoke?${new URLSearchParams(name)}`);
  expect(wordsOf(asked.html)).toContain('can no longer install, read or ask “archived-book”');
  expect((await send(`${page}/grants/revoke?${new URLSearchParams(name)}`, {})).location).toBe(
    `${page}?said=grant-revoked`,
  );
  expect(await grants()).toMatchObject([{ revokedAt: expect.any(Number) as number }]);
  expect((await send(`${page}/grants/revoke?${new URLSearchParams(name)}`, {})).status).toBe(404);
});

test.each([
  [{ slug: 'nothing' }, 'this stall never published it'],
  [{ slug: 'paid-book', from: '31 Feb' }, 'Cannot read the time "31 Feb"'],
  [{ slug: 'paid-book', from: '2026-02-01', until: '2026-01-01' }, 'it must end after it begins'],
])('the grant %j is refused, and the form keeps its values', async (fields, reason) => {
  const { status, html } = await send(`${page}/grants/add`, { ...fields, source: 'typed <b>' });
  expect(status).toBeOneOf([400, 404]);
  expect(wordsOf(html)).toContain(reason);
  expect(html).toContain('value="typed &lt;b>"');
});

test('a key is revoked only through its own account', async () => {
  const carl = await stall.reader('carl@example.org');
  expect((await open(`${page}/keys/${carl.keyId}/revoke`)).status).toBe(404);
  expect((await send(`${page}/keys/${carl.keyId}/revoke`)).status).toBe(404);
  expect(await statusOfKey(carl.key)).toBe(200);
  expect(wordsOf((await open(`${page}/keys/${anna.keyId}/revoke`)).html)).toMatch(
    /use “test” \( svc_\w{4}… , last used .*\) get 401 from their next request on/,
  );
  expect((await send(`${page}/keys/${anna.keyId}/revoke`)).location).toBe(`${page}?said=key-revoked`);
  expect(await statusOfKey()).toBe(401);
});

test.each([
  ['/admin/accounts/none', 404],
  ['/admin/accounts/%2e%2e', 404],
  [`${page}/keys/0/revoke`, 404],
  [`${page}/keys/1e3/revoke`, 404],
  [`${page}/grants/revoke`, 404],
  [`${page}?said=%3Cscript%3E`, 200],
  [`${page}?said=constructor`, 200],
  ['/admin/accounts?page=0', 200],
  ['/admin/accounts?page=9999999', 200],
  ['/admin/accounts?page=-1', 200],
])('%s answers %d', async (path, status) => {
  const { status: answered, html } = await open(path);
  expect(answered).toBe(status);
  expect(html).not.toMatch(/role="status"|<script>/);
});

test('the audit log has every action with its subject, and no secret', async () => {
  const words = wordsOf((await open('/admin/audit')).html);
  for (const act of [
    'Added an account Ben@example.org',
    'Disabled an account anna@example.org',
    'Enabled an account anna@example.org',
    'Created a link anna@example.org purpose: reset',
    'Granted an item anna@example.org item: archived-book, source: order 7, from: 2026-01-01, until: 2999-01-01',
    'Revoked a grant anna@example.org item: archived-book, source: order 7',
    'Revoked a key anna@example.org name: test',
  ])
    expect(words).toContain(act);
  expect(words).not.toContain(anna.key);
  expect(words).not.toContain('typed <b>');
});

test('an account’s e-readers are listed, and the owner ends their keys', async () => {
  const headers = { ...(await stall.signIn(anna.email)), 'Sec-Fetch-Site': 'same-origin' };
  const once = /name="once" value="([^"]+)"/.exec(
    await (await stall.fetch('/dashboard/devices', { headers })).text(),
  )?.[1];
  const body = new URLSearchParams({ once: once ?? '' });
  const made = await (await stall.fetch('/dashboard/devices', { method: 'POST', headers, body })).text();
  const key = />([a-z2-7]{16})</.exec(made)?.[1] ?? '';
  const sent = new Bun.CryptoHasher('md5').update(key).digest('hex');
  const signIn = async () =>
    (await stall.fetch('/kosync/users/auth', { headers: { 'x-auth-user': 'anna', 'x-auth-key': sent } }))
      .status;
  expect(await signIn()).toBe(200);
  const end = /\/admin\/accounts\/[\w-]+\/devices\/\d+\/end/.exec((await open(page)).html)?.[0] ?? '';
  expect(wordsOf((await open(end)).html)).toContain(
    'no longer keeps the place in the books of anna@example.org',
  );
  expect((await send(end)).status).toBe(303);
  expect([await signIn(), (await open(page)).html.includes('/devices/')]).toEqual([401, false]);
});
