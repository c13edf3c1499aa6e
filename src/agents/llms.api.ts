import type { AgentPrincipal } from '../platform/base/principal.ts';
import { agentHeaders } from '../platform/http/agent-answer.ts';
import { asset, type Asset, sendAsset } from '../platform/http/answer.ts';
import { bookText, type LlmsText, stallText } from '../reading/item-texts.ts';
import type { Http } from './stall.ts';

// The format of llms.txt: https://llmstxt.org

const TYPE = 'text/plain; charset=utf-8';

/** The llms.txt of books. The bodies are kept and shared, since the contents of a long book take a megabyte. */
const bodies = new WeakMap<LlmsText, Asset>();

export const sendStallText = ({ stall }: Http, request: Request): Response =>
  sendAsset(request, asset(TYPE, stallText(stall)), agentHeaders(false, true));

export function sendBookText({ stall }: Http, request: Request, asker: AgentPrincipal, slug: string) {
  const book = bookText(stall, asker, slug);
  const body = bodies.getOrInsertComputed(book, ({ text }) => asset(TYPE, text));
  return sendAsset(request, body, agentHeaders(false, book.isPublic));
}
