import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
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
import { Refusal } from '../refusal.ts';
import { replaceFileSync } from '../replace-file.ts';
import { workerUrl } from '../runtime.ts';
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
import { makeDataDirectory, syncFile, syncFolder } from './data-directory.ts';
import { Database } from 'bun:sqlite';
import { holdSwapLock } from './file-lock.ts';
import { lockDataDirectory } from './server-note.ts';

/**
 * The data to back up, and the target: a file, or a folder in which backups are named by their time (`at`, in
 * milliseconds since 1970) and all but the newest `keep` are removed; null removes none.
 */
export type BackupJob = {
  readonly dataDirectory: string;
  readonly at: number;
  readonly to: { readonly file: string } | { readonly folder: string; readonly keep: number | null };
  /** Files of the data directory that go along, by their paths in it. */
  readonly beside?: readonly string[];
};

/** The answer of the Worker. */
export type BackupReply = { readonly backup: Backup } | { readonly refusal: string };

/** A verified backup, and the names of the older ones that were removed for it. */
export type Backup = DatabaseProof & { readonly path: string; readonly removed: readonly string[] };

/** Makes one backup in a Worker of its own, while others read and write the database. `signal` abandons it. */
export async function runBackup(job: BackupJob, signal?: AbortSignal): Promise<Backup> {
  const worker = new Worker(workerUrl('store/backup-worker'));
  const { promise, resolve, reject } = Promise.withResolvers<BackupReply>();
  const abandon = (): void => reject(Refusal.storage('Cannot end the backup: the server stops'));
  worker.onmessage = ({ data }: MessageEvent<BackupReply>) => resolve(data);
  worker.onerror = ({ message }) => reject(Refusal.storage(`Cannot back up: the Worker ended, ${message}`));
  signal?.addEventListener('abort', abandon, { once: true });
  worker.postMessage(job);
  try {
    const reply = await promise;
    if ('backup' in reply) return reply.backup;
    throw Refusal.storage(reply.refusal);
  } finally {
    signal?.removeEventListener('abort', abandon);
    worker.terminate();
  }
}

/** Makes one backup and its checksum file, and writes a note to the data directory. Refuses whatever `copyDatabase` refuses. */
export function makeBackup({ dataDirectory, at, to, beside = [] }: BackupJob): Backup {
  const path = resolve('file' in to ? to.file : join(openFolder(to.folder), backupName(at)));
  [path, checksumFile(path), filesFolder(path)].forEach(refuseTaken);
  const proof = copyDatabase(join(dataDirectory, 'bookstall.db'), path, migrations);
  writeChecksum(path, proof.sha256);
  copyFiles(dataDirectory, filesFolder(path), beside);
  note(dataDirectory, { at: new Date(at).toISOString(), path, bytes: proof.bytes, sha256: proof.sha256 });
  const removed = 'file' in to || to.keep === null ? [] : removeOldest(path, to.keep);
  return { path, ...proof, removed };
}

/** The file beside a backup that `sha256sum -c` reads. */
export const checksumFile = (path: string): string => `${path}.sha256`;

/** The folder beside a backup with the files of the data directory that go along. */
const filesFolder = (path: string): string => `${path}.files`;

/** Copies files by their paths from one directory into another; existing and missing ones are left alone. */
function copyFiles(from: string, to: string, paths: readonly string[]): void {
  for (const path of paths) {
    if (!existsSync(join(from, path)) || existsSync(join(to, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    copyFileSync(join(from, path), join(to, path));
    syncFile(join(to, path));
  }
}

/** The files that a backup may bring along: no other name is ever written. Editions and artefacts are checked as they are read. */
const BESIDE =
  /^(?:editions\/(?:book|skill)\/[a-z0-9-]+\.json|artefacts\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z]+)$/;

function openFolder(folder: string): string {
  // Not with its parents: a disk that is not mounted is no place for a backup.
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists, or the copy's own error will say why it cannot be made.
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
    for (const file of [checksumFile(path), path]) rmSync(file, { force: true });
    throw error;
  }
}

function note(dataDirectory: string, record: BackupRecord): void {
  try {
    writeBackupRecord(dataDirectory, record);
  } catch {
    // A full data disk takes nothing from a backup that is safe elsewhere.
  }
}

/** Never removes the one just made: if the clock was set back, its name is not the last. */
function removeOldest(made: string, keep: number): readonly string[] {
  const folder = dirname(made);
  const others = readdirSync(folder).filter((name) => backupTime(name) !== null && name !== basename(made));
  const removed = others.toSorted().slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of removed)
    for (const file of [name, checksumFile(name), filesFolder(name)])
      rmSync(join(folder, file), { recursive: true, force: true });
  return removed;
}

