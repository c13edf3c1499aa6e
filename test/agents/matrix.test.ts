import { expect, test } from 'bun:test';
import { mintToken } from '../../src/platform/base/key.ts';
import { openStall, pairOf, SHELF } from '../helpers/harness.ts';
import { getRaw, sendRaw } from '../platform/http/raw-socket.ts';

const PRICES = ['free', 'paid', 'draft', 'archived'] as const;
/** A private item answers everybody as an archived one. */
const namesOf = (price: (typeof PRICES)[number]) =>
  [price, ...(price === 'archived' ? ['private'] : [])].flatMap((state) => [
    `${state}-book`,
    `${state}-skill`,
  ]);
const EVERY = PRICES.flatMap(namesOf);
const DAY = 24 * 60 * 60 * 1000;

/** Per credential in a header: free paid draft archived, for the action take. */
// prettier-ignore
const BY_HEADER = {
  'none':                            '200 401 404 404',
  'malformed':                       '200 401 404 404',
  'a session':                       '200 401 404 404',
  'two keys':                        '200 401 404 404',
  'Basic without a password':        '200 401 404 404',
  'in the query':                    '400 400 400 400',
  'token in the query':              '400 400 400 400',
  'expired key':                     '200 401 404 404',
  'revoked key':                     '200 401 404 404',
  'key of a disabled account':       '200 401 404 404',
  'key without a grant':             '200 403 404 404',
  'key with a grant':                '200 200 404 200',
  'key with a grant, as Basic':      '200 200 404 200',
  'unknown token':                   '200 401 404 404',
  'expired token':                   '200 401 404 404',
  'revoked token':                   '200 401 404 404',
  'token of a disabled account':     '200 401 404 404',
  'token without a grant':           '200 403 404 404',
  'token of another item':           '200 403 404 404',
  'token with a grant':              '200 200 404 200',
  'token with a grant, as Basic':    '200 200 404 200',
  'token of these items':            '200 200 404 200',
} as const;

/** The same with the token in the path. */
// prettier-ignore
const BY_PATH = {
  'malformed':                       '404 404 404 404',
  'unknown':                         '404 404 404 404',
  'a key':                           '404 404 404 404',
  'expired':                         '404 404 404 404',
  'revoked':                         '404 404 404 404',
  'of a disabled account':           '404 404 404 404',
  'and a key in the header':         '400 400 400 400',
  'and a token in the query':        '400 400 400 400',
  'without a grant':                 '200 403 404 404',
  'of another item':                 '200 403 404 404',
  'with a grant':                    '200 200 404 200',
  'of these items':                  '200 200 404 200',
} as const;

let time = Date.now();
const files = { ...SHELF, ...pairOf('private', { unitAmountCents: 0, status: 'private' }) };
const stall = await openStall({ now: () => time, files });
const { headers, paths } = await prepare();

const WITH_ITEM = stall.app.server.routes
  .map(({ path }) => path)
  .filter((path) => /\.well-known\/(?:agent-)?skills/.test(path));

/** The path of an item at a route, or null if the route lists others, or the item is of another kind. */
function pathOf(route: string, name: string, token: string): string | null {
  const isIndex = route.endsWith(':file');
  const isRoot = !route.includes(':slug');
  if (isRoot && isIndex) return null;
  if (/^\/(skills|books)\//.test(route) && !route.startsWith(`/${name.split('-')[1]}s/`)) return null;
  return route
    .replace(':token', token)
    .replace(':slug', name)
    .replace(':file/*', `${name}/SKILL.md`)
    .replace(':file', 'index.json');
}

const BOOKS_TEXT = /heron of|Do it well|echo run/;

async function statusesOf(route: string, token: string, lines: readonly string[], query: string) {
  const statuses = [];
  for (const price of PRICES) {
    const found = new Set<number>();
    for (const name of namesOf(price).filter((one) => token !== '' || !one.startsWith('private'))) {
      const path = pathOf(route, name, token);
      if (path === null) continue;
      const answer = await getRaw(stall.url, `${path}${query}`, ...lines);
      if (answer === null) throw new Error('no answer');
      found.add(answer.status);
      if (answer.status >= 400) expect(answer.body).not.toMatch(BOOKS_TEXT);
      const isShared = answer.headers['cache-control']?.includes('public') ?? false;
      expect(isShared).toBe(answer.status === 200 && price === 'free' && token === '');
      if (token !== '') expect(answer.headers).toMatchObject(LINK);
    }
    if (found.size > 0) statuses.push([...found].join('/'));
  }
  return statuses.length === 0 ? null : statuses.join(' ');
}

const LINK = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-store',
};

