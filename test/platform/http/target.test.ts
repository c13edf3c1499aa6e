import { expect, test } from 'bun:test';
import { openStall } from '../../helpers/harness.ts';
import { getRaw } from './raw-socket.ts';

const stall = await openStall();
const owner = await stall.app.admin.accounts.add('owner@example.org', true);
const { Cookie } = await stall.signIn(owner.email);
const reader = await stall.reader('anna@example.org', 'paid-skill');

const ask = async (target: string, ...headers: string[]) =>
  (await getRaw(stall.url, target, ...headers))?.status;

test.each([
  '/.\\admin',
  '/x/..\\admin',
  '/\\admin',
  '/admin\\',
  '/admin\\accounts',
  '/x/../admin',
  '/./admin',
  '/x/%2e%2e/admin',
  '/api\\items',
  '/api/items?after=\\',
  '/api/./items',
])('%s opens nothing, for the owner either', async (target) => {
  expect([400, 404]).toContain((await ask(target, `Cookie: ${Cookie}`))!);
});

test.each(['/.\\admin', '/x/..\\admin', '/api\\items', '/books\\free-book', '/api/items?after=\\'])(
  '%s is malformed',
  async (target) => {
    expect(await ask(target, `Cookie: ${Cookie}`)).toBe(400);
  },
);

test.each([
  '/books/x%/files/y',
  '/skills/%ff/files/y',
  '/books/free-book/files/%',
  '/books/free-book/files/%ff',
  '/api/./install/x%',
  '/api/install/%',
  '/api/install/%ff',
  '/covers/%',
  '/nothing/%',
])('%s, with a malformed escape, is not found', async (target) => {
  expect(await ask(target)).toBe(404);
});

test.each([
  ['/admin', 200],
  ['/api/items', 200],
  ['/api/items?after=%5C', 200],
  ['/books/free-book', 200],
  ['/books/free-book/files/01.md', 200],
  ['/skills/free-skill/files/scripts/run.sh', 200],
  ['/skills/free-skill/files/scripts%2Frun.sh', 200],
])('%s is answered %d by GET and HEAD', async (target, status) => {
  expect(await ask(target, `Cookie: ${Cookie}`)).toBe(status);
  expect((await stall.fetch(target, { method: 'HEAD', headers: { Cookie } })).status).toBe(status);
});

test('a route of Elysia alone, below a wildcard, keeps its other methods', async () => {
  const response = await stall.fetch('/books/free-book/files/01.md', {
    method: 'POST',
    headers: reader.headers,
  });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
