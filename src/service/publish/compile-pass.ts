import type { CompilePool } from '../../catalog/compile-pool.ts';
import { type Edition, keyOf } from '../../catalog/edition.ts';
import type { RefreshJob } from '../../catalog/refresh-job.ts';
import type { SavedEditions } from '../../catalog/saved-editions.ts';
import type { ItemFolder } from '../../catalog/scan.ts';
import { type ComparedJobs, compareWithSaved } from '../../catalog/up-to-date.ts';
import type { Settled } from '../../catalog/watch.ts';
import { createTurns, mapInTurns } from '../../turn.ts';
import { compileItems, type Progress } from './compile-items.ts';
import { type MakeRoom, tellsFullDisk } from './disk-room.ts';
import type { EditionHistory } from './edition-history.ts';
import type { Publication } from './publication.ts';
import type { Decided } from './rollbacks.ts';
import { keepRenamed } from './renamed-items.ts';
import type { createServedStall } from './served-stall.ts';
import { withholdConflicts, withholdEdition } from './withheld.ts';
import { messageOf } from '../../refusal.ts';
import { compileFailure } from './compile-failure.ts';

type Dependencies = {
  readonly pool: CompilePool;
  readonly stall: ReturnType<typeof createServedStall>;
  readonly history: EditionHistory;
  readonly jobOf: (item: ItemFolder, previous: Edition | null) => RefreshJob;
  readonly decide: (
    publications: readonly Publication[],
    saved: ReadonlyMap<string, Edition>,
  ) => Promise<Decided>;
  readonly makeRoom: MakeRoom;
  readonly onProgress: Progress;
  /** Whether requests wait for the first pass; it then leaves outdated editions to a second one. */
  readonly isServer: boolean;
  /** Asks for that second pass. */
  readonly publishAgain: () => void;
  readonly now: () => number;
};

/** The folders that one pass compiles. `settled` is null for a pass that takes the tree as it is. */
type Pass = {
  readonly saved: SavedEditions;
  readonly folders: readonly ItemFolder[];
  readonly isFirst: boolean;
  readonly settled: Settled | null;
};

const NOTHING_SAVED: ComparedJobs = { unchanged: new Set(), outdated: new Set() };

/**
 * Compiles the folders that changed and saves their editions; gives what each item is to serve, or null, and saves nothing,
 * if the tree was edited during the pass.
 */
export function createCompilePass(dependencies: Dependencies) {
  const { pool, stall, history, jobOf, decide, makeRoom, onProgress, isServer, publishAgain, now } =
    dependencies;
  const turn = createTurns();
  return async ({ saved, folders, isFirst, settled }: Pass): Promise<readonly Publication[] | null> => {
    const newStall = stall.read();
    const { defaults } = newStall.stall;
    const editions = saved.editions();
    const jobs = await mapInTurns(folders, (item) => ({
      ...jobOf({ ...item, defaults }, editions.get(`${item.kind} ${item.slug}`) ?? null),
      settledBefore: settled?.before ?? null,
    }));
    // Only at a start: no one waits for a request then, and a Worker takes longer to start than a small stall to compare.
    const { unchanged, outdated } = isFirst ? await compareWithSaved(jobs, now) : NOTHING_SAVED;
    const isUpdated = isServer && outdated.size > 0;
    const reused = isUpdated ? unchanged.union(outdated) : unchanged;
    const compiled = await compileItems(pool, jobs, reused, onProgress, makeRoom);
    // A stall whose program was updated serves its saved editions while they are compiled again.
    if (isUpdated) publishAgain();
    // Before anything is saved or served: a tree that is being edited is left for a later pass.
    if (compiled === null || settled?.hasChanged() === true) return null;
    const held = { editions, bundles: stall.bundles() };
    const checked = await withholdConflicts(compiled, newStall.stall.bundles, held, turn);
    const renamed = keepRenamed(compiled, folders, editions);
    const { outcomes, isWithdrawn } = await decide([...checked.publications, ...renamed], editions);
    const served = outcomes.map((outcome) => outcome.served);
    await history.keepSuperseded(editions, served, isWithdrawn);
    const own = outcomes.map((outcome) => outcome.own);
    const kept = await saveItems(saved, own, makeRoom);
    await stall.refresh(newStall, checked.bundles);
    return kept.map((publication, n) => (served[n] === own[n] ? publication : (served[n] ?? publication)));
  };
}

/** Editions written in parallel: each has a file open, and a system may allow no more than 1,024. */
const PARALLEL = 64;

/** Saves every fresh edition; an item whose edition cannot be saved keeps the one saved before. */
async function saveItems(
  saved: SavedEditions,
  publications: readonly Publication[],
  makeRoom: MakeRoom,
): Promise<readonly Publication[]> {
  const done: Publication[] = [];
  const turn = createTurns();
  for (let at = 0; at < publications.length; at += PARALLEL) {
    const batch = publications.slice(at, at + PARALLEL);
    done.push(...(await Promise.all(batch.map((publication) => saveItem(saved, publication, makeRoom)))));
    await turn();
  }
  return done;
}

async function saveItem(
  saved: SavedEditions,
  publication: Publication,
  makeRoom: MakeRoom,
): Promise<Publication> {
  const { edition, isFresh } = publication;
  if (edition === null || !isFresh) return publication;
  try {
    await saved.save(edition);
    return publication;
  } catch (cause) {
    if (tellsFullDisk(messageOf(cause)) && (await makeRoom())) return saveItem(saved, publication, makeRoom);
    const previous: Edition | null = saved.editions().get(keyOf(edition)) ?? null;
    return withholdEdition(publication, previous, compileFailure('cannot-keep', 'save', cause));
  }
}
