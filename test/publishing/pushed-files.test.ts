import { expect, test } from 'bun:test';
import { unzipSync, zipSync } from 'fflate';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TAR_END, tarHeader, tarPadding } from '../../src/catalog/archive/tar.ts';
import { type } from '../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  SHELF,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';

const OWNER = 'owner@example.org';
const SELL = 'plink_secretId1';
const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml': `bundles: [{slug: secret-pair, title: Pair, items: [free-book, paid-book], unitAmountCents: 900, sell: {stripe: plink_pairId1}}]\n`,
    'books/secret-plan/item.yaml': itemYaml({
      id: 'secret-id',
      formerly: 'secret-was',
      status: 'private',
      sell: `{stripe: ${SELL}}`,
    }),
    'books/secret-plan/01.md': '# Secret\n\nNobody knows.\n',
  },
});
await stall.app.admin.accounts.add(OWNER, true);
const headers = await stall.signIn(OWNER);

async function makeKey(...flags: string[]): Promise<string> {
  const words = ['key', 'create', OWNER, '--publish', '--data', stall.data, ...flags];
  return (await type(words)).out.trim();
}
const full = await makeKey('--terms');

/** Packs entries as a gzipped tar; a path may be there twice. */
const pack = (entries: readonly (readonly [path: string, text: string])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    gzipSync(
      Buffer.concat([
        ...entries.flatMap(([path, text]) => {
          const bytes = Buffer.from(text);
          return [tarHeader(path, bytes.length, false), bytes, tarPadding(bytes.length)];
        }),
        TAR_END,
      ]),
    ),
  );

const packFiles = (files: Files): Uint8Array<ArrayBuffer> =>
  pack(Object.entries(files).map(([path, text]) => [path, text as string]));

type Answer = {
  readonly error?: string;
  readonly hash: string;
  readonly served: boolean;
  readonly dropped: readonly string[];
  readonly findings?: readonly { readonly code: string; readonly sentence: string }[];
};

const put = (slug: string, files: Files, hash: string | null = null, key = full, query = '') =>
  send(slug, packFiles(files), hash, key, query);

async function send(
  slug: string,
  body: Uint8Array<ArrayBuffer>,
  hash: string | null,
  key: string,
  query = '',
) {
  const condition: Record<string, string> =
    hash === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${hash}"` };
  const response = await stall.fetch(`/api/publish/book/${slug}${query}`, {
    method: 'PUT',
    body,
    headers: { Authorization: `Bearer ${key}`, ...condition },
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Answer };
}

const book = (slug: string, more: Readonly<Record<string, string | number>> = {}): Files => ({
  'item.yaml': itemYaml({ id: `${slug}-id`, ...more }),
  '01.md': '# One\n\nReeds stand in the marsh.\n',
});

/** Every file and folder of an item's served folder. */
function listFolder(data: string, slug: string, kind = 'book'): readonly string[] {
  const place = join(data, 'pushed', kind, slug);
  const [hash = ''] = readFileSync(join(place, 'current'), 'utf8').split(' ');
  return (readdirSync(join(place, hash), { recursive: true }) as string[]).toSorted();
}

test.each([
  '.git/config',
  '.GIT/config',
  'a/b/.Git/hooks/pre-commit',
  '.git',
  'a/.giT',
  '.g\u200cit/config',
  '\ufeff.git/config',
  'git~1/config',
  'a/GIT~1',
])('a push with %j is refused by name, and leaves nothing', async (path) => {
  const included = { include: `[${JSON.stringify(path)}, .git, .GIT]` };
  for (const more of [undefined, included]) {
    const { status, body } = await put('planted', { ...book('planted', more), [path]: 'x' });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/it holds .*git/i)]);
  }
  expect(existsSync(join(stall.data, 'pushed/book/planted'))).toBe(false);
  expect(existsSync(join(stall.data, 'pushed/new')) && readdirSync(join(stall.data, 'pushed/new'))).toEqual(
    [],
  );
});

const LEFT_OUT: Files = {
  '.bookstallignore': 'drafts/\n*.bak\n/objects/x\n/refs/x\n',
  'node_modules/a/index.js': 'x',
  'node_modules/b.js': 'x',
  'drafts/02.md': 'Not yet.',
  'pictures/a.bak': 'x',
  'pictures/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.DS_Store': 'x',
  '01.md~': 'x',
  'deep/in/here/.01.md.swp': 'x',
  'deep/Thumbs.db': 'x',
  // Without their files, two empty folders beside HEAD would still be a repository.
  HEAD: 'ref: refs/heads/x\n',
  config: '[core]\n\tfsmonitor = "touch /tmp/planted"\n',
  'objects/x': 'x',
  'refs/x': 'x',
};
const DROPPED = [
  '.DS_Store',
  '01.md~',
  'deep/',
  'drafts/',
  'node_modules/',
  'objects/',
  'pictures/a.bak',
  'refs/',
];
const KEPT = ['.bookstallignore', '01.md', 'HEAD', 'config', 'item.yaml', 'pictures', 'pictures/a.svg'];

