import type { Database } from 'bun:sqlite';
import type { KnownEdition } from './editions.ts';

/** A commit of an item's repository; `number` counts from 1, `body` is the commit as git has it, `at` milliseconds since 1970. */
export type GitCommit = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'> & {
  readonly number: number;
  readonly tree: string;
  readonly id: string;
  readonly body: string;
  readonly at: number;
};

export function gitCommitReads(db: Database) {
  const newest = db.prepare<GitCommit, [string, string, number]>(
    `SELECT kind, item_key AS itemKey, number, digest, tree, id, body, at FROM git_commits
     WHERE kind = ? AND item_key = ? ORDER BY number DESC LIMIT ?`,
  );
  return {
    /** The last commits of an item's repository, the newest first, at most `most`. */
    async listGitCommits(kind: string, itemKey: string, most: number): Promise<readonly GitCommit[]> {
      return newest.all(kind, itemKey, most);
    },
  };
}

export function gitCommitWrites(db: Database) {
  const insert = db.prepare(
    `INSERT INTO git_commits (kind, item_key, number, digest, tree, id, body, at)
     VALUES ($kind, $itemKey, $number, $digest, $tree, $id, $body, $at)`,
  );
  return {
    /** Adds a commit; throws if the item has one of this number. */
    addGitCommit(commit: GitCommit): void {
      insert.run(commit);
    },
  };
}
