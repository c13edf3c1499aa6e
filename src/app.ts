import type { Actor } from './platform/base/principal.ts';
import { createArtefactCache } from './catalog/artefact-cache.ts';
import { type RenderTimes, type StartWorker, createJobQueue } from './platform/base/worker-queue.ts';
import { watchContent } from './publishing/watch.ts';
import { createLiveConfig } from './platform/config/live-config.ts';
import { type Config, originOf } from './platform/config/config.ts';
import type { Engine } from './asking/engines/engine.ts';
import { createEngineChoice } from './asking/engines/choose.ts';
import { createBackups, startRetention } from './office/chores.ts';
import { describeServer, logLostSecrets, recordServerStart } from './office/server-start.ts';
import { createStorefrontIndexes } from './catalog/storefront-index.ts';
import { openPublishingSession, type PublishingSession } from './publishing/publishing-session.ts';
import { createPushPlaces } from './publishing/push-places.ts';
import type { ImportedUpload } from './publishing/manuscript/upload.ts';
import type { PublishingOptions } from './publishing/publish.ts';
import { announceServer, isServed, openServerNote } from './platform/store/server-note.ts';
import { openStore } from './store.ts';
import { VERSION } from './platform/base/version.ts';
import { workerUrl } from './platform/base/runtime.ts';
import type { Edition } from './catalog/catalog.ts';
import { createSmallCovers } from './catalog/small-covers.ts';
import { keptDirectory } from './catalog/artefact.ts';
import { MINUTE } from './platform/base/duration.ts';
import { createSender } from './mailing/mailer.ts';
import { createDownloadQueue } from './catalog/download-queue.ts';
import { createQueue } from './platform/base/turn.ts';
import { createReadingPages } from './reading/reading-pages.ts';
import { createArtefacts, createSkillArchives } from './catalog/artefacts.ts';
import { createBookVectors } from './asking/book-vectors.ts';
import { createBookIndexes } from './asking/book-indexes.ts';
import { createUnknownPurchases } from './selling/claim.ts';
import { createProofs } from './asking/proof.ts';
import { createModelQuota, NO_CAPS } from './asking/model-quota.ts';
import { createPageViews } from './catalog/page-views.ts';
import { createNoteTurns } from './reading/note.ts';
import { createReadingPlaces } from './reading/reading-place.ts';
import { createEpubs } from './reading/epubs.ts';
import { createLibraries } from './accounts/library.ts';
import { createMailLimits, requestMail, startNewsMails } from './selling/mails.ts';
import { wasRefunded } from './selling/order.ts';
import { startEventUpkeep, startOffers, startReconciling, startWaitingEvents } from './selling/sale-event.ts';
import { createOutbox } from './mailing/outbox.ts';
import { createMailDesk } from './selling/mail-desk.ts';
import { findMailedBook } from './selling/e-reader.ts';
import { startSubscriberUpkeep } from './selling/subscriber.ts';
import { createPasswords } from './accounts/password.ts';
import { createRateLimit } from './accounts/throttle.ts';
import { createSessions } from './accounts/session.ts';
import { createSetupLog } from './publishing/sell-check.ts';
import type { Publication } from './publishing/publication.ts';
import type { Server } from './server.ts';
import type { Stall } from './office/stall.ts';
import { createClientDocuments, type Network } from './agents/client-document.ts';
import { createTagPacks } from './installing/git/tag-pack.ts';
import { createRepositories } from './installing/repositories.ts';
import { endDemo } from './selling/demo.ts';

/** How long running answers and downloads may go on after the server was told to stop, in milliseconds. */
export const DRAIN = 25_000;

/**
 * Further options, which only tests set: the engine, how long files must be unchanged before a publish, how long a page
 * may be rendered (both in milliseconds), how the compiler is started, and where documents of OAuth clients are read.
 */
type Options = PublishingOptions & {
  readonly engine?: Engine;
  readonly quiet?: number;
  readonly startCompiler?: StartWorker | undefined;
  readonly renderTimes?: RenderTimes;
  readonly network?: Network;
};

/**
 * Opens the whole stall, which then listens on its port; `serve` and the tests call it. Until `publish` has resolved,
 * `/readyz` answers 503. Refuses a data directory that another server uses, an unusable database, and a port that is
 * taken.
 */
