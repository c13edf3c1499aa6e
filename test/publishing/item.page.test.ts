import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, SHELF, until } from '../helpers/harness.ts';
import { pagesBeside } from '../platform/site/visitor.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOOK = '/admin/items/paid-book';
const { stall, open } = await openAdmin({
  files: {
    ...SHELF,
    'books/gone-book/item.yaml': itemYaml({ id: 'gone-id', title: 'The gone book', unitAmountCents: 100 }),
    'books/gone-book/01.md': '# One\n\nText.\n',
    'books/crowd-book/item.yaml': itemYaml({ id: 'crowd-id', title: 'Crowd', unitAmountCents: 100 }),
    'books/crowd-book/01.md': '# One\n\nText.\n',
  },
});
const { accounts, grants } = stall.app.admin;
const ownerSession = stall.signIn('owner@example.org');
const anna = await stall.reader('anna@example.org', 'paid-book', 'gone-book');
await stall.reader('=cmd()@example.org', 'paid-book', 'paid-skill', 'archived-book');
const hostile = `"><b>bold</b>'@example.org`;
await stall.reader(hostile);
await grants.add({ email: hostile, slug: 'paid-book', source: '<i>,order;=1+1' });
await grants.add({ email: 'anna@example.org', slug: 'paid-book', source: 'shop', until: '2100-01-02' });

const rowsOf = (html: string) =>
  (html.split('id="holders"')[1] ?? '')
    .split('<tr')
    .slice(2)
    .map((row) => wordsOf(`<tr${row.split('</tr>')[0]}`).trim());
const csvOf = async (path: string): Promise<readonly Record<string, string>[]> =>
  parse((await open(path)).html, { columns: true });