test('what no hash covers is dropped, and named in the answer', async () => {
  const files = { ...book('marsh'), ...LEFT_OUT };
  const dry = await put('marsh', files, null, full, '?dry-run');
  expect([dry.status, dry.body.dropped]).toEqual([200, DROPPED]);
  const { status, body } = await put('marsh', files);
  expect([status, body.served, body.dropped]).toEqual([200, true, DROPPED]);
  expect(listFolder(stall.data, 'marsh')).toEqual(KEPT);

  // Nobody finds a dropped file again when it is no longer ignored.
  const next = await put('marsh', { ...book('marsh'), '.bookstallignore': '' }, body.hash);
  expect([next.status, next.body.dropped]).toEqual([200, []]);
  expect(listFolder(stall.data, 'marsh')).toEqual(['.bookstallignore', '01.md', 'item.yaml']);
});

test('bookstall push prints what the stall did not keep', async () => {
  const folder = join(temporaryDirectory(), 'marsh');
  writeFiles(folder, book('marsh'));
  const answer = {
    served: true,
    status: 'published',
    changes: { added: ['01.md'] },
    dropped: ['node_modules/'],
  };
  await using elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method }) =>
      method === 'PUT'
        ? Response.json(answer)
        : Response.json({ error: 'Cannot find it', code: 'NOT_FOUND' }, { status: 404 }),
  });
  const environment = { BOOKSTALL_PUBLISH_KEY: full, BOOKSTALL_URL: elsewhere.url.origin };
  const { code, out } = await type(['push', folder], environment);
  expect([code, out]).toEqual([0, expect.stringContaining('dropped 1 file: node_modules/')]);
});

test('an upload in the office keeps what is hashed, and says what it did not', async () => {
  const skill = { 'SKILL.md': skillMd('kit'), '.GIT/config': 'x', '.Git': 'x', 'a/Thumbs.DB': 'x' };
  const packed = zipSync(
    Object.fromEntries(
      Object.entries(skill).map(([path, text]) => [`kit/${path}`, new TextEncoder().encode(text)]),
    ),
  );
  const body = new FormData();
  body.append('file', new File([packed], 'kit.zip'));
  const answer = await stall.fetch('/admin/add', {
    method: 'POST',
    headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
    body,
  });
  const text = await answer.text();
  expect([answer.status, text.includes('<li>a/</li>')]).toEqual([200, true]);
  expect(listFolder(stall.data, 'kit', 'skill')).toEqual(['SKILL.md', 'item.yaml']);
});

test.each<[string, readonly (readonly [string, string])[], string]>([
  ['item.yaml twice', [['item.yaml', itemYaml({ id: 'a' })]], 'twice'],
  ['an Item.yaml with other terms', [['Item.yaml', itemYaml({ id: 'a' })]], 'only in case'],
  [
    'a .BOOKSTALLIGNORE',
    [
      ['.bookstallignore', ''],
      ['.BOOKSTALLIGNORE', '*.md'],
    ],
    'case',
  ],
  [
    'a rule that takes hours to match',
    [
      ['.bookstallignore', '**/a/**/a/**/a/**/b\n'],
      [`${'a/'.repeat(90)}c`, 'x'],
    ],
    '2 "**" in one',
  ],
  ['a hundred rules that take long', [['.bookstallignore', '**/a/**/b\n'.repeat(100)]], '20 of them'],
  ['thousands of rules', [['.bookstallignore', 'a*b\n'.repeat(2000)]], 'at most 1000 lines'],
  ['a file in very many folders', [[`${'a/'.repeat(100)}c`, 'x']], 'more than 100 folders'],
])('a push with %s is refused, and leaves nothing', async (_, more, said) => {
  const own = Object.entries(book('planted')).map(([path, text]) => [path, text as string] as const);
  const { status, text } = await send('planted', pack([...own, ...more]), null, full);
  expect([status, text]).toEqual([400, expect.stringContaining(said.replaceAll('"', '\\"'))]);
  expect(existsSync(join(stall.data, 'pushed/book/planted'))).toBe(false);
});

