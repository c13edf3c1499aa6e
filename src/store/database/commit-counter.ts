import type { Database } from 'bun:sqlite';

/**
 * Says when any process has committed: a number that stays the same until one does. It looks once a turn of the event loop,
 * since whatever a turn serves had arrived before its first look; `change` is told of a write of our own.
 *
 * SQLite's wal-index must not be looked at instead: closing a file takes all of a process's locks on it along (POSIX
 * fcntl(2)), so mapping `bookstall.db-shm` frees those of our own connections, and the next program cuts the file from
 * under us (SIGBUS).
 */
export function createCommitCounter(db: Database): {
  readonly count: () => number;
  readonly change: () => void;
} {
  const version = db.prepare<{ readonly data_version: number }, []>('PRAGMA data_version');
  let [commits, seen] = [0, version.get()?.data_version];
  let hasLooked = false;
  const look = (isChange: boolean): void => {
    const now = version.get()?.data_version;
    if (isChange || now !== seen) commits++;
    seen = now;
  };
  return {
    change: () => look(true),
    count() {
      if (hasLooked) return commits;
      hasLooked = true;
      setImmediate(() => (hasLooked = false));
      look(false);
      return commits;
    },
  };
}
