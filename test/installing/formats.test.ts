import { expect, test } from 'bun:test';
import { itemYaml, openStall, skillMd, until } from '../helpers/harness.ts';

const PDF = '%PDF-1.7\n\u0000';
const TALK = Buffer.from(Array.from({ length: 100_001 }, (_, n) => (n * 7) % 251));
const stall = await openStall({
  files: {
    'books/paid/item.yaml': itemYaml({
      id: 'paid',
      unitAmountCents: 900,
      formats: '[out/book.pdf, book.EPUB, {path: talk.mp3, label: Listen to it}, sheets.ods]',
    }),
    'books/paid/01.md': '# One\n\n![A walk](talk.mp3)\n\n<audio src="other.pdf"></audio>\n',
    'books/paid/out/book.pdf': PDF,
    'books/paid/book.EPUB': Buffer.from([0x50, 0x4b, 0, 255]),
    'books/paid/other.pdf': PDF,
    'books/paid/talk.mp3': TALK,
    'books/paid/sheets.ods': Buffer.from([0x50, 0x4b, 0, 254]),
    'skills/free/item.yaml': itemYaml({ formats: '[free.pdf]' }),
    'skills/free/SKILL.md': skillMd('free'),
    'skills/free/free.pdf': PDF,
  },
});
const { headers } = await stall.reader('reader@example.org', 'paid');
const other = await stall.reader('other@example.org');

test.each([
  ['/books/paid/files/out/book.pdf', 'application/pdf', 'book.pdf'],
  ['/books/paid/files/book.EPUB', 'application/epub+zip', 'book.EPUB'],
  ['/books/paid/files/other.pdf', 'application/pdf', 'other.pdf'],
  ['/books/paid/files/talk.mp3', 'audio/mpeg', 'talk.mp3'],
  ['/books/paid/files/sheets.ods', 'application/octet-stream', 'sheets.ods'],
  ['/skills/free/files/free.pdf', 'application/pdf', 'free.pdf'],
])('%s is sent as %s to be saved', async (path, type, name) => {
  const answer = await stall.fetch(path, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('content-disposition')).toStartWith(`attachment; filename="${name}"`);
});

test.each([
  ['nobody', {}, 401],
  ['a stranger', other.headers, 403],
])('a paid format is refused to %s', async (_, sent, status) => {
  expect((await stall.fetch('/books/paid/files/out/book.pdf', { headers: sent })).status).toBe(status);
});

test('each format that is sent is a download an hour, and no other file is', async () => {
  const reader = await stall.reader('counted@example.org', 'paid');
  const paths = ['/books/paid/files/other.pdf', '/books/paid/files/01.md', '/books/paid/files/out/book.pdf'];
  for (const path of [...paths, ...paths])
    await (await stall.fetch(path, { headers: reader.headers })).arrayBuffer();
  await stall.fetch('/books/paid/files/out/book.pdf', { method: 'HEAD', headers: reader.headers });
  await (await stall.fetch('/api/install/paid', { headers: reader.headers })).arrayBuffer();
  const rows = () => stall.app.admin.logs.downloads('counted@example.org', null);
  await until(async () => rows().some(({ door }) => door === 'install'));
  expect(rows().filter(({ door }) => door === 'file')).toMatchObject([
    { itemKey: 'paid', slug: 'paid', bytes: Buffer.byteLength(PDF), keyId: reader.keyId },
  ]);
});

test.each([
  ['bytes=0-9', 206, 0, 10],
  ['bytes=1-1', 206, 1, 2],
  ['bytes=65533-65540', 206, 65_533, 65_541],
  ['bytes=2-', 206, 2, 100_001],
  ['bytes=-4', 206, 99_997, 100_001],
  ['bytes=0-5,9-12', 200, 0, 100_001],
])('a recording is sent in ranges: %s', async (range, status, start, end) => {
  const answer = await stall.fetch('/books/paid/files/talk.mp3', { headers: { ...headers, Range: range } });
  expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([status, 'bytes']);
  const whole = status === 200 ? null : `bytes ${start}-${end - 1}/100001`;
  expect(answer.headers.get('content-range')).toBe(whole);
  expect(Buffer.from(await answer.arrayBuffer()).equals(TALK.subarray(start, end))).toBeTrue();
});

test('a range beyond its end is refused', async () => {
  const sent = { headers: { ...headers, Range: 'bytes=100001-' } };
  const answer = await stall.fetch('/books/paid/files/talk.mp3', sent);
  expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */100001']);
});

test('its page and its feed have the label', async () => {
  const page = await (await stall.fetch('/books/paid')).text();
  expect(page).toContain('Listen to it (100 KB)');
  const feed = await (await stall.fetch('/opds/all', { headers })).text();
  expect(feed).toContain('title="Listen to it"');
});

test('a chapter plays it with the controls of the browser, and plays nothing else', async () => {
  const page = await stall.fetch('/books/paid/read/01.md', { headers });
  const html = await page.text();
  expect(html.match(/<audio [^>]*>/g)).toEqual([
    '<audio src="/books/paid/files/talk.mp3" controls="" preload="metadata" aria-label="A walk">',
  ]);
  expect(page.headers.get('content-security-policy')).toContain("media-src 'self';");
});