/** The newest verified backup: `at` in ISO 8601 UTC, `bytes` of the file at `path`, `sha256` in lower-case hex. */
interface BackupRecord {
  readonly at: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The newest verified backup of a data directory; null if none was made, or its note cannot be read. */
export function readBackupRecord(dataDirectory: string): BackupRecord | null {
  try {
    const recorded: unknown = JSON.parse(readFileSync(recordFile(dataDirectory), 'utf8'));
    return isBackupRecord(recorded) ? recorded : null;
  } catch {
    return null;
  }
}

/** Writes a note of a verified backup. */
export function writeBackupRecord(dataDirectory: string, record: BackupRecord): void {
  replaceFileSync(recordFile(dataDirectory), `${JSON.stringify(record)}\n`);
}

function isBackupRecord(recorded: unknown): recorded is BackupRecord {
  const { at, path, bytes, sha256 } = Object(recorded) as Record<keyof BackupRecord, unknown>;
  const areTexts = typeof at === 'string' && typeof path === 'string' && typeof sha256 === 'string';
  return areTexts && typeof bytes === 'number' && !Number.isNaN(Date.parse(at));
}

const recordFile = (dataDirectory: string): string => join(dataDirectory, 'backup.json');

/** `at` is in milliseconds since 1970: the database that is replaced is kept under a name with this time. */
type RestoreJob = {
  readonly file: string;
  readonly dataDirectory: string;
  readonly replace: boolean;
  readonly at: number;
};

/** The restored backup; `hasChecksum` if a checksum file matched; `kept` is the path of the database before, null if there was none. */
export type Restored = DatabaseProof & {
  readonly path: string;
  readonly hasChecksum: boolean;
  readonly kept: string | null;
};

/**
 * Verifies a backup, copies it into the data directory, and replaces the database by it. Refuses an untrusted
 * backup, a newer schema, a directory in use by a server, and one with a database unless it may be replaced.
 * Nothing is changed before all of that is known.
 */
export function restoreDatabase({ file, dataDirectory, replace, at }: RestoreJob): Restored {
  const place = join(dataDirectory, 'bookstall.db');
  if (!replace && existsSync(place))
    throw Refusal.storage(
      `Cannot restore to "${place}": there is a database already; add --replace, which keeps it under another name`,
    );
  const proof = verifyBackup(file);
  const hasChecksum = compareChecksum(file, proof.sha256);
  const lock = hold(dataDirectory);
  const arriving = `${place}.restoring`;
  try {
    copyIn(file, arriving, proof.sha256);
    const kept = join(dataDirectory, backupName(at).replace('bookstall-', 'bookstall-replaced-'));
    const isThere = existsSync(place);
    const put = isThere ? swapDatabase : placeDatabase;
    holdSwapLock(dataDirectory, () => put(arriving, place, kept));
    const along = filesFolder(resolve(file));
    const names = existsSync(along) ? readdirSync(along, { recursive: true, encoding: 'utf8' }) : [];
    copyFiles(
      along,
      dataDirectory,
      names.filter((name) => BESIDE.test(name)),
    );
    return { path: resolve(file), ...proof, hasChecksum, kept: isThere ? kept : null };
  } catch (error) {
    throw asRefusal(error, dataDirectory);
  } finally {
    rmSync(arriving, { force: true });
    lock.release();
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

/** False if there is no checksum file. */
function compareChecksum(file: string, sha256: string): boolean {
  if (!existsSync(checksumFile(file))) return false;
  const [, expected = ''] = /^\\?([0-9a-fA-F]{64})\s/.exec(readFileSync(checksumFile(file), 'utf8')) ?? [];
  if (expected.toLowerCase() === sha256) return true;
  throw Refusal.storage(
    `Cannot restore "${file}": its SHA-256 is ${sha256} and not the one in "${checksumFile(file)}", so it was changed since; use another backup`,
  );
}

/** Makes the data directory if it is missing, and keeps servers out of it. */
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

/** Copies the same bytes that were verified, for their owner alone. */
function copyIn(file: string, arriving: string, proven: string): void {
  // A restore that was killed left it.
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

/** An error of the system, such as a full disk, in a sentence. */
function asRefusal(error: unknown, dataDirectory: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error && 'code' in error)) return error;
  return Refusal.storage(
    `Cannot restore into "${dataDirectory}": ${error.message}; check its permissions and free space; the database is as it was`,
  );
}

/** How long commands that work on the old database may take to end, in milliseconds. */
const PATIENCE = 5000;

/**
 * Puts a whole database in the place of another, under the swap lock, and keeps the other under a name of its own. Whenever the program or the
 * machine dies, the place holds the old one or the new one, and never one with the other's write-ahead log.
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

/** Puts a whole database in its place, which must be empty. The log of a lost database is moved out of the way. */
function placeDatabase(arriving: string, place: string, kept: string): void {
  moveLogs(place, kept);
  linkSync(arriving, place);
  syncFolder(dirname(place));
}

/**
 * Merges the old database's log and locks it against processes that still have it open; the open lock keeps
 * out the others. Null if it is damaged.
 */
function holdDatabase(place: string): Database | null {
  const db = new Database(place, { readwrite: true, create: false });
  try {
    db.run(`PRAGMA busy_timeout = ${PATIENCE}`);
    // Before the first look: from then on the lock is kept.
    db.run('PRAGMA locking_mode = EXCLUSIVE');
    refuseForeign(db, place);
    // Leaves WAL mode, which merges and removes the log. In memory, so that no journal file replaces it.
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

/** A log that could not be taken in goes with the file it belongs to. */
function moveLogs(place: string, kept: string): void {
  for (const end of ['-wal', '-journal'])
    if (existsSync(`${place}${end}`)) renameSync(`${place}${end}`, `${kept}${end}`);
  rmSync(`${place}-shm`, { force: true });
}

const inUse = (place: string): Refusal =>
  Refusal.storage(`Cannot replace "${place}": a command works on it; try again when that has ended`);
