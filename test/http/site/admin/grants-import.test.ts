import { expect, test } from 'bun:test';
import { PASSWORD } from '../../../harness.ts';
import { openAdmin, wordsOf } from './visit.ts';
import { redeemLink } from '../../../../src/service/links.ts';

const { stall, open, send } = await openAdmin();
await stall.reader('anna@example.org');
await stall.reader('ben@example.org');
const list = () => stall.app.admin.grants.list(null);

test('a file with errors adds nothing, names each wrong line, and stays in the form', async () => {
  const csv = [
    'email,slug,until',
    'anna@example.org,paid-book,',
    'nobody@example.org,paid-book,',
    'ben@example.org,no-such-item,',
    '"<b>@example.org",paid-book,31 Feb',
  ].join('\n');
  const { status, html } = await send('/admin/grants/import', { csv });
  expect(status).toBe(400);
  const words = wordsOf(html);
  for (const fault of [
    'line 3: Cannot find an account "nobody@example.org"',
    'line 4: Cannot find an item "no-such-item"',
    'line 5: Cannot find an account "<b>@example.org"',
  ])
    expect(words).toContain(fault);
  expect(words).not.toContain('line 2:');
  expect(words).toContain(csv.replaceAll('\n', ' '));
  expect(html).not.toContain('<b>');
  expect(await list()).toEqual([]);
});

test('a correct file adds all of its grants', async () => {
  const csv =
    'email,slug,from,until,source\r\nanna@example.org,paid-book,,,shop\r\nben@example.org,paid-skill,2026-01-01,2027-01-01,shop\r\n';
  expect((await send('/admin/grants/import', { csv })).location).toBe('/admin/grants/import?said=imported');
  expect(await list()).toMatchObject([
    { email: 'anna@example.org', slug: 'paid-book', source: 'shop', until: null },
    { email: 'ben@example.org', slug: 'paid-skill', until: Date.parse('2027-01-01') },
  ]);
  expect(wordsOf((await open('/admin/audit')).html)).toContain('Imported grants grants added: 2');
});

test('missing accounts are created on request, and their links shown once as a table to save', async () => {
  const csv =
    'email,slug\nnew-1@example.org,paid-book\nnew-2@example.org,paid-book\nanna@example.org,paid-skill\n';
  const { status, html } = await send('/admin/grants/import', { csv, accounts: 'on' });
  expect([status, wordsOf(html)]).toEqual([
    200,
    expect.stringMatching(/2 accounts created .* 3 grants added\./),
  ]);
  const links = [...html.matchAll(/(new-\d@example\.org),(http[^,]*\/invite#([\w-]{43})),20\d\d-/g)];
  expect(links.map(([, email]) => email)).toEqual(['new-1@example.org', 'new-2@example.org']);
  for (const [, email = '', , secret = ''] of links) {
    expect(JSON.stringify(stall.log)).not.toContain(secret);
    await redeemLink(stall.app.stall, secret, { password: PASSWORD, userAgent: null });
    expect((await stall.app.admin.accounts.find(email)).hasPassword).toBe(true);
  }
  expect((await send('/admin/grants/import', { csv, accounts: 'on' })).location).toBe(
    '/admin/grants/import?said=imported',
  );
});

test('a refused import keeps the choice to create accounts', async () => {
  const { html } = await send('/admin/grants/import', {
    csv: 'email,slug\nnobody,paid-book\n',
    accounts: 'on',
  });
  expect(html).toMatch(/name="accounts"[^>]* checked/);
  expect((await open('/admin/grants/import')).html).not.toMatch(/name="accounts"[^>]* checked/);
});

test('thousands of lines are imported at once', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `anna@example.org,paid-book,,,shop ${n}`);
  const csv = ['email,slug,from,until,source', ...lines].join('\n');
  expect((await send('/admin/grants/import', { csv })).status).toBe(303);
  expect(await list()).toHaveLength(5005);
});

test.each([1_030_000, 3_000_000])('a form of %d bytes is too large', async (size) => {
  const { status } = await send('/admin/grants/import', { csv: 'x'.repeat(size) });
  expect(status).toBe(413);
});
