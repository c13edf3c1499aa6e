import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { itemYaml, openStall, skillMd, type Stall } from '../helpers/harness.ts';

const MIDNIGHT = Date.parse('2026-11-21T00:00:00Z');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

let time = MIDNIGHT - 1;
const files = {
  'books/heron/item.yaml': itemYaml({ id: 'heron-id', title: 'Herons' }),
  'books/heron/01.md': '# Herons\n\ntext\n',
  'books/draft/item.yaml': itemYaml({ id: 'draft-id', status: 'draft' }),
  'books/draft/01.md': '# Draft\n',
  'skills/tool/item.yaml': itemYaml({ title: 'Tool' }),
  'skills/tool/SKILL.md': skillMd('tool'),
};
const stall = await openStall({ files, now: () => time });
await stall.reader('reader@example.org');
const reader = await stall.signIn('reader@example.org');
await stall.app.admin.accounts.add('owner@example.org', true);
const owner = await stall.signIn('owner@example.org');

const view = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const sent = { 'User-Agent': FIREFOX, Accept: 'text/html', ...headers };
  return (await stall.fetch(path, { method, headers: sent, redirect: 'manual' })).status;
};

/** All counts that are on disk. */
function countsOf({ data }: Stall): readonly unknown[] {
  const db = new Database(join(data, 'bookstall.db'), { readonly: true });
  const rows = db
    .query(
      "SELECT kind || ' ' || item_key || ' ' || date(day * 86400, 'unixepoch') AS of, views FROM view_days",
    )
    .all();
  db.close();
  return rows.map((row) => Object.values(row as object).join(': '));
}

/** The views of one item's page, by day, since the last call. */
let seen = new Map<string, number>();
async function counted(): Promise<Readonly<Record<string, number>>> {
  await stall.app.stall.pageViews.flush();
  const now = new Map(
    countsOf(stall).map((line) => [String(line).split(': ')[0] ?? '', Number(String(line).split(': ')[1])]),
  );
  const news = [...now]
    .map(([of, views]) => [of, views - (seen.get(of) ?? 0)] as const)
    .filter(([, views]) => views > 0);
  seen = now;
  return Object.fromEntries(news);
}

describe('a view of an item', () => {
  test('is one page that a person asked for: strangers and readers, on the UTC day of the request', async () => {
    expect(await view('/books/heron')).toBe(200);
    expect(await view('/books/heron', { 'User-Agent': SAFARI, ...reader })).toBe(200);
    expect(await view('/skills/tool')).toBe(200);
    time = MIDNIGHT;
    expect(await view('/books/heron')).toBe(200);
    expect(await counted()).toEqual({
      'book heron-id 2026-11-20': 2,
      'book heron-id 2026-11-21': 1,
      'skill tool 2026-11-20': 1,
    });
  });

  test('of two browsers at once is two views', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => view('/books/heron', n % 2 === 0 ? {} : { 'User-Agent': SAFARI })),
    );
    expect(await counted()).toEqual({ 'book heron-id 2026-11-21': 40 });
  });

  test('that cannot be written now is counted later', async () => {
    time = MIDNIGHT;
    const db = new Database(join(stall.data, 'bookstall.db'));
    db.run('ALTER TABLE view_days RENAME TO gone');
    await view('/books/heron');
    await stall.app.stall.pageViews.flush();
    db.run('ALTER TABLE gone RENAME TO view_days');
    db.close();
    expect(stall.log.some(({ event }) => event === 'views-late')).toBeTrue();
    await view('/books/heron');
    expect(await counted()).toEqual({ 'book heron-id 2026-11-21': 2 });
  });

  test.each([
    ['HEAD', '/books/heron', {}, 'HEAD', 200],
    ['a page loaded ahead', '/books/heron', { 'Sec-Purpose': 'prefetch' }, 'GET', 200],
    ['a page rendered ahead', '/books/heron', { 'Sec-Purpose': 'prefetch;prerender' }, 'GET', 200],
    ['a page loaded ahead by an older browser', '/books/heron', { Purpose: 'prefetch' }, 'GET', 200],
    ['a page loaded ahead by an older Firefox', '/books/heron', { 'X-Moz': 'prefetch' }, 'GET', 200],
    ['the owner', '/books/heron', owner, 'GET', 200],
    ['the owner at a draft', '/books/draft', owner, 'GET', 200],
    ['a stranger at a draft', '/books/draft', {}, 'GET', 404],
    ['an unknown item', '/books/none', {}, 'GET', 404],
    ['the other kind', '/skills/heron', {}, 'GET', 308],
    ['a refused request', '/books/heron?key=svc_0123456789abcdefghijABCDEFGHIJ01234567', {}, 'GET', 400],
    ['the list of all files', '/books/heron?files=2', {}, 'GET', 200],
    ['the window', '/', {}, 'GET', 200],
    ['a chapter', '/books/heron/read/01.md', {}, 'GET', 200],
    ['a cover', '/covers/heron.svg', {}, 'GET', 404],
    ['no User-Agent', '/books/heron', { 'User-Agent': '' }, 'GET', 200],
    [
      'a search engine',
      '/books/heron',
      { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      'GET',
      200,
    ],
    [
      'a crawler for models',
      '/books/heron',
      {
        'User-Agent':
          'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      },
      'GET',
      200,
    ],
    ['an agent', '/books/heron', { 'User-Agent': 'Claude-User/1.0' }, 'GET', 200],
    ['a preview of a link', '/books/heron', { 'User-Agent': 'facebookexternalhit/1.1' }, 'GET', 200],
    ['curl', '/books/heron', { 'User-Agent': 'curl/8.14.1' }, 'GET', 200],
    ['a monitor', '/books/heron', { 'User-Agent': 'Uptime-Kuma/1.23' }, 'GET', 200],
  ] as const)('is not: %s', async (_, path, headers, method, status) => {
    expect(await view(path, headers, method)).toBe(status);
    expect(await counted()).toEqual({});
  });

  test('leaves nothing of who looked: no address, name, session or time in the database', async () => {
    const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
    expect(db.query('SELECT name FROM pragma_table_info(?)').all('view_days')).toEqual(
      ['kind', 'item_key', 'day', 'views'].map((name) => ({ name })),
    );
    db.close();
  });
});

test('views that wait when the stall stops are written', async () => {
  await view('/books/heron');
  await stall.close();
  const before = seen.get('book heron-id 2026-11-21') ?? 0;
  expect(countsOf(stall)).toContain(`book heron-id 2026-11-21: ${before + 1}`);
});
