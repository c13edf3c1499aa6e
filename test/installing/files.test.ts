import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { itemYaml, openStall, SHELF, skillMd } from '../helpers/harness.ts';

const MIB = 1024 * 1024;
/** Awkward files of one skill: each must come back byte for byte. */
const ODD: Readonly<Record<string, Uint8Array>> = {
  'SKILL.md': Buffer.from(skillMd('odd-skill')),
  'bom.txt': Buffer.from('\uFEFFbegins with a byte order mark'),
  'crlf.txt': Buffer.from('a\r\nb\rc\n'),
  'controls.txt': Buffer.from(Array.from({ length: 128 }, (_, n) => n)),
  'empty.txt': Buffer.alloc(0),
  'emoji.txt': Buffer.from('😀 𝔘 "quoted" \\ back \u2028 separator'),
  'latin1.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  'surrogate.txt': Buffer.from([0xed, 0xa0, 0x80]),
  'ä b/ö%2f.md': Buffer.from('odd path'),
};
const stall = await openStall({
  files: {
    ...SHELF,
    ...Object.fromEntries(Object.entries(ODD).map(([path, bytes]) => [`skills/odd-skill/${path}`, bytes])),
    'skills/odd-skill/item.yaml': itemYaml(),
    'books/large-book/item.yaml': itemYaml({ id: 'large-id' }),
    'books/large-book/half.txt': Buffer.alloc(55 * MIB, 'a'),
    'books/large-book/rest.txt': Buffer.alloc(9 * MIB + 1, 'b'),
    'books/empty-book/item.yaml': itemYaml({ id: 'empty-id' }),
  },
});
const { headers } = await stall.reader(
  'reader@example.org',
  'odd-skill',
  'large-book',
  'empty-book',
  'paid-book',
  'free-skill',
);

type Record_ = { path: string; content: string; sha256: string; encoding?: string };
const get = (path: string, more: Readonly<Record<string, string>> = {}) =>
  stall.fetch(path, { headers: { ...headers, ...more } });
const list = async (path: string) => ((await (await get(path)).json()) as { files: Record_[] }).files;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('every file comes back byte for byte with its hash, sorted by path', async () => {
  const files = await list('/api/skills/odd-skill/files');
  const paths = Object.keys(ODD).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(files.map(({ path }) => path)).toEqual(paths);
  for (const { path, content, sha256: hash, encoding } of files) {
    const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
    expect(`${path} ${bytes.toString('hex')}`).toBe(
      `${path} ${Buffer.from(ODD[path] ?? []).toString('hex')}`,
    );
    expect(hash).toBe(sha256(bytes));
  }
  expect(files.filter(({ encoding }) => encoding !== undefined).map(({ path }) => path)).toEqual([
    'latin1.txt',
    'surrogate.txt',
  ]);
  expect(Object.keys(files[0] ?? {})).toEqual(['path', 'content', 'sha256']);
});

test.each(Object.keys(ODD))('?path=%s returns that one record', async (path) => {
  const all = await list('/api/skills/odd-skill/files');
  expect(await list(`/api/skills/odd-skill/files?path=${encodeURIComponent(path)}`)).toEqual(
    all.filter((file) => file.path === path),
  );
});

test('?content=false gives paths and hashes alone', async () => {
  const all = await list('/api/skills/odd-skill/files');
  const bare = all.map(({ path, sha256: hash }) => ({ path, sha256: hash }));
  expect(await list('/api/skills/odd-skill/files?content=false')).toEqual(bare as Record_[]);
  expect(await list('/api/skills/odd-skill/files?content=false&path=SKILL.md')).toEqual([bare[0] as Record_]);
});

test.each([
  ['/api/skills/odd-skill/files?path=item.yaml', 404, 'NOT_FOUND'],
  ['/api/skills/odd-skill/files?path=../odd-skill/SKILL.md', 404, 'NOT_FOUND'],
  ['/api/skills/odd-skill/files?path=', 404, 'NOT_FOUND'],
  ['/api/skills/odd-skill/files?path=%ff', 404, 'NOT_FOUND'],
  ['/api/skills/odd-skill/files?content=maybe', 400, 'INVALID_REQUEST'],
  ['/api/books/large-id/files', 413, 'PAYLOAD_TOO_LARGE'],
  ['/api/books/empty-id/files', 404, 'NO_CONTENT'],
  ['/api/books/paid-book/files', 404, 'NOT_FOUND'],
  ['/api/skills/paid-book/files', 404, 'NOT_FOUND'],
  ['/api/books/odd-skill/files', 404, 'NOT_FOUND'],
])('%s answers %d %s', async (path, status, code) => {
  const response = await get(path);
  expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String), code }]);
});

test('413 names two ways to get the files, and both work', async () => {
  const { error } = (await (await get('/api/books/large-id/files')).json()) as { error: string };
  expect(error).toContain('?path=');
  expect(error).toContain('?content=false');
  expect(await list('/api/books/large-id/files?content=false')).toHaveLength(2);
  const [rest] = await list('/api/books/large-id/files?path=rest.txt');
  expect(rest?.content).toBe('b'.repeat(9 * MIB + 1));
});

test('403 of a free item points to install', async () => {
  const stranger = await stall.reader('stranger@example.org');
  const response = await stall.fetch('/api/books/free-id/files', { headers: stranger.headers });
  expect(response.status).toBe(403);
  expect(((await response.json()) as { error: string }).error).toContain('/api/install/free-book');
});

test.each([
  '/api/books/paid-id/files',
  '/api/skills/odd-skill/files?path=bom.txt',
  '/api/skills/odd-skill/files?content=false',
])('%s has exact headers, a HEAD of the same length and a 304', async (path) => {
  const response = await get(path);
  const { date: _, etag = '', 'content-length': length, ...rest } = Object.fromEntries(response.headers);
  expect(rest).toEqual({
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie',
    'x-content-type-options': 'nosniff',
  });
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(length).toBe(String((await response.arrayBuffer()).byteLength));
  const head = await stall.fetch(path, { method: 'HEAD', headers });
  expect([
    head.status,
    head.headers.get('content-length'),
    head.headers.get('etag'),
    await head.text(),
  ]).toEqual([200, String(length), etag, '']);
  const fresh = await get(path, { 'If-None-Match': `"x", ${etag}` });
  expect([fresh.status, fresh.headers.get('etag'), fresh.headers.get('vary'), await fresh.text()]).toEqual([
    304,
    etag,
    'Authorization, Cookie',
    '',
  ]);
});

test('HEAD of a streamed answer names its length', async () => {
  const path = '/api/books/large-id/files?path=rest.txt';
  const head = await stall.fetch(path, { method: 'HEAD', headers });
  expect(head.headers.get('content-length')).toBe(String((await (await get(path)).arrayBuffer()).byteLength));
});

test('each view of an item has its own entity tag', async () => {
  const views = ['', '?path=bom.txt', '?path=crlf.txt', '?content=false', '?content=false&path=bom.txt'];
  const tags = await Promise.all(
    views.map(async (view) => (await get(`/api/skills/odd-skill/files${view}`)).headers.get('etag')),
  );
  expect(new Set(tags).size).toBe(views.length);
});
