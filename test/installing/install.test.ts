import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, openStall, SHELF, skillMd, temporaryDirectory } from '../helpers/harness.ts';

const noise = new Uint8Array(9_000_000);
for (let at = 0; at < noise.length; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536));

const stall = await openStall({
  files: {
    ...SHELF,
    'books/empty-book/item.yaml': itemYaml({ id: 'empty-id' }),
    'books/large-book/item.yaml': itemYaml({ id: 'large-id', version: '1.10' }),
    'books/large-book/noise.bin': noise,
    'skills/odd-names/item.yaml': itemYaml(),
    'skills/odd-names/SKILL.md': skillMd('odd-names'),
    'skills/odd-names/ä/ö ü.md': 'x\r\n',
    'skills/odd-names/run.sh': '#!/bin/sh\n',
  },
});
const holder = await stall.reader('holder@example.org', 'paid-skill');

/** Extracts an install with the system's tar and gives the folder, the record and its raw line. */
async function extract(response: Response, slug: string) {
  const directory = temporaryDirectory();
  const archive = join(directory, 'archive.tar.gz');
  await Bun.write(archive, await response.arrayBuffer());
  const names = Bun.spawnSync(['tar', '-tzf', archive]).stdout.toString().trimEnd().split('\n');
  expect(Bun.spawnSync(['tar', '-xzpf', archive, '-C', directory]).exitCode).toBe(0);
  const line = readFileSync(join(directory, slug, '.svc-install'), 'utf8');
  return { directory, names, line, record: JSON.parse(line) as Record<string, unknown> };
}

test('install answers with exactly the headers the contract lists', async () => {
  const response = await stall.fetch('/api/install/free-skill');
  const {
    date: _,
    etag,
    'content-length': length,
    'x-archive-length': archive,
    ...rest
  } = Object.fromEntries(response.headers);
  const bytes = (await response.arrayBuffer()).byteLength;
  expect(response.status).toBe(200);
  expect(rest).toEqual({
    'content-type': 'application/gzip',
    'content-disposition': 'attachment; filename="free-skill.tar.gz"',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect([length, archive]).toEqual([String(bytes), String(bytes)]);
  expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
});

test.each(['free-book', 'free-skill', 'odd-names', 'large-book'])(
  'install of %s: record first, digest true, modes kept',
  async (slug) => {
    const response = await stall.fetch(`/api/install/${slug}`);
    const { directory, names, line, record } = await extract(response, slug);
    expect(names[0]).toBe(`${slug}/.svc-install`);
    expect(names.every((name) => name.startsWith(`${slug}/`))).toBe(true);
    expect(line).toMatch(/^[^\n]+\n$/);
    const lines = Bun.spawnSync(['find', '.', '-type', 'f', '-printf', '%P\n'], {
      cwd: join(directory, slug),
    })
      .stdout.toString()
      .trimEnd()
      .split('\n')
      .filter((path) => path !== '.svc-install')
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map((path) => digestLine(join(directory, slug, path), path));
    const digest = createHash('sha256').update(lines.join('')).digest('hex');
    expect(record['digest']).toBe(`sha256:${digest}`);
    expect(response.headers.get('etag')).toBe(`W/"${digest}"`);
  },
);

function digestLine(file: string, path: string): string {
  const mode = (statSync(file).mode & 0o777).toString(8).padStart(4, '0');
  expect(['0644', '0755']).toContain(mode);
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${mode} ${path}\n`;
}

test('the record names service, item, reader and fetch, in the contract order', async () => {
  const before = Date.now();
  const book = (await extract(await stall.fetch('/api/install/large-book'), 'large-book')).record;
  expect(Object.keys(book)).toEqual([
    'service',
    'kind',
    'id',
    'slug',
    'version',
    'digest',
    'signer',
    'fetchedAt',
    'fetchId',
    'subscriberId',
  ]);
  expect(book).toMatchObject({
    service: stall.url,
    kind: 'book',
    id: 'large-id',
    slug: 'large-book',
    version: '1.10',
    subscriberId: null,
  });
  expect(book['fetchId']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Date(String(book['fetchedAt'])).toISOString()).toBe(String(book['fetchedAt']));
  expect(Date.parse(String(book['fetchedAt']))).toBeGreaterThanOrEqual(before);
  const skill = (
    await extract(await stall.fetch('/api/install/paid-skill', { headers: holder.headers }), 'paid-skill')
  ).record;
  expect(skill).toMatchObject({ kind: 'skill', id: null, version: null, subscriberId: holder.account.id });
});

test('a free item installed with a key names the subscriber', async () => {
  const { record } = await extract(
    await stall.fetch('/api/install/free-skill', { headers: holder.headers }),
    'free-skill',
  );
  expect(record['subscriberId']).toBe(holder.account.id);
});

test('an archive beyond memory is streamed, its length in X-Archive-Length', async () => {
  const response = await stall.fetch('/api/install/large-book');
  expect(response.headers.get('content-length')).toBeNull();
  expect(response.headers.get('x-archive-length')).toBe(String((await response.arrayBuffer()).byteLength));
});

test.each(['free-skill', 'large-book'])(
  'HEAD of %s names the length of the GET and sends nothing',
  async (slug) => {
    const head = await stall.fetch(`/api/install/${slug}`, { method: 'HEAD' });
    const get = await stall.fetch(`/api/install/${slug}`);
    const length = String((await get.arrayBuffer()).byteLength);
    expect(head.status).toBe(200);
    expect([head.headers.get('content-length'), head.headers.get('x-archive-length')]).toEqual([
      length,
      length,
    ]);
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  },
);

test.each([
  ['the tag', (tag: string) => tag, 304],
  ['the tag as a strong one', (tag: string) => tag.replace('W/', ''), 304],
  ['a list that holds it', (tag: string) => `"other", ${tag} , W/"more"`, 304],
  ['any', () => '*', 304],
  ['another', () => 'W/"0000"', 200],
  ['the tag without quotes', (tag: string) => tag.slice(3, -1), 200],
])('If-None-Match with %s', async (_, make, status) => {
  const { headers } = await stall.fetch('/api/install/free-skill');
  const response = await stall.fetch('/api/install/free-skill', {
    headers: { 'If-None-Match': make(headers.get('etag') ?? '') },
  });
  expect(response.status).toBe(status);
  if (status === 200) return;
  expect(await response.text()).toBe('');
  expect(response.headers.get('etag')).toBe(headers.get('etag'));
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('content-type')).toBeNull();
});

test('If-None-Match hands nothing to a reader without a grant', async () => {
  const response = await stall.fetch('/api/install/paid-book', {
    headers: { ...holder.headers, 'If-None-Match': '*' },
  });
  expect(response.status).toBe(403);
});

test('an item without files answers NO_CONTENT', async () => {
  const response = await stall.fetch('/api/install/empty-book');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'NO_CONTENT' });
});

test('two installs differ in their record alone', async () => {
  const [a, b] = await Promise.all(
    [0, 1].map(async () => Bun.gunzipSync(await (await stall.fetch('/api/install/free-book')).arrayBuffer())),
  );
  expect(a?.length).toBe(b?.length ?? 0);
  expect(Buffer.from(a?.subarray(1024) ?? [])).toEqual(Buffer.from(b?.subarray(1024) ?? []));
  expect(Buffer.from(a ?? [])).not.toEqual(Buffer.from(b ?? []));
});
