import { Database } from 'bun:sqlite';

const BEGIN = {
  shared: ['BEGIN', 'SELECT count(*) FROM sqlite_schema'],
  exclusive: ['BEGIN EXCLUSIVE'],
};

/** Kept reachable: a connection that nothing names is collected, and its lock freed. */
const held = new Set<Database>();

/**
 * Locks an empty file until `release` or the end of the process, kill -9 too: for one alone, or for any number that
 * share. Waits at most `patience` milliseconds, and gives null where it is locked otherwise. It is SQLite's lock, since
 * Bun offers no flock(2).
 */
export function lockFile(
  file: string,
  kind: keyof typeof BEGIN,
  patience: number,
): { release(): void } | null {
  const db = new Database(file, { create: true });
  try {
    db.run(`PRAGMA busy_timeout = ${patience}`);
    // In memory, where it is on a full disk too: nothing is ever written.
    db.run('PRAGMA journal_mode = MEMORY');
    for (const statement of BEGIN[kind]) db.run(statement);
  } catch (error) {
    db.close();
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null;
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
