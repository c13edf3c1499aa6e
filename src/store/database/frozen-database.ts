import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { isSqliteError, openImmutable } from '../copy/verify-database.ts';
import type { DiskFault } from '../lock/disk-fault.ts';

/** Offsets at which the file's header says that there is a write-ahead log (https://www.sqlite.org/fileformat.html). */
const LOG_VERSIONS = [18, 19];

/**
 * Opens a database for reading while its disk cannot be written, without the index of its write-ahead log, which SQLite
 * would have to make there: on a full ext4 the first write to that index ends the process (SIGBUS). The connection sees
 * no later change, unless another process has the database open.
 */
export function openFrozen(file: string, fault: DiskFault): Database {
  // Without a log no process has it open.
  if (sizeOfLog(file) === null) return openImmutable(file);
  // SQLite keeps the index in memory by itself if it lies on a read-only file system.
  if (fault === 'EROFS') return sizeOfLog(file) === 0 ? openImmutable(file) : openShared(file);
  try {
    // Closing the last connection writes the log home if that needs no room.
    readAlone(file, () => {});
    return sizeOfLog(file) ? openInMemory(readAlone(file, (db) => db.serialize())) : openImmutable(file);
  } catch (error) {
    // The process that has it open made the index.
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return openShared(file);
    throw error;
  }
}

/** In bytes; null if there is none. */
function sizeOfLog(file: string): number | null {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? null;
}

/** Reads a database that no other connection has open, with the index in memory; fails with SQLITE_BUSY otherwise. */
function readAlone<T>(file: string, read: (db: Database) => T): T {
  const db = new Database(file, { readwrite: true, create: false });
  try {
    db.run('PRAGMA locking_mode = EXCLUSIVE');
    db.query('SELECT count(*) FROM sqlite_schema').get();
    return read(db);
  } finally {
    db.close();
  }
}

function openInMemory(bytes: Uint8Array): Database {
  for (const offset of LOG_VERSIONS) bytes[offset] = 1;
  return Database.deserialize(bytes, { readonly: true, strict: true });
}

function openShared(file: string): Database {
  return new Database(file, { readonly: true, strict: true });
}
