import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { itemYaml, openStall, SHELF, skillMd, temporaryDirectory } from '../helpers/harness.ts';

const noise = Buffer.concat(Array.from({ length: 150 }, () => crypto.getRandomValues(Buffer.alloc(65_536))));
const stall = await openStall({
  files: {
    ...SHELF,
    'skills/large-skill/item.yaml': itemYaml(),
    'skills/large-skill/SKILL.md': skillMd('large-skill'),
    'skills/large-skill/noise.bin': noise,
  },
});
const PATH = '/api/skills/free-skill/download';
const whole = Buffer.from(await (await stall.fetch(PATH)).arrayBuffer());
const etag = `"${createHash('sha256').update(whole).digest('hex')}"`;
const get = (headers: Readonly<Record<string, string>>, method = 'GET') =>
  stall.fetch(PATH, { method, headers });

test('zip answers with exactly the headers the contract lists; its tag is the hash of its bytes', async () => {
  const response = await get({});
  const { date: _, ...rest } = Object.fromEntries(response.headers);
  expect(response.status).toBe(200);
  expect(rest).toEqual({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="free-skill.zip"',
    'content-length': String(whole.length),
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag,
  });
});

test('zip holds the files under the slug with their modes, and no install record', async () => {
  const archive = join(temporaryDirectory(), 'free-skill.zip');
  await Bun.write(archive, whole);
  const listing = Bun.spawnSync(['unzip', '-Z', archive]).stdout.toString();
  expect(listing.match(/free-skill\/\S+/g)).toEqual(['free-skill/SKILL.md', 'free-skill/scripts/run.sh']);
  expect(listing).toMatch(/-rw-r--r--.*SKILL\.md/);
  expect(listing).toMatch(/-rwxr-xr-x.*run\.sh/);
  expect(Bun.spawnSync(['unzip', '-tq', archive]).exitCode).toBe(0);
});

test('everybody gets the same bytes', async () => {
  const { headers } = await stall.reader('reader@example.org');
  expect(Buffer.from(await (await get(headers)).arrayBuffer())).toEqual(whole);
});

const last = whole.length - 1;
test.each([
  ['bytes=0-9', 206, 0, 10],
  ['bytes=10-19', 206, 10, 20],
  ['bytes=5-', 206, 5, whole.length],
  ['bytes=-7', 206, whole.length - 7, whole.length],
  [`bytes=${last}-${last}`, 206, last, whole.length],
  ['bytes=0-999999999', 206, 0, whole.length],
  ['bytes=-999999999', 206, 0, whole.length],
  ['bytes=0-1,4-5', 200, 0, whole.length],
  ['BYTES=3-3', 206, 3, 4],
  ['bytes=5-4', 200, 0, whole.length],
  ['items=0-1', 200, 0, whole.length],
  ['bytes', 200, 0, whole.length],
  ['bytes=a-b', 200, 0, whole.length],
])('Range: %s answers %d', async (range, status, start, end) => {
  const response = await get({ Range: range });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-range')).toBe(
    status === 206 ? `bytes ${start}-${end - 1}/${whole.length}` : null,
  );
  expect(response.headers.get('content-length')).toBe(String(end - start));
  expect(Buffer.from(await response.arrayBuffer())).toEqual(whole.subarray(start, end));
});

test('a range beyond the end answers 416 with the length', async () => {
  const response = await get({ Range: `bytes=${whole.length}-` });
  expect(response.status).toBe(416);
  expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ error: expect.any(String), code: 'INVALID_REQUEST' });
});

test.each([
  ['the tag', etag, 206],
  ['another tag', '"other"', 200],
  ['the tag as a weak one', `W/${etag}`, 200],
  ['a date', 'Wed, 21 Oct 2026 07:28:00 GMT', 200],
])('If-Range with %s answers %d', async (_, condition, status) => {
  expect((await get({ Range: 'bytes=0-1', 'If-Range': condition })).status).toBe(status);
});

test('HEAD has the length of the whole and ignores a range', async () => {
  const head = await get({ Range: 'bytes=0-1' }, 'HEAD');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(whole.length),
    '',
  ]);
});

test.each([
  ['the tag', etag, 304],
  ['a list with it', `W/"a", W/${etag}`, 304],
  ['another', '"other"', 200],
])('If-None-Match with %s answers %d, before any range', async (_, tags, status) => {
  const response = await get({ 'If-None-Match': tags, ...(status === 304 ? { Range: 'bytes=0-1' } : {}) });
  expect(response.status).toBe(status);
  if (status === 304) expect([response.headers.get('etag'), await response.text()]).toEqual([etag, '']);
});

test.each([
  ['/api/skills/free-book/download', 404, 'NOT_FOUND'],
  ['/api/skills/nothing/download', 404, 'NOT_FOUND'],
])('%s answers %d %s', async (path, status, code) => {
  const response = await stall.fetch(path);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code });
});

test('an archive beyond memory is streamed, whole and in ranges, under the same tag', async () => {
  const path = '/api/skills/large-skill/download';
  const response = await stall.fetch(path);
  const all = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('etag')).toBe(`"${createHash('sha256').update(all).digest('hex')}"`);
  const head = await stall.fetch(path, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(all.length));
  const part = await stall.fetch(path, { headers: { Range: 'bytes=262100-1048600' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 262100-1048600/${all.length}`,
  ]);
  expect(Buffer.from(await part.arrayBuffer()).equals(all.subarray(262_100, 1_048_601))).toBe(true);
});