test('of very many dropped files, a hundred are named', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.bak`, 'x']));
  const { body } = await put('many', { ...book('many'), '.bookstallignore': '*.bak\n', ...many });
  expect(body.dropped).toHaveLength(100);
  expect(listFolder(stall.data, 'many')).toEqual(['.bookstallignore', '01.md', 'item.yaml']);
});

test('"Download its folder" has the hashed files, whatever lies beside them', async () => {
  const { body } = await put('fetched', book('fetched'));
  const folder = join(stall.data, 'pushed/book/fetched', body.hash);
  writeFiles(folder, { '.git/config': 'x', 'node_modules/a.js': 'x', '01.md~': 'x' });
  const zip = await stall.fetch('/admin/items/fetched/folder.zip', { headers });
  expect(Object.keys(unzipSync(await zip.bytes())).toSorted()).toEqual([
    'fetched/01.md',
    'fetched/item.yaml',
  ]);
});

test('what 0.4 kept beside the hashed files goes at the first start', async () => {
  const first = await openStall();
  await first.app.admin.accounts.add(OWNER, true);
  const key = (await type(['key', 'create', OWNER, '--publish', '--terms', '--data', first.data])).out.trim();
  const pushed = await first.fetch('/api/publish/book/old', {
    method: 'PUT',
    body: packFiles({ ...book('old'), '.bookstallignore': '*.bak\n' }),
    headers: { Authorization: `Bearer ${key}`, 'If-None-Match': '*' },
  });
  const { hash } = (await pushed.json()) as Answer;
  await first.close();
  writeFiles(join(first.data, 'pushed/book/old', hash), {
    '.GIT/config': 'x',
    '.git/objects/x': 'x',
    'deep/a.bak': 'x',
    'node_modules/a/b.js': 'x',
  });
  const second = await openStall({ directory: first.directory, files: {} });
  expect(listFolder(first.data, 'old')).toEqual(['.bookstallignore', '01.md', 'item.yaml']);
  expect((await second.fetch('/books/old')).status).toBe(200);
  const state = await second.fetch('/api/publish/book/old', { headers: { Authorization: `Bearer ${key}` } });
  expect(((await state.json()) as Answer).hash).toBe(hash);
});

test.each([
  ['a former slug, one that a private item has', { formerly: '[secret-plan]' }, 200, 'secret-plan'],
  ['a former slug, one that a private item had', { formerly: '[secret-was]' }, 400, 'secret-was'],
  ['a former slug, that of a draft', { formerly: '[draft-book]' }, 200, 'draft-book'],
  ['the id of a private book', { id: 'secret-id' }, 400, 'secret-id'],
  ['the id of a draft', { id: 'draft-id' }, 400, 'draft-id'],
  ["a private item's id at a provider", { sell: `{stripe: ${SELL}}` }, 400, SELL],
  ["a bundle's id at a provider", { sell: '{stripe: plink_pairId1}' }, 400, 'plink_pairId1'],
])(
  'to a key that is not for its owner, %s is taken, and the owner is not named',
  async (_, keys, expected, guess) => {
    const slug = `mine-${Bun.hash.crc32(guess)}`;
    const price = { unitAmountCents: 900, checkoutUrl: 'https://example.org/buy', ...keys };
    const [few, words] = [await makeKey('--terms', '--only', 'mine-*'), await makeKey('--only', 'mine-*')];
    const told = await put(slug, book(slug, price), null, few);
    expect([told.status, told.text]).toEqual([expected, expect.stringContaining('taken')]);
    expect(told.text.replaceAll(guess, '')).not.toMatch(/secret|draft-|pair/);
    const named = await put(slug, book(slug, price), expected === 200 ? told.body.hash : null);
    expect(named.text.replaceAll(guess, 'GUESS')).toMatch(/secret-plan|draft-book|secret-pair|\/GUESS/);
    // Terms are asked first, so a key without them learns nothing, not even that a name is taken.
    if ('id' in keys) return;
    const asked = await put(`${slug}-w`, book(slug, price), null, words);
    expect([asked.status, asked.text.includes('taken')]).toEqual([403, false]);
  },
);

test('a slug that an item had is taken, to a key that is not for that item', async () => {
  const few = await makeKey('--terms', '--only', 'secret-was');
  const { status, text } = await put('secret-was', book('secret-was'), null, few);
  expect([status, text.includes('it is taken'), text.includes('secret-plan')]).toEqual([409, true, false]);
});

test('a key without terms opens no chapter of a paid book, and may name its formats', async () => {
  const paid = { ...book('sold', { unitAmountCents: 2900 }), 'talk.pdf': '%PDF-1.4' };
  const { body } = await put('sold', paid);
  const words = await makeKey('--only', 'sold');
  const yaml = (more: object) => itemYaml({ id: 'sold-id', unitAmountCents: 2900, ...more });
  const opened = await put(
    'sold',
    { ...paid, 'item.yaml': yaml({ sample: '[01.md, talk.pdf]' }) },
    body.hash,
    words,
  );
  expect([opened.status, opened.text.includes('sample')]).toEqual([403, true]);
  expect((await stall.fetch('/books/sold/read/01.md')).status).toBe(401);
  const named = await put(
    'sold',
    { ...paid, 'item.yaml': yaml({ formats: '[talk.pdf]' }) },
    body.hash,
    words,
  );
  expect([named.status, named.body.served]).toEqual([200, true]);
});
