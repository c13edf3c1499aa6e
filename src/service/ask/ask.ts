import type { KeyPrincipal } from '../../access/principal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { Engine, Tokens } from '../../engines/engine.ts';
import { Refusal, type RefusalKind } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';
import { type Access, notFound } from '../access.ts';
import type { Artefacts } from '../delivery/artefacts.ts';
import type { BookIndexes } from './book-index.ts';
import { readContent } from '../delivery/content.ts';
import { openFetchLog, type OpenFetchLog } from './fetch-log.ts';
import { type AskEvent, streamAnswer, type Source } from './stream-answer.ts';
import type { ModelQuota } from './model-quota.ts';
import { withPeriodicCheck } from './periodic-check.ts';

type Dependencies = {
  readonly serverStartId: string;
  readonly store: Store;
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly isStillValid: (principal: KeyPrincipal) => Promise<boolean>;
  readonly artefacts: Artefacts;
  readonly indexes: BookIndexes;
  readonly engine: Engine;
  /** Who answers when the quota is empty, and what it may spend; null where no model costs anything. */
  readonly modelQuota: { readonly modelQuota: ModelQuota; readonly fallback: Engine | null } | null;
  readonly now: () => number;
};

type Asked = {
  readonly principal: KeyPrincipal;
  readonly edition: Edition;
  readonly query: string;
  readonly signal: AbortSignal;
  readonly log: OpenFetchLog;
  readonly engine: Engine;
};

/** Ends of an answer that are no fault of it. */
const REFUSED: readonly RefusalKind[] = ['access-denied', 'not-found', 'rate-limited'];

/**
 * Spec 4.6: answers a question from one book's text. Refused before the stream: not-found, access-denied, no-content,
 * storage-unavailable; during it what the engine refuses, and access-denied once the reader may no longer.
 * One fetch-log row is on disk before this is kept, and completed however the stream ends.
 */
export function createAsk(setting: Dependencies) {
  return async (
    principal: KeyPrincipal,
    request: { readonly bookId: string; readonly query: string },
    signal: AbortSignal,
  ): Promise<AsyncGenerator<AskEvent>> => {
    const edition = setting.catalog().byBookId.get(request.bookId);
    if (edition === undefined || edition.manifest.status === 'draft') throw notFound(request.bookId);
    const log = await openFetchLog(setting, principal, request.bookId);
    try {
      await setting.access(principal, edition, 'ask');
      refuseTextless(edition);
      const engine = await chooseEngine(setting, principal, log);
      return answer(setting, { principal, edition, query: request.query, signal, log, engine });
    } catch (refusal) {
      await log.complete('refused');
      throw refusal;
    }
  };
}

async function* answer(setting: Dependencies, asked: Asked): AsyncGenerator<AskEvent> {
  const { principal, edition, signal, log, engine } = asked;
  const mayGoOn = async (): Promise<void> => {
    if (!(await setting.isStillValid(principal)))
      throw new Refusal(
        'access-denied',
        `Cannot go on with "${edition.manifest.slug}": the API key is no longer valid`,
      );
    await setting.access(principal, edition, 'ask');
  };
  let failure = 'abandoned';
  const account = setting.modelQuota?.modelQuota.open(log.askedAt);
  const spend = (tokens: Tokens): void => {
    account?.spend(tokens);
    log.spend(tokens);
  };
  const left = new AbortController();
  try {
    for await (const event of withPeriodicCheck(
      streamAnswer(engine, sourceOf(setting), { ...asked, spend }, left.signal),
      signal,
      mayGoOn,
    )) {
      if (event.type === 'chunk') log.count(event.text);
      else {
        spend(event);
        await log.complete(event.outcome, event.engine);
      }
      yield event.type === 'chunk' ? event : { ...event, latencyMs: log.latencyMs() };
    }
  } catch (error) {
    failure = error instanceof Refusal && REFUSED.includes(error.kind) ? 'refused' : 'failed';
    throw failure === 'refused' ? asDenied(error) : error;
  } finally {
    left.abort();
    account?.close();
    await log.complete(failure, engine.name);
  }
}

/** The stall's engine, while the quota allows it; else the one that costs nothing, where there is one. */
async function chooseEngine(
  { engine, modelQuota }: Dependencies,
  { accountId }: KeyPrincipal,
  { id, askedAt }: OpenFetchLog,
): Promise<Engine> {
  try {
    await modelQuota?.modelQuota.admit({ id, accountId, askedAt });
    return engine;
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || modelQuota === null || modelQuota.fallback === null) throw refusal;
    return modelQuota.fallback;
  }
}

function sourceOf({ indexes, artefacts }: Dependencies): Source {
  return {
    search: indexes.search,
    readContent: (edition, path) => readContent(artefacts, edition, path),
  };
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
