import { Database } from 'bun:sqlite';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** In milliseconds: outlasts `isServed`, which holds the lock for a moment to see whether it is free. */
const PATIENCE = 500;

/** Kept reachable: a connection that nothing names is collected, and its lock freed. */
const held = new Set<Database>();

/**
 * Holds the data directory for one server until `release` or the end of the process, kill -9 too.
 * It is SQLite's lock on a file of its own, since Bun offers no flock(2). Refuses where another process holds it.
 */
export function lockDataDirectory(dataDirectory: string): { release(): void } {
  const db = tryLock(lockFile(dataDirectory), PATIENCE);
  if (db !== null) {
    held.add(db);
    return {
      release() {
        held.delete(db);
        db.close();
      },
    };
  }
  throw new Refusal(
    'storage-unavailable',
    `Cannot serve from "${dataDirectory}": another bookstall serves from it; stop that one, or choose another directory with --data`,
  );
}

/** Whether a server holds the data directory now. */
export function isServed(dataDirectory: string): boolean {
  if (!existsSync(lockFile(dataDirectory))) return false;
  const db = tryLock(lockFile(dataDirectory), 0);
  db?.close();
  return db === null;
}

/** Notes which process serves and can be told to reindex; to be called by the holder of the lock. */
export function announceServer(dataDirectory: string): { withdraw(): void } {
  const file = join(dataDirectory, 'serve.pid');
  writeFileSync(file, `${process.pid}\n`);
  return { withdraw: () => forgetServer(dataDirectory) };
}

/** Removes the notes of a server that was killed, without a moment in which it names a process; for the holder of the lock. */
export function forgetServer(dataDirectory: string): void {
  for (const file of [join(dataDirectory, 'serve.pid'), noteFile(dataDirectory)])
    rmSync(file, { force: true });
}

/** Where the server keeps what it tells of itself. */
export function noteFile(dataDirectory: string): string {
  return join(dataDirectory, 'serve.json');
}

/** The process id of the server that holds the data directory now; null where none does, or one just starts. */
export function findServer(dataDirectory: string): number | null {
  const file = join(dataDirectory, 'serve.pid');
  if (!isServed(dataDirectory) || !existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

function tryLock(file: string, patience: number): Database | null {
  const db = new Database(file, { create: true });
  try {
    db.run(`PRAGMA busy_timeout = ${patience}`);
    // In memory, where it is on a full disk too: nothing is ever written.
    db.run('PRAGMA journal_mode = MEMORY');
    db.run('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null;
    throw error;
  }
}

function lockFile(dataDirectory: string): string {
  return join(dataDirectory, 'serve.lock');
}
