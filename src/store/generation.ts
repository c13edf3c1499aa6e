import type { Statements } from './statements.ts';

/**
 * Says when any process has committed: a number that stays the same until one does. It looks once a turn of the event loop,
 * since whatever a turn serves had arrived before its first look; `change` is told of a write of our own.
 *
 * SQLite's wal-index must not be looked at instead: closing a file takes all of a process's locks on it along (POSIX
 * fcntl(2)), so mapping `bookstall.db-shm` frees those of our own connections, and the next program cuts the file from
 * under us (SIGBUS).
 */
export function createCommitCounter(db: Statements) {
  const version = () => db.one<{ readonly data_version: number }>`PRAGMA data_version`?.data_version;
  let [commits, seen] = [0, version()];
  let hasLooked = false;
  const look = (isChange: boolean): void => {
    const now = version();
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

/** How many are kept at most, so that no stranger fills the memory. */
const MOST = 10_000;

type Memo<Value> = <Found extends Value | null>(
  name: string,
  read: () => Promise<Found>,
  isFresh?: (value: Value) => boolean,
) => Value | Promise<Found | Value>;

/**
 * Remembers what `read` found for as long as `generation` stays the same, that is, no process has written since,
 * and `isFresh` says so. What was not found is not remembered. What is known is given without a promise around it.
 */
export function createMemo<Value extends object>(generation: () => number): Memo<Value> {
  const known = new Map<string, Value>();
  let current = -1;
  return (name, read, isFresh) => {
    const now = generation();
    if (now !== current || known.size >= MOST) known.clear();
    current = now;
    const value = known.get(name);
    if (value !== undefined && (isFresh === undefined || isFresh(value))) return value;
    return read().then((found) => {
      // Written in between: the value that was read may be older.
      if (found !== null && generation() === now) known.set(name, found);
      return found;
    });
  };
}
