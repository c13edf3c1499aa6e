import type { AgentPrincipal } from '../../access/principal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { ReadingPages } from '../../catalog/reading/reading-pages.ts';
import type { Store } from '../../store/store.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import type { Access } from '../access.ts';
import type { Artefacts } from '../delivery/artefacts.ts';
import { createFirstReads } from '../take/first-reads.ts';
import { createChapterTexts } from './chapter-texts.ts';
import { createItemResources } from './item-resources.ts';

/** The dependencies of reading by agents. */
export type AgentDependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Artefacts;
  readonly pages: ReadingPages;
  readonly readContent: (edition: Edition, path: string) => Promise<string>;
  readonly listHeld: (principal: AgentPrincipal) => Promise<readonly Edition[]>;
  readonly store: Store;
  readonly downloads: DownloadQueue;
  readonly now: () => number;
};

/** Reading by agents: search, texts in parts, resources. The first read of an item counts as a download. */
export function createAgentServices(dependencies: AgentDependencies) {
  const { store, downloads, now } = dependencies;
  return {
    chapterTexts: createChapterTexts(dependencies),
    resources: createItemResources(dependencies),
    noteFirstRead: createFirstReads(store, downloads, now),
  };
}
