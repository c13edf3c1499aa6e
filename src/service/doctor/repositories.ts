import { ok, type Result, skip, some, warn } from './result.ts';
import type { Subject } from './subject.ts';

/** Whether the items that were cloned still have the commits that their readers' clones go on from. */
export async function examineRepositories({ database }: Subject): Promise<Result> {
  const found = (await database())?.lostRepositories;
  if (found?.state !== 'known') return skip('The commits of repositories cannot be read');
  const lost = found.value;
  if (lost.length === 0) return ok('Every item that was cloned has its commits');
  const repositories = lost.length === 1 ? '1 repository' : `${lost.length} repositories`;
  return warn(
    `The commits of ${repositories} are not in this database, as after a restore: ${some(lost)}`,
    'Restore a backup that has them; otherwise the next clone begins a new history, and readers run "git fetch --depth 1 && git reset --hard FETCH_HEAD" in clones that cannot pull',
  );
}
