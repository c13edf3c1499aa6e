import { afterAll, expect, test } from 'bun:test';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { startRetention } from '../../src/office/chores.ts';
import { listDownloads, listQuestions } from '../../src/asking/log.ts';
import { DAY, openAdmin, TODAY } from '../helpers/admin-services.ts';

const { store, accounts, now } = await openAdmin();
const { id: accountId } = await accounts.add('ann@example.org');
await store.write.addServerStart({ id: 'start', version: '1', startedAt: TODAY });

/** Sweeps once, and gives what it logged. */
async function sweep(keep: number, write = store.write): Promise<LogEntry> {
  const { promise, resolve } = Promise.withResolvers<LogEntry>();
  const retention = startRetention({ store: { ...store, write }, log: resolve, now }, keep);
  afterAll(retention.close);
  return promise.finally(retention.close);
}

const counts = async () => ({
  questions: listQuestions({ store, now, isServed: () => false }, null, null).length,
  downloads: listDownloads({ store, now, isServed: () => false }, null, null).length,
});

test('rows older than that go, in many small writes; the others stay', async () => {
  const item = { kind: 'book', itemKey: 'heron-id', slug: 'heron', digest: 'd', door: 'zip', bytes: 7 };
  const downloads = Array.from({ length: 1300 }, (_, n) => ({
    id: `d${n}`,
    accountId: n % 2 === 0 ? accountId : null,
    keyId: null,
    ...item,
    downloadedAt: TODAY - (n < 1200 ? 11 : 9) * DAY,
  }));
  await store.write.addDownloads(JSON.stringify(downloads));
  for (const [id, days] of [
    ['old', 11],
    ['edge', 10],
    ['new', 9],
  ] as const)
    await store.write.openQuestion({
      id,
      serverStartId: 'start',
      accountId,
      keyId: 1,
      bookId: 'b',
      askedAt: TODAY - days * DAY,
      engine: 'extractive',
    });
  let largest = 0;
  const write = Object.assign(Object.create(store.write) as typeof store.write, {
    async deleteOldLogs(bound: Parameters<typeof store.write.deleteOldLogs>[0]) {
      const before = await counts();
      const result = await store.write.deleteOldLogs(bound);
      largest = Math.max(largest, before.downloads - (await counts()).downloads);
      return result;
    },
  });
  expect(await sweep(10 * DAY, write)).toEqual({
    event: 'retention',
    message: 'Deleted the log rows older than 10 days',
    questions: 1,
    downloads: 1200,
  });
  expect(await counts()).toEqual({ questions: 2, downloads: 100 });
  expect(largest).toBeLessThanOrEqual(500);
});

test('a disk that takes no write is a line, and no end', async () => {
  const deleteOldLogs = () => Promise.reject(new Error('database or disk is full'));
  const full = Object.assign(Object.create(store.write) as typeof store.write, { deleteOldLogs });
  expect(await sweep(DAY, full)).toEqual({
    event: 'retention-failed',
    message: 'Cannot delete old log rows: database or disk is full. It is tried again tomorrow',
  });
});

test('a sweep ends when the server does', async () => {
  let writes = 0;
  const deleteOldLogs = async () => {
    writes++;
    return { questions: 500, downloads: 500 };
  };
  const write = { ...store.write, deleteOldLogs };
  const retention = startRetention({ store: { ...store, write }, log: () => {}, now }, DAY);
  retention.close();
  await Bun.sleep(100);
  expect(writes).toBe(1);
});
