import { expect, test } from 'bun:test';
import { openStall } from '../../helpers/harness.ts';
import { sendRaw } from './raw-socket.ts';
import { ROUTES } from './routes.ts';

const stall = await openStall({ config: { budget: { limit: 5, seconds: 60 } } });
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
/** An example path of every route, with the methods of all routes there. */
const PATHS = Object.fromEntries(
  [...Map.groupBy(Object.entries(ROUTES), ([route]) => route.split(' ')[1] ?? '')].map(
    ([pattern, routes]) => {
      const path = routes[0]?.[1][2]?.path ?? pattern;
      const methods = routes.map(([route]) => route.split(' ')[0] ?? '');
      const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
      return [path.replace(':token', 'svi_x').replace(/\?.*|[{}]/g, ''), allow.join(', ')];
    },
  ),
);
/** Whether another route's name takes the path, as an account's id takes "add". */
const isNamed = (method: string, path: string): boolean =>
  Object.keys(ROUTES).some((route) => {
    const [of, pattern = ''] = route.split(' ');
    const isOf = of === method || (of === 'GET' && method === 'HEAD');
    const names = pattern.replace(/:\w+/g, '[^/]+').replace('*', '.*');
    return isOf && /[:*]/.test(pattern) && new RegExp(`^${names}$`).test(path);
  });
/** The methods of a path, and those of a route that takes its name. */
const allowed = (path: string, allow: string): string =>
  [...new Set([...allow.split(', '), ...METHODS.filter((method) => isNamed(method, path))])].join(', ');
const cells = Object.entries(PATHS).flatMap(([path, allow]) =>
  METHODS.filter((method) => !allow.split(', ').includes(method) && !isNamed(method, path)).map(
    (method) => [method, path, allowed(path, allow)] as const,
  ),
);

const sorted = (allow: string) => allow.split(', ').toSorted();

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
  if (method !== 'HEAD' && /^(?:\/i\/[^/]+)?\/mcp(?:\/library)?$/.test(path))
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32_000, data: { code: 'METHOD_NOT_ALLOWED' } },
    });
  else if (method !== 'HEAD' && /^\/(?:token|register|revoke)$/.test(path))
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
    });
  else if (method !== 'HEAD' && path.startsWith('/kosync/'))
    expect(JSON.parse(answer?.body ?? '')).toEqual({ code: 2000, message: expect.any(String) });
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
