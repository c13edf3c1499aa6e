import { expect, test } from 'bun:test';
import { mintKey } from '../../../src/platform/base/key.ts';
import { parseNetworks } from '../../../src/platform/http/address.ts';
import { openStall } from '../../helpers/harness.ts';

const open = async (limit: number) => {
  const stall = await openStall({
    config: {
      routeBudget: { limit, seconds: 60 },
      budget: { limit: 3, seconds: 60 },
      trustedProxies: parseNetworks('127.0.0.1'),
    },
  });
  const status = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await stall.fetch(path, { headers })).status;
  return { stall, status };
};
const from = (address: string) => ({ 'X-Forwarded-For': address });

test('the other routes share one budget per address, without its headers', async () => {
  const { stall, status } = await open(4);
  expect(await status('/api/items')).toBe(200);
  expect(await status('/')).toBe(200);
  expect(await status('/api/skills/free-skill/download')).toBe(200);
  expect(await status('/api/skills/free-skill/files')).toBe(401);
  const response = await stall.fetch('/api/items');
  expect([response.status, response.headers.get('ratelimit')]).toEqual([429, null]);
  expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 66);
  expect(await response.json()).toMatchObject({ code: 'RATE_LIMITED' });
  expect(await status('/api/items', from('203.0.113.9'))).toBe(200);
});

test('it does not count install, library, the probes and unknown paths, nor do their budgets count others', async () => {
  const { stall, status } = await open(1);
  const { headers } = await stall.reader('reader@example.org');
  expect(await status('/api/items')).toBe(200);
  expect(await status('/api/items')).toBe(429);
  for (let n = 0; n < 5; n++)
    expect([await status('/livez'), await status('/readyz'), await status('/nothing')]).toEqual([
      200, 200, 404,
    ]);
  expect(await status('/api/install/free-skill')).toBe(200);
  expect(await status('/api/cli/library', headers)).toBe(200);
});

test('a valid key counts for its account, from every address and with every key', async () => {
  const { stall, status } = await open(3);
  const { email, headers } = await stall.reader('reader@example.org');
  const { key } = await stall.app.admin.keys.create(email, 'second', 'never');
  const second = { Authorization: `Bearer ${key}` };
  expect(await status('/api/items', { ...headers, ...from('203.0.113.1') })).toBe(200);
  expect(await status('/api/items', { ...headers, ...from('203.0.113.2') })).toBe(200);
  expect(await status('/api/items', { ...second, ...from('203.0.113.3') })).toBe(200);
  expect(await status('/api/items', { ...second, ...from('203.0.113.4') })).toBe(429);
  expect(await status('/api/items', from('203.0.113.1'))).toBe(200);
  const other = await stall.reader('other@example.org');
  expect(await status('/api/items', { ...other.headers, ...from('203.0.113.1') })).toBe(200);
});

test('a request with an invalid key counts for its address', async () => {
  const { stall, status } = await open(3);
  const reader = await stall.reader('reader@example.org');
  await stall.app.admin.keys.revoke(String(reader.keyId));
  const revoked = await status('/api/skills/free-skill/files', reader.headers);
  const malformed = await status('/api/skills/free-skill/files', { Authorization: 'Bearer svc_x' });
  const unknown = await status('/api/skills/free-skill/files', { Authorization: `Bearer ${mintKey()}` });
  expect([revoked, malformed, unknown]).toEqual([401, 401, 401]);
  expect(await status('/api/skills/free-skill/files', { Authorization: `Bearer ${mintKey()}` })).toBe(429);
  expect(await status('/api/items')).toBe(429);
});

test('questions count too, and the refused one writes no row', async () => {
  const { stall } = await open(2);
  const { headers } = await stall.reader('reader@example.org');
  const ask = async () => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: '{"book_id":"free-id","query":"heron"}',
    };
    const response = await stall.fetch('/api/agent/fetch', init);
    await response.text();
    return response.status;
  };
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  expect(stall.app.admin.logs.fetches(null, null)).toHaveLength(2);
});