describe('the holders of an item', () => {
  test('are its active grants: account, source, since when, until when, last download and question', async () => {
    const { headers } = anna;
    await (await stall.fetch('/api/install/paid-book', { headers })).bytes();
    await (
      await stall.fetch('/api/agent/fetch', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ book_id: 'paid-id', query: 'Why one leg?' }),
      })
    ).text();
    await until(async () => (await csvOf(`${BOOK}/holders.csv`)).some((row) => row['last_download'] !== ''));
    const { html } = await open(BOOK);
    const day = '\\d+ \\w{3} 20\\d\\d';
    const rows = rowsOf(html);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(new RegExp(`^anna@example\\.org ${day} shop 2 Jan 2100 ${day} ${day}$`));
    expect(rows[1]).toMatch(new RegExp(`^"><b>bold</b>'@example\\.org ${day} <i>,order;=1\\+1 no end – –$`));
    expect(rows[2]).toMatch(new RegExp(`^=cmd\\(\\)@example\\.org ${day} manual no end – –$`));
    expect(html).toContain(`<a href="/admin/accounts/${anna.account.id}">anna@example.org</a>`);
    expect(html).not.toMatch(/<b>bold|<i>,/);
    expect(wordsOf(html)).toContain(' books/paid-book, published See it in the shop Values Editions ');
    // Anna's two grants are one holder.
    expect(html).toMatch(/<dt>holders now<\/dt><dd>3<\/dd>/);
    expect((await open('/admin/items')).html).toContain(`href="${BOOK}"`);
  });

  test('of a skill have no questions', async () => {
    const { html } = await open('/admin/items/paid-skill');
    expect(wordsOf(html)).not.toMatch(/Questions [:w]|questions,|Last question/);
    expect(rowsOf(html)).toEqual([expect.stringMatching(/^=cmd\(\)@example\.org .* manual no end –$/)]);
  });

  test.each([
    ['revoked', async () => grants.revoke('was@example.org', 'free-book', null)],
    [
      'expired',
      async () =>
        grants.add({ email: 'was@example.org', slug: 'free-book', from: '2020-01-01', until: '2021-01-01' }),
    ],
    [
      'not started',
      async () =>
        grants.add({ email: 'was@example.org', slug: 'free-book', from: '2100-01-01', until: 'never' }),
    ],
    [
      'inactive (account disabled)',
      async () => {
        await grants.add({ email: 'was@example.org', slug: 'free-book', from: '2020-01-01', until: 'never' });
        await accounts.disable('was@example.org');
      },
    ],
  ])('are not those whose grant is %s; the list of all has them, and says so', async (state, end) => {
    await stall.app.admin.accounts.add('was@example.org').catch(() => {});
    await grants.add({ email: 'was@example.org', slug: 'free-book' }).catch(() => {});
    await end();
    const { html } = await open('/admin/items/free-book');
    expect(wordsOf(html)).toContain('Nobody holds this item now.');
    expect(html).toMatch(/<dt>holders now<\/dt><dd>0<\/dd>/);
    expect(await csvOf('/admin/items/free-book/holders.csv')).toEqual([]);
    const all = rowsOf((await open('/admin/items/free-book?grants=all')).html);
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(` ${state} `);
    expect(await csvOf('/admin/items/free-book/holders.csv?grants=all')).toMatchObject([
      { account: 'was@example.org', state },
    ]);
  });

  test('are saved as CSV, times in UTC, and no cell is a formula', async () => {
    const { status, html } = await open(`${BOOK}/holders.csv`);
    expect(status).toBe(200);
    expect(html.split('\r\n')[0]).toBe(
      'account,source,granted,from,until,revoked,state,last_download,last_question',
    );
    const rows = await csvOf(`${BOOK}/holders.csv`);
    expect(rows.map(({ account, source }) => [account, source])).toEqual([
      ['anna@example.org', 'shop'],
      [hostile, `<i>,order;'=1+1`],
      [`'=cmd()@example.org`, 'manual'],
      ['anna@example.org', 'manual'],
    ]);
    const iso = /^20\d\d-\d\d-\d\dT[\d:.]+Z$/;
    expect(rows[0]).toMatchObject({
      granted: expect.stringMatching(iso),
      until: '2100-01-02T00:00:00.000Z',
      revoked: '',
      state: 'active',
      last_download: expect.stringMatching(iso),
      last_question: expect.stringMatching(iso),
    });
    expect(rows[1]).toMatchObject({ until: '', last_download: '', last_question: '' });
    const head = await stall.fetch(`${BOOK}/holders.csv`, {
      method: 'HEAD',
      headers: await ownerSession,
    });
    expect(head.headers.get('content-disposition')).toBe(
      'attachment; filename="bookstall-holders-paid-book.csv"',
    );
    expect(await head.text()).toBe('');
  });

  test('of an archived item, and of one whose folder is gone, are listed as before', async () => {
    expect(rowsOf((await open('/admin/items/archived-book')).html)).toHaveLength(1);
    rmSync(join(stall.content, 'books/gone-book'), { recursive: true });
    await stall.app.publish();
    const { status, html } = await open('/admin/items/gone-book');
    expect([status, rowsOf(html).length]).toEqual([200, 1]);
    expect(wordsOf(html)).toContain('books/gone-book: no longer served; grants of it stay');
    expect(html).not.toContain('href="/books/gone-book"');
    expect(await csvOf('/admin/items/gone-book/holders.csv')).toMatchObject([
      { account: 'anna@example.org' },
    ]);
    expect((await open('/admin/items')).html).toContain('href="/admin/items/gone-book"');
  });

  test.each([
    '/admin/items/none',
    '/admin/items/none/holders.csv',
    '/admin/items/%3Cb%3E',
    '/admin/items/..%2Fx',
  ])('of an item that never was are not found: %s', async (path) => {
    expect((await open(path)).status).toBe(404);
    const page = await stall.fetch(path, { headers: { ...(await ownerSession), Accept: 'text/html' } });
    expect([page.status, (await page.text()).includes('<b>')]).toEqual([404, false]);
  });
});

