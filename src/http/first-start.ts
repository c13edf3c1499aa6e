import type { AnyElysia } from 'elysia';

/**
 * Lets a server listen without two things that Elysia does for every one. The handler of all routes, which Bun asks only
 * about paths that it has not matched, is made by the first such request. Routes are not given to Bun once more when all
 * plugins that are promises have come, since there are none.
 */
export function shortenStart(server: AnyElysia): void {
  let handler: AnyElysia['fetch'] | null = null;
  // Elysia's own is a getter of the class: it makes the handler, and puts itself into the place of the property.
  const make = (): AnyElysia['fetch'] => {
    Reflect.deleteProperty(server, 'fetch');
    return server.fetch;
  };
  server.compile = () => server;
  Object.defineProperties(server, {
    promisedModules: { value: new Promise(() => {}) },
    fetch: { configurable: true, value: (request: Request) => (handler ??= make())(request) },
  });
}
