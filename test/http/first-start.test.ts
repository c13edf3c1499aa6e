import { afterAll, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { shortenStart } from '../../src/http/first-start.ts';

const wildcards: Record<string, (request: Request) => Response | Promise<Response>> = {};
const server = new Elysia({ serve: { routes: wildcards } })
  .onError(({ code }) => new Response(String(code), { status: 404 }))
  .get('/one', () => 'one')
  .get('/many/*', ({ params }) => params['*']);
wildcards['/many/*'] = (request) => server.fetch(request);
shortenStart(server);
server.listen({ port: 0, hostname: '127.0.0.1' });
afterAll(() => server.stop(true));

async function ask(path: string): Promise<string> {
  return (await fetch(new URL(path, server.server?.url))).text();
}

test('every kind of route answers, at its first request and later', async () => {
  for (const round of [1, 2]) {
    expect([round, await ask('/one'), await ask('/many/a/b'), await ask('/nowhere')]).toEqual([
      round,
      'one',
      'a/b',
      'NOT_FOUND',
    ]);
  }
});

test('the handler of all routes is made by the first request that needs it, and once', async () => {
  const other = new Elysia().get('/', () => 'here');
  shortenStart(other);
  other.listen({ port: 0, hostname: '127.0.0.1' });
  try {
    const early = other.fetch;
    expect(await (await other.fetch(new Request('http://localhost/'))).text()).toBe('here');
    const made = other.fetch;
    expect(made).not.toBe(early);
    expect(await (await early(new Request('http://localhost/'))).text()).toBe('here');
    expect(other.fetch).toBe(made);
  } finally {
    await other.stop(true);
  }
});
