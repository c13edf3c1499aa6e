import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Ground } from '../platform/base/stall.ts';
import type { editionReads, editionWrites } from './edition.sql.ts';
import type { knownItemReads, knownItemWrites } from './known-item.sql.ts';
import type { itemDayReads, itemDayWrites } from './item-day.sql.ts';
import type { skillArchiveReads, skillArchiveWrites } from './skill-archive.sql.ts';
import type { versionReads, versionWrites } from './version.sql.ts';
import type { ArtefactCache } from './artefact-cache.ts';
import type { Artefacts, SkillArchives } from './artefacts.ts';
import type { Catalog } from './catalog.ts';
import type { DownloadQueue } from './download-queue.ts';
import type { PageViews } from './page-views.ts';
import type { SmallCovers } from './small-covers.ts';
import type { StorefrontIndexes } from './storefront-index.ts';
import type { StallEdition } from './stall-edition.ts';
import type { StallManifest } from './stall-manifest.rule.ts';

type Reads = ReturnType<typeof editionReads> &
  ReturnType<typeof versionReads> &
  ReturnType<typeof knownItemReads> &
  ReturnType<typeof itemDayReads> &
  ReturnType<typeof skillArchiveReads>;
type Writes = ReturnType<typeof editionWrites> &
  ReturnType<typeof knownItemWrites> &
  ReturnType<typeof versionWrites> &
  ReturnType<typeof itemDayWrites> &
  ReturnType<typeof skillArchiveWrites>;

export type Stall = Ground & {
  readonly store: StoreOf<Reads, Writes>;
  readonly catalog: () => Catalog;
  readonly manifest: () => StallManifest;
  readonly stallFiles: () => StallEdition;
  readonly artefacts: Artefacts;
  readonly keptCache: ArtefactCache;
  readonly smallCovers: SmallCovers;
  readonly skillArchives: SkillArchives;
  readonly downloads: DownloadQueue;
  readonly pageViews: PageViews;
  readonly storefrontIndexes: StorefrontIndexes;
};

export type Store = Stall['store'];
