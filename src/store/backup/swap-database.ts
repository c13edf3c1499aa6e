import { Database } from 'bun:sqlite';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { APPLICATION_ID, readPragma } from '../copy/pragma.ts';
import { isSqliteError } from '../copy/verify-database.ts';
import { syncFolder } from '../lock/sync.ts';

/** How long commands that work on the old database may take to end, in milliseconds. */
const PATIENCE = 5000;

/**
 * Puts a whole database in the place of another, under the swap lock, and keeps the other under a name of its own. Whenever the program or the
 * machine dies, the place holds the old one or the new one, and never one with the other's write-ahead log.
 */
export function swapDatabase(arriving: string, place: string, kept: string): void {
  const old = holdDatabase(place);
  try {
    linkSync(place, kept);
    moveLogs(place, kept);
    renameSync(arriving, place);
    syncFolder(dirname(place));
  } finally {
    old?.close();
  }
}

/** Puts a whole database in its place if there is none. The log of a lost one is moved out of the way. */
export function placeDatabase(arriving: string, place: string, kept: string): void {
  moveLogs(place, kept);
  linkSync(arriving, place);
  syncFolder(dirname(place));
}

/**
 * Merges the old database's log and locks it against processes that still have it open; the open lock keeps out those that do
 * not. Null if it is damaged.
 */
function holdDatabase(place: string): Database | null {
  const db = new Database(place, { readwrite: true, create: false });
  try {
    db.run(`PRAGMA busy_timeout = ${PATIENCE}`);
    // Before the first look: from then on the lock is kept.
    db.run('PRAGMA locking_mode = EXCLUSIVE');
    refuseForeign(db, place);
    // Leaves WAL mode, which merges and removes the log. In memory, so that no journal file takes its place.
    db.run('PRAGMA journal_mode = MEMORY');
    db.run('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (isSqliteError(error) && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return null;
    throw isSqliteError(error) && error.code.startsWith('SQLITE_BUSY') ? inUse(place) : error;
  }
}

function refuseForeign(db: Database, place: string): void {
  if (readPragma(db, 'application_id') === APPLICATION_ID || readPragma(db, 'page_count') === 0) return;
  throw new Refusal(
    'storage-unavailable',
    `Cannot replace "${place}": it is not a database of Bookstall; choose another directory with --data`,
  );
}

/** A log that could not be taken in goes with the file it belongs to. */
function moveLogs(place: string, kept: string): void {
  for (const end of ['-wal', '-journal'])
    if (existsSync(`${place}${end}`)) renameSync(`${place}${end}`, `${kept}${end}`);
  rmSync(`${place}-shm`, { force: true });
}

function inUse(place: string): Refusal {
  return new Refusal(
    'storage-unavailable',
    `Cannot replace "${place}": a command works on it; try again when that has ended`,
  );
}
