import type { CompilePool } from '../../catalog/compile-pool.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { RefreshJob, Refreshed } from '../../catalog/refresh-job.ts';
import { createTurns } from '../../turn.ts';
import { compileFailure } from './compile-failure.ts';
import { type MakeRoom, retryWithRoom } from './disk-room.ts';
import type { Publication } from './publication.ts';

export type Progress = (done: number, all: number) => void;

/** Items in work at once. More would wait for a compiler, and all of ten thousand cannot be handed over in one turn. */
const AT_ONCE = 32;

/** Compiles all items in the pool, except those in `unchanged`, which keep their edition. Null if one is being edited. */
export async function compileItems(
  pool: CompilePool,
  jobs: readonly RefreshJob[],
  unchanged: ReadonlySet<RefreshJob>,
  onProgress: Progress,
  makeRoom: MakeRoom,
): Promise<readonly Publication[] | null> {
  let done = 0;
  let isSettled = true;
  const compile = async (job: RefreshJob): Promise<Publication> => {
    const { item, previous } = job;
    const refreshed = unchanged.has(job)
      ? reuse(previous)
      : await retryWithRoom(makeRoom, () => compileItem(pool, job));
    const { edition, problems, isChanging } = refreshed;
    if (isChanging && job.settledBefore !== null) isSettled = false;
    onProgress(++done, jobs.length);
    return {
      kind: item.kind,
      slug: item.slug,
      edition: edition ?? previous,
      isFresh: edition !== null,
      problems,
    };
  };
  const publications: Publication[] = [];
  const queue = jobs.entries();
  const turn = createTurns();
  const compileNext = async (): Promise<void> => {
    // Shared by all who are at work: each takes the next one.
    for (const [n, job] of queue) {
      publications[n] = await compile(job);
      await turn();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compileNext));
  return isSettled ? publications : null;
}

/** Compiles one item; a compiler that died is a problem of the item. */
export async function compileItem(pool: CompilePool, job: RefreshJob): Promise<Refreshed> {
  try {
    return await pool.compile(job);
  } catch (cause) {
    return {
      edition: null,
      problems: [compileFailure('cannot-compile', 'compile', cause)],
      isChanging: false,
    };
  }
}

function reuse(edition: Edition | null): Refreshed {
  return { edition, problems: edition?.warnings ?? [], isChanging: false };
}
