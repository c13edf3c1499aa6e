import type { KnownPrincipal } from '../../access/principal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { markAddress } from '../../catalog/reading/item-links.ts';
import type { Engine, Tokens } from '../../engines/engine.ts';
import { Refusal, type RefusalKind } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';
import { type Access, isHidden, notFound, seenBy } from '../access.ts';
import type { BookIndexes } from './book-index.ts';
import type { Citation } from './citations.ts';
import { type AskDoor, openFetchLog, type OpenFetchLog } from './fetch-log.ts';
import { type AskEvent, streamAnswer, type Source } from './stream-answer.ts';
import type { ModelQuota } from './model-quota.ts';
import { withPeriodicCheck } from './periodic-check.ts';

/** The dependencies of answering a question. */
export type AskDependencies = {
  readonly serverStartId: string;
  readonly origin: () => string;
  readonly store: Store;
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly isStillValid: (principal: KnownPrincipal) => Promise<boolean>;
  readonly indexes: BookIndexes;
  readonly readContent: Source['readContent'];
  readonly engine: Engine;
  /** The daily quota of a model; null without a model. */
  readonly modelQuota: ModelQuota | null;
  /** Answers once the quota is spent; null refuses. */
  readonly fallback: Engine | null;
  readonly now: () => number;
};

type Asked = {
  readonly principal: KnownPrincipal;
  readonly edition: Edition;
  readonly query: string;
  readonly signal: AbortSignal;
  readonly log: OpenFetchLog;
  readonly engine: Engine;
};

/** Refusals that the fetch log records as `refused`, not `failed`. */
const REFUSED: readonly RefusalKind[] = ['access-denied', 'not-found', 'rate-limited'];

/**
 * Answers a question from one book's text (spec 4.6). Refuses not-found, access-denied, no-content and
 * storage-unavailable before the stream; within it, whatever the engine refuses, and access-denied once access has ended.
 * The fetch-log row is on disk before the promise resolves, and is completed however the stream ends.
 */
export function createAsk(dependencies: AskDependencies) {
  const { indexes, readContent } = dependencies;
  const source: Source = { search: indexes.search, readContent };
  return async (
    principal: KnownPrincipal,
    request: { readonly bookId: string; readonly query: string; readonly door: AskDoor },
    signal: AbortSignal,
  ): Promise<AsyncGenerator<AskEvent>> => {
    const served = dependencies.catalog().byBookId.get(request.bookId);
    if (served === undefined || isHidden(principal, served)) throw notFound(request.bookId);
    const edition = seenBy(principal, served);
    const log = await openFetchLog(dependencies, principal, request);
    try {
      await dependencies.access(principal, edition, 'ask');
      refuseTextless(edition);
      const engine = await chooseEngine(dependencies, principal, log);
      return answer(dependencies, source, { principal, edition, query: request.query, signal, log, engine });
    } catch (refusal) {
      await log.complete('refused');
      throw refusal;
    }
  };
}

async function* answer(
  dependencies: AskDependencies,
  source: Source,
  asked: Asked,
): AsyncGenerator<AskEvent> {
  const { principal, edition, signal, log, engine } = asked;
  const checkAccess = async (): Promise<void> => {
    if (!(await dependencies.isStillValid(principal)))
      throw new Refusal(
        'access-denied',
        `Cannot continue with "${edition.manifest.slug}": ${endOf(principal)}`,
      );
    await dependencies.access(principal, edition, 'ask');
  };
  const addUrl = (citation: Citation): Citation => ({
    ...citation,
    url: dependencies.origin() + markAddress(edition.manifest, citation),
  });
  let failure = 'abandoned';
  const spending = dependencies.modelQuota?.open(log.askedAt);
  const spend = (tokens: Tokens): void => {
    spending?.spend(tokens);
    log.spend(tokens);
  };
  const reserve = async (tokens: Tokens): Promise<void> => {
    if (spending !== undefined) await log.reserve(tokens);
  };
  const ended = new AbortController();
  try {
    for await (const event of withPeriodicCheck(
      streamAnswer(engine, source, { ...asked, spend, reserve }, ended.signal),
      signal,
      checkAccess,
    )) {
      if (event.type === 'chunk') log.count(event.text);
      else {
        spend(event);
        await log.complete(event.outcome, event.engine);
      }
      yield event.type === 'chunk'
        ? event
        : { ...event, latencyMs: log.latencyMs(), citations: event.citations.map(addUrl) };
    }
  } catch (error) {
    failure = error instanceof Refusal && REFUSED.includes(error.kind) ? 'refused' : 'failed';
    throw failure === 'refused' ? asDenied(error) : error;
  } finally {
    ended.abort();
    spending?.close();
    await log.complete(failure, engine.name);
  }
}

function endOf(principal: KnownPrincipal): string {
  if (principal.kind === 'token') return 'the install token is no longer valid';
  return principal.keyId === null ? 'the session has ended' : 'the API key is no longer valid';
}

/** The stall's engine, or its fallback once the quota is spent. */
async function chooseEngine(
  { engine, modelQuota, fallback }: AskDependencies,
  { accountId }: KnownPrincipal,
  { id, askedAt }: OpenFetchLog,
): Promise<Engine> {
  try {
    await modelQuota?.admit({ id, accountId, askedAt });
    return engine;
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || fallback === null) throw refusal;
    return fallback;
  }
}

/** Refuses a book without an index. */
export function refuseTextless({ manifest, artefacts }: Edition): void {
  if (artefacts.index !== undefined) return;
  throw new Refusal('no-content', `Cannot ask "${manifest.slug}": the book holds no text to answer from`);
}

function asDenied(error: unknown): unknown {
  // A book that leaves the catalog mid-stream ends the answer as a loss of access, not as a 404.
  return error instanceof Refusal && error.kind === 'not-found'
    ? new Refusal('access-denied', error.message)
    : error;
}
