import { createSmallCovers } from '../../catalog/covers/small-covers.ts';
import type { RenderTimes } from '../../catalog/reading/render-queue.ts';
import { type ArchiveDependencies, createArchives } from './archives.ts';
import { createEditions } from './editions.ts';
import { createFiles } from './files.ts';
import { createItemFiles } from './item-file.ts';

type Dependencies = ArchiveDependencies & { readonly renderTimes: RenderTimes | undefined };

/** Whole items, their files and their covers, as sent to readers. */
export function createDeliveryServices(dependencies: Dependencies) {
  const { dataDirectory, artefacts, startRenderer, renderTimes: times } = dependencies;
  const { close: closeArchives, ...archives } = createArchives(dependencies);
  const smallCovers = createSmallCovers(dataDirectory, startRenderer, {
    verify: (edition) => artefacts.open(edition, 'files'),
    times,
  });
  return {
    ...archives,
    listEditions: createEditions(dependencies),
    files: createFiles(dependencies),
    ...createItemFiles({ ...dependencies, smallCovers }),
    closeDelivery(): void {
      smallCovers.close();
      closeArchives();
    },
  };
}
