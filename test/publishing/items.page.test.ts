import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, itemYaml, pairOf, SHELF, skillMd, until, writeFiles } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

const HOSTILE = '<script>alert(1)</script>';
const { stall, open, send } = await openAdmin({
  files: {
    ...SHELF,
    ...pairOf('paid', { unitAmountCents: 1900, checkoutUrl: 'https://shop.example.org/buy' }),
    'books/odd-book/item.yaml': itemYaml({ id: 'odd-id', title: JSON.stringify(HOSTILE), version: '"<b>"' }),
    'books/odd-book/01.md': '# One\n\nText.\n',
    // Never without errors, so never served.
    'books/broken-book/item.yaml': 'title: Broken\n',
    'skills/loud-skill/item.yaml': itemYaml({ title: 'Loud' }),
    'skills/loud-skill/SKILL.md': skillMd('loud-skill', 'Line.\n'.repeat(600)),
  },
});

const rowOf = async (name: string, query = '') => {
  const { html } = await open(`/admin/items${query}`);
  return html
    .split('<tr')
    .map(wordsOf)
    .find((row) => row.includes(name));
};

test('every item is listed with status, price, edition and size, those with errors first', async () => {
  const { html } = await open('/admin/items');
  expect(html).not.toContain('<script>alert');
  expect(wordsOf(html)).toMatch(/: 8 served, 2 drafts, 1 with errors, 1 with warnings/);
  const rows = html.split('<tr').slice(2).map(wordsOf);
  expect(rows).toHaveLength(11);
  expect(rows[0]).toContain('books/broken-book Not served');
  expect(wordsOf(html)).toMatch(/books\/broken-book: 4 errors .*Cannot find the key "publisher"/);
  expect(await rowOf('The draft book')).toMatch(/draft Free None yet \d+ B 0 0 \/ 0/);
  expect(await rowOf('The paid book')).toContain('published $19');
  expect(await rowOf('Loud')).toContain('published warnings');
  expect(wordsOf(html)).toContain('skills/loud-skill: 1 warning ');
  expect(html).toMatch(/<li class="warning" lang="en">[^<]*SKILL\.md/);
  expect(html).toContain('<a href="/books/draft-book">');
  expect(html).toContain('<a href="/admin/items/paid-book">');
});

test.each([
  ['?problems=on', ['broken-book', 'Loud']],
  ['?q=DRAFT', ['The draft book', 'The draft skill']],
  ['?q=book+paid', ['The paid book']],
  ['?q=nothing', []],
  ['?page=2', []],
])('the list %s', async (query, names) => {
  const { html } = await open(`/admin/items${query}`);
  const rows = html.split('<tr').slice(2).map(wordsOf);
  expect(rows).toHaveLength(names.length);
  for (const [n, name] of names.entries()) expect(rows[n]).toContain(name);
});

test('downloads are counted for their item', async () => {
  expect(await rowOf('The free book')).toContain('0 / 0');
  await (await stall.fetch('/api/install/free-book')).bytes();
  await (await stall.fetch('/api/install/free-book')).bytes();
  await until(async () => (await rowOf('The free book'))?.includes('2 / 2') === true);
  expect(await rowOf('The free book')).toContain('2 / 2');
  expect(await rowOf('The free skill')).toContain('0 / 0');
});

test('reloading content serves changed items, and names a broken item whose last good edition it keeps serving', async () => {
  rmSync(join(stall.content, 'skills/loud-skill'), { recursive: true });
  writeFiles(stall.content, { 'books/paid-book/item.yaml': 'title: Broken\n' });
  expect((await rowOf('The paid book'))?.includes('last good edition')).toBe(false);
  expect((await send('/admin/items/reindex')).location).toBe('/admin/items?said=reindexed-with-errors');
  const { html } = await open('/admin/items?said=reindexed-with-errors');
  expect(html).toContain('<div class="notice warn" role="status">Content reloaded, with errors');
  expect(wordsOf(html)).toMatch(/: 7 served, 2 drafts, 2 with errors, 0 with warnings/);
  expect(await rowOf('The paid book')).toContain('last good edition');
  expect(wordsOf((await open('/admin')).html)).toContain('These are not served: books/broken-book');
});

test('a missing content directory is reported at the top', async () => {
  rmSync(stall.content, { recursive: true });
  await send('/admin/items/reindex');
  expect(wordsOf((await open('/admin/items')).html)).toMatch(
    /The content directory ".*" is missing; its last good content continues to be served/,
  );
});

describe('editions', async () => {
  const kit = (version: string): Files => ({
    'skills/kit/item.yaml': itemYaml({ version: JSON.stringify(version) }),
    'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  });
  const { stall, open, send } = await openAdmin({ files: kit('1.0') });
  for (const version of ['1.1', '<b>1.2']) {
    writeFiles(stall.content, kit(version));
    await stall.app.publish();
  }

  const PAGE = '/admin/items/kit/editions';
  const rows = async (): Promise<readonly string[]> =>
    (await open(PAGE)).html.split('<tr').slice(2).map(wordsOf);
  const digestOf = async (version: string): Promise<string> =>
    stall.app.admin.editions.find('kit', version).digest;

  test('the office lists editions, rolls back and withdraws after a confirmation', async () => {
    expect((await open('/admin/items')).html).toContain(`href="${PAGE}"`);
    const { html } = await open(PAGE);
    expect(html).not.toContain('<b>1.2');
    expect(wordsOf(html)).toMatch(/Kept editions of all items: 2, \d+ B/);
    expect(await rows()).toEqual([
      expect.stringContaining('1.2 served'),
      expect.stringMatching(/1\.1 kept .*Roll back… Withdraw…/),
      expect.stringMatching(/1\.0 kept .*Roll back… Withdraw…/),
    ]);

    const [bad, good] = [await digestOf('<b>1.2'), await digestOf('1.1')];
    expect(wordsOf((await open(`${PAGE}/${good}/rollback`)).html)).toContain('Roll “kit” back to 1.1?');
    expect((await rows())[0]).toContain('1.2 served');
    expect((await send(`${PAGE}/${good}/rollback`)).location).toBe(`${PAGE}?said=rolled-back`);
    expect((await rows()).slice(0, 2)).toEqual([
      expect.stringContaining('1.2 kept'),
      expect.stringContaining('1.1 served'),
    ]);

    expect(wordsOf((await open(`${PAGE}/${bad}/withdraw`)).html)).toContain('This cannot be undone.');
    expect((await send(`${PAGE}/${bad}/withdraw`)).location).toBe(`${PAGE}?said=withdrawn`);
    expect((await rows())[0]).toContain('1.2 withdrawn');
    expect((await rows())[0]).not.toContain('Roll back');
    expect((await stall.fetch(`/api/install/kit?edition=sha256:${bad}`)).status).toBe(410);
    expect(stall.app.catalog().bySlug.get('kit')?.manifest.version).toBe('1.1');
    const { html: log } = await open('/admin/audit');
    expect(wordsOf(log)).toMatch(/Withdrew an edition .*Rolled an item back/);
  });
});
