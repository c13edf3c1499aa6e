import type { Database } from 'bun:sqlite';

/**
 * Tells when any process has committed: a number that stays as long as nobody has. One look takes about a microsecond.
 *
 * SQLite's wal-index must not be looked at instead: closing a file takes all of a process's locks on it along (POSIX
 * fcntl(2)), so mapping `bookstall.db-shm` frees those of our own connections, and the next program cuts the file from
 * under us (SIGBUS).
 */
export function createCommitCounter(db: Database): () => number {
  const version = db.prepare<{ readonly data_version: number }, []>('PRAGMA data_version');
  let [count, seen] = [0, version.get()?.data_version];
  return () => {
    const now = version.get()?.data_version;
    if (now !== seen) count++;
    seen = now;
    return count;
  };
}
