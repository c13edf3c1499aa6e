import { constants, Database } from 'bun:sqlite';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Refusal } from '../../refusal.ts';

/** "Bstl", which no other SQLite file has. */
export const APPLICATION_ID = 0x4273746c;

/** The verified facts of a database file: `sha256` of its bytes in lower-case hex, the number of its schema, rows by table. */
export type DatabaseProof = {
  readonly bytes: number;
  readonly sha256: string;
  readonly schema: number;
  readonly tables: Readonly<Record<string, number>>;
};

/** Makes a sentence of a reason; the remedy is another backup if none is given. */
type Say = (reason: string, remedy?: string) => string;

/**
 * Reads a whole database file and believes nothing: that it is ours, that its schema is the one that `list` makes (null
 * compares none), `integrity_check`, `foreign_key_check`. Nothing is written, beside it neither, and no SQL of the file is
 * run. Refuses with the sentence that `say` makes of the reason.
 */
export function verifyDatabase(file: string, say: Say, list: readonly string[] | null): DatabaseProof {
  if (statSync(file).size === 0) throw unproven(say('the file is empty'));
  const db = openImmutable(file);
  try {
    if (readPragma(db, 'application_id') !== APPLICATION_ID)
      throw unproven(say('it is not a database of Bookstall'));
    if (list !== null) refuseForeignSchema(db, list, say);
    refuseUnsound(db, say);
    const { bytes, sha256 } = digestFile(file);
    return { bytes, sha256, schema: readPragma(db, 'user_version'), tables: countRows(db) };
  } catch (error) {
    throw isSqliteError(error) ? unproven(say(`it is damaged (${error.message})`)) : error;
  } finally {
    db.close();
  }
}

/** The value of a pragma that has one number. */
export function readPragma(db: Database, name: string): number {
  return Number(Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** Opens a file that nobody writes: no lock, no -shm beside it, and from a read-only disk too. */
export function openImmutable(file: string): Database {
  const uri = `${pathToFileURL(resolve(file)).href}?immutable=1`;
  return new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
}

/** The SHA-256 of a file's bytes, piece by piece; `take` is handed each piece as it passes. */
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

/** Whether SQLite itself said so. */
export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

/** Before any of its tables is read: an object of another program may run functions, and a missing index lets mails be sent twice. */
function refuseForeignSchema(db: Database, list: readonly string[], say: Say): void {
  const schema = readPragma(db, 'user_version');
  if (schema > list.length)
    throw unproven(
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
      if (expected.get(name) !== text) throw unproven(say(`its ${name} is not that of schema ${schema}`));
    for (const name of expected.keys())
      if (!found.has(name)) throw unproven(say(`it lacks the ${name} of schema ${schema}`));
  } finally {
    made.close();
  }
}

/** Each object by its type and name, with the table it belongs to and its SQL as text. */
function readSchema(db: Database): ReadonlyMap<string, string> {
  const rows = db.query('SELECT type, name, tbl_name, sql FROM sqlite_schema').values() as string[][];
  return new Map(rows.map(([type, name, ...text]) => [`${type} ${JSON.stringify(name)}`, text.join('\n')]));
}

function refuseUnsound(db: Database, say: Say): void {
  const integrity = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').get();
  if (integrity?.integrity_check !== 'ok')
    throw unproven(say(`it is damaged (${integrity?.integrity_check.replaceAll(/\s+/g, ' ')})`));
  const orphan = db.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').get();
  if (orphan !== null)
    throw unproven(say(`it is damaged (a row of "${orphan.table}" names none of "${orphan.parent}")`));
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

function unproven(sentence: string): Refusal {
  return new Refusal('storage-unavailable', sentence);
}
