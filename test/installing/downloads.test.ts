import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openStall, until } from '../helpers/harness.ts';
import { sendRaw } from '../platform/http/raw-socket.ts';

const stall = await openStall();
const reader = await stall.reader('reader@example.org', 'paid-skill', 'paid-book');
const { headers } = reader;
const rows = async () => {
  const list = () => stall.app.admin.logs.downloads(null, null);
  let [before, now] = [-1, list()];
  // A row is written a tenth of a second after its download: two equal readings, further apart than that.
  while (before !== now.length) {
    before = now.length;
    await Bun.sleep(150);
    now = list();
  }
  return now;
};
let counted = 0;
/** How many rows were added since this was last asked; some are waited for, however late a busy machine writes them. */
const added = async (expected = 0) => {
  const before = counted;
  await until(async () => stall.app.admin.logs.downloads(null, null).length >= before + expected);
  counted = (await rows()).length;
  return counted - before;
};
const zipTag =
  (await stall.fetch('/api/skills/free-skill/download', { method: 'HEAD' })).headers.get('etag') ?? '';
const installTag =
  (await stall.fetch('/api/install/free-skill', { method: 'HEAD' })).headers.get('etag') ?? '';

test.each([
  ['an install', '/api/install/free-skill', {}, 1],
  ['an install with a key', '/api/install/paid-book', { headers }, 1],
  ['a zip', '/api/skills/paid-skill/download', { headers }, 1],
  ['a range from the first byte', '/api/skills/free-skill/download', { headers: { Range: 'bytes=0-1' } }, 1],
  ['a range from a later byte', '/api/skills/free-skill/download', { headers: { Range: 'bytes=1-2' } }, 0],
  ['a range beyond the end', '/api/skills/free-skill/download', { headers: { Range: 'bytes=999999-' } }, 0],
  ['HEAD of an install', '/api/install/free-skill', { method: 'HEAD' }, 0],
  ['HEAD of a zip', '/api/skills/free-skill/download', { method: 'HEAD' }, 0],
  ['304 of an install', '/api/install/free-skill', { headers: { 'If-None-Match': installTag } }, 0],
  ['304 of a zip', '/api/skills/free-skill/download', { headers: { 'If-None-Match': zipTag } }, 0],
  ['a refused install', '/api/install/paid-skill', {}, 0],
  ['a refused zip', '/api/skills/paid-skill/download', {}, 0],
  ['files as JSON', '/api/skills/paid-skill/files', { headers }, 0],
  ['the library', '/api/cli/library', { headers }, 0],
] as [string, string, RequestInit, number][])('%s (%s) writes its rows', async (_, path, init, count) => {
  await (await stall.fetch(path, init)).arrayBuffer();
  expect(await added(count)).toBe(count);
});

test('a row names who downloaded which edition by which route', async () => {
  const response = await stall.fetch('/api/install/paid-book', { headers });
  const bytes = (await response.arrayBuffer()).byteLength;
  const digest = response.headers.get('etag')?.slice(3, -1);
  const expected = {
    accountId: reader.account.id,
    keyId: reader.keyId,
    kind: 'book',
    itemKey: 'paid-id',
    slug: 'paid-book',
    digest,
    door: 'install',
    bytes,
  };
  expect((await rows()).at(-1)).toMatchObject(expected);
});

test('the row of an install has the fetchId of its record', async () => {
  const tar = Bun.gunzipSync(await (await stall.fetch('/api/install/free-skill')).arrayBuffer());
  const { fetchId } = JSON.parse(Buffer.from(tar.subarray(512, tar.indexOf(10, 512))).toString()) as {
    fetchId: string;
  };
  expect((await rows()).at(-1)?.id).toBe(fetchId);
});

test('a hundred installs at once write a hundred rows', async () => {
  await added();
  await Promise.all(
    Array.from({ length: 100 }, async () => (await stall.fetch('/api/install/free-book')).arrayBuffer()),
  );
  expect(await added(100)).toBe(100);
});

test('queued rows are written at stop', async () => {
  const other = await openStall();
  await (await other.fetch('/api/install/free-skill')).arrayBuffer();
  await other.close();
  const db = new Database(join(other.data, 'bookstall.db'), { readonly: true });
  expect(db.query('SELECT count(*) AS n FROM downloads').get()).toEqual({ n: 1 });
  db.close();
});

test('installs continue when rows cannot be written, and the loss is counted', async () => {
  const other = await openStall();
  const db = new Database(join(other.data, 'bookstall.db'));
  db.run('DROP TABLE downloads');
  for (let n = 0; n < 3; n++) expect((await other.fetch('/api/install/free-skill')).status).toBe(200);
  await until(() => other.log.some(({ event, lost }) => event === 'downloads-lost' && lost === 3));
  expect(other.log.findLast(({ event }) => event === 'downloads-lost')).toMatchObject({ lost: 3 });
  db.close();
});

test('a request that closed before reading still has its row', async () => {
  await sendRaw(stall.url, ['GET /api/install/free-skill HTTP/1.1', 'Host: x', 'Connection: close']);
  expect(await added(1)).toBe(1);
});