export async function openApp(config: Config, options: Options): Promise<App> {
  const { log, now = Date.now, quiet } = options;
  const storefrontIndexes = createStorefrontIndexes(() => publishing.publisher.stall().stall.language);
  // Loads Elysia while the Worker that writes to the database starts; commands without a server never load it.
  const [publishing, http] = await Promise.all([
    openPublishingSession(
      openStore,
      config,
      { ...options, isServer: true, prepare: storefrontIndexes },
      options.startCompiler,
    ),
    import('./server.ts'),
  ]);
  const { store, publisher } = publishing;
  try {
    await endDemo({ store, now }, config.demo);
    const serverStartId = crypto.randomUUID();
    const recording = await recordServerStart(
      store,
      { id: serverStartId, version: VERSION, startedAt: now() },
      log,
      () => {
        note.write();
        announceServer(config.data);
      },
    );
    logLostSecrets(publishing.settings, log);
    let isReady = false;
    let isClosing = false;
    const { stall, ...opened } = openStall(
      config,
      publishing,
      { storefrontIndexes, serverStartId, log, now, origin: () => origin },
      options,
    );
    const server = http.createServer(
      stall,
      () => isReady && !isClosing,
      (sight, peer) => note.see(sight, peer),
    );
    const listener = http.listen(server, config, log);
    const port = listener.port ?? config.port;
    const localOrigin = originOf(config.host, port);
    const origin = config.baseUrl ?? localOrigin;
    const note = openServerNote(config.data, describeServer(config, port, now()));
    // The file that describes this server is written before its process id, so that a program that reads the id finds the
    // file.
    const announcement = announceServer(config.data);
    const watcher = config.watch
      ? watchContent({ content: config.content, except: config.data, quiet }, publisher.publishSettled, log)
      : null;
    stall.backups.start();
    const retention = config.keepLogs === null ? null : startRetention(stall, config.keepLogs);
    return {
      origin,
      localOrigin,
      server,
      stall,
      ...opened,
      catalog: publisher.catalog,
      async publish(by: Actor | null = null) {
        const publications = await publisher.publish(by);
        isReady = true;
        return publications;
      },
      async close(): Promise<void> {
        // A flag of its own, since a publish that ends later sets `isReady` to true again.
        isClosing = true;
        watcher?.close();
        stall.backups.close();
        retention?.close();
        announcement.withdraw();
        recording.close();
        for (const end = performance.now() + DRAIN; listener.pendingRequests > 0 && performance.now() < end;)
          await Bun.sleep(20);
        await listener.stop(true);
        await opened.close();
        await store.write.endServerStart({ id: serverStartId, at: now() }).catch(() => {});
        await publishing.close();
      },
    };
  } catch (error) {
    await publishing.close();
    throw error;
  }
}

/** The limit for wrong codes from one network address: ten at once, then one a minute. */
export const CODE_GUESSES = { burst: 10, interval: MINUTE };

