import type { Actor, SessionPrincipal } from './principal.ts';
import type { Session, Vouched } from '../../accounts/session.rule.ts';
import type { ArtefactCache } from '../../catalog/artefact-cache.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { StallEdition } from '../../catalog/stall-edition.ts';
import type { SmallCovers } from '../../catalog/small-covers.ts';
import type { ReadingPages } from '../../reading/reading-pages.ts';
import type { Config } from '../config/config.ts';
import type { Engine } from '../../asking/engines/engine.ts';
import type { StallManifest } from '../../catalog/stall-manifest.rule.ts';
import type { Log } from './log.ts';
import type { Store } from '../store/store.ts';
import type { DownloadQueue } from '../store/write-queue.ts';
import type { Artefacts, BookIndexes, SkillArchives } from '../../catalog/artefacts.ts';
import type { Epubs } from '../../reading/epubs.ts';
import type { ModelQuota } from '../../asking/model-quota.ts';
import type { PageViews } from '../../catalog/page-views.ts';
import type { ReadingPlaces } from '../../reading/reading-place.ts';
import type { ItemFolder } from '../../publishing/scan.ts';
import type { NewAuditEntry } from '../store/audit-log.sql.ts';
import type { CheckedFolder } from '../../publishing/check.ts';
import type { Publication, Report } from '../../publishing/publication.ts';
import type { PushPlaces } from '../../publishing/push-places.ts';
import type { ImportedUpload, UploadJob } from '../../publishing/manuscript/upload.ts';
import type { Passwords } from '../../accounts/password.ts';
import type { Libraries } from '../../accounts/library.ts';
import type { RateLimit } from '../../accounts/throttle.ts';
import type { Repositories } from '../../installing/repositories.ts';
import type { StorefrontIndexes } from '../../shop/storefront-index.ts';

/** An open stall, which every use case takes as its first argument. app.ts opens and closes it. */
export type Stall = {
  readonly config: Config;
  readonly store: Store;
  /** The catalog that is served now. */
  readonly catalog: () => Catalog;
  /** The stall.yaml that is served now. */
  readonly manifest: () => StallManifest;
  readonly stallFiles: () => StallEdition;
  /** The outcome of the last publish; null before the first. */
  readonly report: () => Report | null;
  /**
   * Brings the catalog up to date with the content directory, while the old one is served. Resolves once the new one is
   * served.
   */
  readonly publish: (by: Actor | null, audit?: NewAuditEntry) => Promise<readonly Publication[]>;
  /** Lists every problem of one item's folder; other items are not looked at. */
  readonly checkItem: (item: ItemFolder) => Promise<CheckedFolder>;
  readonly pushes: PushPlaces;
  /** Makes items of what was uploaded, in a Worker. */
  readonly importUpload: (job: UploadJob) => Promise<ImportedUpload>;
  readonly storefrontIndexes: StorefrontIndexes;
  readonly artefacts: Artefacts;
  /** Opens the stored archives of replaced editions. */
  readonly keptCache: ArtefactCache;
  readonly epubs: Epubs;
  readonly smallCovers: SmallCovers;
  readonly skillArchives: SkillArchives;
  readonly repositories: Repositories;
  readonly downloads: DownloadQueue;
  readonly indexes: BookIndexes;
  readonly pages: ReadingPages;
  readonly readingPlaces: ReadingPlaces;
  readonly engine: Engine;
  /** The daily limits of questions and tokens for a model; null without a model. */
  readonly modelQuota: ModelQuota | null;
  readonly serverStartId: string;
  /** Whether a server has the data directory locked now. */
  readonly isServed: () => boolean;
  readonly pageViews: PageViews;
  readonly libraries: Libraries;
  readonly passwords: Passwords;
  readonly sessions: {
    /** Finds the session of a cookie. `vouched` is null if sign-in is by password, not by a proxy. */
    readonly byCookie: (value: string, vouched?: Vouched | null) => SessionPrincipal | null;
    /**
     * Returns the cookie of the session that a browser got when a proxy signed it in. `name` identifies the browser; `begin`
     * begins a session if it has none.
     */
    readonly byProxy: (name: string, address: string, begin: () => Promise<string>) => Promise<string>;
    readonly list: (accountId: string) => readonly Session[];
  };
  /** Limits the wrong codes from each network. */
  readonly codeGuesses: RateLimit;
  /** Counts an unknown purchase that a network asks for. Refuses rate-limited after twenty in a minute. */
  readonly countUnknownPurchase: (address: string, name: string) => void;
  /** Whether a mail of some kind may be sent now to an address, on request of a client. If so, counts the mail. */
  readonly mayAskForMail: (
    kind: 'claim' | 'reset' | 'open' | 'news' | 'email',
    address: string,
    client: string,
  ) => boolean;
  /**
   * The queue of mails. `sends` says whether this stall sends mail itself; `wake` starts to send due mails; `settle`
   * waits until none is being sent.
   */
  readonly outbox: {
    readonly sends: boolean;
    readonly wake: () => void;
    readonly settle: () => Promise<void>;
  };
  /** Runs now the check that asks payment providers about events whose details are missing. */
  readonly waitingEvents: { readonly run: () => Promise<void> };
  readonly log: Log;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the stall's address for readers, without a path. Known once the server listens. */
  readonly origin: () => string;
};

/** The part of a stall that most commands have too: its database, and the time. */
export type Records = Pick<Stall, 'store' | 'now'>;

/** The part of a stall with its database, the time and the data directory. */
export type Data = Records & { readonly config: Pick<Config, 'data'> };
