import { expect, test } from 'bun:test';
import { openAdmin, wordsOf } from './visit.ts';

let time = Date.now();
const { stall, open } = await openAdmin({
  now: () => time,
  config: { budget: { limit: 1000, seconds: 60 } },
});
const { headers } = await stall.reader('anna@example.org', 'paid-book', 'paid-skill');

/** The page with a new diagnosis: health is checked twice a minute at most. */
async function look(): Promise<string> {
  time += 31_000;
  return (await open('/admin')).html;
}

test('the page counts items, accounts, grants and keys', async () => {
  expect(wordsOf(await look())).toContain('items served 8 accounts 2 active grants 2 active key 1');
  await stall.app.admin.accounts.disable('anna@example.org');
  expect(wordsOf(await look())).toContain('accounts, 1 disabled 2');
  await stall.app.admin.accounts.enable('anna@example.org');
});

test('a chart has a bar for each day with entries, and a table of its figures', async () => {
  const ask = { method: 'POST', body: JSON.stringify({ book_id: 'paid-id', query: 'Why one leg?' }) };
  const json = { ...headers, 'Content-Type': 'application/json' };
  for (let n = 0; n < 3; n++) await (await stall.fetch('/api/agent/fetch', { ...ask, headers: json })).text();
  const html = await look();
  expect(html.match(/<rect /g)).toHaveLength(1);
  const today = new Date(time).toISOString().slice(0, 10);
  expect(html).toContain(`<title>${today}: 3</title>`);
  expect(wordsOf(html)).toContain('Questions to books : 3 in total, at most 3 a day');
  expect(html.match(/role="row"/g)).toHaveLength(31);
  expect(wordsOf(html.split('<tr')[2] ?? '')).toContain(`${today} 3 0`);
  expect(html).not.toContain('style=');
});

test('a problem is shown with its remedy, and passed checks below', async () => {
  const words = wordsOf(await look());
  expect(words).toContain('No backup is recorded. Make one with "bookstall backup FILE"');
  expect(words).toContain('Only this machine reaches the stall');
  expect(words).not.toContain('plain http');
  await stall.fetch('/api/install/free-book', { headers: { 'X-Forwarded-For': '203.0.113.7' } });
  // Checked twice a minute at most.
  expect(wordsOf((await open('/admin')).html)).not.toContain('A proxy at');
  expect(wordsOf(await look())).toMatch(
    /A proxy at 127\.0\.0\.1 forwards addresses and is not trusted: all readers share one budget/,
  );
  expect(wordsOf((await open('/admin')).html)).toContain('--trusted-proxies');
});
