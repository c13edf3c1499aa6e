import type { ArtefactKind } from '../../catalog/artefact.ts';
import type { CompilePool } from '../../catalog/compile-pool.ts';
import { type Edition, keyOf } from '../../catalog/edition.ts';
import type { RefreshJob } from '../../catalog/refresh-job.ts';
import { type ItemFolder, listItemFolders } from '../../catalog/scan.ts';
import { compileItem } from './compile-items.ts';
import type { RestoredEditions } from './restored-editions.ts';

type Dependencies = {
  readonly content: string;
  readonly pool: CompilePool;
  readonly jobOf: (item: ItemFolder, previous: Edition | null) => RefreshJob;
  readonly restored: RestoredEditions;
  readonly isServed: (edition: Edition) => boolean;
  readonly save: (edition: Edition) => Promise<void>;
  /** Serves the second instead of the first, if that is still served, and gives it. */
  readonly replace: (edition: Edition, rebuilt: Edition) => Edition;
};

/** Compiles one item again after an artefact turned out broken; null if its folder changed. */
export function createRebuild({ content, pool, jobOf, restored, isServed, save, replace }: Dependencies) {
  return async (edition: Edition): Promise<Edition | null> => {
    const again = await restored.rebuild(edition);
    if (again !== null) return replace(edition, again);
    const folders = listItemFolders(content) ?? [];
    const item = folders.find(({ kind, slug }) => `${kind} ${slug}` === keyOf(edition));
    const rebuilt = item === undefined ? null : await rebuildEdition(pool, jobOf(item, edition));
    // If a publish ended in between, its editions are the ones to serve.
    if (rebuilt === null || !isServed(edition)) return rebuilt;
    const { files, artefacts } = rebuilt;
    // A draft of the same files is the folder's own edition.
    const own = edition.draft === undefined ? rebuilt : { ...edition.draft, files, artefacts };
    await save(own);
    return replace(edition, edition.draft === undefined ? rebuilt : { ...rebuilt, draft: own });
  };
}

/**
 * Compiles an item again after one of its artefacts turned out broken, and gives its edition with the new artefacts.
 * Null if the folder no longer holds these files. Other changes of the folder wait for the next publish.
 */
async function rebuildEdition(pool: CompilePool, job: RefreshJob): Promise<Edition | null> {
  const { previous } = job;
  const { edition: rebuilt } = await compileItem(pool, { ...job, rebuild: true });
  if (previous === null || rebuilt?.digest !== previous.digest) return null;
  return { ...previous, files: rebuilt.files, artefacts: replaceArtefacts(previous, rebuilt) };
}

/** The edition's artefacts, replaced by the rebuilt ones of the same name; an index in another language is not its own. */
function replaceArtefacts(edition: Edition, rebuilt: Edition): Edition['artefacts'] {
  const { artefacts } = edition;
  const made = Object.entries(rebuilt.artefacts).filter(
    ([kind, { name }]) => artefacts[kind as ArtefactKind]?.name === name,
  );
  return { ...artefacts, ...Object.fromEntries(made) };
}
