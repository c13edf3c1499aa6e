import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createCommitCounter } from './database/commit-counter.ts';
import { openForReading, openUnwritable } from './database/database.ts';
import { prepareLazily } from './database/lazy-statements.ts';
import { type DiskFault, explainFailure, findDiskFault } from './lock/disk-fault.ts';
import { createReads, type Reads } from './tables/reads.ts';
import { deferWriteQueue, openWriteQueue, type Write } from './writer/write-queue.ts';

/**
 * The database of accounts, keys, grants, orders and logs. Reads are synchronous statements behind resolved promises;
 * writes go to the Worker.
 */
export type Store = Reads & {
  readonly write: Write;
  /** Stays the same for as long as no process has written. */
  readonly generation: () => number;
  close(): Promise<void>;
};

/** Opens (and creates) `bookstall.db` in an existing data directory. Refuses whatever `openForWriting` refuses. */
export async function openStore(dataDirectory: string): Promise<Store> {
  const file = join(dataDirectory, 'bookstall.db');
  const isThere = existsSync(file);
  const fault = isThere ? findDiskFault(dataDirectory) : null;
  if (fault !== null) return openFrozenStore(file, fault);
  try {
    return await openWritableStore(file);
  } catch (error) {
    const late = isThere ? explainFailure(dataDirectory) : null;
    if (late === null) throw error;
    return openFrozenStore(file, late);
  }
}

async function openWritableStore(file: string): Promise<Store> {
  const queue = await openWriteQueue(file);
  const db = openForReading(file);
  const commits = createCommitCounter(db);
  let isOpen = true;
  return {
    ...createReads(prepareLazily(db)),
    async write(name, argument) {
      const result = await queue.write(name, argument);
      if (isOpen) commits.look();
      return result;
    },
    generation: commits.count,
    async close() {
      isOpen = false;
      db.close();
      await queue.close();
    },
  };
}

/** A store whose disk cannot be written yet: the first write that succeeds makes it an ordinary one. */
async function openFrozenStore(file: string, fault: DiskFault): Promise<Store> {
  const queue = deferWriteQueue(file);
  let db = openUnwritable(file, fault);
  let commits = createCommitCounter(db);
  let reads = createReads(prepareLazily(db));
  let isFrozen = true;
  let isOpen = true;
  let earlier = 0;
  const thaw = (): void => {
    // Statements of the old connection may still be in use: it is closed when nothing names it.
    db = openForReading(file);
    isFrozen = false;
    earlier += commits.count() + 1;
    commits = createCommitCounter(db);
    reads = createReads(prepareLazily(db));
  };
  /** If the disk fails again, the write was still done, and the next one tries again. */
  const tryToThaw = (): void => {
    try {
      thaw();
    } catch {
      // Reads continue as before.
    }
  };
  const delegates = Object.keys(reads).map((name) => [
    name,
    (...args: unknown[]) => (reads[name as keyof Reads] as (...args: unknown[]) => unknown)(...args),
  ]);
  return {
    ...(Object.fromEntries(delegates) as Reads),
    async write(name, argument) {
      const result = await queue.write(name, argument);
      if (isFrozen) tryToThaw();
      else if (isOpen) commits.look();
      return result;
    },
    generation: () => earlier + commits.count(),
    async close() {
      isOpen = false;
      db.close();
      await queue.close();
    },
  };
}
