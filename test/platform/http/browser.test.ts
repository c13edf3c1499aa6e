import { expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF } from '../../helpers/harness.ts';
import { ROUTES } from './routes.ts';

/** Names of books and stalls, and the markup that must not come of them in a page. */
const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&';

const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml': `name: ${JSON.stringify(`Stall ${HOSTILE}`.slice(0, 60))}\n`,
    'books/odd-book/item.yaml': itemYaml({
      id: 'odd-id',
      title: JSON.stringify(HOSTILE),
      publisher: JSON.stringify(HOSTILE),
    }),
    'books/odd-book/01.md': HOSTILE,
  },
});
const { headers } = await stall.reader('reader@example.org', 'paid-book', 'paid-skill');
const question = { method: 'POST', body: '{"book_id":"odd-id","query":"alert script"}' };
const json = { ...headers, 'Content-Type': 'application/json' };

/** Each kind of answer: its type, and whether a browser saves it instead of showing it. */
const ANSWERS: readonly (readonly [
  path: string,
  init: RequestInit,
  status: number,
  type: string,
  saved?: true,
])[] = [
  ['/', {}, 200, 'text/html; charset=utf-8'],
  ['/client.tgz', {}, 200, 'application/gzip', true],
  ['/livez', {}, 200, 'text/plain; charset=utf-8'],
  ['/readyz', {}, 200, 'text/plain; charset=utf-8'],
  ['/api/items', {}, 200, 'application/json'],
  ['/api/search?q=heron', {}, 200, 'application/json'],
  ['/api/items/free-skill/editions', {}, 200, 'application/json'],
  ['/api/items/free-skill/inventory', {}, 200, 'application/json'],
  ['/api/items/free-skill/signature', {}, 404, 'application/json'],
  ['/api/items/free-skill/signed', {}, 404, 'application/json'],
  ['/api/install/odd-book', {}, 200, 'application/gzip', true],
  ['/api/skills/free-skill/download', {}, 200, 'application/zip', true],
  ['/api/skills/free-skill/download', { headers: { Range: 'bytes=0-9' } }, 206, 'application/zip', true],
  ['/api/skills/free-skill/download', { headers: { Range: 'bytes=99999-' } }, 416, 'application/json'],
  ['/api/books/paid-id/files', { headers }, 200, 'application/json'],
  ['/api/books/paid-id/files?path=01.md', { headers }, 200, 'application/json'],
  ['/api/cli/library', { headers }, 200, 'application/json'],
  ['/api/holdings', { headers }, 200, 'application/json'],
  ['/api/books/paid-id/skill', { headers }, 200, 'application/zip', true],
  ['/api/books/paid-id/epub', { headers }, 200, 'application/epub+zip', true],
  ['/api/agent/fetch', { ...question, headers: json }, 200, 'text/event-stream; charset=utf-8'],
  ['/api/agent/fetch', { ...question, headers }, 415, 'application/json'],
  ['/api/redeem', { method: 'POST', headers: { ...headers, ...json }, body: '{}' }, 400, 'application/json'],
  ['/api/publish/book/new', { headers }, 401, 'application/json'],
  ['/api/publish/book/new', { method: 'PUT', headers, body: '' }, 401, 'application/json'],
  ['/api/publish/book/new', { method: 'DELETE', headers }, 401, 'application/json'],
  ['/api/notes', { headers }, 200, 'application/json'],
  ['/api/notes?format=markdown', { headers }, 200, 'text/markdown; charset=utf-8', true],
  ['/api/books/paid-id/proof?path=01.md&start=0&end=9', { headers }, 404, 'application/json'],
  ['/api/books/paid-id/notes', { headers }, 200, 'application/json'],
  ['/api/books/paid-id/notes?format=csv', { headers }, 200, 'text/csv; charset=utf-8', true],
  ['/api/books/paid-id/notes', { method: 'POST', headers: json, body: '{}' }, 400, 'application/json'],
  ['/api/books/paid-id/notes/none', { method: 'PATCH', headers: json, body: '{}' }, 400, 'application/json'],
  ['/api/books/paid-id/notes/none', { method: 'DELETE', headers }, 404, 'application/json'],
  ['/webhooks/stripe', { method: 'POST' }, 404, 'application/json'],
  ['/webhooks/gumroad/a-secret', { method: 'POST' }, 404, 'application/json'],
  ['/api/items?limit=<script>', {}, 400, 'application/json'],
  ['/api/cli/library', {}, 401, 'application/json'],
  ['/api/install/paid-book', {}, 401, 'application/json'],
  ['/api/install/<script>', {}, 404, 'application/json'],
  ['/<script>', {}, 404, 'application/json'],
  ['/', { method: 'POST' }, 405, 'application/json'],
];

