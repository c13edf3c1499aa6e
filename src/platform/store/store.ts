import type { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Statements, statementsOf } from './statements.ts';
import { openForReading, openUnwritable } from './database.ts';
import { explainFailure } from './data-directory.ts';
import { readPragma } from './copy.ts';
import { createWriteQueue, type Write } from './write-queue.ts';

/**
 * The database of accounts, keys, grants, orders and logs. Reads are synchronous; all reads in one turn of the event loop see
 * the same state of the database, unless this process writes in between. Writes go to a Worker. Each area names its reads and
 * writes in its `stall.ts`.
 */
export type Store<Reads = object, Writes extends object = object> = Reads & {
  readonly write: Write<Writes>;
  /**
   * Wraps a read in a cache of at most `most` results. It is emptied after any process has written. Null results are not
   * cached.
   */
  readonly remember: <Given extends readonly string[], Found>(
    read: (...given: Given) => Found,
    most?: number,
  ) => (...given: Given) => Found;
  /** Registers `act`, called after each write of this process, before that write resolves. */
  readonly onWrite: (act: () => void) => void;
  close(): Promise<void>;
};

const MOST_REMEMBERED = 10_000;

/**
 * Opens `bookstall.db` in an existing data directory, and creates it if it is missing. Refuses what `openForWriting` refuses,
 * such as a damaged file. If the disk is full or read-only, an existing database is opened for reading only; each later write
 * is tried, and once one succeeds the database is opened as usual. `createReads` makes the reads.
 */
export async function openStore<Reads extends object, Writes extends object>(
  dataDirectory: string,
  createReads: (db: Statements) => Reads,
): Promise<Store<Reads, Writes>> {
  const file = join(dataDirectory, 'bookstall.db');
  const isThere = existsSync(file);
  const queue = createWriteQueue<Writes>(file, () => {
    endSnapshot();
    if (isFrozen && isOpen) thaw();
    for (const act of acts) act();
  });
  const acts: (() => void)[] = [];
  const memos: Map<string, unknown>[] = [];
  let db: Database;
  let isFrozen = false;
  let hasSnapshot = false;
  let version: number | null = null;
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

  /**
   * Begins the read transaction of this turn of the event loop, if none is open. A transaction for each read would take ten
   * times as long as the read.
   */
  const takeSnapshot = (): Database => {
    if (hasSnapshot) return db;
    db.run('BEGIN');
    hasSnapshot = true;
    setImmediate(endSnapshot);
    const now = readPragma(db, 'data_version');
    if (now !== version) for (const found of memos) found.clear();
    version = now;
    return db;
  };
  const endSnapshot = (): void => {
    if (hasSnapshot && db.inTransaction) db.run('COMMIT');
    hasSnapshot = false;
  };
  const remember: Store['remember'] = <Given extends readonly string[], Found>(
    read: (...given: Given) => Found,
    most = MOST_REMEMBERED,
  ) => {
    const found = new Map<string, Found>();
    memos.push(found);
    return (...given: Given) => {
      takeSnapshot();
      const name = given.join(' ');
      const known = found.get(name);
      if (known !== undefined) return known;
      const value = read(...given);
      if (found.size >= most) found.clear();
      if (value !== null) found.set(name, value);
      return value;
    };
  };

  /** Opens the database as usual after a write succeeded again. If that fails, reads go on with the old connection for now. */
  const thaw = (): void => {
    try {
      const frozen = db;
      db = openForReading(file);
      frozen.close();
      [isFrozen, version] = [false, null];
    } catch {}
  };

  const reads = createReads(statementsOf(takeSnapshot));
  return {
    ...reads,
    remember,
    write: queue.write,
    onWrite: (act) => void acts.push(act),
    async close() {
      endSnapshot();
      isOpen = false;
      db.close();
      await queue.close();
    },
  };
}
