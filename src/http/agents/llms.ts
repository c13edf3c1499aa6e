// https://llmstxt.org
import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../access/principal.ts';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';
import { agentHeaders } from './agent-headers.ts';
import { sendText } from './well-known.ts';

/** `GET /llms.txt`, the stall's free items and its interface, and `GET /books/<slug>/llms.txt`, a book's contents. */
export function llms(service: Service, identity: Identity) {
  return new Elysia()
    .use(identity)
    .get('/llms.txt', ({ request }) => send(request, service.llms.stall(), true), { agentGuard: true })
    .get(
      '/books/:slug/llms.txt',
      async ({ request, params, asker }) => await sendBook(service, request, asker, params.slug),
      { agentGuard: true },
    );
}

async function sendBook(
  service: Service,
  request: Request,
  asker: AgentPrincipal,
  slug: string,
): Promise<Response> {
  const { text, isPublic } = await service.llms.book(asker, slug);
  return send(request, text, isPublic);
}

function send(request: Request, text: string, isPublic: boolean): Response {
  return sendText(request, text, {
    'Content-Type': 'text/plain; charset=utf-8',
    ...agentHeaders(false, isPublic),
  });
}
