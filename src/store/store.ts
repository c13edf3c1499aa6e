import type { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { statementsOf } from './statements.ts';
import { openForReading, openUnwritable } from './database.ts';
import { explainFailure } from './data-directory.ts';
import { createReads, type Reads } from './tables/all.ts';
import { createWriteQueue, type Write } from './write-queue.ts';

/**
 * The database of accounts, keys, grants, orders and logs. Reads answer at once, all those of one turn of the event loop from
 * one snapshot, which a write of our own ends; writes go to the Worker.
 */
export type Store = Reads & {
  readonly write: Write;
  close(): Promise<void>;
};

/**
 * Opens (and creates) `bookstall.db` in an existing data directory. Refuses whatever `openForWriting` refuses. If its disk
 * cannot be written now, the database is read as it is, until a write succeeds.
 */
export async function openStore(dataDirectory: string): Promise<Store> {
  const file = join(dataDirectory, 'bookstall.db');
  const isThere = existsSync(file);
  const queue = createWriteQueue(file, () => {
    endSnapshot();
    if (isFrozen && isOpen) thaw();
  });
  let db: Database;
  let isFrozen = false;
  try {
    await queue.open();
    db = openForReading(file);
  } catch (error) {
    await queue.close();
    const fault = isThere ? explainFailure(dataDirectory) : null;
    if (fault === null) throw error;
    db = openUnwritable(file, fault);
    isFrozen = true;
  }
  let isOpen = true;

  /** A lock to begin and one to end each read alone would take ten times the read. */
  const takeSnapshot = (): Database => {
    if (db.inTransaction) return db;
    db.run('BEGIN');
    setImmediate(endSnapshot);
    return db;
  };
  const endSnapshot = (): void => {
    if (isOpen && db.inTransaction) db.run('COMMIT');
  };

  /** If the disk fails again, the write was still done, and the next one tries again. */
  const thaw = (): void => {
    try {
      const frozen = db;
      db = openForReading(file);
      frozen.close();
      isFrozen = false;
    } catch {
      // Reads continue as before.
    }
  };

  return {
    ...createReads(statementsOf(takeSnapshot)),
    write: queue.write,
    async close() {
      endSnapshot();
      isOpen = false;
      db.close();
      await queue.close();
    },
  };
}