describe('a crowd of holders', () => {
  const CROWD = 130;
  const names = Array.from({ length: CROWD }, (_, n) => `reader-${n}@example.org`);
  const fill = () => {
    const db = new Database(join(stall.data, 'bookstall.db'));
    db.transaction(() => {
      for (const [n, email] of names.entries()) {
        db.run('INSERT INTO accounts (id, email, created_at, verified_at) VALUES (?, ?, 1, 1)', [
          `id-${n}`,
          email,
        ]);
        // As an import writes them: in one millisecond, so that the time alone puts them in no order.
        db.run(
          "INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at) VALUES (?, 'book', 'crowd-id', 'import', ?, 1)",
          [`id-${n}`, n < 100 ? 1000 : 2000],
        );
      }
    })();
    db.close();
  };

  test('is paged, each once, both ways, and keeps the choice of span and grants', async () => {
    fill();
    const first = '/admin/items/crowd-book?span=months&grants=all';
    const shown: string[][] = [];
    let path: string | null = first;
    for (let back: string | null = null; path !== null; path = back) {
      const { html } = await open(path);
      shown.push(rowsOf(html).map((row) => row.split(' ')[0] ?? ''));
      back = pagesBeside(html).older;
      if (back !== null) expect(back).toMatch(/span=months&grants=all&older=.*#holders$/);
    }
    expect(shown.map((page) => page.length)).toEqual([50, 50, 30]);
    expect(shown.flat()).toEqual(names.toReversed());
    const second = pagesBeside((await open(first)).html).older ?? '';
    const third = pagesBeside((await open(second)).html).older ?? '';
    const newer = pagesBeside((await open(third)).html).newer ?? '';
    expect(rowsOf((await open(newer)).html).map((row) => row.split(' ')[0] ?? '')).toEqual(shown[1] ?? []);
    expect((await csvOf('/admin/items/crowd-book/holders.csv')).map(({ account }) => account)).toEqual(
      names.toReversed(),
    );
    expect((await open(first)).html).toMatch(/<dt>holders now<\/dt><dd>130<\/dd>/);
  });

  test('whose accounts did much else is asked for the last 200 downloads alone', async () => {
    const row = { id: 'd', keyId: null, kind: 'book', digest: 'd', door: 'install', bytes: 1 };
    const download = (accountId: string, slug: string, downloadedAt: number) => ({
      ...row,
      accountId,
      itemKey: `${slug}-id`,
      slug,
      downloadedAt,
    });
    const busy = Array.from({ length: 200 }, (_, n) => download('id-129', 'free', 3000 + n));
    const quiet = Array.from({ length: 199 }, (_, n) => download('id-128', 'free', 3000 + n));
    const never = Array.from({ length: 200 }, (_, n) => download('id-127', 'free', 3000 + n));
    const db = new Database(join(stall.data, 'bookstall.db'));
    const insert = db.prepare(
      "INSERT INTO downloads (id, account_id, kind, item_key, slug, digest, door, bytes, downloaded_at) VALUES ('d', ?, 'book', ?, ?, 'd', 'install', 1, ?)",
    );
    for (const each of [
      download('id-129', 'crowd', 2000),
      download('id-128', 'crowd', 2000),
      ...busy,
      ...quiet,
      ...never,
    ])
      insert.run(each.accountId, each.itemKey, each.slug, each.downloadedAt);
    db.close();
    const { html } = await open('/admin/items/crowd-book');
    expect(rowsOf(html)[0]).toMatch(/^reader-129@.* not lately –$/);
    expect(rowsOf(html)[1]).toMatch(/^reader-128@.* 1 Jan 1970 –$/);
    expect(rowsOf(html)[2]).toMatch(/^reader-127@.* – –$/);
    expect((await csvOf('/admin/items/crowd-book/holders.csv')).slice(0, 2)).toMatchObject([
      { last_download: 'not lately' },
      { last_download: '1970-01-01T00:00:02.000Z' },
    ]);
  });
});

describe('the figures of an item', () => {
  test('are views, downloads and questions by outcome, in charts and in a table that says the same', async () => {
    for (let n = 0; n < 3; n++)
      await stall.fetch('/books/paid-book', { headers: { 'User-Agent': FIREFOX, Accept: 'text/html' } });
    await stall.app.stall.pageViews.flush();
    const { html } = await open(BOOK);
    const words = wordsOf(html);
    expect(words).toContain('Page views : 3 in total, at most 3 a day');
    expect(words).toContain('Downloads : 1 in total, at most 1 a day');
    expect(words).toContain('Questions : 1 in total, at most 1 a day');
    expect(words).toContain('Questions without an answer : none');
    const table = html.split('Figures by day (UTC)')[1]?.split('</table>')[0] ?? '';
    const [head, today] = table.split('<tr').slice(1).map(wordsOf);
    expect(head).toContain('Day Page views Downloads Questions Quoted');
    expect(today).toMatch(/20\d\d-\d\d-\d\d 3 1 1 1/);
    expect(table.match(/<tr/g)).toHaveLength(31);
    const rows = (await open('/admin/items')).html.split('<tr').map(wordsOf);
    expect(rows.find((row) => row.includes('The paid book'))).toMatch(/ B 3 1 \/ 1 /);
    const months = wordsOf((await open(`${BOOK}?span=months`)).html);
    expect(months).toContain('Page views : 3 in total, at most 3 a month');
    expect(months).toContain('The last 12 months');
  });

  test.each([
    '?span=years',
    '?span=',
    '?older=x',
    '?newer=1-',
    '?older=99999999999999999999-1',
    '?grants=some',
  ])('are shown for the malformed address %s too', async (query) => {
    expect((await open(BOOK + query)).status).toBe(200);
  });
});

test('a book says how many of its sections have questions in readers’ words', async () => {
  expect(wordsOf((await open('/admin/items/paid-book')).html)).toContain('No section has questions');
});
