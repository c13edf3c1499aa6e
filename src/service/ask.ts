import type { AccountPrincipal } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import type { FileRecord } from '../catalog/file-record.ts';
import type { Engine } from '../engines/engine.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { type Access, notFound } from './access.ts';
import type { Artefacts } from './artefacts.ts';
import type { BookIndexes } from './book-index.ts';
import { openFetchLog, type OpenFetchLog } from './fetch-log.ts';
import { type AskEvent, narrate, type Source } from './narrate.ts';
import { keepVigil } from './vigil.ts';

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
    for await (const event of keepVigil(
      narrate(setting.engine, sourceOf(setting), asked, engine.signal),
      signal,
      mayGoOn,
    )) {
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

function sourceOf({ indexes, artefacts }: Setting): Source {
  return {
    search: indexes.search,
    readContent: (edition, path) => readContent(artefacts, edition, path),
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
