import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF, skillMd } from '../helpers/harness.ts';
import { getRaw } from '../platform/http/raw-socket.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 128, 10]);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const LONG_TEXT = '狐 "fox" \\ \u0001\n'.repeat(700_000);
const LONG_BYTES = Uint8Array.from({ length: 9_000_001 }, (_, n) => (n * 7) % 256);
const OTHER_BYTES = LONG_BYTES.map((byte) => 255 - byte);
const ODD = 'sub/“odd” é % #1?.txt';

const stall = await openStall({
  files: {
    ...SHELF,
    'books/full-book/item.yaml': itemYaml({ id: 'full-id', unitAmountCents: 100, sample: '[01.md]' }),
    'books/full-book/01.md': 'The sample\n',
    'books/full-book/02.md': 'The secret heron\n',
    'skills/bytes/item.yaml': itemYaml(),
    'skills/bytes/SKILL.md': skillMd('bytes'),
    'skills/bytes/a.PNG': PNG,
    'skills/bytes/a.svg': SVG,
    'skills/bytes/page.html': SVG,
    'skills/bytes/x.constructor': SVG,
    [`skills/bytes/${ODD}`]: 'odd',
    'skills/long/item.yaml': itemYaml(),
    'skills/long/SKILL.md': skillMd('long'),
    'skills/long/long.txt': LONG_TEXT,
    'skills/long/long.bin': LONG_BYTES,
    'skills/long/other.bin': OTHER_BYTES,
  },
});
const holder = await stall.reader('holder@example.org', 'full-book', 'archived-book');
const other = await stall.reader('other@example.org');

test.each([
  ['/skills/bytes/files/a.PNG', 'image/png', null],
  ['/skills/bytes/files/a.svg', 'image/svg+xml', 'attachment; filename="a.svg"; filename*=UTF-8\'\'a.svg'],
  [
    '/skills/bytes/files/page.html',
    'application/octet-stream',
    'attachment; filename="page.html"; filename*=UTF-8\'\'page.html',
  ],
  [
    '/skills/bytes/files/x.constructor',
    'application/octet-stream',
    'attachment; filename="x.constructor"; filename*=UTF-8\'\'x.constructor',
  ],
  [
    `/skills/bytes/files/${ODD.split('/').map(encodeURIComponent).join('/')}`,
    'application/octet-stream',
    'attachment; filename="_odd_ _ _ #1?.txt"; filename*=UTF-8\'\'%E2%80%9Codd%E2%80%9D%20%C3%A9%20%25%20%231%3F.txt',
  ],
])('%s is sent as %s, in a sandbox', async (path, type, disposition) => {
  const { status, headers } = await stall.fetch(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('content-disposition')).toBe(disposition);
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('vary')).toBe('Cookie, Authorization');
});

test('the bytes are those of the file, even if it is too long for memory', async () => {
  expect(await (await stall.fetch('/skills/bytes/files/a.PNG')).bytes()).toEqual(PNG);
  expect(await (await stall.fetch('/skills/long/files/long.txt')).text()).toBe(LONG_TEXT);
  const bytes = await (await stall.fetch('/skills/long/files/long.bin')).bytes();
  expect(Bun.hash(bytes)).toBe(Bun.hash(LONG_BYTES));
});

test('two files too long for memory that are sent at once do not mix', async () => {
  const files = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? 'long' : 'other'));
  const hashes = await Promise.all(
    files.map(async (name) => Bun.hash(await (await stall.fetch(`/skills/long/files/${name}.bin`)).bytes())),
  );
  const expected = { long: Bun.hash(LONG_BYTES), other: Bun.hash(OTHER_BYTES) };
  expect(hashes).toEqual(files.map((name) => expected[name]));
});

test('HEAD gives the length, and a known ETag is answered 304', async () => {
  const head = await stall.fetch('/skills/bytes/files/a.svg', { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(SVG.length));
  const etag = head.headers.get('etag') ?? '';
  const again = await stall.fetch('/skills/bytes/files/a.svg', { headers: { 'If-None-Match': etag } });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
});

describe('access to a file', () => {
  test.each([
    ['/books/free-book/files/01.md', 200, 200, 200],
    ['/books/full-book/files/01.md', 200, 200, 200],
    ['/books/full-book/files/02.md', 401, 403, 200],
    ['/books/full-book/files/03.md', 401, 403, 404],
    ['/books/draft-book/files/01.md', 404, 404, 404],
    ['/books/archived-book/files/01.md', 404, 404, 200],
    ['/skills/full-book/files/01.md', 404, 404, 404],
    ['/books/no-book/files/01.md', 404, 404, 404],
    ['/books/free-book/files/', 404, 404, 404],
    ['/books/free-book/files/item.yaml', 404, 404, 404],
    ['/books/free-book/files/..%2fpaid-book%2f01.md', 404, 404, 404],
    ['/books/free-book/files/%2e%2e/%2e%2e/stall.yaml', 404, 404, 404],
    ['/books/free-book/files/01.md%00', 404, 404, 404],
    ['/books/free-book/files/%ff', 404, 404, 404],
    ['/books/free-book/files/%', 404, 404, 404],
    ['/books/free-book/files//01.md', 404, 404, 404],
    ['/books/free-book/files/./01.md', 200, 200, 200],
  ])('%s: nobody %d, an account %d, a holder %d', async (path, forNobody, forAccount, forHolder) => {
    const expected = [forNobody, forAccount, forHolder];
    const lines = [[], other.key, holder.key].map((key) =>
      typeof key === 'string' ? [`Authorization: Bearer ${key}`] : [],
    );
    const answers = await Promise.all(lines.map((line) => getRaw(stall.url, path, ...line)));
    expect(answers.map((answer) => answer?.status)).toEqual(expected);
    for (const answer of answers)
      if (answer?.status !== 200) expect(answer?.body).not.toContain('heron stands');
  });

  test('a POST is answered 405 with the allowed methods', async () => {
    const response = await stall.fetch('/books/free-book/files/a/b.md', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('a page shows an SVG as an image, and a script in it has nowhere to run', async () => {
  const shown = await openStall({
    files: {
      'books/drawn/item.yaml': itemYaml({ id: 'drawn-id', sample: '[01.md]', unitAmountCents: 100 }),
      'books/drawn/01.md': '# Drawn\n\n![a heron](a.svg) <object data="a.svg"></object>\n',
      'books/drawn/02.md': '![hidden](b.svg)\n',
      'books/drawn/a.svg': SVG,
      'books/drawn/b.svg': SVG,
    },
  });
  const page = await (await shown.fetch('/books/drawn/read/01.md')).text();
  expect(page).toContain('<img alt="a heron" src="/books/drawn/files/a.svg"');
  expect(page).not.toMatch(/<(?:object|svg[^>]*>\s*<script)/);
  // An image that the sample shows is as open as the sample.
  const { status, headers } = await shown.fetch('/books/drawn/files/a.svg');
  expect([status, headers.get('content-disposition')?.split(';')[0]]).toEqual([200, 'attachment']);
  expect((await shown.fetch('/books/drawn/files/b.svg')).status).toBe(401);
});