/** Creates everything that lives as long as the stall. `close` writes buffered downloads, reading places and page views. */
function openStall(
  start: Config,
  { store, settings, publisher }: PublishingSession,
  given: Pick<Stall, 'storefrontIndexes' | 'serverStartId' | 'log' | 'now' | 'origin'>,
  { engine, renderTimes: times, network }: Pick<Options, 'engine' | 'renderTimes' | 'network'>,
) {
  const { catalog } = publisher;
  const manifest = () => publisher.stall().stall;
  const stallName = () => manifest().name;
  const config = createLiveConfig(start, settings);
  const { data: dataDirectory } = config;
  const base = { ...given, config, store, settings, catalog, manifest, stallFiles: publisher.stall };
  const { now, log, origin } = given;
  const artefacts = createArtefacts(createArtefactCache(dataDirectory), publisher.rebuild, log);
  const vectors = createBookVectors(base);
  const indexes = createBookIndexes(artefacts, vectors);
  publisher.onSwap(indexes.retain);
  const verify = (edition: Edition) => artefacts.open(edition, 'files');
  const pages = createReadingPages(dataDirectory, startRenderer, { verify, times });
  const epubs = createEpubs({ dataDirectory, store, artefacts, startRenderer, log });
  const outbox = createOutbox(base, {
    desk: createMailDesk({
      ...base,
      pages,
      findMailedBook: (account, id) => findMailedBook(stall, account, id),
    }),
    mailer: createSender(() => config.mail, stallName),
    isDemo: config.demo,
    pauseOf: () => config.mail?.pause ?? 0,
  });
  // Looks for mails after each write: any may have queued one, and a look takes microseconds.
  store.onWrite(outbox.look);
  const waitingEvents = startWaitingEvents(base);
  const smallCovers = createSmallCovers(dataDirectory, startRenderer, { verify, times });
  const imports = createJobQueue(startRenderer, { limit: LONGEST_IMPORT, idle: 0 });
  const repositories = createRepositories(store, catalog, origin);
  const tagPacks = createTagPacks(dataDirectory, startRenderer);
  publisher.onSwap(repositories.tag);
  const skillArchives = createSkillArchives({ ...base, dataDirectory, artefacts });
  publisher.onSwap(({ editions }) => {
    epubs.retain(editions);
    void skillArchives.retire();
  });
  const downloads = createDownloadQueue(store.write, log);
  const readingPlaces = createReadingPlaces(store, log, now);
  const chosenEngine = createEngineChoice(() => config.model, log, now);
  const stall: Stall = {
    ...base,
    artefacts,
    indexes,
    vectors,
    pages,
    readingPlaces,
    noteTurns: createNoteTurns(),
    searchInTurn: createQueue(),
    importInTurn: createQueue(),
    downloads,
    smallCovers,
    epubs,
    skillArchives,
    keptCache: createArtefactCache(keptDirectory(dataDirectory)),
    repositories,
    tagPacks,
    get engine() {
      return engine ?? chosenEngine();
    },
    proofs: createProofs(),
    modelQuota: createModelQuota(store, () => config.model ?? NO_CAPS),
    outbox,
    waitingEvents,
    passwords: createPasswords(store, stallName, log),
    sessions: createSessions(base),
    codeGuesses: createRateLimit(CODE_GUESSES),
    countUnknownPurchase: createUnknownPurchases(now),
    mayAskForMail: createMailLimits(now),
    requestMail: (kind, address, client) => requestMail(stall, kind, address, client),
    wasRefunded: (accountId, key) => wasRefunded(base, accountId, key),
    report: publisher.report,
    publish: publisher.publish,
    checkItem: publisher.checkItem,
    readItem: publisher.readItem,
    pushes: createPushPlaces(),
    backups: createBackups(base),
    importUpload: (job) => imports.run(job) as Promise<ImportedUpload>,
    isServed: () => isServed(dataDirectory),
    pageViews: createPageViews(store.write, log, now),
    libraries: createLibraries(store),
    findClientDocument: createClientDocuments(now, network),
  };
  const news = startNewsMails(stall);
  const offers = startOffers(stall);
  // The database tells the writer whether mails are queued or left to the owner, so a changed setting is stored there.
  settings.onChange(() => void offers.run());
  settings.onChange(stall.backups.look);
  const subscribers = startSubscriberUpkeep(stall);
  const [upkeep, reconciling] = [startEventUpkeep(stall), startReconciling(stall)];
  let isServing = false;
  publisher.onSwap(() => {
    void vectors.build();
    void offers.run();
    void subscribers.run();
    // These chores begin once the server listens: if the start is refused before, the database is closed at once.
    if (!isServing) void upkeep.run();
    if (!isServing) void offers.settled().then(reconciling.run);
    isServing = true;
  });
  publisher.onSwap(createSetupLog(config, log));

  return {
    stall,
    queueNews: news.run,
    subscribersSettled: subscribers.settled,
    salesSettled: offers.settled,
    async close(): Promise<void> {
      news.close();
      subscribers.close();
      await subscribers.settled();
      await outbox.close();
      vectors.close();
      indexes.close();
      smallCovers.close();
      epubs.close();
      tagPacks.close();
      imports.close();
      pages.close();
      await readingPlaces.flush();
      await stall.pageViews.flush();
      upkeep.close();
      reconciling.close();
      waitingEvents.close();
      await waitingEvents.settled();
      await offers.settled();
      await downloads.flush();
    },
  };
}

export type App = {
  /** The address at which readers reach the stall; `localOrigin` is the one on which the server itself listens. */
  readonly origin: string;
  readonly localOrigin: string;
  readonly server: Server;
  readonly stall: Stall;
  readonly catalog: Stall['catalog'];
  /**
   * Publishes the content directory; from the first time on, `/readyz` says ready. `by` is the person who asked for it,
   * null for the program itself.
   */
  readonly publish: (by?: Actor | null) => Promise<readonly Publication[]>;
  readonly queueNews: () => Promise<void>;
  /** Resolves when mails are queued to the people who waited for items of the last publish. */
  readonly subscribersSettled: () => Promise<void>;
  /** Resolves when the product ids of the last publish are stored, and the orders that waited for these are updated. */
  readonly salesSettled: () => Promise<void>;
  /**
   * Makes `/readyz` answer 503, waits up to `DRAIN` for running answers, closes the listener, then writes what is
   * buffered and closes everything.
   */
  readonly close: () => Promise<void>;
};

/** How long the conversion of an uploaded manuscript may take, in milliseconds; thousands of chapters take seconds. */
const LONGEST_IMPORT = 10 * 60_000;

const startRenderer = (): Worker => new Worker(workerUrl('renderer'));
