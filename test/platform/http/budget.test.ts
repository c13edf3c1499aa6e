import { expect, test } from 'bun:test';
import { parseNetworks } from '../../../src/platform/http/address.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { createBudgets } from '../../../src/platform/http/budget.ts';
import type { RequestEntry } from '../../../src/platform/http/request-log.ts';
import { openStall, until } from '../../helpers/harness.ts';

const LIMIT = { limit: 4, seconds: 60 };
/** Addresses that have a place of their own. */
const SLOTS = 131_072;
const POLICY = '"ip";q=4;w=60';
const PROXIED: Partial<Config> = { budget: LIMIT, trustedProxies: parseNetworks('127.0.0.0/8') };
const from = (address: string) => ({ 'X-Forwarded-For': address });

const openBudgeted = async (config: Partial<Config>) => {
  const stall = await openStall({ config });
  return { stall, reader: await stall.reader('reader@example.org', 'paid-book') };
};

test('install and library share one budget, and every answer counted by it says what is left', async () => {
  const { stall, reader } = await openBudgeted({ budget: LIMIT });
  const { headers } = reader;
  const tag = (await stall.fetch('/api/items')).headers.get('etag') ?? '';
  expect(tag).not.toBe('');
  const left: (string | null)[][] = [];
  for (const [path, init] of [
    ['/api/install/free-skill', {}],
    ['/api/cli/library', { headers }],
    ['/api/install/paid-skill', {}],
    ['/api/install/paid-skill', { headers }],
    ['/api/cli/library', { headers }],
    ['/api/install/free-skill', {}],
  ] as [string, RequestInit][]) {
    const response = await stall.fetch(path, init);
    const quota = response.headers.get('ratelimit');
    left.push([
      String(response.status),
      response.headers.get('ratelimit-policy'),
      /r=\d+/.exec(quota ?? '')?.[0] ?? null,
    ]);
    expect(quota).toMatch(/^"ip";r=\d+;t=(60|5\d|6[0-5])$/);
  }
  expect(left).toEqual([
    ['200', POLICY, 'r=3'],
    ['200', POLICY, 'r=2'],
    ['401', POLICY, 'r=1'],
    ['403', POLICY, 'r=0'],
    ['429', POLICY, 'r=0'],
    ['429', POLICY, 'r=0'],
  ]);
});

test.each<[string, string, RequestInit, number]>([
  ['a 304', '/api/install/free-skill', { headers: { 'If-None-Match': '*' } }, 304],
  ['a 404', '/api/install/nothing', {}, 404],
  ['a HEAD', '/api/install/free-skill', { method: 'HEAD' }, 200],
  ['a library without a key', '/api/cli/library', {}, 401],
])('%s is counted and carries the headers', async (_, path, init, status) => {
  const { stall } = await openBudgeted({ budget: LIMIT });
  const response = await stall.fetch(path, init);
  expect([response.status, response.headers.get('ratelimit-policy')]).toEqual([status, POLICY]);
  const next = await stall.fetch('/api/install/free-skill');
  expect(next.headers.get('ratelimit')).toStartWith('"ip";r=2;');
});

test('once all places for addresses are taken, new ones share that of their network', async () => {
  const { app } = await openStall();
  let address = '';
  const connections = { peerOf: () => address, allowSilence: () => {} };
  const stall = { ...app.stall, config: { ...app.stall.config, budget: LIMIT } };
  const budgets = createBudgets(stall, connections, () => {});
  const request = new Request('http://127.0.0.1/');
  const take = (from: string): boolean => {
    address = from;
    try {
      budgets.takeShared(request, {} as RequestEntry);
      return true;
    } catch {
      return false;
    }
  };
  for (let n = 0; n < SLOTS; n++) take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  const network = Array.from({ length: LIMIT.limit + 1 }, (_, n) => take(`11.1.1.${n}`));
  expect(network).toEqual([true, true, true, true, false]);
  expect(take('11.2.1.1')).toBe(true);
  expect(take('10.0.0.1')).toBe(true);
});

