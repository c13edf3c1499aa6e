import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, Refusal } from '../base/refusal.ts';
import { replaceFileSync } from '../base/replace-file.ts';
import {
  APPLICATION_ID,
  backupName,
  backupTime,
  copyDatabase,
  type DatabaseProof,
  digestFile,
  isSqliteError,
  readPragma,
  refuseTaken,
  verifyDatabase,
} from './copy.ts';
import { migrations } from './database.ts';
import { makeDataDirectory, syncFolder } from './data-directory.ts';
import { Database } from 'bun:sqlite';
import { type Statements, statementsOf } from './statements.ts';
import { holdSwapLock } from './file-lock.ts';
import { lockDataDirectory } from './server-note.ts';

/**
 * The data to back up and its target: a `file`, or a `folder`. In a folder the backup is named by its time `at` (milliseconds
 * since 1970), and only the newest `keep` backups stay, with null all of them.
 */
export type BackupJob = {
  readonly dataDirectory: string;
  readonly at: number;
  readonly to: { readonly file: string } | { readonly folder: string; readonly keep: number | null };
};

/** How many pushed items, and last good editions of broken items, are in the folder beside a backup. */
type Beside = { readonly pushed: number; readonly lastGood: number };

/**
 * Fills the folder that will be beside a backup, and makes it if it needs any. `previous` is the folder beside the newest
 * earlier backup, null if there is none.
 */
export type FillFolder = (folder: string, previous: string | null) => Beside;

/** A verified backup. `removed` has the names of older backups that were deleted because there were more than `keep`. */
export type Backup = DatabaseProof & Beside & { readonly path: string; readonly removed: readonly string[] };

/**
 * Makes one backup with its checksum file and the folder beside it, and records it in the data directory. Refuses whatever
 * `copyDatabase` refuses.
 */
export function makeBackup(
  { dataDirectory, at, to }: BackupJob,
  fill: FillFolder = () => ({ pushed: 0, lastGood: 0 }),
): Backup {
  const path = resolve('file' in to ? to.file : join(openFolder(to.folder), backupName(at)));
  [path, checksumFile(path), filesFolder(path)].forEach(refuseTaken);
  let beside = { pushed: 0, lastGood: 0 };
  const proof = copyDatabase(join(dataDirectory, 'bookstall.db'), path, migrations, (unfinished) => {
    beside = fill(unfinished, newestFolder(dirname(path)));
    // The folder gets its name before the database does: a backup under its final name is whole.
    if (existsSync(unfinished)) renameSync(unfinished, filesFolder(path));
  });
  writeChecksum(path, proof.sha256);
  const { bytes, sha256 } = proof;
  note(dataDirectory, { at: new Date(at).toISOString(), path, bytes, sha256, pushed: beside.pushed });
  const removed = 'file' in to || to.keep === null ? [] : removeOldest(path, to.keep);
  return { path, ...proof, ...beside, removed };
}

function newestFolder(folder: string): string | null {
  const name = readdirSync(folder)
    .filter((one) => backupTime(one) !== null && existsSync(filesFolder(join(folder, one))))
    .toSorted()
    .at(-1);
  return name === undefined ? null : filesFolder(join(folder, name));
}

export const checksumFile = (path: string): string => `${path}.sha256`;

export const filesFolder = (path: string): string => `${path}.files`;

function openFolder(folder: string): string {
  // Does not create parent folders: if one is missing, a disk is probably not mounted, and then the backup must fail.
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // The folder exists; or it cannot be made, and then the copy fails with the reason.
  }
  return folder;
}

