import { join } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { lockFile } from './file-lock.ts';

/** How long one waits for the other, in milliseconds. */
const PATIENCE = 5000;

/**
 * Runs what opens the database of a data directory, while no restore exchanges it. SQLite finds a database's log by its
 * name: who had opened the old file and looked for its log only then would find the new one's, and write home the wrong
 * pages. After its first look an open connection holds a lock of its own.
 */
export function holdOpenLock<T>(dataDirectory: string, open: () => T): T {
  return locked(dataDirectory, 'shared', open, 'a restore works in it');
}

/** Runs what exchanges the database of a data directory, while nobody opens it. */
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
