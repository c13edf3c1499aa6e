import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from './access/actor.ts';
import { createArtefactShelf } from './catalog/artefact-shelf.ts';
import type { StartCompiler } from './catalog/compile-pool.ts';
import type { RenderTimes } from './catalog/reading/render-queue.ts';
import { watchContent } from './catalog/watch.ts';
import { type Config, originOf } from './config.ts';
import type { Engine } from './engines/engine.ts';
import { chooseEngine } from './engines/choose.ts';
import { createExtractive } from './engines/extractive.ts';
import { listen } from './http/listen.ts';
import { defaultLimits, type Limits } from './item/limit.ts';
import type { Log } from './log.ts';
import { Refusal } from './refusal.ts';
import { askAlone, type LocalQuestion } from './service/ask-alone.ts';
import { scheduleBackups } from './service/upkeep/backup-schedule.ts';
import type { CheckedEntry } from './service/publish/check.ts';
import type { Diagnosis } from './service/doctor/doctor.ts';
import type { AskEvent } from './service/answer.ts';
import type { Progress } from './service/publish/publishing.ts';
import { startRetention } from './service/upkeep/retention.ts';
import { recordServerStart } from './service/upkeep/server-start.ts';
import { describeServer } from './service/upkeep/server-note.ts';
import { createService } from './service/service.ts';
import { createWindowIndexes } from './service/window-index.ts';
import {
  checkAlone,
  openPublishingSession,
  publishAlone,
  type PublishingDependencies,
} from './service/publish/publishing-session.ts';
import type { PublishingConfig } from './service/publish/publish.ts';
import { announceServer, isServed } from './store/lock/serve-lock.ts';
import { openServerNote, type ServerState } from './store/lock/server-note.ts';
import { openStore, type Store } from './store/store.ts';
import { VERSION } from './version.ts';
import { workerUrl } from './worker.ts';

/** How long streams and downloads may continue after a stop was asked for, in milliseconds. */
export const DRAIN = 25_000;

/**
 * Passed in: the log, the clock (milliseconds since 1970), the engine, a listener to progress;
 * how long a tree must be quiet, an artefact unnamed and a page rendered, in milliseconds; the start of a compiler.
 */
type Dependencies = {
  readonly log: Log;
  readonly now?: () => number;
  readonly engine?: Engine;
  readonly onProgress?: Progress;
  readonly quiet?: number;
  readonly grace?: number;
  readonly startCompiler?: StartCompiler | undefined;
  readonly renderTimes?: RenderTimes;
};

/**
 * The whole stall, listening: `serve` runs it and the tests open it. It is ready for requests once `publish` has resolved.
 * Refuses a data directory that another server holds, a database it cannot use, a port that is taken.
 */
