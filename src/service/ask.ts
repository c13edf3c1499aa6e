import type { AccountPrincipal } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import type { FileRecord } from '../catalog/file-record.ts';
import type { AnswerEvent, Engine } from '../engines/engine.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { type Access, notFound } from './access.ts';
import type { Artefacts } from './artefacts.ts';
import type { BookIndexes } from './book-index.ts';
import { type Citation, createCitations } from './citations.ts';
import { openFetchLog, type OpenFetchLog } from './fetch-log.ts';
import { keepVigil } from './vigil.ts';

/** What an answer is made of: pieces of its text, then one account of how it ended. */
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

type Setting = {
  readonly serverStartId: string;
  readonly store: Store;
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly isStillValid: (principal: AccountPrincipal) => Promise<boolean>;
  readonly artefacts: Artefacts;
  readonly indexes: BookIndexes;
  readonly engine: Engine;
  readonly now: () => number;
};

type Asked = {
  readonly principal: AccountPrincipal;
  readonly edition: Edition;
  readonly query: string;
  readonly signal: AbortSignal;
  readonly log: OpenFetchLog;
};

/** Passages handed to an engine. */
const PASSAGES = 8;

/**
 * Spec 4.6: answers a question from one book's text. Refused before the stream: not-found, access-denied, no-content,
 * storage-unavailable; during it what the engine refuses, and access-denied once the reader may no longer.
 * One fetch-log row is on disk before this is kept, and completed however the stream ends.
 */
export function createAsk(setting: Setting) {
  return async (
    principal: AccountPrincipal,
    request: { readonly bookId: string; readonly query: string },
    signal: AbortSignal,
  ): Promise<AsyncGenerator<AskEvent>> => {
    const edition = setting.catalog().byBookId.get(request.bookId);
    if (edition === undefined || edition.manifest.status === 'draft') throw notFound(request.bookId);
    const log = await openFetchLog(setting, principal, request.bookId);
    try {
      await setting.access(principal, edition, 'ask');
      refuseTextless(edition);
    } catch (refusal) {
      await log.complete('refused');
      throw refusal;
    }
    return answer(setting, { principal, edition, query: request.query, signal, log });
  };
}

async function* answer(setting: Setting, asked: Asked): AsyncGenerator<AskEvent> {
  const { principal, edition, signal, log } = asked;
  const mayGoOn = async (): Promise<void> => {
    if (!(await setting.isStillValid(principal)))
      throw new Refusal(
        'access-denied',
        `Cannot go on with "${edition.manifest.slug}": the API key is no longer valid`,
      );
    await setting.access(principal, edition, 'ask');
  };
  let failure = 'abandoned';
  const engine = new AbortController();
  try {
    for await (const event of keepVigil(narrate(setting, asked, engine.signal), signal, mayGoOn)) {
      if (event.type === 'chunk') log.count(event.text);
      else await log.complete(event.outcome, event);
      yield event.type === 'chunk' ? event : { ...event, latencyMs: log.latencyMs() };
    }
  } catch (error) {
    failure =
      error instanceof Refusal && ['access-denied', 'not-found'].includes(error.kind) ? 'refused' : 'failed';
    throw failure === 'refused' ? asDenied(error) : error;
  } finally {
    engine.abort();
    await log.complete(failure);
  }
}

/** The engine's events with every citation checked, numbered and marked in the text. */
async function* narrate(
  setting: Setting,
  { edition, query }: Asked,
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const { engine, indexes, artefacts } = setting;
  const found = await indexes.search(edition, query, PASSAGES);
  const citations = createCitations(edition, found.passages, (path) => readContent(artefacts, edition, path));
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

async function readContent(artefacts: Artefacts, edition: Edition, path: string): Promise<string> {
  const file = edition.files.find((one) => one.path === path);
  if (file === undefined) return '';
  const { blob, file: artefact } = await artefacts.open(edition, 'files');
  const record = (blob ?? Bun.file(artefact)).slice(file.json.start, file.json.end);
  return ((await record.json()) as FileRecord).content;
}

function refuseTextless({ manifest, artefacts }: Edition): void {
  if (artefacts.index !== undefined) return;
  throw new Refusal('no-content', `Cannot ask "${manifest.slug}": the book holds no text to answer from`);
}

function asDenied(error: unknown): unknown {
  // A book that left the catalog for this reader mid-stream ends as access does, not as a 404.
  return error instanceof Refusal && error.kind === 'not-found'
    ? new Refusal('access-denied', error.message)
    : error;
}