test.each(ANSWERS)('%s with %j is what its status %d and type say, for no other site', async (...row) => {
  const [path, init, status, type, saved = false] = row;
  const evil = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const response = await stall.fetch(path, { ...init, headers: { ...init.headers, ...evil } });
  await response.bytes();
  const has = Object.fromEntries(response.headers);
  expect([response.status, has['content-type'], has['x-content-type-options']]).toEqual([
    status,
    type,
    'nosniff',
  ]);
  expect(has['content-disposition']?.startsWith('attachment; filename="') ?? false).toBe(saved);
  const names = Object.keys(has).filter((name) =>
    /^access-control-|^set-cookie$|^server$|^x-powered-by$|^location$/.test(name),
  );
  expect(names).toEqual([]);
});

/** Answers for agents, and whether pages of other sites may read them: free items alone, never below a link. */
const FOR_AGENTS: readonly (readonly [
  path: string,
  init: RequestInit,
  status: number,
  type: string,
  open?: true,
])[] = [
  ...['/.well-known', '/skills/free-skill/.well-known', '/books/odd-book/.well-known'].flatMap((base) =>
    ['agent-skills', 'skills'].flatMap((name): (typeof FOR_AGENTS)[number][] => [
      [`${base}/${name}/index.json`, {}, 200, 'application/json; charset=utf-8', true],
      [
        `${base}/${name}/${base.startsWith('/books') ? 'odd-book' : 'free-skill'}/SKILL.md`,
        {},
        200,
        'text/markdown; charset=utf-8',
        true,
      ],
      [`/i/svi_none${base.replace(/^.(books|skills)/, '')}/${name}/index.json`, {}, 404, 'application/json'],
      [`/i/svi_none${base.replace(/^.(books|skills)/, '')}/${name}/a/b`, {}, 404, 'application/json'],
    ]),
  ),
  ['/opds', {}, 200, 'application/atom+xml;profile=opds-catalog;kind=navigation;charset=utf-8', true],
  ['/opds/opensearch.xml', {}, 200, 'application/opensearchdescription+xml', true],
  ['/opds/all', {}, 200, 'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8', true],
  ['/opds/free', {}, 200, 'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8', true],
  ['/opds/newest', {}, 200, 'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8', true],
  ['/opds/search', {}, 200, 'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8', true],
  ['/opds/library', {}, 401, 'text/plain; charset=utf-8'],
  [
    '/opds/library',
    { headers },
    200,
    'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8',
  ],
  ['/opds/covers/free-skill', {}, 200, 'image/png'],
  ['/opds/thumbnails/free-skill', {}, 200, 'image/png'],
  ['/opds/books/paid-book.epub', {}, 401, 'text/plain; charset=utf-8'],
  ['/opds/books/paid-book.epub', { headers }, 200, 'application/epub+zip'],
  ['/opds/skills/free-skill.tar.gz', {}, 200, 'application/gzip'],
  ['/opds/books/paid-book/files/01.md', { headers }, 404, 'text/plain; charset=utf-8'],
  ['/opds/skills/free-skill/files/a.pdf', {}, 404, 'text/plain; charset=utf-8'],
  ['/openapi.json', {}, 200, 'application/json; charset=utf-8', true],
  ['/.well-known/ai-catalog.json', {}, 200, 'application/ai-catalog+json', true],
  ['/mcp/server-card', {}, 200, 'application/mcp-server-card+json', true],
  ['/llms.txt', {}, 200, 'text/plain; charset=utf-8', true],
  ['/books/odd-book/llms.txt', {}, 200, 'text/plain; charset=utf-8', true],
  ['/books/paid-book/llms.txt', { headers }, 200, 'text/plain; charset=utf-8'],
  ...[
    'oauth-authorization-server',
    'oauth-protected-resource/mcp',
    'oauth-protected-resource/mcp/library',
  ].map((name): (typeof FOR_AGENTS)[number] => [`/.well-known/${name}`, {}, 200, 'application/json', true]),
  ['/kosync/users/auth', {}, 401, 'application/json'],
  ['/kosync/users/create', { method: 'POST' }, 402, 'application/json'],
  ['/kosync/syncs/progress/none', {}, 401, 'application/json'],
  ['/kosync/syncs/progress', { method: 'PUT' }, 401, 'application/json'],
  ['/token', { method: 'POST' }, 400, 'application/json', true],
  ['/register', { method: 'POST' }, 400, 'application/json', true],
  ['/revoke', { method: 'POST' }, 400, 'application/json', true],
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method): (typeof FOR_AGENTS)[number] => [
    '/mcp/library',
    { method },
    401,
    'application/json',
    true,
  ]),
  ['/marketplace.json', {}, 200, 'application/json; charset=utf-8', true],
  ['/i/svi_none/marketplace.json', {}, 404, 'application/json'],
  ['/mcp', { method: 'POST' }, 403, 'application/json'],
  ['/i/svi_none/mcp', { method: 'POST' }, 404, 'application/json'],
  ...['', '/i/svi_none'].flatMap((base): (typeof FOR_AGENTS)[number][] => [
    [`${base}/git/free-skill.git/info/refs`, {}, base === '' ? 403 : 404, 'text/plain; charset=utf-8'],
    ...['git-upload-pack', 'git-receive-pack'].flatMap((name): (typeof FOR_AGENTS)[number][] => [
      [`${base}/git/paid-book.git/${name}`, { method: 'POST' }, 0, 'text/plain; charset=utf-8'],
      [`${base}/shelf.git/${name}`, { method: 'POST' }, 0, 'text/plain; charset=utf-8'],
    ]),
    [`${base}/git/free-skill.git/HEAD`, {}, base === '' ? 403 : 404, 'text/plain; charset=utf-8'],
    [`${base}/git/free-skill.git/objects/ab/cd`, {}, base === '' ? 403 : 404, 'text/plain; charset=utf-8'],
    [
      `${base}/shelf.git/info/refs?service=git-upload-pack`,
      {},
      base === '' ? 401 : 404,
      'text/plain; charset=utf-8',
    ],
  ]),
];