test('a 429 is JSON with Retry-After, and hands out nothing', async () => {
  const { stall } = await openBudgeted({ budget: { limit: 1, seconds: 60 } });
  await (await stall.fetch('/api/install/free-skill')).arrayBuffer();
  const response = await stall.fetch('/api/install/free-skill');
  const wait = Number(response.headers.get('retry-after'));
  expect(response.status).toBe(429);
  expect(wait).toBeInteger();
  expect(wait).toBeWithin(1, 66);
  expect(response.headers.get('ratelimit')).toBe(`"ip";r=0;t=${wait}`);
  expect(await response.json()).toEqual({ error: expect.any(String), code: 'RATE_LIMITED' });
  await until(async () => stall.app.admin.logs.downloads(null, null).length > 0);
  await Bun.sleep(150);
  expect(stall.app.admin.logs.downloads(null, null)).toHaveLength(1);
});

test('after Retry-After a request is admitted, although others were refused in between', async () => {
  const { stall } = await openBudgeted({ budget: { limit: 2, seconds: 1 } });
  const ask = async () => stall.fetch('/api/install/free-skill', { method: 'HEAD' });
  let response = await ask();
  while (response.status === 200) response = await ask();
  for (let n = 0; n < 20; n++) await ask();
  await Bun.sleep(Number(response.headers.get('retry-after')) * 1000);
  expect((await ask()).status).toBe(200);
});

test.each([
  '/api/items',
  '/',
  '/livez',
  '/readyz',
  '/api/skills/free-skill/download',
  '/api/skills/free-skill/files',
  '/api/nothing',
  '/api/install/free-skill?k=%73vc_01234567890123456789012345678901234567',
])('%s is not counted and carries no headers', async (path) => {
  const { stall } = await openBudgeted({ budget: { limit: 1, seconds: 60 } });
  for (let n = 0; n < 3; n++) {
    const { headers, status } = await stall.fetch(path);
    expect(status).not.toBe(429);
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
  }
  expect((await stall.fetch('/api/install/free-skill')).status).toBe(200);
});

test('with the budget off there are no limits and no headers', async () => {
  const { stall } = await openBudgeted({ budget: null });
  for (let n = 0; n < 100; n++) {
    const response = await stall.fetch('/api/install/free-skill', { method: 'HEAD' });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null]);
  }
});

const take = async (
  stall: Awaited<ReturnType<typeof openStall>>,
  headers: Readonly<Record<string, string>>,
) => (await stall.fetch('/api/install/free-skill', { method: 'HEAD', headers })).status;

test('behind a trusted proxy every client has a budget of its own, read from the right', async () => {
  const { stall } = await openBudgeted(PROXIED);
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push(await take(stall, from(`1.2.3.${n}, 203.0.113.7`)));
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  expect(await take(stall, from('203.0.113.8'))).toBe(200);
  expect(await take(stall, from('203.0.113.7'))).toBe(429);
});

test('an IPv6 client is its /64, an IPv4-mapped one its IPv4 address', async () => {
  const { stall } = await openBudgeted(PROXIED);
  for (let n = 0; n < 4; n++) await take(stall, from(`2001:db8::${n}`));
  expect(await take(stall, from('2001:db8:0:0:ffff::1'))).toBe(429);
  expect(await take(stall, from('2001:db8:0:1::1'))).toBe(200);
  for (let n = 0; n < 4; n++) await take(stall, from('::ffff:198.51.100.1'));
  expect(await take(stall, from('198.51.100.1'))).toBe(429);
});

test('a forwarded header from an untrusted peer is ignored, and warns once', async () => {
  const { stall } = await openBudgeted({ budget: LIMIT });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push(await take(stall, from(`203.0.113.${n}`)));
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  const warnings = stall.log.filter(({ event }) => event === 'proxy-header');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.['message']).toContain('--trusted-proxies 127.0.0.1');
});
