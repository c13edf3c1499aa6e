import { afterAll, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { itemYaml, openStall, skillMd, type Stall, takeData } from '../helpers/harness.ts';
import { openSocket } from '../platform/http/raw-socket.ts';
import { endSession } from '../../src/accounts/session.ts';

/** More than is kept in memory, and more than sockets hold. */
const SIZE = 12_000_000;

const stall = await openStall({
  files: {
    'skills/paid/item.yaml': itemYaml({ unitAmountCents: 900 }),
    'skills/paid/SKILL.md': skillMd('paid'),
    'skills/paid/noise.bin': randomBytes(SIZE),
    'books/tome/item.yaml': itemYaml({ id: 'tome', unitAmountCents: 900, formats: '[tome.pdf]' }),
    'books/tome/tome.pdf': randomBytes(SIZE),
    'books/tome/01.md': '# The tome\n\nIt is long.\n',
    'books/leaf/item.yaml': itemYaml({ id: 'leaf', unitAmountCents: 900, sample: '[01.md]' }),
    'books/leaf/01.md': '# The leaf\n\n![A leaf](leaf.png)\n',
    'books/leaf/leaf.png': randomBytes(SIZE),
    'skills/free/item.yaml': itemYaml(),
    'skills/free/SKILL.md': skillMd('free'),
    'skills/free/noise.bin': randomBytes(SIZE),
  },
});
afterAll(() => stall.close());

type Reader = Awaited<ReturnType<Stall['reader']>>;
let readers = 0;
const nextReader = (): Promise<Reader> => stall.reader(`reader-${readers++}@example.org`, 'paid', 'tome');

/** A download of which nothing is taken until `rest`, which gives how many bytes came in all. */
async function startDownload(path: string, header: string, form?: string) {
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const sent = [type, `Content-Length: ${form?.length}`, 'Sec-Fetch-Site: same-origin'];
  const lines = form === undefined ? [`GET ${path} HTTP/1.1`] : [`POST ${path} HTTP/1.1`, ...sent];
  const socket = openSocket(stall.url, [...lines, 'Host: x', header]);
  if (form !== undefined) socket.write(form);
  let bytes = 0;
  const closed = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    begun.resolve();
    socket.pause();
  });
  socket.on('close', () => closed.resolve());
  await begun.promise;
  return {
    async rest(): Promise<number> {
      socket.removeAllListeners('data').on('data', (chunk) => {
        bytes += chunk.length;
        if (bytes > SIZE) socket.destroy();
      });
      socket.resume();
      await closed.promise;
      return bytes;
    },
  };
}

const endedDownloads = (route: string): number =>
  stall.log.filter((entry) => entry.event === 'request' && entry['route'] === route).length;

const ROUTES = [
  ['/api/install/paid', '/api/install/:slug'],
  ['/skills/paid/files/noise.bin', '/skills/:slug/files/*'],
  ['/opds/books/tome.tar.gz', '/opds/books/:slug'],
  ['/opds/books/tome/files/tome.pdf', '/opds/books/:slug/files/*'],
  ['/api/skills/paid/files?path=noise.bin', '/api/skills/:slug/files'],
  ['/api/books/tome/files?path=tome.pdf', '/api/books/:id/files'],
] as const;

const WAYS: Readonly<Record<string, (reader: Reader) => Promise<unknown>>> = {
  'its key is revoked': ({ keyId }) => stall.app.admin.keys.revoke(String(keyId)),
  async 'its grant is revoked'({ email }) {
    for (const slug of ['paid', 'tome']) await stall.app.admin.grants.revoke(email, slug, null);
  },
  'its account is disabled': ({ email }) => stall.app.admin.accounts.disable(email),
};

test.each(Object.keys(WAYS))(
  'downloads that their client lets wait end when %s, by every route',
  async (way) => {
    const reader = await nextReader();
    const header = `Authorization: Bearer ${reader.key}`;
    const downloads = await Promise.all(ROUTES.map(([path]) => startDownload(path, header)));
    const before = ROUTES.map(([, route]) => endedDownloads(route));
    await WAYS[way]!(reader);
    for (const [n, [, route]] of ROUTES.entries())
      while (endedDownloads(route) === before[n]) await Bun.sleep(10);
    for (const [n, { rest }] of downloads.entries())
      expect([ROUTES[n]![0], (await rest()) < SIZE]).toEqual([ROUTES[n]![0], true]);
  },
);

