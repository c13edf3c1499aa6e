// https://llmstxt.org
import type { AgentPrincipal } from '../../access/principal.ts';
import { bookText, type LlmsText, stallText } from '../../service/llms.ts';
import { isUnmodified, notModified } from '../answer.ts';
import type { Http } from '../http.ts';
import { agentHeaders, etagOf, sendText } from './agent-answer.ts';

const TYPE = 'text/plain; charset=utf-8';

/** The contents of a long book are a megabyte, which all answers share. */
const bodies = new WeakMap<LlmsText, { readonly body: Blob; readonly etag: string }>();

/** `GET /llms.txt`: the stall's free items and its interface. */
export function sendStallText({ stall }: Http, request: Request): Response {
  return sendText(request, stallText(stall), { 'Content-Type': TYPE, ...agentHeaders(false, true) });
}

/** `GET /books/<slug>/llms.txt`: a book's contents. */
export async function sendBookText(
  { stall, sender }: Http,
  request: Request,
  asker: AgentPrincipal,
  slug: string,
): Promise<Response> {
  const book = await bookText(stall, asker, slug);
  const { body, etag } = bodies.get(book) ?? { body: new Blob([book.text]), etag: etagOf(book.text) };
  bodies.set(book, { body, etag });
  const headers = {
    'Content-Type': TYPE,
    ...agentHeaders(false, book.isPublic),
    'Content-Length': String(body.size),
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  if (request.method === 'HEAD') return new Response(null, { headers });
  return sender.whole(request, body, { headers });
}
