import type { Edition } from '../../catalog/edition.ts';
import type { AnswerEvent, BookText, Engine, Question, Tokens } from '../../engines/engine.ts';
import { Refusal } from '../../refusal.ts';
import type { FoundPassage } from '../../passages/text/passage.ts';
import type { Found } from '../../search/query.ts';
import { type Citation, createCitations } from './citations.ts';

/** Pieces of an answer's text, then one `done`. The consumer fills in `latencyMs`. */
export type AskEvent =
  /** `cites` is the number of the citation that the text is the marker of; no model wrote what is `isPlain`. */
  | { readonly type: 'chunk'; readonly text: string; readonly cites?: number; readonly isPlain?: true }
  | ({ readonly type: 'done' } & Ending);

type Ending = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly outcome: string;
  readonly citations: readonly Citation[];
  readonly engine: string;
  readonly model: string | null;
  readonly truncated: boolean;
  /** The places where the book comes closest to a question that it does not cover: one for each heading, nearest first. */
  readonly nearest?: readonly NearPlace[];
};

/** A heading of a file, as passages name it. */
export type NearPlace = Pick<FoundPassage, 'path' | 'heading'>;

/** A book's best passages for a question, and its files' contents as the files endpoint returns them. */
export type Source = {
  readonly search: (edition: Edition, query: string, limit: number) => Promise<Found>;
  readonly readContent: (edition: Edition, path: string) => Promise<string>;
};

type Asked = {
  readonly edition: Edition;
  readonly query: string;
  readonly spend?: (tokens: Tokens) => void;
  readonly reserve?: (tokens: Tokens) => Promise<void>;
};

/** Passages for an engine that does not say how many it can use. */
const PASSAGES = 8;
const MOST_NEAREST = 5;

/** The engine's events, with every citation verified, numbered and marked in the text. Refuses as the engine does, and model-failed. */
export async function* streamAnswer(
  engine: Engine,
  source: Source,
  { edition, query, spend, reserve }: Asked,
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const found = await source.search(edition, query, engine.passages ?? PASSAGES);
  const citations = createCitations(edition, found.passages, (path) => source.readContent(edition, path));
  let position = 0;
  const { title, language } = edition.manifest;
  const question: Question = {
    query,
    book: { title, language },
    ...found,
    signal,
    text: bookText(source, edition),
    ...(spend === undefined ? {} : { spend }),
    ...(reserve === undefined ? {} : { reserve }),
  };
  for await (const event of engine.answer(question)) {
    if (event.type === 'end') {
      const nearest = event.outcome === 'not_covered' ? { nearest: nearestOf(found.passages) } : {};
      yield { type: 'done', ...ending(event, citations.list(), event.by ?? engine), ...nearest };
      return;
    }
    const cites = event.type === 'text' ? null : await citations.cite(event, position + 1);
    const text = event.type === 'text' ? event.text : cites === null ? '' : ` [${cites}]`;
    position += text.length;
    const isPlain = event.type === 'text' && event.isPlain === true;
    if (text !== '')
      yield { type: 'chunk', text, ...(cites === null ? {} : { cites }), ...(isPlain ? { isPlain } : {}) };
  }
  if (!signal.aborted)
    throw new Refusal(
      'model-failed',
      'Cannot finish the answer: the engine stopped without an end; ask again',
    );
}

function nearestOf(passages: readonly FoundPassage[]): readonly NearPlace[] {
  const places = new Map(passages.map(({ path, heading }) => [`${path} ${heading}`, { path, heading }]));
  return [...places.values()].slice(0, MOST_NEAREST);
}

function bookText(source: Source, edition: Edition): BookText {
  const files = new Map(edition.files.map((file) => [file.path, file]));
  const chapters = edition.chapters.filter(({ path }) => files.has(path));
  return {
    // Depends on the chapters too, since their order and titles may change while the files do not.
    key: edition.artefacts.index!.name,
    bytes: chapters.reduce((sum, { path }) => sum + files.get(path)!.size, 0),
    paths: chapters.map(({ path }) => path),
    read: () =>
      Promise.all(
        chapters.map(async ({ path, title }) => ({
          path,
          title,
          content: await source.readContent(edition, path),
        })),
      ),
  };
}

function ending(
  end: Extract<AnswerEvent, { type: 'end' }>,
  citations: readonly Citation[],
  engine: Pick<Engine, 'name' | 'model'>,
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
