import { Database } from 'bun:sqlite';
import { chmodSync, existsSync, linkSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, Refusal } from '../base/refusal.ts';
import { describeDiskFault, type DiskFault, explainFailure, findDiskFault } from './data-directory.ts';
import { holdOpenLock } from './file-lock.ts';
import { APPLICATION_ID, copyDatabase, isSqliteError, openImmutable, readPragma } from './copy.ts';
import { readMigrations } from './migrations.ts' with { type: 'macro' };

/** The size in bytes to which the write-ahead log is cut back after a long read let it grow. */
const LARGEST_IDLE_WAL = 16 << 20;

/** File systems on which WAL's shared memory does not work, by their magic number in statfs(2). */
const NETWORK_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
  0x01021997: '9P',
  0x5346414f: 'AFS',
  0x00c36400: 'Ceph',
  0x0bd00bd0: 'Lustre',
};

/**
 * Opens the one connection that writes: creates the file, applies migrations and sets the connection's pragmas. Refuses another
 * program's file, a newer schema, a damaged file and a network file system.
 */
export function openForWriting(file: string, list: readonly string[] = migrations): Database {
  refuseNetworkFileSystem(dirname(file));
  const fault = existsSync(file) ? findDiskFault(dirname(file)) : null;
  if (fault !== null) throw unwritable(file, fault);
  return holdOpenLock(dirname(file), () => openDatabase(file, list));
}

function openDatabase(file: string, list: readonly string[]): Database {
  if (!existsSync(file)) createDatabase(file, list);
  if (statSync(file).size === 0) {
    throw Refusal.storage(
      `Cannot open "${file}": the file is empty; restore a backup, or delete it to start with a new one`,
    );
  }
  let db: Database | null = null;
  try {
    db = connect(file);
    refuseForeignFile(db, file);
    migrate(db, file, list);
    configure(db);
    return db;
  } catch (error) {
    db?.close();
    throw asRefusal(error, file);
  }
}

/**
 * Creates the database under a temporary name and links the name `file` to it, so that no process can open an unfinished one.
 */
function createDatabase(file: string, list: readonly string[]): void {
  const making = `${file}.${crypto.randomUUID()}`;
  const db = connect(making);
  try {
    migrate(db, making, list);
    // The file holds e-mail addresses, and --data may name a directory that others can read. The WAL gets the same mode.
    chmodSync(making, 0o600);
  } finally {
    db.close();
  }
  try {
    linkSync(making, file);
  } catch (error) {
    // If another process created the database first, that one is used.
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(making);
  }
}

function connect(file: string): Database {
  const db = new Database(file, { create: true, strict: true });
  // This pragma comes first, so that the statements after it wait for other processes instead of failing.
  db.run('PRAGMA busy_timeout = 5000');
  return db;
}

function configure(db: Database): void {
  db.run('PRAGMA journal_mode = WAL');
  db.run('PRAGMA synchronous = FULL');
  db.run('PRAGMA foreign_keys = ON');
  db.run('PRAGMA trusted_schema = OFF');
  // Overwrites deleted content in pages that still hold other rows.
  db.run('PRAGMA secure_delete = FAST');
  db.run(`PRAGMA journal_size_limit = ${LARGEST_IDLE_WAL}`);
}

export const openForReading = (file: string): Database =>
  holdOpenLock(dirname(file), () => {
    const db = new Database(file, { readonly: true, strict: true });
    db.run('PRAGMA busy_timeout = 100');
    // The first read locks the file, so that no restore can replace it.
    readPragma(db, 'user_version');
    return db;
  });

/**
 * Opens a database for reading while its disk is full, read-only or broken. Refuses another program's file, a damaged file and
 * any schema but the newest, since it cannot be migrated on such a disk.
 */
export const openUnwritable = (file: string, fault: DiskFault): Database =>
  holdOpenLock(dirname(file), () => {
    let db: Database | null = null;
    try {
      db = openFrozen(file, fault);
      db.run('PRAGMA busy_timeout = 100');
      refuseForeignFile(db, file);
      refuseOtherSchema(db, file, fault);
      return db;
    } catch (error) {
      db?.close();
      throw asRefusal(error, file);
    }
  });

function refuseOtherSchema(db: Database, file: string, fault: DiskFault): void {
  refuseNewer(db, file, migrations.length);
  if (readPragma(db, 'user_version') !== migrations.length) throw unwritable(file, fault);
}

function unwritable(file: string, fault: DiskFault): Refusal {
  const { reason, remedy } = describeDiskFault(fault);
  return Refusal.storage(
    `Cannot write to the database: ${reason} ("${dirname(file)}"); ${remedy}, then try again`,
    5,
  );
}

export function refuseNetworkFileSystem(directory: string): void {
  const name = NETWORK_FILE_SYSTEMS[statfsSync(directory).type] ?? null;
  if (name === null) return;
  throw Refusal.storage(
    `Cannot keep a database in "${directory}": it is on a network file system (${name}), where SQLite can lose data; choose a local directory with --data`,
  );
}

