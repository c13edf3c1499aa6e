import { expect, test } from 'bun:test';
import { openStall, until } from '../../helpers/harness.ts';
import { openSocket, sendRaw } from './raw-socket.ts';

const KIB = 1024;
const stall = await openStall();
const reader = await stall.reader('reader@example.org', 'paid-book');
const START = [
  'POST /api/agent/fetch HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  'Connection: close',
];
const KEY = `Authorization: Bearer ${reader.key}`;

/** A well-formed question, padded to `size` bytes by an unknown field. */
function padded(size: number): string {
  const bare = JSON.stringify({ book_id: 'paid-id', query: 'heron', pad: '' });
  return bare.replace('"pad":""', `"pad":"${'x'.repeat(size - bare.length)}"`);
}

function chunked(body: string, length = 4096): string {
  const pieces = Array.from({ length: Math.ceil(body.length / length) }, (_, n) =>
    body.slice(n * length, (n + 1) * length),
  );
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
}

test.each([
  ['128 KiB', 128 * KIB, 200],
  ['one byte more', 128 * KIB + 1, 413],
  ['900 KiB', 900 * KIB, 413],
  ['2 MiB', 2048 * KIB, 413],
])('a body of %s, with and without Content-Length', async (_, size, status) => {
  const body = padded(size);
  const counted = await sendRaw(stall.url, [...START, KEY, `Content-Length: ${size}`], body);
  expect(counted?.status).toBe(status);
  const streamed = await sendRaw(stall.url, [...START, KEY, 'Transfer-Encoding: chunked'], chunked(body));
  expect(streamed?.status).toBe(status);
  if (status === 413 && size < 1024 * KIB)
    expect(JSON.parse(streamed?.body ?? '')).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  expect((await stall.fetch('/livez')).status).toBe(200);
});

const FORM = 'Content-Type: application/x-www-form-urlencoded';

test.each([
  ['/api/agent/fetch', 500, 1, 200],
  ['/api/agent/fetch', 1000, 1, 400],
  ['/api/agent/fetch', 120 * KIB, 256, 200],
  ['/api/agent/fetch', 120 * KIB, 64, 400],
  ['/mcp', 1000, 1, 400],
  ['/redeem', 1000, 1, 400],
])('%s takes %i bytes in chunks of %i with %i', async (path, size, length, status) => {
  const type = path === '/redeem' ? FORM : 'Content-Type: application/json';
  const lines = ['Host: x', type, KEY, 'Sec-Fetch-Site: same-origin', 'Connection: close'];
  const answer = await sendRaw(
    stall.url,
    [`POST ${path} HTTP/1.1`, ...lines, 'Transfer-Encoding: chunked'],
    chunked(padded(size), length),
  );
  expect(answer?.status).toBe(status);
  if (status === 400) expect(answer?.body).toContain('too many small pieces');
});

test('a large body without a key is 401, whatever it holds', async () => {
  const body = '{'.repeat(200 * KIB);
  const answer = await sendRaw(stall.url, [...START, `Content-Length: ${body.length}`], body);
  expect(answer?.status).toBe(401);
});

test('a body that never comes gets no answer and holds nothing up', async () => {
  const sockets = Array.from({ length: 20 }, () =>
    openSocket(stall.url, [...START, KEY, 'Content-Length: 100'], '{'),
  );
  await Bun.sleep(100);
  expect((await stall.fetch('/livez')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await Bun.sleep(100);
  const after = await sendRaw(
    stall.url,
    [...START, KEY, `Content-Length: ${padded(200).length}`],
    padded(200),
  );
  expect(after?.status).toBe(200);
});

test.each([
  ['a byte order mark before JSON', '\ufeff{"book_id":"paid-id","query":"heron"}', [200, 400]],
  [
    'bytes that are no UTF-8',
    Buffer.concat([
      Buffer.from('{"book_id":"paid-id","query":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(' heron"}'),
    ]),
    [200, 400],
  ],
  ['repeated names', '{"book_id":"nothing","book_id":"paid-id","query":"heron"}', [200]],
  ['NUL in the book', '{"book_id":"paid-id\\u0000","query":"heron"}', [404]],
  ['an own property as book', '{"book_id":"__proto__","query":"heron"}', [404]],
  ['two JSON values', '{"book_id":"paid-id","query":"heron"}{}', [400]],
] as [string, string | Buffer, number[]][])('a body with %s', async (_, body, statuses) => {
  const bytes = Buffer.from(body);
  const answer = await sendRaw(stall.url, [...START, KEY, `Content-Length: ${bytes.length}`], bytes);
  expect(statuses).toContain(answer?.status ?? 0);
});

test('a client that leaves in the middle of a body is no internal error', async () => {
  const before = stall.log.length;
  const socket = openSocket(stall.url, [...START, KEY, 'Content-Length: 500'], '{"book_id":');
  await Bun.sleep(100);
  socket.destroy();
  await until(() => stall.log.length > before);
  expect(stall.log.slice(before)).toMatchObject([{ route: '/api/agent/fetch', status: 400 }]);
});

test('a question whose framing breaks after the last chunk is not asked', async () => {
  const rows = async () => stall.app.admin.logs.fetches(null, null).length;
  const [before, lines] = [await rows(), stall.log.length];
  const body = chunked(padded(200)).replace(/\r\n$/, 'X-Trailer: y\r\n\r\n');
  const answer = await sendRaw(stall.url, [...START, KEY, 'Transfer-Encoding: chunked'], body);
  expect(answer?.status).toBe(400);
  while (stall.log.length === lines) await Bun.sleep(5);
  expect(stall.log.slice(lines)).toMatchObject([{ route: '/api/agent/fetch', status: 400 }]);
  expect(await rows()).toBe(before);
});
