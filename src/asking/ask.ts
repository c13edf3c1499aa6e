import type { AgentPrincipal, KnownPrincipal, Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { markAddress } from '../reading/item-links.ts';
import type { Engine, LookUp, TokenCount } from './engines/engine.ts';
import { createExtractive } from './engines/extractive.ts';
import { EXTRACTIVE } from '../platform/config/model-engines.ts';
import type { EarlierQuestion } from './prompt.rule.ts';
import { Refusal, type RefusalKind } from '../platform/base/refusal.ts';
import { ToldRefusal, notFound } from '../platform/base/told.ts';
import { isLonger } from '../platform/base/text.ts';
import { access, isHidden, isStillValid, seenBy, servedById, servedBySlug } from '../accounts/access.ts';
import { type AskEvent, type Citation, citedAnswer, withPeriodicCheck } from './answer.ts';
import { listContents } from '../reading/contents.ts';
import type { Stall } from './stall.ts';
import { array, object, optional, text } from '../platform/http/shape.ts';
import { LONGEST_QUESTION } from './question-words.rule.ts';

type AskDoor = 'api' | 'page' | 'mcp';

export const MOST_EARLIER = 3;
export const LONGEST_HISTORY = 4000;

const HISTORY = array(object({ question: text(), answer: text() }), {
  maxItems: MOST_EARLIER,
  description: `Earlier questions to this book with their answers, oldest first, that this one refers to: up to ${MOST_EARLIER}, of ${LONGEST_HISTORY} characters together. A model finds passages by them; a stall without one ignores them.`,
});

export const TALK = object({ history: HISTORY });

export const QUESTION_BODY = object({
  book_id: text('The book’s id.', { minLength: 1 }),
  query: text(undefined, { minLength: 1, maxLength: LONGEST_QUESTION }),
  history: optional(HISTORY),
});

type AskRequest = {
  readonly bookId: string;
  readonly query: string;
  readonly door: AskDoor;
  readonly history?: readonly EarlierQuestion[] | undefined;
};

type Asked = {
  readonly principal: KnownPrincipal;
  readonly edition: Edition;
  readonly query: string;
  readonly lookUp: Omit<LookUp, 'search'>;
  readonly signal: AbortSignal;
  readonly row: OpenRow;
  readonly engine: Engine;
};

/** The kinds of refusals that the log records as `refused` if they end a running answer; others are recorded as `failed`. */
const REFUSED: readonly RefusalKind[] = ['access-denied', 'not-found', 'rate-limited'];

/**
 * Returns the stream of an answer to a question about one book. Refuses before the stream: a history that is too long,
 * not-found, access-denied, no-content, rate-limited and storage-unavailable. Refuses during it: as the engine does,
 * rate-limited, and access-denied once access has ended. Logs the question on disk before the promise resolves, and its outcome
 * when the stream ends.
 */
export async function ask(stall: Stall, principal: KnownPrincipal, request: AskRequest, signal: AbortSignal) {
  const { bookId, query, history = [] } = request;
  refuseLongHistory(history);
  // A book hidden from this asker gets no row: in their own log, the row would tell them that the book exists.
  const served = servedById(stall, principal, bookId);
  refuseHidden(principal, served, bookId);
  const row = await openRow(stall, principal, request);
  try {
    const edition = seenBy(principal, servedById(stall, principal, bookId));
    access(stall, principal, { edition, action: 'ask' });
    refuseTextless(edition);
    const engine = engineWithinQuota(stall, principal, row);
    const lookUp = { history, headings: () => stall.indexes.headings(edition) };
    return recordedAnswer(stall, { principal, edition, query, lookUp, signal, row, engine });
  } catch (refusal) {
    await row.complete('refused');
    throw refusal;
  }
}

export async function findAskable(stall: Stall, principal: Principal, slug: string) {
  const served = servedBySlug(stall, principal, slug, 'book');
  refuseHidden(principal, served, slug);
  const edition = seenBy(principal, served);
  access(stall, principal, { edition, action: 'ask' });
  refuseTextless(edition);
  return { edition, contents: await listContents(stall, edition) };
}

function refuseLongHistory(history: readonly EarlierQuestion[]): void {
  const text = history.map(({ question, answer }) => question + answer).join('');
  if (history.length <= MOST_EARLIER && !isLonger(text, LONGEST_HISTORY)) return;
  throw Refusal.invalid(
    `Cannot ask with this history: send the last ${MOST_EARLIER} questions with their answers, ${LONGEST_HISTORY} characters together at most`,
  );
}

function refuseHidden(principal: AgentPrincipal, served: Edition, name: string): void {
  if (isHidden(principal, served)) throw notFound(name);
}

async function* recordedAnswer(stall: Stall, asked: Asked): AsyncGenerator<AskEvent> {
  const { principal, edition, signal, row, engine } = asked;
  const checkAccess = (): void => {
    if (!isStillValid(stall, principal)) throw endOf(principal, edition.manifest);
    access(stall, principal, { edition, action: 'ask' });
  };
  const addUrl = (citation: Citation): Citation => ({
    ...citation,
    url: stall.origin() + markAddress(edition.manifest, citation),
  });
  let failure = 'abandoned';
  let isDoubtful = false;
  const spending = stall.modelQuota.open(row.askedAt);
  const spend = (tokens: TokenCount): void => {
    spending?.spend(tokens);
    row.spend(tokens);
  };
  const reserve = async (tokens: TokenCount): Promise<void> => {
    if (spending !== undefined) await row.reserve(tokens);
  };
  const ended = new AbortController();
  try {
    for await (const event of withPeriodicCheck(
      citedAnswer(
        engine,
        stall,
        { ...asked, spend, reserve, isUntiedTold: isUntiedTold(stall) },
        ended.signal,
      ),
      signal,
      checkAccess,
    )) {
      if (event.type === 'chunk') {
        row.count(event.text);
        isDoubtful ||= event.isPlain === true;
      } else {
        spend(event);
        const outcome = isDoubtful && event.outcome === 'quoted' ? 'doubtful' : event.outcome;
        await row.complete(outcome, event.engine);
      }
      yield event.type === 'chunk'
        ? event
        : {
            ...event,
            latencyMs: row.latencyMs(),
            citations: event.citations.map(addUrl),
            ...(event.nearest && { nearest: addUrl(event.nearest) }),
          };
    }
  } catch (error) {
    failure = error instanceof Refusal && REFUSED.includes(error.kind) ? 'refused' : 'failed';
    throw failure === 'refused' ? asDenied(error) : error;
  } finally {
    ended.abort();
    spending?.close();
    await row.complete(failure, engine.name);
  }
}

/** Whether an answer of a model names the statements that no quote stands beside. */
export const isUntiedTold = ({ config }: Stall): boolean => config.model?.marksUntied !== false;

function endOf(principal: KnownPrincipal, { slug }: Edition['manifest']): Refusal {
  if (principal.kind === 'account' && principal.keyId === null)
    return new ToldRefusal('access-denied', ({ reading }) => reading.sessionEnded({ slug }));
  const ofToken =
    principal.kind === 'token' && principal.connection ? 'connection of this assistant' : 'install token';
  const credential = principal.kind === 'token' ? ofToken : 'API key';
  return Refusal.denied(`Cannot continue with "${slug}": the ${credential} is no longer valid`);
}

/** Returns the stall's engine, or its fallback once the daily quota is spent. Refuses rate-limited without a fallback. */
function engineWithinQuota(
  { config, engine, modelQuota }: Stall,
  { accountId }: KnownPrincipal,
  { id, askedAt }: OpenRow,
): Engine {
  try {
    modelQuota.admit({ id, accountId, askedAt });
    return engine;
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || config.model?.fallback !== EXTRACTIVE) throw refusal;
    return createExtractive();
  }
}