function refuseForeignFile(db: Database, file: string): void {
  if (readPragma(db, 'application_id') !== APPLICATION_ID) {
    throw Refusal.storage(
      `Cannot open "${file}": it is not a database of Bookstall; choose another directory with --data`,
    );
  }
  const [check] = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').all();
  if (check?.quick_check !== 'ok') {
    throw Refusal.storage(`Cannot open "${file}": it is damaged (${check?.quick_check}); restore a backup`);
  }
}

const DISK_FAULT = /^SQLITE_(IOERR|FULL|CANTOPEN)/;

/** Advice for the operator, by the error's code. The first match counts; the last is for a fault of the database itself. */
const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [DISK_FAULT, 'check the disk, its free space and the permissions, then try again'],
  [/^SQLITE_(BUSY|PROTOCOL)/, 'another process is just writing to it; try again'],
  [/./, 'restore a backup, or choose another directory with --data'],
];

function asRefusal(error: unknown, file: string): unknown {
  if (!isSqliteError(error)) return error;
  // SQLite reports some full disks as a file that cannot be opened, so this tests the disk itself.
  const fault = DISK_FAULT.test(error.code) ? explainFailure(dirname(file)) : null;
  if (fault !== null) return unwritable(file, fault);
  const remedy = REMEDIES.find(([code]) => code.test(error.code))?.[1];
  return Refusal.storage(`Cannot open "${file}": ${error.message}; ${remedy}`);
}

/**
 * Migrates a database to the newest schema in one transaction, after copying its file. If that fails, the file is unchanged,
 * and the older version of the program can still open it. Refuses a newer schema.
 */
function migrate(db: Database, file: string, migrations: readonly string[]): void {
  refuseNewer(db, file, migrations.length);
  if (readPragma(db, 'user_version') === migrations.length) return;
  // A migration that remakes a table drops it, which must not delete the rows that refer to it: sqlite.org/lang_altertable.html
  db.run('PRAGMA foreign_keys = OFF');
  db.run('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated while this one waited for the lock.
    const version = readPragma(db, 'user_version');
    if (version > 0 && version < migrations.length) copyBefore(file, version + 1);
    for (let next = version; next < migrations.length; next++)
      apply(db, file, migrations[next] ?? '', next + 1);
    db.run(`PRAGMA user_version = ${Math.max(version, migrations.length)}`);
    db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.run('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK');
    throw error;
  }
}

function copyBefore(file: string, migration: number): void {
  const copy = join(dirname(file), `before-migration-${migration}.db`);
  try {
    // An earlier attempt may have left an older copy with the same schema.
    rmSync(copy, { force: true });
    // Null skips the check of the schema: an index that somebody added must not keep the server from starting.
    copyDatabase(file, copy, null);
  } catch (error) {
    throw unchanged(file, migration, error, 'mend that, then start again');
  }
}

function apply(db: Database, file: string, migration: string, number: number): void {
  try {
    db.run(migration);
    const orphan = db.query<{ table: string }, []>('PRAGMA foreign_key_check').get();
    if (orphan !== null) throw new Error(`a row of "${orphan.table}" would name nothing`);
  } catch (error) {
    throw unchanged(file, number, error, 'go on with the earlier program, and report this');
  }
}

function refuseNewer(db: Database, file: string, known: number): void {
  const version = readPragma(db, 'user_version');
  if (version <= known) return;
  throw Refusal.storage(
    `Cannot open "${file}": a newer Bookstall wrote it (schema ${version}, this program knows ${known}); install the newer program`,
  );
}

function unchanged(file: string, migration: number, error: unknown, remedy: string): Refusal {
  const reason = messageOf(error);
  return Refusal.storage(
    `Cannot bring "${file}" up to this version, migration ${migration} failed: ${reason}; nothing was changed; ${remedy}`,
  );
}

/** Offsets of the header's bytes that say that the file has a write-ahead log (https://www.sqlite.org/fileformat.html). */
const LOG_VERSIONS = [18, 19];

/**
 * Opens a database for reading while its disk cannot be written. SQLite would have to create the index of the write-ahead log:
 * on a full ext4 the first write to that index kills the process (SIGBUS). So this opens the database without an index. The
 * connection sees no later change, unless another process has the database open.
 */
function openFrozen(file: string, fault: DiskFault): Database {
  // Without a write-ahead log, no process has the database open, so it can be opened as immutable.
  if (sizeOfLog(file) === null) return openImmutable(file);
  // On a read-only file system SQLite keeps the index in memory by itself.
  if (fault === 'EROFS') return sizeOfLog(file) === 0 ? openImmutable(file) : openShared(file);
  try {
    // Closing the last connection merges the log into the file, if that needs no room.
    readAlone(file, () => {});
    return sizeOfLog(file) ? openInMemory(readAlone(file, (db) => db.serialize())) : openImmutable(file);
  } catch (error) {
    // Another process has the database open, so the index exists.
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return openShared(file);
    throw error;
  }
}

const sizeOfLog = (file: string): number | null =>
  statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? null;

/** Reads a database with the index of its log in memory. Fails with SQLITE_BUSY if another connection has it open. */
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

export const openShared = (file: string): Database => new Database(file, { readonly: true, strict: true });

/** All migrations in order; new ones are only appended. The number of a schema is how many were applied to make it. */
export const migrations: readonly string[] = readMigrations();

export const SCHEMA = migrations.length;
