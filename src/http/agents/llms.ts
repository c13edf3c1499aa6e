// https://llmstxt.org
import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../access/principal.ts';
import { bookText, type LlmsText, stallText } from '../../service/llms.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Http } from '../http.ts';
import { agentHeaders } from './agent-headers.ts';
import { etagOf, sendText } from './well-known.ts';

const TYPE = 'text/plain; charset=utf-8';

/** `GET /llms.txt`, the stall's free items and its interface, and `GET /books/<slug>/llms.txt`, a book's contents. */
export function llms({ stall, identity, sender }: Http) {
  /** The contents of a long book are a megabyte, which all answers share. */
  const bodies = new WeakMap<LlmsText, { readonly body: Blob; readonly etag: string }>();
  const bodyOf = (book: LlmsText) => {
    const known = bodies.get(book) ?? { body: new Blob([book.text]), etag: etagOf(book.text) };
    bodies.set(book, known);
    return known;
  };
  const sendBook = async (request: Request, asker: AgentPrincipal, slug: string): Promise<Response> => {
    const book = await bookText(stall, asker, slug);
    const { body, etag } = bodyOf(book);
    const length = String(body.size);
    const headers = {
      'Content-Type': TYPE,
      ...agentHeaders(false, book.isPublic),
      'Content-Length': length,
      ETag: etag,
    };
    if (isUnmodified(request, etag)) return notModified(headers);
    if (request.method === 'HEAD') return new Response(null, { headers });
    return sender.whole(request, body, { headers });
  };
  return new Elysia()
    .use(identity)
    .get(
      '/llms.txt',
      ({ request }) =>
        sendText(request, stallText(stall), { 'Content-Type': TYPE, ...agentHeaders(false, true) }),
      { agentGuard: true },
    )
    .get(
      '/books/:slug/llms.txt',
      async ({ request, params, asker }) => await sendBook(request, asker, params.slug),
      { agentGuard: true },
    );
}