export function refuseTextless({ manifest, artefacts }: Edition): void {
  if (artefacts.index !== undefined) return;
  throw new ToldRefusal('no-content', ({ reading }) => reading.noText(manifest));
}

function asDenied(error: unknown): unknown {
  // A book that leaves the catalog during the stream ends the answer with access-denied, since it is too late for a 404.
  if (!(error instanceof Refusal) || error.kind !== 'not-found') return error;
  return error instanceof ToldRefusal
    ? new ToldRefusal('access-denied', error.say, undefined, error.message)
    : Refusal.denied(error.message);
}

/** Logs a question, without its text, and resolves when the row is on disk. Refuses storage-unavailable. */
async function openRow(
  { store, serverStartId, engine, now }: Stall,
  principal: KnownPrincipal,
  { bookId, door }: AskRequest,
) {
  const { accountId } = principal;
  const keyId = principal.kind === 'account' ? principal.keyId : null;
  const id = crypto.randomUUID();
  const askedAt = now();
  let answerBytes = 0;
  let spent: TokenCount = { inputTokens: 0, outputTokens: 0 };
  let isOpen = true;
  await store.write.openQuestion({
    id,
    accountId,
    keyId,
    bookId,
    askedAt,
    engine: engine.name,
    serverStartId,
    door,
  });
  const latencyMs = (): number => Math.max(0, Math.round(now() - askedAt));
  return {
    id,
    askedAt,
    latencyMs,
    // Copies two fields: a caller may pass a whole event, whose other fields must not get into the row.
    spend: ({ inputTokens, outputTokens }: TokenCount): void => void (spent = { inputTokens, outputTokens }),
    /**
     * Writes a number of tokens to disk at once, so that they count even if this process is killed. Refuses
     * storage-unavailable.
     */
    async reserve(tokens: TokenCount): Promise<void> {
      spent = tokens;
      await store.write.reserveQuestionTokens({ id, ...tokens });
    },
    count: (text: string): void => void (answerBytes += Buffer.byteLength(text)),
    async complete(outcome: string, by: string = engine.name): Promise<void> {
      if (!isOpen) return;
      isOpen = false;
      const row = { id, engine: by, outcome, answerBytes, ...spent, latencyMs: latencyMs() };
      // Ignores a failed write: a full disk must not fail an answer that was given. The log then shows the question as running,
      // and after the next start as interrupted.
      await store.write.completeQuestion(row).catch(() => {});
    },
  };
}

/** A question's log row that is not finished. The first `complete` writes how the question ended; later calls do nothing. */
type OpenRow = Awaited<ReturnType<typeof openRow>>;
