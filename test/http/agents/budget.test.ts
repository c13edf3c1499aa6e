import { expect, test } from 'bun:test';
import { mintToken } from '../../../src/access/key.ts';
import { openStall } from '../../harness.ts';

const INDEX = '/.well-known/skills/index.json';

test('links that open nothing are charged to the address, good ones to their account', async () => {
  const stall = await openStall({ config: { routeBudget: { limit: 3, seconds: 600 } } });
  const tokenOf = async (email: string) => {
    const reader = await stall.reader(email, 'paid-skill');
    const request = { name: 'x', slugs: [], reads: false, term: 'never' } as const;
    return { ...reader, token: (await stall.app.admin.tokens.create(email, request)).token };
  };
  const [one, other] = [await tokenOf('a@example.org'), await tokenOf('b@example.org')];
  const statusOf = async (path: string, headers = {}) => (await stall.fetch(path, { headers })).status;
  // A guesser's requests.
  for (let n = 0; n < 3; n++) expect(await statusOf(`/i/${mintToken()}${INDEX}`)).toBe(404);
  const refused = await stall.fetch(`/i/${mintToken()}${INDEX}`);
  expect([
    refused.status,
    refused.headers.get('retry-after'),
    refused.headers.get('referrer-policy'),
  ]).toEqual([429, expect.stringMatching(/^\d+$/), 'no-referrer']);
  expect(await statusOf(INDEX)).toBe(429);
  // Each account has its own, by link, token or key together.
  expect(await statusOf(`/i/${one.token}${INDEX}`)).toBe(200);
  expect(await statusOf(INDEX, { Authorization: `Basic ${btoa(`x:${one.token}`)}` })).toBe(200);
  expect(await statusOf(INDEX, one.headers)).toBe(200);
  expect(await statusOf(`/i/${one.token}${INDEX}`)).toBe(429);
  expect(await statusOf(`/i/${other.token}${INDEX}`)).toBe(200);
});
