import { afterAll } from 'bun:test';

/** A provider's API that answers from a script, by path without the query; it keeps the requests it had. */
export function openScriptedApi(answers: Readonly<Record<string, unknown>>) {
  const requests: { readonly path: string; readonly authorization: string | null }[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      requests.push({ path: pathname + search, authorization: request.headers.get('authorization') });
      const answer = answers[pathname];
      if (typeof answer === 'function') return (answer as () => Response)();
      return answer === undefined ? Response.json({ error: 'none' }, { status: 404 }) : Response.json(answer);
    },
  });
  afterAll(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, requests };
}
