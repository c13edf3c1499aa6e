import type { KnownPrincipal } from '../../../access/principal.ts';
import { findBySlug } from '../../../catalog/catalog.ts';
import { isTooLong, LONGEST_QUESTION } from '../../../passages/question/question-words.ts';
import { Refusal } from '../../../refusal.ts';
import { notFound } from '../../../service/access.ts';
import type { AskEvent, Citation } from '../../../service/answer.ts';
import { type Arguments, requireItem, requireText } from './arguments.ts';
import type { Exchange } from './exchange.ts';
import { resourceUri } from './resource-uri.ts';
import type { MessageId } from './running-questions.ts';
import type { ToolResult } from './tool-call.ts';
import { ask } from '../../../service/ask.ts';

/** How a client follows one call: `report` sends it progress, null if it asked for none. */
export type Call = {
  readonly id: MessageId;
  readonly signal: AbortSignal;
  readonly report: ((step: number) => Promise<void>) | null;
};

type Done = Extract<AskEvent, { type: 'done' }>;

/** Milliseconds between two reports while an answer is written. */
const REPORT_EVERY = 10_000;

/** Asks a book, and stops its engine once the client leaves or cancels. Refuses as the use case does. */
export async function askBook(exchange: Exchange, given: Arguments, call: Call): Promise<ToolResult> {
  const { service, budgets, running, client, origin } = exchange;
  const slug = requireItem(given);
  const query = readQuestion(given);
  const asker = requireAccount(exchange, slug);
  const place = budgets.enterStream(asker);
  const stopped = new AbortController();
  call.signal.addEventListener('abort', () => stopped.abort(), { once: true });
  const forget = running.add(client, call.id, stopped);
  const stopReporting = reportInTurns(call.report, REPORT_EVERY);
  try {
    const bookId = findBook(exchange, slug);
    const events = await ask(service.stall, asker, { bookId, query, door: 'mcp' }, stopped.signal);
    let answer = '';
    for await (const event of events) {
      if (event.type === 'done') return toResult(slugOf(exchange, bookId), answer, event);
      answer += event.text;
    }
    throw new Refusal('invalid-request', `Cannot go on with this answer: its reader has left ${origin()}`);
  } finally {
    stopReporting();
    forget();
    place.leave();
  }
}

/** Calls `report` at intervals until the returned function is called. Failures are ignored: the client may have left. */
export function reportInTurns(report: Call['report'], every: number): () => void {
  if (report === null) return () => {};
  let step = 0;
  const timer = setInterval(() => void report(++step).catch(() => {}), every);
  return () => clearInterval(timer);
}

function readQuestion(given: Arguments): string {
  const question = requireText(given, 'question', 'the question as text');
  if (!isTooLong(question)) return question;
  throw new Refusal(
    'invalid-request',
    `Cannot ask a "question" of more than ${LONGEST_QUESTION} characters: shorten it`,
  );
}

function requireAccount({ asker, origin }: Exchange, slug: string): KnownPrincipal {
  if (asker.kind !== 'anonymous') return asker;
  throw new Refusal(
    'unauthenticated',
    `Cannot ask "${slug.slice(0, 80)}" without an API key: make one at ${origin()}/dashboard and have this program send it as "Authorization: Bearer svc_…"; ${origin()}/connect has the line for each agent`,
  );
}

function findBook({ service }: Exchange, slug: string): string {
  const edition = findBySlug(service.stall.catalog(), slug);
  const { kind, status, id } = edition?.manifest ?? {};
  if (kind === 'skill' && status === 'published')
    throw new Refusal('invalid-request', `Cannot ask "${slug}": it is a skill; read it with read_chapter`);
  // Refused here, since the use case would name a draft by its id.
  if (kind !== 'book' || status === 'draft' || typeof id !== 'string') throw notFound(slug);
  return id;
}

function slugOf({ service }: Exchange, bookId: string): string {
  return service.stall.catalog().byBookId.get(bookId)?.manifest.slug ?? '';
}

function toResult(slug: string, answer: string, done: Done): ToolResult {
  const { outcome, citations: verified, engine, model, truncated, inputTokens, outputTokens } = done;
  const cited = verified.map((citation) => ({
    n: citation.n,
    quote: citation.quote,
    heading: citation.heading,
    uri: resourceUri({ kind: 'book', slug, path: citation.path }),
  }));
  const lines = cited.map(({ n, quote, heading, uri }) => `[${n}] “${quote}” (${heading}; ${uri})`);
  return {
    content: [{ type: 'text', text: [answer, ...lines].join('\n\n') }],
    structuredContent: { outcome, answer, citations: cited },
    _meta: {
      'bookstall/answer': { engine, model, truncated, inputTokens, outputTokens },
      'bookstall/citations': verified.map(placeOf),
    },
  };
}

function placeOf({ n, at, path, start, end, sha256, url }: Citation) {
  return { n, at, path, start, end, sha256, url };
}
