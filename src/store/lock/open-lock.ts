import { join } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { lockFile } from './file-lock.ts';

/** How long each waits for the other, in milliseconds. */
const PATIENCE = 5000;

/**
 * Runs `open`, which opens the database of a data directory, while no restore replaces it. SQLite finds a database's log by its
 * name: a process that opened the old file and then looked for its log would find the new one's, and copy back the wrong
 * pages. After its first look an open connection holds a lock of its own.
 */
export function holdOpenLock<T>(dataDirectory: string, open: () => T): T {
  return locked(dataDirectory, 'shared', open, 'a restore works in it');
}

/** Runs `exchange`, which replaces the database of a data directory, while no process opens it. */
export function holdSwapLock<T>(dataDirectory: string, exchange: () => T): T {
  return locked(dataDirectory, 'exclusive', exchange, 'a command works in it');
}

function locked<T>(
  dataDirectory: string,
  kind: Parameters<typeof lockFile>[1],
  act: () => T,
  other: string,
): T {
  const lock = lockFile(join(dataDirectory, 'bookstall.lock'), kind, PATIENCE);
  if (lock === null)
    throw new Refusal(
      'storage-unavailable',
      `Cannot use the database in "${dataDirectory}": ${other}; try again when that has ended`,
    );
  try {
    return act();
  } finally {
    lock.release();
  }
}
