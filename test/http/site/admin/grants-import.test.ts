import { expect, test } from 'bun:test';
import { openAdmin, wordsOf } from './visit.ts';

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

test('thousands of lines are imported at once', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `anna@example.org,paid-book,,,shop ${n}`);
  const csv = ['email,slug,from,until,source', ...lines].join('\n');
  expect((await send('/admin/grants/import', { csv })).status).toBe(303);
  expect(await list()).toHaveLength(5002);
}, 120_000);

test.each([1_030_000, 3_000_000])('a form of %d bytes is too large', async (size) => {
  const { status } = await send('/admin/grants/import', { csv: 'x'.repeat(size) });
  expect(status).toBe(413);
});