test('a download by a session ends with the session', async () => {
  const reader = await nextReader();
  const { Cookie } = await stall.signIn(reader.email);
  const route = '/skills/:slug/files/*';
  const { rest } = await startDownload('/skills/paid/files/noise.bin', `Cookie: ${Cookie}`);
  const before = endedDownloads(route);
  const [session] = stall.app.stall.sessions.list(reader.account.id);
  await endSession(stall.app.stall, reader.account.id, session!.id);
  while (endedDownloads(route) === before) await Bun.sleep(10);
  expect(await rest()).toBeLessThan(SIZE);
});

test('a revoked key does not end the download of a free item, which needs none', async () => {
  const reader = await nextReader();
  const { rest } = await startDownload('/api/install/free', `Authorization: Bearer ${reader.key}`);
  await WAYS['its key is revoked']!(reader);
  await Bun.sleep(1500);
  expect(await rest()).toBeGreaterThan(SIZE);
});

test("a picture of a paid book's sample is sent whole to a slow stranger", async () => {
  const { rest } = await startDownload('/books/leaf/files/leaf.png', 'Accept: */*');
  await Bun.sleep(1500);
  expect(await rest()).toBeGreaterThan(SIZE);
});

test('a download whose client keeps reading ends as well', async () => {
  const reader = await nextReader();
  const socket = openSocket(stall.url, [
    'GET /api/install/paid HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${reader.key}`,
  ]);
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 150);
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  while (bytes === 0) await Bun.sleep(10);
  await WAYS['its grant is revoked']!(reader);
  await closed;
  expect(bytes).toBeLessThan(SIZE);
});

/** Notes of more bytes than sockets hold, as an account of an older stall may have. */
async function keepLongNotes({ headers }: Reader): Promise<void> {
  const made = await stall.fetch('/api/books/tome/notes', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: '01.md', start: 2, end: 10 }),
  });
  const { id } = (await made.json()) as { id: string };
  const db = new Database(join(stall.data, 'bookstall.db'));
  const same =
    'account_id, book_id, edition, path, alike, placed_in, placed_path, created_at, updated_at, exact, prefix, suffix, bytes';
  db.query(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
     INSERT INTO notes (${same}, id, start, placed_start, text)
     SELECT ${same}, id || i, start, placed_start, ? FROM notes, n WHERE id = ?`,
  ).run('x'.repeat(SIZE / 90), id);
  db.close();
}

const WRITTEN = [
  ['/api/notes', 'key', 8],
  ['/api/notes?format=markdown', 'key', 1],
  ['/api/books/tome/notes?format=csv', 'key', 1],
  ['/dashboard/notes', 'session', 8],
  ['/dashboard/account/data', 'session', 1],
] as const;

test.each(WRITTEN)('%s ends when its %s is revoked, and is sent %p times at once', async (path, by, most) => {
  const reader = await nextReader();
  await keepLongNotes(reader);
  const headers = by === 'key' ? reader.headers : await stall.signIn(reader.email);
  const [[name, value] = ['', '']] = Object.entries(headers);
  const route = path.replace(/\?.*/, '').replace('/tome/', '/:id/');
  const before = endedDownloads(route);
  const downloads = await Promise.all(
    Array.from({ length: most }, () =>
      startDownload(path, `${name}: ${value}`, path.endsWith('/data') ? `${takeData({}).body}` : undefined),
    ),
  );
  const full = await stall.fetch(
    path,
    path.endsWith('/data')
      ? takeData({ ...headers, Accept: 'application/json' })
      : { headers: { ...headers, Accept: 'application/json' } },
  );
  expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1']);
  await full.arrayBuffer();
  if (by === 'key') await WAYS['its key is revoked']!(reader);
  else {
    const [session] = stall.app.stall.sessions.list(reader.account.id);
    await endSession(stall.app.stall, reader.account.id, session!.id);
  }
  while (endedDownloads(route) < before + most + 1) await Bun.sleep(10);
  for (const { rest } of downloads) expect(await rest()).toBeLessThan(SIZE);
});
