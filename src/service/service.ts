import { EXTRACTIVE } from '../model-engines.ts';
import type { Actor } from '../access/actor.ts';
import type { Grant } from '../access/grant.ts';
import type { Engine } from '../engines/engine.ts';
import type { ArtefactShelf } from '../catalog/artefact-shelf.ts';
import { createSmallCovers } from '../catalog/covers/small-covers.ts';
import { createReadingPages } from '../catalog/reading/reading-pages.ts';
import type { RenderTimes, StartRenderer } from '../catalog/reading/render-queue.ts';
import type { Config } from '../config.ts';
import { createDownloadQueue } from '../store/writer/download-queue.ts';
import { createExtractive } from '../engines/extractive.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { grantKeys } from '../catalog/catalog.ts';
import { createAccess, type FindGrants, type ListKeys } from './access.ts';
import { createArchives } from './delivery/archives.ts';
import { createArtefacts } from './delivery/artefacts.ts';
import { createAsk } from './ask/ask.ts';
import { createAudit } from './admin/audit.ts';
import { createAuthenticate } from './account/authenticate.ts';
import { createTokenAuthenticate } from './account/authenticate-token.ts';
import { createAdminViews } from './admin/admin-views.ts';
import { createBookIndexes } from './ask/book-index.ts';
import { createDecodedFiles } from './delivery/decoded-files.ts';
import { createEditions } from './delivery/editions.ts';
import { createFiles } from './delivery/files.ts';
import { createOwnKeys } from './account/own-keys.ts';
import { createOwnTokens } from './account/own-tokens.ts';
import { createClaimServices } from './claim/claim-services.ts';
import { createRedeem } from './sales/redeem.ts';
import { createNewsMails } from './outbox/news-mails.ts';
import { createMailServices } from './outbox/mail-services.ts';
import { createSignInServices } from './account/sign-in-services.ts';
import { createItemFiles } from './delivery/item-file.ts';
import { createAfterBuying } from './shop/after-buying.ts';
import { findBundle, listBundles, searchBundles } from './shop/bundles.ts';
import { createFetchedEditions } from './shop/fetched-editions.ts';
import { createHoldings } from './shop/holdings.ts';
import { createPageViews } from './shop/page-views.ts';
import { createItemNews } from './shop/item-news.ts';
import { createItemNames } from './shop/item-names.ts';
import { listItems } from './shop/items.ts';
import { createMemo } from './memo.ts';
import { createAdminServices } from './admin/admin-services.ts';
import { createGrantedSince } from './shop/granted-since.ts';
import type { Publisher } from './publish/publish.ts';
import { createRecentContents } from './ask/recent-contents.ts';
import { createModelQuota } from './ask/model-quota.ts';
import { createPublishedItems } from './shop/published-items.ts';
import { createStallNews } from './shop/stall-news.ts';
import { findInWindow, type WindowQuery } from './shop/window.ts';
import type { WindowIndexes } from './shop/window-index.ts';
import { createWindowOrders } from './shop/window-order.ts';
import { createReadingPlaces } from './reading/places.ts';
import { createFindAskable } from './reading/askable.ts';
import { createAgentServices } from './reading/agent-services.ts';
import { createFindHeadings } from './reading/find-headings.ts';
import { createReading } from './reading/reading.ts';
import { createAccessRecheck, createValidity } from './delivery/recheck-access.ts';
import { createSaleServices } from './sales/sale-services.ts';
import { createHeldItems } from './take/held.ts';
import { createOpds } from './take/opds.ts';
import { createTakeServices } from './take/take-services.ts';

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
  renderTimes: times,
  log,
  now,
}: Dependencies) {
  const { catalog } = publisher;
  const { data: dataDirectory, model } = config;
  const grants = createMemo<readonly Grant[]>(store.generation);
  const findGrants: FindGrants = (account, kind, key) =>
    grants(`${account} ${kind} ${key}`, () => store.findGrants(account, kind, key));
  const keysOf: ListKeys = (manifest) => grantKeys(catalog(), manifest);
  const access = createAccess(findGrants, () => publisher.stall().stall.contact, now, keysOf);
  const { byKey, isStillValid } = createAuthenticate(store, now);
  const { byToken, isTokenStillValid } = createTokenAuthenticate(store, now);
  const validity = { store, isStillValid, isTokenStillValid, now };
  const artefacts = createArtefacts(shelf, publisher.rebuild, log);
  const listHeld = createHeldItems(store, catalog, access, now);
  const downloads = createDownloadQueue(store.write, log);
  const admin = (by: Actor) => createAdminServices(store, dataDirectory, by, now);
  const { logs, personalData } = admin('command');
  const nameItem = createItemNames(catalog);
  const stall = () => publisher.stall().stall;
  const stallName = () => stall().name;
  const { retire, ...takeServices } = createTakeServices({
    ...{ dataDirectory, store, artefacts, catalog, access, listHeld, downloads },
    ...{ origin, stallName, log, now },
  });
  publisher.onSwap(() => void retire());
  const opensAccounts = () => stall().accounts === 'open';
  const signIn = createSignInServices({
    store,
    linksBy: (by) => admin(by).links,
    dataDirectory,
    origin,
    stallName,
    log,
    now,
  });
  const mail = createMailServices({ config: config.mail, store, stall, origin, nameItem, log, now });
  const indexes = createBookIndexes(artefacts);
  publisher.onSwap(indexes.retain);
  const { closeSales, ...sales } = createSaleServices({ ...mail, config, publisher, store, log, now });
  const readContent = createRecentContents(artefacts);
  const pages = createReadingPages(dataDirectory, startRenderer, {
    verify: (edition) => artefacts.open(edition, 'files'),
    times,
  });
  const smallCovers = createSmallCovers(dataDirectory, startRenderer, {
    verify: (edition) => artefacts.open(edition, 'files'),
    times,
  });
  const archives = createArchives({
    service: origin,
    dataDirectory,
    store,
    publisher,
    catalog,
    access,
    artefacts,
    downloads,
    startRenderer,
    log,
    now,
  });
  const readingPlaces = createReadingPlaces(store, log, now);
  const pageViews = createPageViews(store.write, log, now);
  const windowOrders = createWindowOrders(store.listShownItems);
  const findWindow = async (query: WindowQuery, featured = publisher.stall().stall.featured) => {
    const index = await windowIndexes(catalog());
    return findInWindow(index, await windowOrders(index, query), query, featured);
  };
  const holdings = createHoldings(store, catalog, now);
  const news = createNewsMails({ ...mail, ...holdings, store, log, now });
  const listPublished = createPublishedItems(store, catalog);
  return {
    now,
    authenticate: byKey,
    authenticateToken: byToken,
    /** The services of the person who runs the stall; each act is logged as theirs. */
    admin,
    logs,
    ownKeys: createOwnKeys(store, now),
    ownTokens: createOwnTokens(store, now),
    writeOwnData: personalData.write,
    findOwner: store.findOwner,
    adminViews: createAdminViews(config, store, publisher, now),
    audit: createAudit(store),
    ...signIn,
    ...mail,
    queueNews: news.queueDue,
    ...createClaimServices({ ...{ store, signIn, outbox: mail.outbox, config }, opensAccounts, log, now }),
    stall,
    stallFiles: publisher.stall,
    listItems: (page: Parameters<typeof listItems>[1]) => listItems(catalog(), page),
    pageViews,
    ...sales,
    redeem: createRedeem({ store, passwords: signIn.passwords, now }),
    ...holdings,
    opds: createOpds({ findInWindow: findWindow, listHeld: holdings.listHeld, store }),
    hasChangedSinceFetch: createFetchedEditions(store),
    findNews: createItemNews(store),
    nameItem,
    listEditions: createEditions({ catalog, access, store }),
    install: archives.install,
    zip: archives.zip,
    epub: archives.epub,
    listTakeable: listHeld,
    ...takeServices,
    files: createFiles({ catalog, access, artefacts }),
    decodeFile: createDecodedFiles(),
    recheckAccess: createAccessRecheck({ access, ...validity }),
    catalog,
    findInWindow: findWindow,
    findBundle: (slug: string) => findBundle(catalog(), slug),
    listBundles: () => listBundles(catalog()),
    searchBundles: (query: WindowQuery) => searchBundles(catalog(), query),
    afterBuying: createAfterBuying(config.sales),
    listPublished,
    listNews: createStallNews(store, listPublished),
    grantedSince: createGrantedSince(findGrants, keysOf, now),
    ...createItemFiles({ catalog, access, artefacts, smallCovers, downloads, now }),
    renderText: pages.renderText,
    findAskable: createFindAskable({ catalog, access, pages }),
    findHeadings: createFindHeadings(pages),
    reading: createReading({ catalog, access, pages, indexes, places: readingPlaces }),
    readingPlaces,
    ...createAgentServices({
      ...{ catalog, access, artefacts, pages, readContent, windowIndexes, listHeld },
      ...{ store, downloads, now },
    }),
    ask: createAsk({
      origin,
      serverStartId,
      store,
      catalog,
      access,
      isStillValid: createValidity(validity),
      indexes,
      readContent,
      engine,
      now,
      modelQuota: model === null ? null : createModelQuota(store, model),
      fallback: model?.fallback === EXTRACTIVE ? createExtractive() : null,
    }),
    async close(): Promise<void> {
      news.close();
      await mail.outbox.close();
      indexes.close();
      pages.close();
      smallCovers.close();
      archives.close();
      await readingPlaces.flush();
      await pageViews.flush();
      await closeSales();
      await downloads.flush();
    },
  };
}
