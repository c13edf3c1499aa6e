import type { Edition } from '../catalog/catalog.ts';
import type { AnswerEvent, BookText, Engine, LookUp, Question, TokenCount } from './engines/engine.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import type { Found, FoundPassage } from './split.rule.ts';
import type { Artefacts } from '../catalog/artefacts.ts';
import type { BookIndexes } from './book-indexes.ts';
import { EXCERPT_WORDS, QUOTE_WORDS, verifyQuote } from './best-quote.rule.ts';
import type { NearPlace } from '../reading/contents.ts';
import { statementsOf } from './untied.rule.ts';
import type { Outcome } from '../words/outcome.ts';
import type { EngineName } from '../platform/config/model-engines.ts';

/** An event of a streamed answer: chunks of text, then one `done`, whose `latencyMs` is 0 until `ask` sets it. */
export type AskEvent =
  /** `citation` is set if `text` is a citation's marker, such as [1]. The other fields come from the engine. */
  | ({ readonly type: 'chunk'; readonly text: string; readonly citation?: Citation } & Pick<
      Extract<AnswerEvent, { type: 'text' }>,
      'isPlain' | 'isRepeated'
    > &
      Pick<Cite, 'isCode'>)
  | ({ readonly type: 'done' } & Ending);

export type AnswerSource = {
  readonly indexes: Pick<BookIndexes, 'search'>;
  readonly artefacts: Pick<Artefacts, 'read'>;
};

type Asked = {
  readonly edition: Edition;
  readonly query: string;
  readonly lookUp?: Omit<LookUp, 'search'>;
  readonly spend?: (tokens: TokenCount) => void;
  readonly reserve?: (tokens: TokenCount) => Promise<void>;
  readonly isUntiedTold?: boolean;
};

const PASSAGES = 8;
const MOST_NEAREST = 5;

/**
 * Streams an engine's answer, with a marker such as [1] for each citation that the book really has; others are left out.
 * Refuses as the engine does, and model-failed if the engine stops without an `end` event before it is aborted.
 */
export async function* citedAnswer(
  engine: Engine,
  source: AnswerSource,
  { edition, query, lookUp, spend, reserve, isUntiedTold = true }: Asked,
  signal: AbortSignal,
): AsyncGenerator<AskEvent> {
  const most = engine.passages ?? PASSAGES;
  const found = await source.indexes.search(edition, { question: query, limit: most });
  // Only offered to the engine: a model may be given fewer of them, or the whole book in their place.
  let offered = found.passages;
  const search = async (words: string) => {
    // Puts the model's words first, since a search cuts off long queries and the question may be long.
    const looked = await source.indexes.search(edition, {
      question: `${words}\n${query}`,
      limit: most,
      meant: query,
    });
    offered = mergePassages(looked.passages, found.passages).slice(0, most);
    const { coverage, neededCoverage } = looked;
    return { passages: offered, coverage, neededCoverage };
  };
  const open = () => createCitations(edition, found.passages, (path) => source.artefacts.read(edition, path));
  const citations = open();
  let answer = '';
  const { title, language } = edition.manifest;
  const question: Question = {
    query,
    book: { title, language },
    ...found,
    signal,
    text: bookText(source, edition),
    ...(lookUp === undefined ? {} : { lookUp: { ...lookUp, search } }),
    ...(spend === undefined ? {} : { spend }),
    ...(reserve === undefined ? {} : { reserve }),
  };
  for await (const event of engine.answer(question)) {
    if (event.type === 'end') {
      const nearest =
        event.outcome === 'not_covered'
          ? { near: placesOf(offered), ...(await nearestOf(found, open())) }
          : {};
      const done = ending(event, citations.list(), event.by ?? engine);
      const isJudged = isUntiedTold && done.outcome === 'answered' && done.model !== null;
      const untied = isJudged ? { untied: untiedOf(answer, done.citations, query) } : {};
      yield { type: 'done', ...done, ...nearest, ...untied };
      return;
    }
    const chunk = event.type === 'text' ? event : await citations.mark(event, answer.length + 1);
    if (chunk === null || chunk.text === '') continue;
    answer += chunk.text;
    yield { ...chunk, type: 'chunk' };
  }
  if (!signal.aborted) throw new ToldRefusal('model-failed', ({ reading }) => reading.stopped);
}

