import type { Edition } from '../catalog/edition.ts';
import type { Grant } from '../access/grant.ts';
import { type ArtefactShelf, createArtefactShelf } from '../catalog/artefact-shelf.ts';
import { createSmallCovers } from '../catalog/covers/small-covers.ts';
import { keptDirectory } from '../catalog/kept-editions.ts';
import type { RenderTimes, StartRenderer } from '../catalog/reading/render-queue.ts';
import type { Config } from '../config.ts';
import { MINUTE } from '../duration.ts';
import type { Engine } from '../engines/engine.ts';
import type { Log } from '../log.ts';
import { createMailer } from '../mail/mailer.ts';
import type { Store } from '../store/store.ts';
import { isServed } from '../store/lock/serve-lock.ts';
import { createDownloadQueue } from '../store/writer/download-queue.ts';
import { createReadingPages } from '../catalog/reading/reading-pages.ts';
import { createBookIndexes } from './book-indexes.ts';
import { createUnknownPurchases } from './claims.ts';
import { createModelQuota } from './model-quota.ts';
import { createReadingPlaces } from './reading-places.ts';
import { createRecentContents } from './recent-contents.ts';
import { createArtefacts } from './artefacts.ts';
import { createEpubs } from './epubs.ts';
import { createAuthentication } from './keys.ts';
import { createMailLimits, startNewsMails } from './mails.ts';
import { createMemo } from './memo.ts';
import { startOffers } from './offers.ts';
import { createOutbox } from './outbox.ts';
import type { Publisher } from './publish/publish.ts';
import type { Shelf } from './library.ts';
import { createPageViews } from './page-views.ts';
import { createPasswords } from './passwords.ts';
import { createRateLimit } from './rate-limit.ts';
import { startReconciling } from './reconcile.ts';
import { startEventUpkeep, startWaitingEvents } from './sale-events.ts';
import { createSessions } from './sessions.ts';
import { createSetupLog } from './sell-check.ts';
import type { Stall } from './stall.ts';
import type { WindowIndexes } from './window-index.ts';
import { createRepositories } from './repositories.ts';
import { createSkillArchives } from './skill-archives.ts';

export type Service = ReturnType<typeof createService>;

type Dependencies = {
  /** The stall's origin, as install records name it. */
  readonly origin: () => string;
  readonly serverStartId: string;
  readonly config: Config;
  readonly store: Store;
  readonly publisher: Publisher;
  readonly windowIndexes: WindowIndexes;
  readonly shelf: ArtefactShelf;
  readonly engine: Engine;
  readonly startRenderer: StartRenderer;
  readonly renderTimes: RenderTimes | undefined;
  readonly log: Log;
  readonly now: () => number;
};

/** An address may try ten wrong codes, then one a minute. */
const CODE_GUESSES = { burst: 10, interval: MINUTE };

/** All services of a stall, free of HTTP and SQL. `close` writes the downloads, places and views that still wait. */
export function createService({
  origin,
  serverStartId,
  config,
  store,
  publisher,
  windowIndexes,
  shelf,
  engine,
  startRenderer,
  renderTimes,
  log,
  now,
}: Dependencies) {
  const { catalog } = publisher;
  const { data: dataDirectory, model } = config;
  const grants = createMemo<readonly Grant[]>(store.generation);
  const manifest = () => publisher.stall().stall;
  const stallName = () => manifest().name;
  const base = { config, store, catalog, manifest, log, now, origin };
  const send =
    config.mail === null ? null : createMailer({ config: config.mail, senderName: stallName }).send;
  const outbox = createOutbox(base, send);
  const waitingEvents = startWaitingEvents({ ...base, outbox });
  const artefacts = createArtefacts(shelf, publisher.rebuild, log);
  const indexes = createBookIndexes(artefacts);
  publisher.onSwap(indexes.retain);
  const verify = (edition: Edition) => artefacts.open(edition, 'files');
  const pages = createReadingPages(dataDirectory, startRenderer, { verify, times: renderTimes });
  const smallCovers = createSmallCovers(dataDirectory, startRenderer, { verify, times: renderTimes });
  const epubs = createEpubs({ dataDirectory, store, artefacts, startRenderer, log });
  const skillArchives = createSkillArchives({ ...base, dataDirectory, artefacts });
  publisher.onSwap(({ editions }) => {
    epubs.retain(editions);
    void skillArchives.retire();
  });
  const downloads = createDownloadQueue(store.write, log);
  const readingPlaces = createReadingPlaces(store, log, now);
  const stall: Stall = {
    ...{ serverStartId, artefacts, indexes, pages, readingPlaces, engine },
    ...{ downloads, smallCovers, epubs, skillArchives },
    keptShelf: createArtefactShelf(keptDirectory(dataDirectory)),
    repositories: createRepositories(store, catalog, origin),
    readContent: createRecentContents(artefacts),
    modelQuota: model === null ? null : createModelQuota(store, model),
    ...{ ...base, windowIndexes, outbox, waitingEvents },
    passwords: createPasswords(store, stallName, log),
    sessions: createSessions(base),
    codeGuesses: createRateLimit(CODE_GUESSES),
    countUnknownPurchase: createUnknownPurchases(now),
    mayAskForMail: createMailLimits(now),
    ...{ stallFiles: publisher.stall, report: publisher.report, publish: publisher.publish },
    isServed: () => isServed(dataDirectory),
    findGrants: (account, kind, key) =>
      grants(`${account} ${kind} ${key}`, () => store.findGrants(account, kind, key)),
    shelves: createMemo<Shelf>(store.generation),
    pageViews: createPageViews(store.write, log, now),
  };
  const authentication = createAuthentication({ store, now });
  const news = startNewsMails(stall);
  const offers = startOffers(stall);
  const [upkeep, reconciling] = [startEventUpkeep(stall), startReconciling(stall)];
  let isServing = false;
  publisher.onSwap(() => {
    void offers.run();
    // Not before the server listens: a start that is refused closes the database at once.
    if (!isServing) void upkeep.run();
    if (!isServing) void offers.settled().then(reconciling.run);
    isServing = true;
  });
  publisher.onSwap(createSetupLog(config.sales, log));

  return {
    stall,
    authentication,
    queueNews: news.run,
    /** Resolves when the product ids of the last publish are stored, and the orders that waited for them are folded. */
    salesSettled: offers.settled,
    async close(): Promise<void> {
      news.close();
      await outbox.close();
      indexes.close();
      smallCovers.close();
      epubs.close();
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
