import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type LogEntry } from '../../../src/platform/base/log.ts';
import { itemYaml, openStall, SHELF, skillMd, until } from '../../helpers/harness.ts';
import { openSocket } from './raw-socket.ts';

const noise = Buffer.concat(Array.from({ length: 400 }, () => crypto.getRandomValues(Buffer.alloc(65_536))));
const stall = await openStall({
  files: {
    ...SHELF,
    'books/large-book/item.yaml': itemYaml({ id: 'large-id' }),
    'books/large-book/noise.bin': noise,
    'skills/large-skill/item.yaml': itemYaml(),
    'skills/large-skill/SKILL.md': skillMd('large-skill'),
    'skills/large-skill/noise.bin': noise.subarray(0, 9_000_000),
  },
});
const reader = await stall.reader('reader@example.org', 'paid-book', 'paid-skill');
const SECRET = 'xylophonic heron zeppelin';
const FIELDS = ['event', 'id', 'method', 'route', 'status', 'ms', 'bytes', 'account'];

/** The request lines that a call adds; a line is written when its answer has ended. */
async function linesOf(call: () => Promise<unknown>): Promise<readonly LogEntry[]> {
  const before = stall.log.length;
  await call();
  await until(() => stall.log.slice(before).some(({ event }) => event === 'request'));
  await Bun.sleep(30);
  return stall.log.slice(before).filter(({ event }) => event === 'request');
}

const json = { 'Content-Type': 'application/json', ...reader.headers };
const ask = (query: string, headers: Readonly<Record<string, string>> = json): RequestInit => ({
  method: 'POST',
  headers,
  body: JSON.stringify({ book_id: 'paid-id', query }),
});

test.each<[string, RequestInit, string, number, string | null]>([
  ['/', {}, '/', 200, null],
  ['/api/items?limit=1', {}, '/api/items', 200, null],
  ['/api/install/free-skill', {}, '/api/install/:slug', 200, null],
  ['/api/install/paid-skill', { headers: reader.headers }, '/api/install/:slug', 200, reader.account.id],
  ['/api/install/paid-skill', {}, '/api/install/:slug', 401, null],
  ['/api/install/archived-book', { headers: reader.headers }, '/api/install/:slug', 404, reader.account.id],
  ['/api/cli/library', { headers: reader.headers }, '/api/cli/library', 200, reader.account.id],
  [
    '/api/skills/paid-skill/files?path=SKILL.md',
    { headers: reader.headers },
    '/api/skills/:slug/files',
    200,
    reader.account.id,
  ],
  ['/api/books/paid-id/files', { headers: reader.headers }, '/api/books/:id/files', 200, reader.account.id],
  ['/api/skills/free-skill/download', {}, '/api/skills/:slug/download', 200, null],
  [
    '/api/skills/free-skill/download',
    { headers: { Range: 'bytes=0-3' } },
    '/api/skills/:slug/download',
    206,
    null,
  ],
  [
    '/api/skills/free-skill/download',
    { headers: { Range: 'bytes=99999-' } },
    '/api/skills/:slug/download',
    416,
    null,
  ],
  ['/api/install/free-skill', { headers: { 'If-None-Match': '*' } }, '/api/install/:slug', 304, null],
  ['/api/install/large-book', {}, '/api/install/:slug', 200, null],
  ['/api/skills/large-skill/download', {}, '/api/skills/:slug/download', 200, null],
  ['/api/agent/fetch', ask(SECRET), '/api/agent/fetch', 200, reader.account.id],
  ['/api/agent/fetch', ask('', json), '/api/agent/fetch', 400, reader.account.id],
  ['/api/agent/fetch', ask(SECRET, { 'Content-Type': 'application/json' }), '/api/agent/fetch', 401, null],
  ['/livez', {}, '/livez', 200, null],
  ['/api/items', { method: 'DELETE' }, 'none', 405, null],
  [`/nothing/${reader.key}?key=${reader.key}`, {}, 'none', 404, null],
  [`/api/items?key=${reader.key}`, {}, '/api/items', 400, null],
])('%s is one line with what was sent', async (path, init, route, status, account) => {
  let bytes = 0;
  const lines = await linesOf(async () => {
    const response = await stall.fetch(path, { ...init, decompress: false });
    bytes = (await response.arrayBuffer()).byteLength;
  });
  expect(lines).toHaveLength(1);
  expect(Object.keys(lines[0] ?? {})).toEqual(FIELDS);
  expect(lines[0]).toMatchObject({ method: init.method ?? 'GET', route, status, bytes, account });
  expect(lines[0]?.['ms']).toBeGreaterThanOrEqual(0);
});

