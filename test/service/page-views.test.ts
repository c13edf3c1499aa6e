import { describe, expect, test } from 'bun:test';
import type { Edition } from '../../src/catalog/catalog.ts';
import type { LogEntry } from '../../src/log.ts';
import { createPageViews } from '../../src/service/reading-places.ts';
import { DAY, openAdmin, TODAY } from './admin-services.ts';

const { store } = await openAdmin();
const edition = (slug: string) => ({ manifest: { kind: 'book', id: `${slug}-id`, slug } }) as Edition;
const since = TODAY / DAY - 1;
const countOf = async (slug: string) =>
  (await store.countItemViews({ kind: 'book', itemKey: `${slug}-id`, since, by: 'day' })).map(
    ({ count }) => count,
  );

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
