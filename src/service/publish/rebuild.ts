import type { ArtefactKind } from '../../catalog/artefact.ts';
import type { CompilePool } from '../../catalog/compile-pool.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { RefreshJob } from '../../catalog/refresh-job.ts';
import { compileItem } from './compile-items.ts';

/**
 * Compiles an item again after one of its artefacts turned out broken, and gives its edition with the new artefacts.
 * Null if the folder no longer holds these files. Other changes of the folder wait for the next publish.
 */
export async function rebuildEdition(pool: CompilePool, job: RefreshJob): Promise<Edition | null> {
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
