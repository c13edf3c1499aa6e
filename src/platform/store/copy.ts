import { constants, Database } from 'bun:sqlite';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refusal } from '../base/refusal.ts';
import { isRunning } from '../base/runtime.ts';
import { syncFile, syncFolder } from './data-directory.ts';
import { holdOpenLock } from './file-lock.ts';
import { pathToFileURL } from 'node:url';

/** Marks SQLite files as this program's, as `application_id`: "Bstl", which no other program uses. */
export const APPLICATION_ID = 0x4273746c;

/**
 * The verified facts about a database file: `sha256` in lower-case hex, the number of the schema, and how many rows each table
 * has.
 */
export type DatabaseProof = {
  readonly bytes: number;
  readonly sha256: string;
  readonly schema: number;
  readonly tables: Readonly<Record<string, number>>;
};

type Say = (reason: string, remedy?: string) => string;

/**
 * Verifies a whole database file and trusts nothing in it: that this program made it, that its schema is the one of the
 * migrations in `list` (null skips this), `integrity_check` and `foreign_key_check`. Writes no file and runs no SQL from the
 * database. Refuses with the sentence that `say` returns.
 */
export function verifyDatabase(file: string, say: Say, list: readonly string[] | null): DatabaseProof {
  if (statSync(file).size === 0) throw Refusal.storage(say('the file is empty'));
  const db = openImmutable(file);
  try {
    if (readPragma(db, 'application_id') !== APPLICATION_ID)
      throw Refusal.storage(say('it is not a database of Bookstall'));
    if (list !== null) refuseForeignSchema(db, list, say);
    refuseUnsound(db, say);
    const { bytes, sha256 } = digestFile(file);
    return { bytes, sha256, schema: readPragma(db, 'user_version'), tables: countRows(db) };
  } catch (error) {
    throw isSqliteError(error) ? Refusal.storage(say(`it is damaged (${error.message})`)) : error;
  } finally {
    db.close();
  }
}

export const readPragma = (db: Database, name: string): number =>
  Number(Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0]);

/** Opens a file to which nobody writes, even on a read-only disk: SQLite takes no lock and makes no -shm file beside it. */
export function openImmutable(file: string): Database {
  const uri = `${pathToFileURL(resolve(file)).href}?immutable=1`;
  return new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
}

export function digestFile(file: string, take: (piece: Uint8Array) => void = () => {}) {
  const hash = new Bun.CryptoHasher('sha256');
  const buffer = new Uint8Array(1 << 20);
  const descriptor = openSync(file, 'r');
  let bytes = 0;
  try {
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      const piece = buffer.subarray(0, read);
      hash.update(piece);
      take(piece);
      bytes += read;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(descriptor);
  }
}

export const isSqliteError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');

/**
 * Refuses a different schema before any table is read: an added trigger or view may run functions, and without its index the
 * outbox could send mails twice.
 */
function refuseForeignSchema(db: Database, list: readonly string[], say: Say): void {
  const schema = readPragma(db, 'user_version');
  if (schema > list.length)
    throw Refusal.storage(
      say(
        `a newer Bookstall wrote it (schema ${schema}, this program knows ${list.length})`,
        'install the newer program',
      ),
    );
  const made = new Database(':memory:');
  try {
    for (const migration of list.slice(0, schema)) made.run(migration);
    const [expected, found] = [readSchema(made), readSchema(db)];
    for (const [name, text] of found)
      if (expected.get(name) !== text)
        throw Refusal.storage(say(`its ${name} is not that of schema ${schema}`));
    for (const name of expected.keys())
      if (!found.has(name)) throw Refusal.storage(say(`it lacks the ${name} of schema ${schema}`));
  } finally {
    made.close();
  }
}

function readSchema(db: Database): ReadonlyMap<string, string> {
  const rows = db.query('SELECT type, name, tbl_name, sql FROM sqlite_schema').values() as string[][];
  return new Map(rows.map(([type, name, ...text]) => [`${type} ${JSON.stringify(name)}`, text.join('\n')]));
}

function refuseUnsound(db: Database, say: Say): void {
  const integrity = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get();
  if (integrity?.integrity_check !== 'ok')
    throw Refusal.storage(say(`it is damaged (${integrity?.integrity_check.replaceAll(/\s+/g, ' ')})`));
  const orphan = db.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').get();
  if (orphan !== null)
    throw Refusal.storage(say(`it is damaged (a row of "${orphan.table}" names none of "${orphan.parent}")`));
}

