import type { Actor } from '../access/actor.ts';
import type { AgentPrincipal } from '../access/principal.ts';
import type { Grant } from '../access/grant.ts';
import type { ArtefactShelf } from '../catalog/artefact-shelf.ts';
import type { RenderTimes, StartRenderer } from '../catalog/reading/render-queue.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { createDownloadQueue } from '../store/writer/download-queue.ts';
import { access as accessTo, type Access } from './access.ts';
import { createSignInServices } from './account/sign-in-services.ts';
import { createAdminServices } from './admin/admin-services.ts';
import { createAdminViews } from './admin/admin-views.ts';
import { createAskServices } from './ask/ask-services.ts';
import { createClaimServices } from './claim/claim-services.ts';
import { createArtefacts } from './delivery/artefacts.ts';
import { createDeliveryServices } from './delivery/delivery-services.ts';
import { createAccessRecheck, createValidity } from './delivery/recheck-access.ts';
import { createAuthentication } from './keys.ts';
import { createMemo } from './memo.ts';
import { createMailServices } from './outbox/mail-services.ts';
import { createNewsMails } from './outbox/news-mails.ts';
import type { Publisher } from './publish/publish.ts';
import { createReadingServices } from './reading/reading-services.ts';
import { createRedeem } from './sales/redeem.ts';
import { createSaleServices } from './sales/sale-services.ts';
import { listTakeable } from './holdings.ts';
import type { Shelf } from './library.ts';
import { createPageViews } from './page-views.ts';
import type { Stall } from './stall.ts';
import type { WindowIndexes } from './window-index.ts';
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
  renderTimes,
  log,
  now,
}: Dependencies) {
  const { catalog } = publisher;
  const { data: dataDirectory, model } = config;
  const grants = createMemo<readonly Grant[]>(store.generation);
  const stall: Stall = {
    ...{ config, store, catalog, windowIndexes, log, now, origin },
    manifest: () => publisher.stall().stall,
    findGrants: (account, kind, key) =>
      grants(`${account} ${kind} ${key}`, () => store.findGrants(account, kind, key)),
    shelves: createMemo<Shelf>(store.generation),
    pageViews: createPageViews(store.write, log, now),
  };
  const access: Access = (...asked) => accessTo(stall, ...asked);
  const authentication = createAuthentication({ store, now });
  const validity = { store, isStillValid: authentication.isStillValid, now };
  const artefacts = createArtefacts(shelf, publisher.rebuild, log);
  const downloads = createDownloadQueue(store.write, log);
  const listHeld = (principal: AgentPrincipal) => listTakeable(stall, principal);
  const stallName = () => stall.manifest().name;
  const shared = {
    stall,
    dataDirectory,
    origin,
    store,
    catalog,
    access,
    artefacts,
    downloads,
    listHeld,
    log,
    now,
  };
  const admin = (by: Actor) => createAdminServices(store, dataDirectory, by, now);
  const { logs, personalData } = admin('command');

  const { closeDelivery, ...delivery } = createDeliveryServices({
    ...shared,
    ...{ service: origin, publisher, startRenderer, renderTimes },
  });
  const { indexes, readContent, ask } = createAskServices({
    ...shared,
    ...{ serverStartId, engine, model, isStillValid: createValidity(validity), onSwap: publisher.onSwap },
  });
  const { closeReading, ...reading } = createReadingServices({
    ...shared,
    ...{ indexes, readContent, startRenderer, renderTimes },
  });
  const { retire, ...take } = createTakeServices({ ...shared, stallName });
  publisher.onSwap(() => void retire());
  const signIn = createSignInServices({ ...shared, stallName });
  const mail = createMailServices({ config: config.mail, stall });
  const news = createNewsMails(stall, mail.outbox);
  const { closeSales, ...sales } = createSaleServices({ ...mail, config, publisher, store, log, now });
  const opensAccounts = () => stall.manifest().accounts === 'open';

  return {
    stall,
    stallFiles: publisher.stall,
    authentication,
    recheckAccess: createAccessRecheck({ access, ...validity }),
    /** The services of the person who runs the stall; each act is logged as theirs. */
    admin,
    adminViews: createAdminViews(config, store, publisher, now),
    logs,
    findOwner: store.findOwner,
    ...signIn,
    writeOwnData: personalData.write,
    ...mail,
    queueNews: news.queueDue,
    ...createClaimServices({ store, signIn, outbox: mail.outbox, config, opensAccounts, log, now }),
    ...sales,
    redeem: createRedeem({ store, passwords: signIn.passwords, now }),
    ...delivery,
    ask,
    ...reading,
    ...take,
    async close(): Promise<void> {
      news.close();
      await mail.outbox.close();
      indexes.close();
      closeDelivery();
      await closeReading();
      await stall.pageViews.flush();
      await closeSales();
      await downloads.flush();
    },
  };
}
