import type { AgentPrincipal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import type { DownloadQueue } from '../../store/writer/download-queue.ts';
import type { Access } from '../access.ts';
import type { Artefacts } from '../delivery/artefacts.ts';
import type { Stall } from '../stall.ts';
import { createBookSkill } from './book-skill.ts';
import { createGit } from './git.ts';
import { createLlms } from './llms.ts';
import { createRepositories } from './repositories.ts';
import { createShelf } from './shelf.ts';
import { createSkillArchives } from './skill-archives.ts';
import { createSkillFolders } from './skill-folder.ts';
import { createWellKnown } from './well-known.ts';

type Dependencies = {
  readonly stall: Stall;
  readonly dataDirectory: string;
  readonly store: Store;
  readonly artefacts: Artefacts;
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly listHeld: (principal: AgentPrincipal) => Promise<readonly Edition[]>;
  readonly downloads: DownloadQueue;
  readonly origin: () => string;
  readonly stallName: () => string;
  readonly log: Log;
  readonly now: () => number;
};

/**
 * Whole items for other programs: git, marketplaces and skills. `retire` removes archives that no edition needs any
 * more.
 */
export function createTakeServices(dependencies: Dependencies) {
  const { store, origin, catalog } = dependencies;
  const folderOf = createSkillFolders(origin);
  const archives = createSkillArchives({ ...dependencies, folderOf });
  return {
    skillFolderOf: folderOf,
    wellKnown: createWellKnown({ ...dependencies, archives, folderOf }),
    llms: createLlms(dependencies),
    bookSkill: createBookSkill({ ...dependencies, archives }),
    shelf: createShelf(dependencies.stall),
    git: createGit({
      ...dependencies,
      repositories: createRepositories({ store, origin, folderOf, catalog }),
    }),
    retire: archives.retire,
  };
}