function countRows(db: Database): Readonly<Record<string, number>> {
  const names = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  const count = (name: string): number =>
    db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows ?? 0;
  return Object.fromEntries(names.map(({ name }) => [name, count(name)]));
}

/** How long to wait for other processes' locks on the source, in milliseconds. */
const PATIENCE = 5000;

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'make that folder first',
  ENOTDIR: 'name a file in a folder',
  EACCES: 'check who may write in that folder',
  EPERM: 'check who may write in that folder',
  EROFS: 'choose a disk that can be written',
};

const NAME = /^bookstall-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.db$/;
/**
 * Matches the name of an unfinished copy: its final name, the id of its process, and the end of its journal's or folder's name.
 */
const UNFINISHED = /^(.*)\.unfinished-(\d+)(-journal|-files)?$/s;

/** Names a backup in a folder of backups: `bookstall-20261120T181900123Z.db`, so that names sort by time. */
export const backupName = (at: number): string =>
  `bookstall-${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}.db`;

export function backupTime(name: string): number | null {
  const [, year, month, day, hour, minute, second, rest] = NAME.exec(name) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`);
  return Number.isNaN(at) ? null : at;
}

/**
 * Copies a database as it is at one moment to a new file of mode 0600, even while others write to it. The copy is written under
 * a temporary name, synced, read again and verified, and only then renamed to `target`. Refuses a name that is taken, and a
 * schema that is not the one of `list` (null skips this). Before the copy gets its name, `fill` may make a folder beside it.
 */
export function copyDatabase(
  source: string,
  target: string,
  list: readonly string[] | null,
  fill: (folder: string) => void = () => {},
): DatabaseProof {
  refuseTaken(target);
  const unfinished = `${target}.unfinished-${process.pid}`;
  removeUnfinished(target);
  try {
    // Creates the file first, since SQLite would make it readable for others.
    closeSync(openSync(unfinished, 'wx', 0o600));
    vacuumInto(source, unfinished);
    syncFile(unfinished);
    const proof = verifyDatabase(
      unfinished,
      (reason, remedy = 'keep the last good backup') =>
        `Cannot back up "${source}": of its copy, ${reason}; ${remedy}`,
      list,
    );
    fill(`${unfinished}-files`);
    refuseTaken(target);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
    return proof;
  } catch (error) {
    throw asRefusal(error, source, target);
  } finally {
    removeUnfinished(target);
  }
}

export function refuseTaken(target: string): void {
  if (!existsSync(target)) return;
  throw Refusal.invalid(`Cannot back up to "${target}": there is such a file already; name another`);
}

function vacuumInto(source: string, target: string): void {
  holdOpenLock(dirname(source), () => {
    const db = new Database(source, { readonly: true });
    try {
      db.run(`PRAGMA busy_timeout = ${PATIENCE}`);
      db.run('VACUUM INTO ?', [target]);
    } finally {
      db.close();
    }
  });
}

/** Deletes the unfinished copies that this process, or a killed one, left in the target's folder. Never fails. */
function removeUnfinished(target: string): void {
  const folder = dirname(target);
  try {
    for (const name of readdirSync(folder)) {
      const [, whole = '', pid] = UNFINISHED.exec(name) ?? [];
      const isOurs = whole === basename(target) || backupTime(whole) !== null;
      // A process makes one copy at a time, so an older copy of this process was abandoned.
      if (isOurs && (Number(pid) === process.pid || !isRunning(Number(pid))))
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // Copying to this folder will fail as well, and report the problem.
  }
}

function asRefusal(error: unknown, source: string, target: string): unknown {
  const code = codeOf(error);
  if (error instanceof Refusal || !(error instanceof Error) || code === '') return error;
  if (code === 'EEXIST' || code === 'ENOTEMPTY') refuseTaken(target);
  const isSource = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((name) => code.startsWith(name));
  const sentence = isSource
    ? `Cannot back up "${source}": it is damaged (${error.message}); restore the last good backup`
    : `Cannot back up to "${target}": ${reasonOf(error)}; ${REMEDIES[code] ?? 'free space there, or choose another place'}`;
  return Refusal.storage(sentence);
}

const reasonOf = (error: Error): string =>
  isSqliteError(error) ? error.message : (error.message.split(', ')[0] ?? '');

function codeOf(error: unknown): string {
  if (isSqliteError(error)) return error.code;
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