export async function openApp(config: Config, dependencies: Dependencies) {
  const { log, now = Date.now, quiet } = dependencies;
  const engine = dependencies.engine ?? chooseEngine(config.model, log);
  const windowIndexes = createWindowIndexes(() => publishing.publisher.stall().stall.language);
  // Elysia is loaded while the writer's Worker starts; the commands that need no server never load it.
  const [publishing, http] = await Promise.all([
    openPublishingSession(config, {
      ...dependencies,
      isServer: true,
      startCompiler: dependencies.startCompiler ?? startCompiler,
      prepare: windowIndexes,
    }),
    import('./http/server.ts'),
  ]);
  const { store, publisher } = publishing;
  try {
    const serverStartId = crypto.randomUUID();
    const recording = await recordServerStart({
      store,
      start: { id: serverStartId, version: VERSION, startedAt: now() },
      log,
      onWritable() {
        note.write();
        announceServer(config.data);
      },
    });
    const shelf = createArtefactShelf(config.data);
    let isReady = false;
    let isClosing = false;
    const service = createService({
      origin: () => origin,
      serverStartId,
      config,
      store,
      publisher,
      windowIndexes,
      shelf,
      engine,
      startRenderer,
      renderTimes: dependencies.renderTimes,
      log,
      now,
    });
    const { stall } = service;
    const server = http.createServer({
      stall,
      service,
      config,
      log,
      isReady: () => isReady && !isClosing,
      seeProxy: (sight, peer) => note.see(sight, peer),
      origin: () => origin,
    });
    const listener = listen(server, config, log);
    const port = listener.port ?? config.port;
    const localOrigin = originOf(config.host, port);
    const origin = config.baseUrl ?? localOrigin;
    const note = openServerNote(config.data, describeServer(config, port, now()));
    // The note is written before the process id, so that a reader of the id finds the note too.
    const announcement = announceServer(config.data);
    const watcher = config.watch
      ? watchContent(config.content, config.data, publisher.publishSettled, log, quiet)
      : null;
    const chores = startChores(config, store, log, now);
    return {
      /** Where readers reach the stall. */
      origin,
      /** Where the server listens. */
      localOrigin,
      server,
      stall,
      service,
      catalog: publisher.catalog,
      /** Brings the catalog up to the content directory, and lets requests in; `by` is null for the program itself. */
      async publish(by: Actor | null = null) {
        const publications = await publisher.publish(by);
        isReady = true;
        return publications;
      },
      /** Not ready any more; running answers get up to `DRAIN`; then everything is written and closed. */
      async close(): Promise<void> {
        // Apart from isReady: a publish that ends later sets that again.
        isClosing = true;
        watcher?.close();
        chores.forEach((chore) => chore.close());
        announcement.withdraw();
        recording.close();
        for (const end = performance.now() + DRAIN; listener.pendingRequests > 0 && performance.now() < end;)
          await Bun.sleep(20);
        await listener.stop(true);
        await service.close();
        await store.write('endServerStart', { id: serverStartId, at: now() }).catch(() => {});
        await publishing.close();
      },
    };
  } catch (error) {
    await publishing.close();
    throw error;
  }
}

/** The server's own chores: backups, and deleting old rows of the logs. */
function startChores(
  { data, backup: plan, keepLogs: keep }: Config,
  { write }: Store,
  log: Log,
  now: () => number,
) {
  return [
    ...(plan === null ? [] : [scheduleBackups({ dataDirectory: data, plan, log, now })]),
    ...(keep === null ? [] : [startRetention({ keep, write, log, now })]),
  ];
}

export type App = Awaited<ReturnType<typeof openApp>>;

/** Compiles what changed in the content directory into a data directory that no server holds: `reindex` without one. */
export function publishOnce(config: PublishingConfig, more: Omit<PublishingDependencies, 'startCompiler'>) {
  return publishAlone(config, { ...more, startCompiler });
}

/** Names every problem of a content directory; both cores read it, and nothing is kept. */
export function check(content: string, limits: Limits = defaultLimits): Promise<readonly CheckedEntry[]> {
  return checkAlone(content, limits, startCompiler);
}

/** Looks at a stall's health, one check after the other; nothing is changed. */
export async function* examine(config: Config, server: ServerState): AsyncGenerator<Diagnosis> {
  const { createSubject, examineStall } = await import('./service/doctor/doctor.ts');
  yield* examineStall(createSubject(config, server, check));
}

/** Asks a book of a content directory without a server; the extractive engine answers. */
export function askLocally(question: LocalQuestion): AsyncGenerator<AskEvent> {
  return askAlone(question, createExtractive(), startCompiler);
}

const startCompiler = (): Worker => new Worker(workerUrl('compiler'));
const startRenderer = (): Worker => new Worker(workerUrl('renderer'));

/** Refuses a data directory that no server ever made. */
export function refuseMissing(dataDirectory: string): void {
  if (existsSync(join(dataDirectory, 'bookstall.db'))) return;
  throw new Refusal(
    'not-found',
    `Cannot find a stall's data in "${dataDirectory}": start "bookstall serve" with it once, or name another directory with --data`,
  );
}

/** The services of the other stall commands: accounts, keys, grants and logs of an existing data directory, without a server. */
export async function openAdmin(dataDirectory: string) {
  refuseMissing(dataDirectory);
  const store = await openStore(dataDirectory);
  const now = Date.now;
  const config = { data: dataDirectory };
  return {
    store,
    now,
    config,
    isServed: () => isServed(dataDirectory),
    close: store.close,
  };
}

export type AdminServices = Awaited<ReturnType<typeof openAdmin>>;
