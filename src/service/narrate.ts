import type { Edition } from '../catalog/edition.ts';
import type { AnswerEvent, Engine } from '../engines/engine.ts';
import { Refusal } from '../refusal.ts';
import type { Found } from '../search/query.ts';
import { type Citation, createCitations } from './citations.ts';

/** What an answer is made of: pieces of its text, then one account of how it ended. `latencyMs` is the listener's to fill. */
export type AskEvent =
  { readonly type: 'chunk'; readonly text: string } | ({ readonly type: 'done' } & Ending);

type Ending = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly outcome: string;
  readonly citations: readonly Citation[];
  readonly engine: string;
  readonly model: string | null;
  readonly truncated: boolean;
};

/** What an answer is drawn from: a book's best passages, and its files' contents as the files endpoint gives them. */
export type Source = {
  readonly search: (edition: Edition, query: string, limit: number) => Promise<Found>;
  readonly readContent: (edition: Edition, path: string) => Promise<string>;
};

/** Passages handed to an engine. */
const PASSAGES = 8;

/** The engine's events with every citation checked, numbered and marked in the text. Refuses what the engine does, and model-failed. */
export async function* narrate(
  engine: Engine,
  source: Source,
  { edition, query }: { readonly edition: Edition; readonly query: string },
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const found = await source.search(edition, query, PASSAGES);
  const citations = createCitations(edition, found.passages, (path) => source.readContent(edition, path));
  let position = 0;
  for await (const event of engine.answer({
    query,
    book: { title: edition.manifest.title },
    ...found,
    signal,
  })) {
    if (event.type === 'end') {
      yield { type: 'done', ...ending(event, citations.list(), engine) };
      return;
    }
    const text = event.type === 'text' ? event.text : await mark(citations, event, position);
    position += text.length;
    if (text !== '') yield { type: 'chunk', text };
  }
  if (!signal.aborted)
    throw new Refusal(
      'model-failed',
      'Cannot finish the answer: the engine stopped without an end; ask again',
    );
}

async function mark(
  citations: ReturnType<typeof createCitations>,
  claim: Extract<AnswerEvent, { type: 'cite' }>,
  position: number,
): Promise<string> {
  const n = await citations.cite(claim, position + 1);
  return n === null ? '' : ` [${n}]`;
}

function ending(
  end: Extract<AnswerEvent, { type: 'end' }>,
  citations: readonly Citation[],
  engine: Engine,
): Ending {
  const { inputTokens, outputTokens, truncated } = end;
  const outcome = end.outcome === 'answered' && citations.length === 0 ? 'unsupported' : end.outcome;
  return {
    inputTokens,
    outputTokens,
    latencyMs: 0,
    outcome,
    citations,
    engine: engine.name,
    model: engine.model,
    truncated,
  };
}
