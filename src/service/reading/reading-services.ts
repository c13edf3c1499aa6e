import { createReadingPages } from '../../catalog/reading/reading-pages.ts';
import type { RenderTimes, StartRenderer } from '../../catalog/reading/render-queue.ts';
import type { Log } from '../../log.ts';
import type { BookIndexes } from '../ask/book-index.ts';
import { type AgentDependencies, createAgentServices } from './agent-services.ts';
import { createFindAskable } from './askable.ts';
import { createFindHeadings } from './find-headings.ts';
import { createReadingPlaces } from './reading-places.ts';
import { createReading } from './reading.ts';

type Dependencies = Omit<AgentDependencies, 'pages'> & {
  readonly dataDirectory: string;
  readonly indexes: BookIndexes;
  readonly startRenderer: StartRenderer;
  readonly renderTimes: RenderTimes | undefined;
  readonly log: Log;
};

/** The texts of items, for people in a browser and for agents. `closeReading` writes the places that still wait. */
export function createReadingServices(dependencies: Dependencies) {
  const { dataDirectory, catalog, access, artefacts, store, indexes, log, now } = dependencies;
  const pages = createReadingPages(dataDirectory, dependencies.startRenderer, {
    verify: (edition) => artefacts.open(edition, 'files'),
    times: dependencies.renderTimes,
  });
  const readingPlaces = createReadingPlaces(store, log, now);
  return {
    renderText: pages.renderText,
    findAskable: createFindAskable({ catalog, access, pages }),
    findHeadings: createFindHeadings(pages),
    reading: createReading({ catalog, access, pages, indexes, places: readingPlaces }),
    readingPlaces,
    ...createAgentServices({ ...dependencies, pages }),
    async closeReading(): Promise<void> {
      pages.close();
      await readingPlaces.flush();
    },
  };
}
