import { createArtefactShelf } from '../../catalog/artefact-shelf.ts';
import { createEbookMaker } from '../../catalog/ebook/ebook-maker.ts';
import { createEbookShelf, ebookDirectory } from '../../catalog/ebook/ebook-shelf.ts';
import { keptDirectory } from '../../catalog/kept-editions.ts';
import type { StartRenderer } from '../../catalog/reading/render-queue.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import type { Publisher } from '../publish/publish.ts';
import { createEpub, type EpubDependencies } from './epub.ts';
import { createEpubs } from './epubs.ts';
import { createInstall, type InstallDependencies } from './install.ts';
import { createKeptEditions } from './kept-edition.ts';
import { createZipDownload } from './zip.ts';

/** The dependencies of archives. */
export type ArchiveDependencies = Omit<InstallDependencies & EpubDependencies, 'findEdition' | 'epubs'> & {
  readonly dataDirectory: string;
  readonly store: Store;
  readonly publisher: Publisher;
  readonly startRenderer: StartRenderer;
  readonly log: Log;
};

/** Whole items as archives: installs, zips and EPUBs, of former editions too. */
export function createArchives(dependencies: ArchiveDependencies) {
  const { dataDirectory, store, publisher, artefacts, startRenderer, log } = dependencies;
  const keptShelf = createArtefactShelf(keptDirectory(dataDirectory));
  const findEdition = createKeptEditions({ store, keptShelf, log });
  const directory = ebookDirectory(dataDirectory);
  const maker = createEbookMaker(directory, { start: startRenderer });
  const shelf = createEbookShelf(directory);
  publisher.onSwap(({ editions }) => void shelf.retain(new Set(editions.map(({ digest }) => digest))));
  const epubs = createEpubs({ dataDirectory, store, artefacts, maker, shelf, log });
  return {
    install: createInstall({ ...dependencies, findEdition }),
    zip: createZipDownload(dependencies),
    epub: createEpub({ ...dependencies, findEdition, epubs }),
    close: maker.close,
  };
}
