import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { LogEntry } from '../../../src/platform/base/log.ts';
import { createDownloadQueue } from '../../../src/catalog/download-queue.ts';
import type { Download } from '../../../src/catalog/download-queue.ts';
import { openStore, type Store } from '../../../src/store.ts';
import { listDownloads } from '../../../src/asking/log.ts';
import { temporaryDirectory, until } from '../../helpers/harness.ts';

const newDownload = (n: number): Download => ({
  id: `d-${n}`,
  accountId: null,
  keyId: null,
  kind: 'book',
  itemKey: 'one',
  slug: 'one',
  digest: 'd',
  door: 'install',
  bytes: n,
  downloadedAt: n,
});

const downloadsOf = (store: Store) =>
  listDownloads({ store, now: Date.now, isServed: () => false }, null, null);

async function openQueue() {
  const directory = temporaryDirectory();
  const store = await openStore(directory);
  const log: LogEntry[] = [];
  const queue = createDownloadQueue(store.write, (entry) => log.push(entry));
  return {
    directory,
    store,
    log,
    queue,
    count: async () => downloadsOf(store).length,
  };
}

test('rows come into the database by themselves, in their order', async () => {
  const { store, queue, count } = await openQueue();
  for (let n = 0; n < 300; n++) queue.add(newDownload(n));
  expect(await count()).toBe(0);
  await until(async () => (await count()) === 300);
  expect(await count()).toBe(300);
  expect(
    downloadsOf(store)
      .slice(-2)
      .map(({ id }) => id),
  ).toEqual(['d-298', 'd-299']);
  await store.close();
});

test('a steady stream puts no row off', async () => {
  const { store, queue, count } = await openQueue();
  for (let n = 0; n < 60; n++) {
    queue.add(newDownload(n));
    await Bun.sleep(5);
  }
  expect(await count()).toBeGreaterThan(30);
  await queue.flush();
  expect(await count()).toBe(60);
  await store.close();
});

test('flush writes what waits at once; with nothing it does nothing', async () => {
  const { store, queue, count } = await openQueue();
  queue.add(newDownload(1));
  await queue.flush();
  expect(await count()).toBe(1);
  await queue.flush();
  expect(await count()).toBe(1);
  await store.close();
});

test('rows that cannot be written are counted and logged, and later ones are written', async () => {
  const { directory, store, log, queue, count } = await openQueue();
  const other = new Database(join(directory, 'bookstall.db'));
  other.run("CREATE TRIGGER full BEFORE INSERT ON downloads BEGIN SELECT raise(ABORT, 'disk full'); END");
  for (const n of [1, 2, 3]) queue.add(newDownload(n));
  await queue.flush();
  queue.add(newDownload(4));
  await queue.flush();
  expect(log.map(({ event, lost }) => [event, lost])).toEqual([
    ['downloads-lost', 3],
    ['downloads-lost', 4],
  ]);
  expect(log[0]?.message).toContain('Cannot write 3 downloads');
  other.run('DROP TRIGGER full');
  other.close();
  queue.add(newDownload(5));
  await queue.flush();
  expect(await count()).toBe(1);
  await store.close();
});