/**
 * Merges two lists of passages, each passage once: one that the question itself found (`own`) after every two that the model's
 * words found (`looked`), then the rest of `own`.
 */
function mergePassages(looked: Found['passages'], own: Found['passages']): Found['passages'] {
  const pairs = looked.flatMap((one, i) =>
    i % 2 === 0 ? [one] : [one, ...own.slice((i - 1) / 2, (i + 1) / 2)],
  );
  return [...new Map([...pairs, ...own].map((one) => [`${one.start} ${one.path}`, one])).values()];
}

function untiedOf(answer: string, citations: readonly Citation[], query: string): readonly UntiedRange[] {
  const markers = citations.flatMap(({ n, at, quote }) =>
    at.map((start) => ({ start, end: start + `[${n}]`.length, quote })),
  );
  const statements = statementsOf(answer, markers, query);
  return statements.filter(({ isTied }) => !isTied).map(({ text }) => [text.start, text.end]);
}

function placesOf(passages: readonly FoundPassage[]): readonly NearPlace[] {
  const places = new Map(passages.map(({ path, heading }) => [`${path} ${heading}`, { path, heading }]));
  return [...places.values()].slice(0, MOST_NEAREST);
}

async function nearestOf({ quotes: [quote], isNear }: Found, citations: Citations) {
  if (quote === undefined || isNear !== true) return {};
  const { passage, start, end, text } = quote;
  const { path, heading, isCode } = passage;
  const claim = { type: 'cite', path, heading, start, end, quote: text, marked: [] } as const;
  const checked = await citations.mark(claim, 0);
  if (checked === null) return {};
  return { nearest: { ...checked.citation, at: [] }, isNearestCode: isCode === true };
}

function bookText(source: AnswerSource, edition: Edition): BookText {
  const files = new Map(edition.files.map((file) => [file.path, file]));
  const chapters = edition.chapters.filter(({ path }) => files.has(path));
  return {
    // The name of the index, since it also changes with the chapters' order and titles.
    key: edition.artefacts.index!.name,
    bytes: chapters.reduce((sum, { path }) => sum + files.get(path)!.size, 0),
    paths: chapters.map(({ path }) => path),
    read: () =>
      Promise.all(
        chapters.map(async ({ path, title }) => ({
          path,
          title,
          content: await source.artefacts.read(edition, path),
        })),
      ),
  };
}

function ending(
  end: Extract<AnswerEvent, { type: 'end' }>,
  citations: readonly Citation[],
  engine: Pick<Engine, 'name' | 'model'>,
) {
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

/**
 * The end of an answer. If the book does not cover the question, `near` names up to five headings whose passages come closest,
 * the closest first, and `nearest` is the closest excerpt, if it is close enough to show. `untied` has the ranges of the answer
 * (UTF-16 offsets) beside which no quote stands; only a model's answer has it.
 */
type Ending = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly outcome: Outcome;
  readonly citations: readonly Citation[];
  readonly engine: EngineName;
  readonly model: string | null;
  readonly truncated: boolean;
  readonly nearest?: Citation;
  readonly isNearestCode?: boolean;
  readonly near?: readonly NearPlace[];
  readonly untied?: readonly UntiedRange[];
};

/** The part of an ending that the API and MCP give too; the rest is for pages. */
export type ToldEnding = Omit<Ending, 'near' | 'isNearestCode'>;

type UntiedRange = readonly [from: number, to: number];

type Cite = Extract<AnswerEvent, { type: 'cite' }>;

