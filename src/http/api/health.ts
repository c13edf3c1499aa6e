import { Elysia } from 'elysia';
import type { Identity } from '../identity.ts';

/** `GET /livez` and `GET /readyz`: whether the process runs, and whether it is ready for requests. */
export function health(isReady: () => boolean, identity: Identity) {
  return new Elysia()
    .use(identity)
    .get('/livez', () => plain(200, 'alive'), { probeGuard: true })
    .get('/readyz', () => (isReady() ? plain(200, 'ready') : plain(503, 'not ready')), { probeGuard: true });
}

function plain(status: number, word: string): Response {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(word.length + 1),
  };
  return new Response(`${word}\n`, { status, headers });
}