test.each(FOR_AGENTS)('%s with %j is for agents, with status %d and type %s', async (...row) => {
  const [path, init, status, type, open = false] = row;
  const evil = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const response = await stall.fetch(path, { ...init, headers: { ...init.headers, ...evil } });
  await response.bytes();
  if (status === 0) expect(response.status).toBeGreaterThanOrEqual(400);
  else expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('access-control-allow-origin')).toBe(open ? '*' : null);
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  expect(response.headers.get('set-cookie')).toBeNull();
});

/** The site's parts that know more than sessions. */
const OF_SITE =
  /^\/(?:assets|covers|unsubscribe|(?:books|skills)\/:slug\/(?:files|print|proof|read|search))\b|^\/(?:check-quote|offline\.(?:js|webmanifest))$|^\/i\/:token$/;

test('every route is asked, but those of the site', () => {
  const asked = new Set(
    [...ANSWERS, ...FOR_AGENTS].map(([path, { method = 'GET' }]) => `${method} ${path.replace(/\?.*/, '')}`),
  );
  const missing = stall.app.server.routes.filter(({ method, path }) => {
    const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+').replace('*', '.+')}$`);
    const [budget] = ROUTES[`${method} ${path}`] ?? [];
    return (
      budget !== 'session' &&
      method !== 'OPTIONS' &&
      !OF_SITE.test(path) &&
      ![...asked].some((call) => pattern.test(call))
    );
  });
  expect(missing.map(({ path }) => path)).toEqual(['/api/skills/:slug/files']);
});

test('a page shows names as text', async () => {
  const page = await (await stall.fetch('/')).text();
  expect(page).not.toContain(HOSTILE.slice(0, 20));
  expect(page).toContain('&lt;script>alert(1)&lt;/script>');
});

test('another site cannot have a browser ask in its name: no preflight is answered', async () => {
  const preflight = await stall.fetch('/api/agent/fetch', {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization, content-type',
    },
  });
  expect(preflight.status).toBe(405);
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
