import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall } from '../helpers/harness.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { createPageViews } from '../../src/catalog/page-views.ts';
import { DAY, openAdmin, TODAY } from '../helpers/admin-services.ts';

const files = {
  'books/herons/item.yaml': itemYaml({ id: 'herons', unitAmountCents: 500, sample: '[a.md]' }),
  'books/herons/a.md': '# A\n\none\n',
  'books/herons/b.md': '# B\n\ntwo\n',
  'books/herons/plate.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const stall = await openStall({ files });
const holder = await stall.reader('holder@example.org', 'herons');
const session = await stall.signIn('holder@example.org');
await stall.reader('member@example.org');
const member = await stall.signIn('member@example.org');

const read = (path: string, headers: Record<string, string>) =>
  stall.fetch(`/books/herons/read${path}`, {
    redirect: 'manual',
    headers: { Accept: 'text/html', ...headers },
  });
const firstFor = async (headers: Record<string, string>) => (await read('', headers)).headers.get('location');
const keep = (keeps: boolean) =>
  stall.fetch('/dashboard/account/reading', {
    method: 'POST',
    redirect: 'manual',
    headers: { ...session, Origin: stall.url, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: keeps ? 'reading=on' : '',
  });
const exported = async () =>
  (await stall.app.admin.personalData.export('holder@example.org')) as Record<string, unknown>;
const leave = async (path: string, block: number, age: number, headers = session, part = 1) => {
  const page = `/books/herons/read/${path}`;
  const response = await stall.fetch('/dashboard/place', {
    method: 'POST',
    headers: { ...headers, Origin: stall.url, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `page=${encodeURIComponent(page)}&part=${part}&block=${block}&age=${age}`,
  });
  return response.status;
};

describe('where a reader was last', () => {
  test('is where they read on, and part of their data', async () => {
    expect(await leave('plate.svg', 1, 0)).toBe(204);
    expect(await firstFor(session)).toBe('/books/herons/read/a.md');
    expect((await read('/b.md', session)).status).toBe(200);
    expect(await firstFor(session)).toBe('/books/herons/read/b.md');
    expect(await (await stall.fetch('/dashboard', { headers: session })).text()).toMatch(
      /Continue with <[^>]+>B</,
    );
    expect(await exported()).toMatchObject({ reading: [{ kind: 'book', item_key: 'herons', path: 'b.md' }] });
  });

  test('is kept to the block, until the reader opens another text; the newest of two devices counts', async () => {
    const block = async () => (await exported())['reading'];
    expect(await leave('b.md', 12.37, 0)).toBe(204);
    expect(await firstFor(session)).toBe('/books/herons/read/b.md#at:12.37');
    // The text has no such part any more.
    expect(await leave('b.md', 4, 0, session, 7)).toBe(204);
    expect(await firstFor(session)).toBe('/books/herons/read/b.md');
    expect(await leave('b.md', 12.37, 0)).toBe(204);
    // Opened again, and not moved in.
    await read('/b.md', session);
    expect(await firstFor(session)).toBe('/books/herons/read/b.md#at:12.37');
    expect(await block()).toMatchObject([{ path: 'b.md', part: 1, block: 12.37 }]);
    // The page that was left tells its place late.
    await read('/a.md', session);
    for (const age of [60_000, 0]) {
      expect(await leave('b.md', 30, age)).toBe(204);
      expect(await firstFor(session)).toBe('/books/herons/read/a.md');
    }
    // Looking something up does not move the reader's place.
    await read(`/b.md?mark=1-2&of=${'0'.repeat(12)}`, session);
    expect((await read('/plate.svg', session)).status).toBe(200);
    expect(await firstFor(session)).toBe('/books/herons/read/a.md');
    for (const [path, at, age] of [
      ['b.md', NaN, 0],
      ['b.md', -1, 0],
      ['b.md', 1e9, 0],
      ['b.md', 1, Infinity],
      ['b.md', 1, -1e15],
      ['none.md', 1, 0],
    ] as const)
      expect(await leave(path, at, age)).toBe(204);
    expect(await leave('b.md', 3, 0, member)).toBe(204);
    expect(await firstFor(session)).toBe('/books/herons/read/a.md');
    expect(JSON.stringify(stall.log)).not.toContain('places-lost');
    await read('/b.md', session);
  });

  test('is not noted for a key, for strangers and for those who hold nothing', async () => {
    await read('/a.md', holder.headers);
    expect(await firstFor(session)).toBe('/books/herons/read/b.md');
    await read('/a.md', member);
    expect(await (await stall.fetch('/dashboard', { headers: member })).text()).not.toContain('Continue');
    const { personalData } = stall.app.admin;
    expect(await personalData.export('member@example.org')).toMatchObject({ reading: [] });
  });

  test('is forgotten, and noted no more, for those who want that', async () => {
    expect((await keep(false)).headers.get('location')).toBe('/dashboard/account?said=places-forgotten');
    expect(await exported()).toMatchObject({ reading: [] });
    await read('/b.md', session);
    expect(await firstFor(session)).toBe('/books/herons/read/a.md');
    const page = await (await stall.fetch('/dashboard/account', { headers: session })).text();
    expect(page).toContain('name="reading" value="on">Turn on');
    await keep(true);
    await read('/b.md', session);
    expect(await firstFor(session)).toBe('/books/herons/read/b.md');
  });

  test('goes with the account', async () => {
    await stall.app.admin.personalData.remove('holder@example.org');
    expect(await stall.app.stall.readingPlaces.listOnSite(holder.account.id)).toEqual([]);
  });
});

const { store } = await openAdmin();
const edition = (slug: string) => ({ manifest: { kind: 'book', id: `${slug}-id`, slug } }) as Edition;
const since = TODAY / DAY - 1;
const countOf = async (slug: string) =>
  store.countItemViews({ kind: 'book', itemKey: `${slug}-id`, since, by: 'day' }).map(({ count }) => count);

describe('page views', () => {
  test('of a second are one write, with a count for each item', async () => {
    const written: unknown[] = [];
    const write = (counts: string) => {
      written.push(counts);
      return store.write.addViews(counts);
    };
    const views = createPageViews(
      { addViews: write },
      () => {},
      () => TODAY,
    );
    for (let n = 0; n < 500; n++) views.add(edition(n % 5 === 0 ? 'heron' : 'stork'));
    await views.flush();
    await views.flush();
    expect(written).toHaveLength(1);
    expect([await countOf('heron'), await countOf('stork')]).toEqual([[100], [400]]);
  });

  test('that cannot be written wait for the next, and none is lost or counted twice', async () => {
    const log: LogEntry[] = [];
    let isBroken = true;
    const write = (counts: string) =>
      isBroken ? Promise.reject(new Error('the disk is full')) : store.write.addViews(counts);
    const views = createPageViews(
      { addViews: write },
      (entry) => log.push(entry),
      () => TODAY,
    );
    views.add(edition('crane'));
    views.add(edition('crane'));
    await views.flush();
    expect(await countOf('crane')).toEqual([]);
    expect(log.map(({ event }) => event)).toEqual(['views-late']);
    isBroken = false;
    views.add(edition('crane'));
    await views.flush();
    await views.flush();
    expect(await countOf('crane')).toEqual([3]);
  });
});