function writeChecksum(path: string, sha256: string): void {
  try {
    const descriptor = openSync(checksumFile(path), 'wx', 0o600);
    writeSync(descriptor, `${sha256}  ${basename(path)}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    syncFolder(dirname(path));
  } catch (error) {
    for (const file of [checksumFile(path), path, filesFolder(path)])
      rmSync(file, { recursive: true, force: true });
    throw error;
  }
}

function note(dataDirectory: string, record: BackupRecord): void {
  try {
    writeBackupRecord(dataDirectory, record);
  } catch {
    // The backup is complete elsewhere, so a full disk of the data directory must not make it fail.
  }
}

/**
 * Deletes the oldest backups until `keep` are left, but never the new one, `made`: after a clock was set back, its name may be
 * old.
 */
function removeOldest(made: string, keep: number): readonly string[] {
  const folder = dirname(made);
  // A killed backup may have left a folder without its database.
  const names = new Set(readdirSync(folder).map((name) => name.replace(/\.files$/, '')));
  const others = [...names].filter((name) => backupTime(name) !== null && name !== basename(made));
  const removed = others.toSorted().slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of removed)
    for (const file of [name, checksumFile(name), filesFolder(name)])
      rmSync(join(folder, file), { recursive: true, force: true });
  return removed;
}

/**
 * The newest verified backup: `at` in ISO 8601 UTC, `bytes` and `sha256` (lower-case hex) of the file at `path`, and the number
 * of pushed items beside it, absent in a record of an old version.
 */
interface BackupRecord {
  readonly at: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pushed?: number;
}

export function readBackupRecord(dataDirectory: string): BackupRecord | null {
  try {
    const recorded: unknown = JSON.parse(readFileSync(recordFile(dataDirectory), 'utf8'));
    return isBackupRecord(recorded) ? recorded : null;
  } catch {
    return null;
  }
}

export function writeBackupRecord(dataDirectory: string, record: BackupRecord): void {
  replaceFileSync(recordFile(dataDirectory), `${JSON.stringify(record)}\n`);
}

function isBackupRecord(recorded: unknown): recorded is BackupRecord {
  const { at, path, bytes, sha256 } = Object(recorded) as Record<keyof BackupRecord, unknown>;
  const areTexts = typeof at === 'string' && typeof path === 'string' && typeof sha256 === 'string';
  return areTexts && typeof bytes === 'number' && !Number.isNaN(Date.parse(at));
}

const recordFile = (dataDirectory: string): string => join(dataDirectory, 'backup.json');

/** A backup to restore. The database that it replaces gets a name with the time `at`, in milliseconds since 1970. */
type RestoreJob = {
  readonly file: string;
  readonly dataDirectory: string;
  readonly replace: boolean;
  readonly at: number;
};

/**
 * A restored backup. `hasChecksum`: a checksum file confirmed it. `kept` is the new path of the replaced database, if there was
 * one.
 */
export type Restored = DatabaseProof &
  Placed & {
    readonly path: string;
    readonly hasChecksum: boolean;
    readonly kept: string | null;
  };

/** `pushed` counts the items that are now as in the backup; `left` has the slugs of items that were there and not replaced. */
type Placed = { readonly pushed: number; readonly left: readonly string[] };

/**
 * Files of a backup, copied into the data directory but not yet in place. `put` moves them into place, and files that they
 * replace into the folder `kept`; null replaces none. `drop` deletes those not in place.
 */
export type Arrival = { readonly put: (kept: string | null) => Placed; readonly drop: () => void };

/** Copies the folder beside a backup into a data directory, and verifies it. */
type StageFolder = (folder: string, dataDirectory: string) => Arrival;

const NOTHING: Arrival = { put: () => ({ pushed: 0, left: [] }), drop() {} };

/**
 * Verifies a backup, copies it into the data directory, replaces the database with it, and then puts the files beside it in
 * place. Refuses, and changes nothing, if the backup fails a check or has a newer schema, if a server uses the directory, or if
 * it has a database and `replace` is not set. `settle` ends in the copy what must not come back, such as connections.
 */
export function restoreDatabase(
  { file, dataDirectory, replace, at }: RestoreJob,
  stage: StageFolder = () => NOTHING,
  settle: (db: Statements) => void = () => {},
): Restored {
  const place = join(dataDirectory, 'bookstall.db');
  if (!replace && existsSync(place))
    throw Refusal.storage(
      `Cannot restore to "${place}": there is a database already; add --replace, which keeps it under another name`,
    );
  const proof = verifyBackup(file);
  const hasChecksum = compareChecksum(file, proof.sha256);
  const lock = hold(dataDirectory);
  const arriving = `${place}.restoring`;
  let beside = NOTHING;
  try {
    copyIn(file, arriving, proof.sha256);
    settleCopy(arriving, settle);
    const along = filesFolder(resolve(file));
    if (existsSync(along)) beside = stage(along, dataDirectory);
    const kept = join(dataDirectory, backupName(at).replace('bookstall-', 'bookstall-replaced-'));
    const isThere = existsSync(place);
    const swap = isThere ? swapDatabase : placeDatabase;
    holdSwapLock(dataDirectory, () => swap(arriving, place, kept));
    const placed = putInPlace(beside, replace ? filesFolder(kept) : null);
    return { path: resolve(file), ...proof, hasChecksum, kept: isThere ? kept : null, ...placed };
  } catch (error) {
    throw asRefusal(error, dataDirectory);
  } finally {
    rmSync(arriving, { force: true });
    beside.drop();
    lock.release();
  }
}

/** Keeps the copy's journal in memory: a journal file that a kill left would be played into the next copy. */
function settleCopy(arriving: string, settle: (db: Statements) => void): void {
  const db = new Database(arriving, { readwrite: true, create: false, strict: true });
  try {
    db.run('PRAGMA journal_mode = MEMORY');
    settle(statementsOf(() => db));
  } finally {
    db.close();
  }
}

function putInPlace(beside: Arrival, kept: string | null): Placed {
  try {
    return beside.put(kept);
  } catch (error) {
    throw Refusal.storage(
      `Cannot put all that is beside the backup in its place: ${messageOf(error)}; the database is restored; mend that, and restore again with --replace`,
    );
  }
}

function verifyBackup(file: string): DatabaseProof {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw Refusal.storage(
        `Cannot restore "${file}": permission denied; let the owner of the data read it, and enter its folder`,
      );
  }
  if (!existsSync(file) || !statSync(file).isFile())
    throw Refusal.storage(
      `Cannot restore "${file}": there is no such file; name a file that "bookstall backup" made`,
    );
  for (const end of ['-wal', '-journal'])
    if ((statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw Refusal.storage(
        `Cannot restore "${file}": it is half of a copied database, "${file}${end}" is the other; name a file that "bookstall backup" made`,
      );
  return verifyDatabase(
    file,
    (reason, remedy = 'use another backup') => `Cannot restore "${file}": ${reason}; ${remedy}`,
    migrations,
  );
}

/**
 * Reports whether the checksum file beside a backup confirms it; false without such a file. Refuses if the two do not match.
 */
function compareChecksum(file: string, sha256: string): boolean {
  if (!existsSync(checksumFile(file))) return false;
  const [, expected = ''] = /^\\?([0-9a-fA-F]{64})\s/.exec(readFileSync(checksumFile(file), 'utf8')) ?? [];
  if (expected.toLowerCase() === sha256) return true;
  throw Refusal.storage(
    `Cannot restore "${file}": its SHA-256 is ${sha256} and not the one in "${checksumFile(file)}", so it was changed since; use another backup`,
  );
}

function hold(dataDirectory: string): ReturnType<typeof lockDataDirectory> {
  try {
    makeDataDirectory(dataDirectory);
    return lockDataDirectory(dataDirectory);
  } catch (error) {
    throw error instanceof Refusal
      ? Refusal.storage(`Cannot restore into "${dataDirectory}": a server works in it; stop the server first`)
      : asRefusal(error, dataDirectory);
  }
}

/** Copies a backup to the path `arriving` with mode 0600. Refuses if its SHA-256 is not `proven`, the one that was verified. */
function copyIn(file: string, arriving: string, proven: string): void {
  // A restore that was killed may have left this file.
  rmSync(arriving, { force: true });
  const descriptor = openSync(arriving, 'wx', 0o600);
  try {
    const { sha256 } = digestFile(file, (piece) => writeFileSync(descriptor, piece));
    if (sha256 !== proven)
      throw Refusal.storage(`Cannot restore "${file}": it changed while it was read; try again`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function asRefusal(error: unknown, dataDirectory: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error && 'code' in error)) return error;
  return Refusal.storage(
    `Cannot restore into "${dataDirectory}": ${error.message}; check its permissions and free space; the database is as it was`,
  );
}

/** How long to wait for other processes that have the old database open, in milliseconds. */
const PATIENCE = 5000;

/**
 * Replaces the database at `place` with the complete one at `arriving`, while no process can open it, and renames the old one
 * to `kept`. If the program or the machine dies, one of the two is at `place`, never with the write-ahead log of the other.
 */
function swapDatabase(arriving: string, place: string, kept: string): void {
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

/** Renames a complete database to `place`, where there is no database. Moves away the log of a lost database first. */
function placeDatabase(arriving: string, place: string, kept: string): void {
  moveLogs(place, kept);
  linkSync(arriving, place);
  syncFolder(dirname(place));
}

/**
 * Opens the old database, merges its write-ahead log into it, and locks it until it is closed. Refuses if another process has
 * it open. Returns null if the database is damaged.
 */
function holdDatabase(place: string): Database | null {
  const db = new Database(place, { readwrite: true, create: false });
  try {
    db.run(`PRAGMA busy_timeout = ${PATIENCE}`);
    // The locking mode is set before the first read, so that the read's lock is kept.
    db.run('PRAGMA locking_mode = EXCLUSIVE');
    refuseForeign(db, place);
    // Leaves WAL mode, which merges and deletes the log. MEMORY mode makes no journal file in its place.
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
  throw Refusal.storage(
    `Cannot replace "${place}": it is not a database of Bookstall; choose another directory with --data`,
  );
}

/** Renames a log that could not be merged, so that it stays beside its database, which is named `kept`. */
function moveLogs(place: string, kept: string): void {
  for (const end of ['-wal', '-journal'])
    if (existsSync(`${place}${end}`)) renameSync(`${place}${end}`, `${kept}${end}`);
  rmSync(`${place}-shm`, { force: true });
}

const inUse = (place: string): Refusal =>
  Refusal.storage(`Cannot replace "${place}": a command works on it; try again when that has ended`);
