import { Elysia } from 'elysia';
import type { Identity } from '../identity.ts';
import { agentHeaders } from './agent-headers.ts';
import { sendText } from './well-known.ts';

/** `GET /openapi.json`: the API's description, loaded at its first request. */
export function openapi(identity: Identity, origin: () => string) {
  const write = async (): Promise<string> => {
    const { OPENAPI } = await import('./openapi-document.ts');
    return `${JSON.stringify({ ...OPENAPI, servers: [{ url: origin() }] })}\n`;
  };
  return new Elysia().use(identity).get(
    '/openapi.json',
    async ({ request }) =>
      sendText(request, await write(), {
        'Content-Type': 'application/json; charset=utf-8',
        ...agentHeaders(false, true),
      }),
    { agentGuard: true },
  );
}