const open = WITH_ITEM.filter((path) => !path.startsWith('/i/'));
const links = WITH_ITEM.filter((path) => path.startsWith('/i/'));

test.each(
  open.flatMap((route) =>
    Object.entries(BY_HEADER).map(([credential, expected]) => [route, credential, expected] as const),
  ),
)('%s with %s answers %s', async (route, credential, expected) => {
  const { lines, query = '' } = headers[credential as keyof typeof BY_HEADER];
  expect((await statusesOf(route, '', lines, query)) ?? expected).toBe(expected);
});

test.each(
  links.flatMap((route) =>
    Object.entries(BY_PATH).map(([credential, expected]) => [route, credential, expected] as const),
  ),
)('%s with a token %s answers %s', async (route, credential, expected) => {
  const { token, lines = [], query = '' } = paths[credential as keyof typeof BY_PATH];
  expect((await statusesOf(route, token, lines, query)) ?? expected).toBe(expected);
});

/** Git sends a credential only after a 401, so that whoever sent no valid one is asked for it, whatever there is. */
const GIT_ASKS: Readonly<Record<string, string>> = { '200 401 404 404': '200 401 401 401' };
const ASKING = {
  'www-authenticate': `Basic realm="Bookstall ${new URL(stall.url).host}: any name, an API key as password", charset="UTF-8"`,
};
const LS_REFS = '0014command=ls-refs\n0000';

/** The statuses of a repository's two routes, which are the same. */
async function gitStatuses(prefix: string, lines: readonly string[], query: string): Promise<string> {
  const statuses = [];
  for (const price of PRICES) {
    const found = new Set<number>();
    for (const name of namesOf(price)) {
      const more = query.replace('?', '&');
      const get = `${prefix}/git/${name}.git/info/refs?service=git-upload-pack${more}`;
      const post = [
        `POST ${prefix}/git/${name}.git/git-upload-pack${query} HTTP/1.1`,
        `Host: ${new URL(stall.url).host}`,
        'Connection: close',
        'Git-Protocol: version=2',
        'Content-Type: application/x-git-upload-pack-request',
        `Content-Length: ${LS_REFS.length}`,
        ...lines,
      ];
      for (const answer of [
        await getRaw(stall.url, get, ...lines),
        await sendRaw(stall.url, post, LS_REFS),
      ]) {
        if (answer === null) throw new Error('no answer');
        found.add(answer.status);
        expect(answer.headers['cache-control']).toBe('private, no-store');
        if (prefix !== '') expect(answer.headers).toMatchObject(LINK);
        if (answer.status === 401) expect(answer.headers).toMatchObject(ASKING);
        if (answer.status < 400) continue;
        expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
        expect(answer.body).toMatch(/^Cannot [^\n]*\n$/);
      }
    }
    statuses.push([...found].join('/'));
  }
  return statuses.join(' ');
}

test.each(Object.entries(BY_HEADER))(
  'a repository with %s answers %s, or asks',
  async (credential, expected) => {
    const { lines, query = '' } = headers[credential as keyof typeof BY_HEADER];
    expect(await gitStatuses('', lines, query)).toBe(GIT_ASKS[expected] ?? expected);
  },
);

test.each(Object.entries(BY_PATH))(
  'a repository with a token %s in its path answers %s',
  async (credential, expected) => {
    const { token, lines = [], query = '' } = paths[credential as keyof typeof BY_PATH];
    expect(await gitStatuses(`/i/${token}`, lines, query)).toBe(expected);
  },
);

/** Over MCP what may not be read is a tool's error, since a client takes 401 and 403 for a wish to sign in. */
const TOOL_ERRORS: readonly (readonly [RegExp, number])[] = [
  [/^Cannot find /, 404],
  [/holds no live grant|does not include it/, 403],
  [/send an API key/, 401],
];