test('a HEAD sent no bytes', async () => {
  const lines = await linesOf(() => stall.fetch('/api/install/free-skill', { method: 'HEAD' }));
  expect(lines[0]).toMatchObject({ method: 'HEAD', status: 200, bytes: 0 });
});

test('a download cut short is one line, written when it ends, with less than its bytes', async () => {
  const before = stall.log.length;
  const socket = openSocket(stall.url, ['GET /api/install/large-book HTTP/1.1', 'Host: x']);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  expect(stall.log.slice(before)).toEqual([]);
  socket.destroy();
  for (let n = 0; n < 200 && stall.log.length === before; n++) await Bun.sleep(10);
  const [line] = stall.log.slice(before);
  expect(line).toMatchObject({ route: '/api/install/:slug', status: 200 });
  expect(line?.['bytes']).toBeLessThan(noise.length);
});

test('readers who leave at once: every download that began has its line', async () => {
  const large = ({ event, route, status }: LogEntry) =>
    event === 'request' && route === '/api/install/:slug' && status === 200;
  const rows = async () =>
    stall.app.admin.logs.downloads(null, null).filter(({ slug }) => slug === 'large-book').length;
  await Bun.sleep(150);
  const began = await rows();
  const before = stall.log.filter(large).length;
  for (let n = 0; n < 40; n++) {
    const socket = openSocket(stall.url, ['GET /api/install/large-book HTTP/1.1', 'Host: x']);
    await Bun.sleep(n % 8);
    socket.destroy();
  }
  await until(async () => (await rows()) > began);
  await until(async () => stall.log.filter(large).length - before === (await rows()) - began);
  await Bun.sleep(400);
  expect(await rows()).toBeGreaterThan(began);
  expect(stall.log.filter(large).length - before).toBe((await rows()) - began);
});

test('request ids differ, and an entry is one line of JSON with an ISO time', async () => {
  const ids = stall.log.map(({ id }) => id).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(ids.length);
  let written = '';
  const log = createLog('json', (line) => (written += line));
  log({ event: 'request', route: 'a\nb', status: 200, account: null });
  await until(() => written !== '');
  expect(written).toMatch(/^\{"time":"\d{4}-\d\d-\d\dT[\d:.]+Z","event":"request",.*\}\n$/);
  expect(written.trimEnd()).not.toContain('\n');
});

test('no key, question or query string is in any log line or any file of the data directory', async () => {
  await (await stall.fetch('/api/agent/fetch', ask(SECRET))).text();
  await stall.fetch(`/api/items?limit=${SECRET}&key=${reader.key}`);
  await Bun.sleep(150);
  const hash = createHash('sha256').update(reader.key).digest();
  const files = readdirSync(stall.data, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = Buffer.concat(files.map((entry) => readFileSync(join(entry.parentPath, entry.name))));
  expect(bytes.includes(hash)).toBe(true);
  const logged = stall.log.map((entry) => JSON.stringify(entry)).join('\n');
  for (const secret of [reader.key, reader.key.slice(8), 'xylophonic', 'zeppelin']) {
    expect(`${secret}: ${bytes.includes(secret)} ${logged.includes(secret)}`).toBe(`${secret}: false false`);
  }
  expect(logged).not.toContain('?');
});
