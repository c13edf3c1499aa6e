import { expect, test } from 'bun:test';
import { until } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from './visit.ts';

const { stall, open } = await openAdmin();
const anna = await stall.reader('anna@example.org', 'paid-book');
const ben = await stall.reader('=cmd()@example.org', 'paid-book');
const question = { method: 'POST', body: JSON.stringify({ book_id: 'paid-id', query: 'Why one leg?' }) };
for (const { headers } of [anna, ben]) {
  await (await stall.fetch('/api/install/paid-book', { headers })).bytes();
  const asked = { ...question, headers: { ...headers, 'Content-Type': 'application/json' } };
  await (await stall.fetch('/api/agent/fetch', asked)).text();
}
await stall.app.admin.accounts.add('removed@example.org');
await until(async () => stall.app.admin.logs.downloads(null, null).length === 2);

const rowsOf = (html: string) => html.split('<tr').slice(2).map(wordsOf);

test.each(['/admin/logs', '/admin/downloads'])(
  '%s names the account of each row, and filters by it',
  async (path) => {
    expect(rowsOf((await open(path)).html).join()).toMatch(/=cmd\(\) ?@example\.org.*anna ?@example\.org/);
    const own = rowsOf((await open(`${path}?account=ANNA@example.org`)).html);
    expect(own).toHaveLength(1);
    expect(own[0]).toContain('The paid book anna @example.org test');
    expect(rowsOf((await open(`${path}?account=removed@example.org`)).html)).toEqual([]);
  },
);

test('an unknown account is refused, and stays in the field', async () => {
  const { status, html } = await open('/admin/logs?account=%3Cb%3E%40example.org');
  expect(status).toBe(404);
  expect(wordsOf(html)).toContain('Cannot find an account "<b>@example.org"');
  expect(html).toContain('value="&lt;b>@example.org"');
});

test.each(['/admin/logs.csv', '/admin/downloads.csv'])(
  '%s contains all accounts, and no formula',
  async (path) => {
    const { html: csv } = await open(path);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(3);
    expect(csv).toContain(',anna@example.org,');
    expect(csv).toContain(",'=cmd()@example.org,");
    expect((await open(`${path}?account=anna@example.org`)).html.trimEnd().split('\r\n')).toHaveLength(2);
  },
);

test("an account's page links to its rows", async () => {
  const { html } = await open(`/admin/accounts/${anna.account.id}`);
  expect(html).toContain('<a href="/admin/logs?account=anna%40example.org">1</a>');
  expect(html).toContain('<a href="/admin/downloads?account=anna%40example.org">1</a>');
});