/** The statuses of a chapter read over MCP; one status alone if the request itself is refused. */
async function mcpStatuses(path: string, lines: readonly string[]): Promise<string> {
  const statuses = [];
  for (const price of PRICES) {
    const found = new Set<number>();
    for (const name of namesOf(price)) {
      const text = name.endsWith('book') ? '01.md' : 'SKILL.md';
      const body = JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'read_chapter', arguments: { item: name, path: text } },
      });
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: ${new URL(stall.url).host}`,
        'Connection: close',
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
        ...lines,
      ];
      const answer = await sendRaw(stall.url, head, body);
      if (answer === null) throw new Error('no answer');
      expect(answer.headers['cache-control']).toBe('private, no-store');
      if (path.startsWith('/i/')) expect(answer.headers).toMatchObject(LINK);
      const challenge = answer.status === 401 ? 'Bearer error="invalid_token"' : undefined;
      expect(answer.headers['www-authenticate']).toBe(challenge);
      const isRead = BOOKS_TEXT.test(answer.body);
      const status =
        answer.status === 200 && !isRead
          ? TOOL_ERRORS.find(([pattern]) =>
              pattern.test(/"text":"((?:\\.|[^"])*)/.exec(answer.body)?.[1] ?? ''),
            )?.[1]
          : answer.status;
      expect([isRead, answer.body.includes('"isError":true')]).toEqual([
        status === 200,
        status !== answer.status,
      ]);
      found.add(status ?? 0);
    }
    statuses.push([...found].join('/'));
  }
  const [first = '', ...others] = statuses;
  return others.every((one) => one === first) ? first : statuses.join(' ');
}

const OVER_MCP: Readonly<Record<string, string>> = {
  none: '200 401 404 404',
  'a session': '200 401 404 404',
  'key without a grant': '200 403 404 404',
  'key with a grant': '200 200 404 200',
  'key with a grant, as Basic': '200 200 404 200',
  'in the query': '400',
  'token in the query': '400',
};

test.each(Object.keys(BY_HEADER))('over MCP a client with %s has what is open to it', async (credential) => {
  const { lines, query = '' } = headers[credential as keyof typeof BY_HEADER];
  // A bad credential is refused, and so is a token for taking alone.
  expect(await mcpStatuses(`/mcp${query}`, lines)).toBe(OVER_MCP[credential] ?? '401');
});

test.each(Object.keys(BY_PATH))('over MCP a link %s for taking alone is refused', async (credential) => {
  const { token, lines = [], query = '' } = paths[credential as keyof typeof BY_PATH];
  expect(await mcpStatuses(`/i/${token}/mcp${query}`, lines)).toBe(
    credential.startsWith('and ') ? '400' : '404',
  );
});

test('over MCP a link that may read opens what its account holds or its items, and no other', async () => {
  const { tokens } = stall.app.admin;
  const linkOf = async (email: string, slugs: readonly string[]) =>
    (await tokens.create(email, { name: 'reads', slugs, reads: true, term: 'never' })).token;
  const [whole, other, ungranted] = [
    await linkOf('good@example.org', []),
    await linkOf('good@example.org', ['free-book', 'free-skill']),
    await linkOf('bare@example.org', []),
  ];
  expect(await mcpStatuses(`/i/${whole}/mcp`, [])).toBe('200 200 404 200');
  expect(await mcpStatuses('/mcp', [`Authorization: Bearer ${whole}`])).toBe('200 200 404 200');
  expect(await mcpStatuses(`/i/${ungranted}/mcp`, [])).toBe('200 403 404 404');
  expect(await mcpStatuses(`/i/${other}/mcp`, [])).toBe('200 403 404 404');
});

test('a stranger is asked for a credential in one sentence, whether the item is there or not', async () => {
  const sentences = new Set<string>();
  for (const name of ['paid-book', 'draft-book', 'archived-book', 'private-book', 'no-such-book']) {
    const answer = await stall.fetch(`/git/${name}.git/info/refs?service=git-upload-pack`);
    sentences.add(`${answer.status} ${(await answer.text()).replace(name, 'NAME')}`);
  }
  expect([...sentences]).toEqual([expect.stringMatching(/^401 Cannot take "NAME": send /)]);
});

test('a link that opens nothing is one answer, whatever is wrong with it', async () => {
  const bodies = new Set<string>();
  for (const name of [
    'malformed',
    'unknown',
    'a key',
    'expired',
    'revoked',
    'of a disabled account',
  ] as const)
    for (const path of ['.well-known/skills/index.json', 'paid-book/.well-known/skills/index.json']) {
      const { status, headers, body } = (await getRaw(stall.url, `/i/${paths[name].token}/${path}`))!;
      const { date: _, ...rest } = headers;
      bodies.add(JSON.stringify([status, rest, body]));
    }
  expect([...bodies]).toHaveLength(1);
});

test('without a link no well-known place has a private item, for its holder neither', async () => {
  for (const path of [
    '/skills/private-skill/.well-known/skills/index.json',
    '/.well-known/skills/private-skill/SKILL.md',
  ])
    for (const credential of ['none', 'key with a grant', 'key with a grant, as Basic'] as const)
      expect((await getRaw(stall.url, path, ...headers[credential].lines))?.status).toBe(404);
});

test('a link lists what its account holds or its items, the root the free skills alone', async () => {
  const namesAt = async (path: string, lines: readonly string[] = []) => {
    const { body } = (await getRaw(stall.url, path, ...lines))!;
    return (JSON.parse(body).skills as { name: string }[]).map(({ name }) => name);
  };
  const held = EVERY.filter((name) => !name.startsWith('draft')).toSorted();
  const at = (name: keyof typeof BY_PATH) => namesAt(`/i/${paths[name].token}/.well-known/skills/index.json`);
  expect(await at('with a grant')).toEqual(held);
  expect(await at('of these items')).toEqual(held);
  expect(await at('of another item')).toEqual(['free-book']);
  expect(await at('without a grant')).toEqual([]);
  for (const { lines, query = '' } of Object.values(headers))
    if (query === '')
      expect(await namesAt('/.well-known/agent-skills/index.json', lines)).toEqual(['free-skill']);
});

async function prepare() {
  const { accounts, grants, keys, tokens } = stall.app.admin;
  const bearer = (key: string) => [`Authorization: Bearer ${key}`];
  const basic = (key: string) => [`Authorization: Basic ${btoa(`anyone:${key}`)}`];
  const linkOf = async (email: string, slugs: readonly string[] = [], days: number | null = null) =>
    tokens.create(email, { name: 'link', slugs, reads: false, term: days === null ? 'never' : { days } });
  const good = await stall.reader('good@example.org', ...EVERY);
  const bare = await stall.reader('bare@example.org');
  const late = await stall.reader('late@example.org');
  await grants.add({
    email: late.email,
    slug: 'paid-book',
    from: '2020-01-01T00:00:00Z',
    until: '2021-01-01T00:00:00Z',
  });
  const revokedKey = await keys.create(good.email, 'revoked', 'never');
  await keys.revoke(String(revokedKey.id));
  const expiredKey = await keys.create(good.email, 'expired', { days: 1 });
  const expired = await linkOf(good.email, [], 1);
  const revoked = await linkOf(good.email);
  await tokens.revoke(String(revoked.id));
  const closed = await stall.reader('closed@example.org', ...EVERY);
  const ofClosed = await linkOf(closed.email);
  await accounts.disable(closed.email);
  const [whole, named, other, ungranted] = [
    await linkOf(good.email),
    await linkOf(good.email, EVERY),
    await linkOf(good.email, ['free-book']),
    await linkOf(late.email),
  ];
  time += 2 * DAY;
  const session = await stall.signIn(good.email);
  const headers: Record<keyof typeof BY_HEADER, { lines: readonly string[]; query?: string }> = {
    none: { lines: [] },
    malformed: { lines: bearer('svc_short') },
    'a session': { lines: [`Cookie: ${session.Cookie}`] },
    'two keys': { lines: [...bearer(good.key), ...bearer(good.key)] },
    'Basic without a password': { lines: [`Authorization: Basic ${btoa(good.key)}`] },
    'in the query': { lines: [], query: `?key=${good.key}` },
    'token in the query': { lines: bearer(good.key), query: `?a=b&t=%73${whole.token.slice(1)}` },
    'expired key': { lines: bearer(expiredKey.key) },
    'revoked key': { lines: bearer(revokedKey.key) },
    'key of a disabled account': { lines: bearer(closed.key) },
    'key without a grant': { lines: bearer(bare.key) },
    'key with a grant': { lines: bearer(good.key) },
    'key with a grant, as Basic': { lines: basic(good.key) },
    'unknown token': { lines: bearer(mintToken()) },
    'expired token': { lines: bearer(expired.token) },
    'revoked token': { lines: basic(revoked.token) },
    'token of a disabled account': { lines: bearer(ofClosed.token) },
    'token without a grant': { lines: bearer(ungranted.token) },
    'token of another item': { lines: bearer(other.token) },
    'token with a grant': { lines: bearer(whole.token) },
    'token with a grant, as Basic': { lines: basic(whole.token) },
    'token of these items': { lines: bearer(named.token) },
  };
  const paths: Record<keyof typeof BY_PATH, { token: string; lines?: readonly string[]; query?: string }> = {
    malformed: { token: 'svi_short' },
    unknown: { token: mintToken() },
    'a key': { token: good.key },
    expired: { token: expired.token },
    revoked: { token: revoked.token },
    'of a disabled account': { token: ofClosed.token },
    'and a key in the header': { token: whole.token, lines: bearer(good.key) },
    'and a token in the query': { token: whole.token, query: `?t=${whole.token}` },
    'without a grant': { token: ungranted.token },
    'of another item': { token: other.token },
    'with a grant': { token: whole.token },
    'of these items': { token: named.token },
  };
  return { headers, paths };
}