/**
 * A verified quote: exactly `start..end` (UTF-16 offsets) of the file whose hash is `sha256`. `at` has the offsets in the
 * answer of its markers, such as [1].
 */
export type Citation = {
  readonly n: number;
  readonly at: readonly number[];
  readonly path: string;
  readonly heading: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly sha256: string;
  /** The sentences of the quote that most likely answer the question, as UTF-16 offsets into the file. */
  readonly marked?: Cite['marked'];
  /** The address of the page that shows the quote marked; only the `done` event of a server has it. */
  readonly url?: string;
};

/** Numbers an answer's citations in the order of their first appearance. A quote that is not in the book gets no number. */
function createCitations(
  edition: Edition,
  passages: readonly FoundPassage[],
  readContent: (path: string) => Promise<string>,
) {
  const citations: (Citation & { at: number[] })[] = [];
  const hashes = new Map(edition.files.map(({ path, sha256 }) => [path, sha256]));

  const cite = async (claim: Cite, at: number): Promise<Citation | null> => {
    const known = citations.find(
      ({ path, start, end }) => path === claim.path && start === claim.start && end === claim.end,
    );
    if (known !== undefined) {
      known.at.push(at);
      return known;
    }
    const { path, heading, start, end, marked } = claim;
    const sha256 = hashes.get(path);
    const quote = claim.quote ?? quoteOfPassage(passages, claim);
    if (sha256 === undefined || quote === null) return null;
    const most = marked === undefined ? QUOTE_WORDS : EXCERPT_WORDS;
    if (!verifyQuote({ content: await readContent(path), start, end, quote, most })) return null;
    const of = { path, heading, start, end, quote, sha256, ...(marked && { marked }) };
    const citation = { n: citations.length + 1, at: [at], ...of };
    citations.push(citation);
    return citation;
  };

  const mark = async (claim: Cite, at: number) => {
    const citation = await cite(claim, at);
    const { isCode } = claim;
    return citation && { text: ` [${citation.n}]`, citation, ...(isCode === undefined ? {} : { isCode }) };
  };

  return { mark, list: (): readonly Citation[] => citations };
}

type Citations = ReturnType<typeof createCitations>;

function quoteOfPassage(passages: readonly FoundPassage[], { path, start, end }: Cite): string | null {
  const passage = passages.find((one) => one.path === path && one.start <= start && end <= one.end);
  return passage?.text.slice(start - passage.start, end - passage.start) ?? null;
}

const INTERVAL = 1000;

/**
 * Passes on a stream's events, and calls `check` about once a second, even while the stream is silent. An error of `check` ends
 * the stream; an aborted signal ends it without an error. Always calls `return` of the source.
 */
export async function* withPeriodicCheck<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  check: () => void,
): AsyncGenerator<T> {
  const events = source[Symbol.asyncIterator]();
  let checkedAt = performance.now();
  let interrupt = (): void => {};
  const onInterrupt = (): void => interrupt();
  const timer = setInterval(onInterrupt, INTERVAL);
  signal.addEventListener('abort', onInterrupt);
  // Replaces `Promise.race`, which would keep every event in memory if one of its promises lives as long as the stream.
  const orInterrupt = <Value>(promise: Promise<Value>): Promise<Value | 'interrupted'> =>
    new Promise((resolve, reject) => {
      interrupt = () => resolve('interrupted');
      promise.then(resolve, reject);
    });
  try {
    let next = events.next();
    while (!signal.aborted) {
      const result = await orInterrupt(next);
      if (signal.aborted) return;
      if (performance.now() - checkedAt >= INTERVAL * 0.9) {
        checkedAt = performance.now();
        check();
      }
      if (result === 'interrupted') continue;
      if (result.done === true) return;
      yield result.value;
      next = events.next();
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onInterrupt);
    // Does not await the end of the source: if the source hangs, the answer must still be logged as finished.
    void events.return?.()?.catch(() => {});
  }
}
