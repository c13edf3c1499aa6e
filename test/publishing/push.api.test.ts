import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TAR_END, tarHeader, tarPadding } from '../../src/catalog/archive/tar.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { findAccount } from '../../src/accounts/account.ts';
import { listAudit } from '../../src/platform/store/audit-entry.ts';
import { type } from '../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  until,
  writeFiles,
} from '../helpers/harness.ts';
import { openSocket } from '../platform/http/raw-socket.ts';

const OWNER = 'owner@example.org';

function pack(files: Files): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content as string);
    return [tarHeader(path, bytes.length, false), bytes, tarPadding(bytes.length)];
  });
  return new Uint8Array(gzipSync(Buffer.concat([...parts, TAR_END])));
}

const NEW = { 'If-None-Match': '*' };
const book = (text: string, more: Readonly<Record<string, string | number>> = {}): Files => ({
  'item.yaml': itemYaml({ id: 'reed-id', title: 'Reeds', ...more }),
  '01.md': `# Reeds\n\n${text}\n`,
});

type Answer = Readonly<Record<string, string>> & {
  readonly findings: readonly { readonly code: string }[];
};

async function openPublishStall(config: Partial<Config> = {}) {
  const stall = await openStall({ config });
  await stall.app.admin.accounts.add(OWNER, true);
  const makeKey = async (...flags: string[]): Promise<string> => {
    const words = ['key', 'create', OWNER, '--publish', '--data', stall.data, ...flags];
    return (await type(words)).out.trim();
  };
  const put = async (
    key: string,
    name: string,
    body: Uint8Array<ArrayBuffer>,
    headers: object,
    query = '',
  ) => {
    const response = await stall.fetch(`/api/publish/${name}${query}`, {
      method: 'PUT',
      body,
      headers: { Authorization: `Bearer ${key}`, ...headers },
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const leftovers = () => [
    ...readdirSync(join(stall.data, 'pushed/new')),
    ...['book', 'skill'].flatMap((kind) => {
      const folder = join(stall.data, 'pushed', kind);
      return existsSync(folder)
        ? readdirSync(folder).filter((slug) => readdirSync(join(folder, slug)).length !== 2)
        : [];
    }),
  ];
  return { ...stall, makeKey, put, leftovers };
}

const stall = await openPublishStall();
const { makeKey, put } = stall;
const full = await makeKey('--terms');
const words = await makeKey();
const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
const matching = ({ body }: { readonly body: Answer }) => ({ 'If-Match': `"${body['hash']}"` });

test('a pushed book is served at once, and replaced by the hash it had', async () => {
  const first = await put(full, 'book/reeds', pack(book('Reeds stand.')), NEW);
  expect(first).toMatchObject({
    status: 200,
    body: { served: true, changes: { added: ['01.md', 'item.yaml'] } },
  });
  expect(await (await stall.fetch('/books/reeds')).text()).toContain('Reeds');
  const state = await stall.fetch('/api/publish/book/reeds', bearer(full));
  expect(await state.json()).toEqual({ hash: first.body['hash'], digest: first.body['digest'] });

  const next = pack(book('Reeds bend.'));
  expect((await put(full, 'book/reeds', next, NEW)).status).toBe(412);
  expect((await put(full, 'book/reeds', next, {})).status).toBe(400);
  const dry = await put(full, 'book/reeds', next, matching(first), '?dry-run');
  expect(dry).toMatchObject({ status: 200, body: { served: false, changes: { changed: ['01.md'] } } });
  const { body } = await put(full, 'book/reeds', next, matching(first));
  expect(body).toMatchObject({ served: true, hash: dry.body['hash'] });
  expect(stall.leftovers()).toEqual([]);
  expect((await type(['check', 'reeds', '--content', stall.content, '--data', stall.data])).out).toContain(
    'pushed',
  );
  const [row] = listAudit(stall.app.stall).entries;
  expect(row).toMatchObject({ via: 'push', action: 'item.push', subject: 'reeds' });
  await until(() => stall.app.stall.store.listPublishKeys().some(({ lastUsedAt }) => lastUsedAt !== null));
});

test('a key without terms changes files and words alone, and makes a new item a draft', async () => {
  const paid = book('Paid.', { id: 'terms-id', unitAmountCents: 1900 });
  const first = await put(full, 'book/terms', pack(paid), NEW);
  const change = (more: Readonly<Record<string, string | number>>) =>
    put(
      words,
      'book/terms',
      pack(book('Words.', { id: 'terms-id', unitAmountCents: 1900, ...more })),
      matching(first),
    );
  for (const [key, value] of Object.entries({
    unitAmountCents: 0,
    currency: 'eur',
    checkoutUrl: 'https://evil.example/pay',
    sell: '{stripe: plink_1}',
    status: 'archived',
    formerly: '[free-book-2]',
    id: 'other-id',
  })) {
    const { status, body } = await change({ [key]: value });
    expect([key, status, body['error']]).toEqual([key, 403, expect.stringContaining(key)]);
  }
  const second = await change({ title: 'Other words' });
  expect(second).toMatchObject({ status: 200, body: { served: true } });
  const asDraft = pack({ ...paid, 'item.yaml': `${paid['item.yaml']}status: draft\n` });
  expect((await put(words, 'book/terms', asDraft, matching(second))).status).toBe(403);
  const terms = await makeKey('--terms');
  const draft = await put(terms, 'book/terms', asDraft, matching(second));
  expect(draft).toMatchObject({ status: 200, body: { status: 'draft' } });
  expect((await put(words, 'book/terms', pack(paid), matching(draft))).status).toBe(403);
  expect((await put(words, 'book/new', pack(book('New.', { id: 'new-id' })), NEW)).status).toBe(403);
  expect(
    (await put(words, 'book/new', pack(book('New.', { id: 'new-id', status: 'draft' })), NEW)).status,
  ).toBe(200);
});

test('a publish key opens /api/publish for its slugs, and nothing else', async () => {
  const few = await makeKey('--only', 'reeds,acme-*', '--terms');
  for (const path of ['/api/holdings', '/api/cli/library', '/api/notes', '/mcp'])
    expect([
      path,
      (await stall.fetch(path, { ...bearer(few), method: path === '/mcp' ? 'POST' : 'GET' })).status,
    ]).toEqual([path, 401]);
  expect((await stall.fetch('/api/install/paid-book', bearer(few))).status).toBe(401);
  const { key } = await stall.reader('reader@example.org', 'paid-book');
  const skill = (name: string) => pack({ 'item.yaml': itemYaml(), 'SKILL.md': skillMd(name) });
  expect((await put(key, 'skill/acme-one', skill('acme-one'), NEW)).status).toBe(401);
  expect((await put(few, 'skill/acme-one', skill('acme-one'), NEW)).status).toBe(200);
  expect((await put(few, 'skill/acme', skill('acme'), NEW)).status).toBe(403);
  expect((await stall.fetch(`/api/items?key=${few}`)).status).toBe(400);

  const cookie = await stall.signIn(OWNER);
  const { id } = findAccount(stall.app.stall, OWNER);
  expect(stall.log.find(({ method, status }) => method === 'PUT' && status === 200)).toMatchObject({
    route: '/api/publish/:kind/:slug',
    account: id,
  });
  const last = stall.app.stall.store.listPublishKeys().at(-1)!;
  expect(await (await stall.fetch(`/admin/accounts/${id}`, { headers: cookie })).text()).toContain('acme-*');
  const revoked = await stall.fetch(`/admin/accounts/${id}/publish-keys/${last.id}/revoke`, {
    method: 'POST',
    headers: { ...cookie, Origin: stall.url },
    redirect: 'manual',
  });
  expect(revoked.status).toBe(303);
  expect(stall.app.stall.store.listAuditEntries(1e9, 1)).toMatchObject([
    { action: 'publish-key.revoke', subject: last.name, details: { prefix: last.prefix } },
  ]);
  expect((await stall.fetch('/api/publish/skill/acme-one', bearer(few))).status).toBe(401);
});

test('of a SKILL.md without end no more than 4 MiB are read', async () => {
  const skill = `---\nname: endless\ndescription: It goes on.\n${'# on\n'.repeat(900_000)}---\n\nOn.\n`;
  const answer = await put(full, 'skill/endless', pack({ 'item.yaml': itemYaml(), 'SKILL.md': skill }), NEW);
  const codes = answer.body.findings.map(({ code }) => code);
  expect([answer.status, codes]).toEqual([400, expect.arrayContaining(['no-front-matter'])]);
});

test('the needs of a draft do not tell a key which hidden items exist', async () => {
  const few = await makeKey('--only', 'probe-*');
  const probe = (need: string) =>
    put(
      few,
      'skill/probe-one',
      pack({
        'item.yaml': itemYaml({ status: 'draft' }),
        'SKILL.md': `---\nname: probe-one\ndescription: It asks.\nmetadata: {needs: "${need}"}\n---\n\nAsk.\n`,
      }),
      NEW,
    );
  const hidden: string[] = [];
  for (const need of ['nobody-skill', 'draft-skill', 'archived-skill', 'draft-skill@^9.0.0'])
    hidden.push(JSON.stringify(await probe(need)).replaceAll(need, 'it'));
  expect(hidden).toEqual(hidden.map(() => hidden[0]!));
  expect((await probe('paid-skill')).status).toBe(200);
});

test('a key that may not know of a hidden item keeps the need of it that the item has', async () => {
  const few = await makeKey('--only', 'keep-*');
  const keep = (key: string, text: string, before: Readonly<Record<string, string>>) =>
    put(
      key,
      'skill/keep-one',
      pack({
        'item.yaml': itemYaml({ status: 'draft' }),
        'SKILL.md': `---\nname: keep-one\ndescription: It keeps.\nmetadata: {needs: draft-skill}\n---\n\n${text}\n`,
      }),
      before,
    );
  const first = await keep(full, 'One.', NEW);
  expect(first.status).toBe(200);
  expect((await keep(few, 'Two.', matching(first))).status).toBe(200);
});

test.each<[string, string, Files, number, string]>([
  ['a slug of the content directory', 'book/free-book', book('Mine.'), 409, 'content directory'],
  ['the id of another book', 'book/thief', book('Mine.', { id: 'free-id' }), 400, 'errors'],
  ['the slug of a pushed item of the other kind', 'skill/reeds', book('Mine.'), 409, 'is a book'],
  ['an error in item.yaml', 'book/broken', { 'item.yaml': 'title: [', '01.md': 'x' }, 400, 'errors'],
  ['lines without end', 'book/dense', { 'item.yaml': '#\n'.repeat(500_000), '01.md': 'x' }, 400, 'errors'],
  ['a secret', 'book/secret', book(full, { id: 'secret-id' }), 400, 'errors'],
  ['a path above its folder', 'book/up', { ...book('Up.'), '../up.md': 'x' }, 400, 'up.md'],
  ['one path twice', 'book/twice', { ...book('Up.'), 'a/b': 'x', a: 'y' }, 400, 'twice'],
])('a push with %s is refused, and leaves nothing', async (_, name, files, status, said) => {
  const answer = await put(full, name, pack(files), NEW);
  expect([answer.status, answer.body['error']]).toEqual([status, expect.stringContaining(said)]);
  expect(stall.leftovers()).toEqual([]);
});

test('an archive that is too large, cut short or no archive is refused, and leaves nothing', async () => {
  const small = await openPublishStall({ mostPush: 100_000 });
  const key = await small.makeKey('--terms');
  const large = { ...book('Large.'), 'a.bin': 'x'.repeat(200_000) };
  const noise = { ...book('Noise.'), 'a.bin': crypto.getRandomValues(new Uint8Array(60_000)).toHex() };
  expect((await small.put(key, 'book/large', pack(large), NEW)).status).toBe(413);
  expect((await small.put(key, 'book/noise', pack(noise), NEW)).status).toBe(413);
  const whole = pack(book('Cut.'));
  expect((await small.put(key, 'book/cut', whole.slice(0, -20), NEW)).status).toBe(400);
  expect((await small.put(key, 'book/cut', new TextEncoder().encode('no'), NEW)).status).toBe(400);
  expect(small.leftovers()).toEqual([]);
});

test('two pushes run at once, and a client that leaves gives back its place and leaves nothing', async () => {
  const whole = pack(book('Half.', { id: 'half-id' }));
  const sockets = ['half-a', 'half-b'].map((slug) =>
    openSocket(stall.url, [
      `PUT /api/publish/book/${slug} HTTP/1.1`,
      `Host: ${new URL(stall.url).host}`,
      `Authorization: Bearer ${full}`,
      'If-None-Match: *',
      `Content-Length: ${whole.length}`,
    ]),
  );
  sockets.forEach((socket) => socket.write(whole.subarray(0, 100)));
  await until(() => stall.leftovers().length === 2);
  expect((await put(full, 'book/half', whole, NEW)).status).toBe(503);
  sockets.forEach((socket) => socket.destroy());
  await until(() => stall.leftovers().length === 0);
  expect((await put(full, 'book/half', whole, NEW)).status).toBe(200);
  expect(readdirSync(join(stall.data, 'pushed/book'))).not.toContain('half-a');
});

test('pushed items are there after a restart, and a folder that a kill left is not', async () => {
  const first = await openPublishStall();
  const key = await first.makeKey('--terms');
  await first.put(key, 'book/reeds', pack(book('Reeds stand.')), NEW);
  await first.close();
  mkdirSync(join(first.data, 'pushed/new/killed'));
  mkdirSync(join(first.data, 'pushed/book/reeds', '0'.repeat(64)));
  mkdirSync(join(first.data, 'pushed/book/never', '0'.repeat(64)), { recursive: true });
  const second = await openStall({ directory: first.directory, files: {} });
  expect((await second.fetch('/books/reeds')).status).toBe(200);
  expect(existsSync(join(first.data, 'pushed/new'))).toBe(false);
  expect(readdirSync(join(first.data, 'pushed/book'))).toEqual(['reeds']);
  expect(readdirSync(join(first.data, 'pushed/book/reeds'))).toHaveLength(2);

  // Each root that is gone keeps its own items.
  rmSync(join(first.data, 'pushed'), { recursive: true });
  writeFiles(first.content, { 'books/free-book/item.yaml': itemYaml({ id: 'free-id', title: 'Renewed' }) });
  await second.app.publish();
  expect((await second.fetch('/books/reeds')).status).toBe(200);
  expect(await (await second.fetch('/books/free-book')).text()).toContain('Renewed');
});

test('bookstall push follows no redirect', async () => {
  const folder = join(temporaryDirectory(), 'field-guide');
  writeFiles(folder, book('Guides.', { id: 'guide-id' }));
  const elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => Response.redirect(`${stall.url}${new URL(url).pathname}`, 307),
  });
  const BOOKSTALL_URL = elsewhere.url.origin;
  const pushed = await type(['push', folder], { BOOKSTALL_PUBLISH_KEY: full, BOOKSTALL_URL });
  await elsewhere.stop(true);
  expect([pushed.code, pushed.err]).toEqual([1, expect.stringContaining(`${BOOKSTALL_URL} answered 307`)]);
});

test('bookstall push checks, compares and publishes a folder, and takes it back', async () => {
  const folder = join(temporaryDirectory(), 'field-guide');
  writeFiles(folder, {
    ...book('Guides.', { id: 'guide-id' }),
    '.git/config': 'x',
    '.bookstallignore': 'notes/\n',
    'notes/a.md': 'x',
  });
  const environment = { BOOKSTALL_PUBLISH_KEY: full, BOOKSTALL_URL: stall.url };
  const pushes = (...flags: string[]) => type(['push', folder, ...flags], environment);
  expect(await pushes('--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringContaining('would be pushed'),
  });
  expect(await pushes()).toMatchObject({
    code: 0,
    out: expect.stringContaining(`served, ${stall.url}/books/field-guide`),
  });
  expect(await pushes()).toMatchObject({ code: 0, out: expect.stringContaining('nothing changed') });
  writeFiles(folder, { '02.md': '# More\n' });
  expect((await pushes()).out).toContain('added 1 file: 02.md');
  writeFiles(folder, { 'item.yaml': 'title: x\n' });
  expect(await pushes()).toMatchObject({ code: 1, out: expect.stringContaining('not pushed') });
  for (const [act, ...more] of [['sign'], ['new', 'book'], ['sell', 'setup']] as const) {
    const words = [act, ...more, ...(act === 'sell' ? ['stripe'] : []), 'field-guide'];
    const said = await type([...words, '--content', stall.content, '--data', stall.data], {
      BOOKSTALL_STRIPE_SETUP_KEY: 'rk_live_x',
      BOOKSTALL_BASE_URL: 'https://stall.example.org',
    });
    expect([act, said.code, said.err]).toEqual([act, 1, expect.stringContaining('bookstall push')]);
  }
  expect((await type(['push', '--remove', 'field-guide'], environment)).out).toContain(
    'a draft, which only the owner sees',
  );
  expect((await stall.fetch('/books/field-guide')).status).toBe(404);
  expect((await type(['backup', temporaryDirectory(), '--data', stall.data])).out).toMatch(
    /beside it, in .*\.db\.files: \d pushed items?\n/,
  );
});

test.each([
  ['', 'Cannot push without a publish key'],
  [`svp_${'0'.repeat(38)}`, 'it is mistyped or cut; copy it whole'],
  ['svp_short', 'it is mistyped or cut; copy it whole'],
  [`svc_${'0'.repeat(38)}`, 'it is not a publish key, which begins with "svp_"'],
])('push with the key %j says what is wrong with it', async (key, words) => {
  const { code, err } = await type(['push', stall.content], {
    BOOKSTALL_PUBLISH_KEY: key,
    BOOKSTALL_URL: stall.url,
  });
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  expect(err.includes('without a publish key')).toBe(key === '');
});
