import { expect, test } from 'bun:test';
import { openStall } from '../harness.ts';
import { sendRaw } from './raw-socket.ts';
import { SITE } from './site/routes.ts';

const stall = await openStall({ config: { budget: { limit: 5, seconds: 60 } } });
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const API: Readonly<Record<string, string>> = {
  '/api/items': 'GET, HEAD',
  '/api/items/free-skill/editions': 'GET, HEAD',
  '/api/install/free-skill': 'GET, HEAD',
  '/api/install/..%2f..%2f': 'GET, HEAD',
  '/api/cli/library': 'GET, HEAD',
  '/api/books/free-id/files': 'GET, HEAD',
  '/api/skills/free-skill/files': 'GET, HEAD',
  '/api/skills/free-skill/download': 'GET, HEAD',
  '/api/books/free-id/skill': 'GET, HEAD',
  '/api/books/free-id/epub': 'GET, HEAD',
  '/api/holdings': 'GET, HEAD',
  '/api/agent/fetch': 'POST',
  '/api/redeem': 'POST',
  '/webhooks/stripe': 'POST',
  '/webhooks/gumroad/a-secret': 'POST',
  '/livez': 'GET, HEAD',
  '/readyz': 'GET, HEAD',
};
/** Paths for agents; git's own are refused in text. */
const AGENTS: Readonly<Record<string, string>> = Object.fromEntries([
  ...['', '/skills/free-skill', '/books/free-book', '/i/svi_x', '/i/svi_x/free-skill'].flatMap((base) =>
    ['agent-skills', 'skills'].flatMap((name) => [
      [`${base}/.well-known/${name}/index.json`, 'GET, HEAD'],
      [`${base}/.well-known/${name}/free-skill/SKILL.md`, 'GET, HEAD'],
    ]),
  ),
  ...['', '/i/svi_x'].flatMap((base) => [
    [`${base}/marketplace.json`, 'GET, HEAD'],
    [`${base}/mcp`, 'POST'],
    [`${base}/git/free-skill.git/info/refs`, 'GET, HEAD'],
    [`${base}/git/free-skill.git/HEAD`, 'GET, HEAD'],
    [`${base}/git/free-skill.git/objects/ab/cd`, 'GET, HEAD'],
    [`${base}/shelf.git/info/refs`, 'GET, HEAD'],
    ...['git', 'shelf'].flatMap((name) =>
      ['git-upload-pack', 'git-receive-pack'].map((service) => [
        `${base}${name === 'git' ? '/git/free-skill.git' : '/shelf.git'}/${service}`,
        'POST',
      ]),
    ),
  ]),
  ['/opds', 'GET, HEAD'],
  ['/opds/opensearch.xml', 'GET, HEAD'],
  ['/opds/all', 'GET, HEAD'],
  ['/opds/free', 'GET, HEAD'],
  ['/opds/newest', 'GET, HEAD'],
  ['/opds/search', 'GET, HEAD'],
  ['/opds/library', 'GET, HEAD'],
  ['/opds/covers/free-book', 'GET, HEAD'],
  ['/opds/thumbnails/free-book', 'GET, HEAD'],
  ['/opds/books/free-book.epub', 'GET, HEAD'],
  ['/opds/skills/free-skill.tar.gz', 'GET, HEAD'],
  ['/opds/books/free-book/files/a.pdf', 'GET, HEAD'],
  ['/opds/skills/free-skill/files/a.pdf', 'GET, HEAD'],
  ['/openapi.json', 'GET, HEAD'],
  ['/llms.txt', 'GET, HEAD'],
  ['/books/free-book/llms.txt', 'GET, HEAD'],
]);
/** The site's paths, with the methods its table gives them. */
const SITE_PATHS = Object.fromEntries(
  [...Map.groupBy(Object.entries(SITE), ([route]) => route.split(' ')[1] ?? '')].map(([pattern, routes]) => {
    const path = routes[0]?.[1].path ?? pattern;
    const methods = routes.map(([route]) => route.split(' ')[0] ?? '');
    const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    return [path.replace(/\?.*|[{}]/g, ''), allow.join(', ')];
  }),
);
/** Whether another route's name takes the path, as an account's id takes "add". */
const isNamed = (method: string, path: string): boolean =>
  Object.keys(SITE).some((route) => {
    const [of, pattern = ''] = route.split(' ');
    const isOf = of === method || (of === 'GET' && method === 'HEAD');
    return isOf && pattern.includes(':') && new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);
  });
/** The methods of a path, and those of a route that takes its name. */
const allowed = (path: string, allow: string): string =>
  [...new Set([...allow.split(', '), ...METHODS.filter((method) => isNamed(method, path))])].join(', ');
const PATHS = { ...API, ...AGENTS, ...SITE_PATHS };
const cells = Object.entries(PATHS).flatMap(([path, allow]) =>
  METHODS.filter((method) => !allow.split(', ').includes(method) && !isNamed(method, path)).map(
    (method) => [method, path, allowed(path, allow)] as const,
  ),
);

const sorted = (allow: string) => allow.split(', ').toSorted();

test('every route has a path in this table', () => {
  const patterns = stall.app.server.routes.map(
    ({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`),
  );
  expect(patterns.filter((pattern) => !Object.keys(PATHS).some((path) => pattern.test(path)))).toEqual([]);
});

test.each(cells)('%s %s answers 405 and allows %s', async (method, path, allow) => {
  const answer = await sendRaw(stall.url, [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    'Content-Length: 0',
  ]);
  expect(answer?.status).toBe(405);
  expect(sorted(answer?.headers['allow'] ?? '')).toEqual(sorted(allow));
  expect(answer?.headers['ratelimit']).toBeUndefined();
  if (method !== 'HEAD' && path.endsWith('/mcp'))
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32_000, data: { code: 'METHOD_NOT_ALLOWED' } },
    });
  else if (method !== 'HEAD' && !path.includes('.git/') && !path.startsWith('/opds'))
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: expect.any(String), code: 'METHOD_NOT_ALLOWED' });
});

test.each([
  '/api',
  '/api/',
  '/api/items/',
  '/api/install',
  '/api/install/',
  '/api/install/a/b',
  '/API/items',
  '/api//items',
  '/favicon.ico',
  '/api/skills/free-skill/FILES',
])('%s is not found, by any method', async (path) => {
  for (const method of METHODS) {
    const answer = await sendRaw(stall.url, [
      `${method} ${path} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      'Content-Length: 0',
    ]);
    expect(`${method} ${answer?.status}`).toBe(`${method} 404`);
    expect(answer?.headers['allow']).toBeUndefined();
    if (method !== 'HEAD') expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'NOT_FOUND' });
  }
});
