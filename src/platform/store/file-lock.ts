import { Database } from 'bun:sqlite';
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../base/refusal.ts';
import { findDiskFault } from './data-directory.ts';

const BEGIN = { shared: ['BEGIN', 'SELECT count(*) FROM sqlite_schema'], exclusive: ['BEGIN EXCLUSIVE'] };

/** Keeps the locking connections from being garbage-collected, which would release their locks. */
const held = new Set<Database>();

/**
 * Locks an empty file, exclusively or shared, until `release` or the end of the process, even by kill -9. Waits at most
 * `patience` milliseconds; returns null if another process still has the lock. Uses SQLite's locks, since Bun has no flock(2).
 * On a read-only file system, where no process can write, the lock is shared or absent.
 */
export function lockFile(
  file: string,
  kind: keyof typeof BEGIN,
  patience: number,
): { release(): void } | null {
  const db = open(file);
  if (db === null) return UNLOCKED;
  try {
    db.run(`PRAGMA busy_timeout = ${patience}`);
    // The journal is in memory and nothing is ever written, so a full disk does no harm.
    db.run('PRAGMA journal_mode = MEMORY');
    for (const statement of BEGIN[kind]) db.run(statement);
  } catch (error) {
    db.close();
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'SQLITE_BUSY') return null;
    if (code === 'SQLITE_READONLY' && kind === 'exclusive' && isReadOnly(file))
      return lockFile(file, 'shared', patience);
    throw error;
  }
  held.add(db);
  return {
    release() {
      held.delete(db);
      db.close();
    },
  };
}

const UNLOCKED = { release(): void {} };

function open(file: string): Database | null {
  try {
    makePrivate(file);
    return new Database(file, { create: true });
  } catch (error) {
    if (isReadOnly(file)) return null;
    throw error;
  }
}

/** Creates the file with mode 0600, since SQLite would use the umask. Leaves a file whose mode this user may not change. */
function makePrivate(file: string): void {
  try {
    // Creates and closes the file before this process locks it: closing any descriptor of a file releases the process's locks
    // on it.
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'ax', mode: 0o600 });
    if ((statSync(file).mode & 0o777) !== 0o600) chmodSync(file, 0o600);
  } catch {
    // SQLite reports the problem when it opens the file.
  }
}

const isReadOnly = (file: string): boolean => findDiskFault(dirname(file)) === 'EROFS';

/** How long a restore waits for processes that are opening the database, and these for a restore, in milliseconds. */
const PATIENCE = 5000;

/**
 * Runs `open`, which opens the database of a data directory, while no restore can replace it. SQLite finds a database's
 * write-ahead log by its name, so a process that opened the old file could find the new file's log and copy wrong pages back.
 * After its first read, a connection holds its own lock.
 */
export const holdOpenLock = <T>(dataDirectory: string, open: () => T): T =>
  locked(dataDirectory, 'shared', open, 'a restore works in it');

export const holdSwapLock = <T>(dataDirectory: string, exchange: () => T): T =>
  locked(dataDirectory, 'exclusive', exchange, 'a command works in it');

function locked<T>(dataDirectory: string, kind: keyof typeof BEGIN, act: () => T, other: string): T {
  const lock = lockFile(join(dataDirectory, 'bookstall.lock'), kind, PATIENCE);
  if (lock === null)
    throw Refusal.storage(
      `Cannot use the database in "${dataDirectory}": ${other}; try again when that has ended`,
    );
  try {
    return act();
  } finally {
    lock.release();
  }
}
