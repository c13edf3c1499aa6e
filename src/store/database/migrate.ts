import type { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, Refusal } from '../../refusal.ts';
import { copyDatabase } from '../copy/copy.ts';
import { APPLICATION_ID, readPragma } from '../copy/verify-database.ts';

/**
 * Brings a database up to the last of `migrations`, all of them in one transaction, after a copy of what was there. It
 * fails as a whole: then the file is as before, and the program that wrote it still opens it. Refuses a newer schema.
 */
export function migrate(db: Database, file: string, migrations: readonly string[]): void {
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

/** Copies the database before a migration, while no other process can write. */
function copyBefore(file: string, migration: number): void {
  const copy = join(dirname(file), `before-migration-${migration}.db`);
  try {
    // An earlier attempt's, of the same schema and older.
    rmSync(copy, { force: true });
    // An index that somebody added must not keep a stall from starting.
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

/** Refuses a schema that this program does not know. */
export function refuseNewer(db: Database, file: string, known: number): void {
  const version = readPragma(db, 'user_version');
  if (version <= known) return;
  throw new Refusal(
    'storage-unavailable',
    `Cannot open "${file}": a newer Bookstall wrote it (schema ${version}, this program knows ${known}); install the newer program`,
  );
}

function unchanged(file: string, migration: number, error: unknown, remedy: string): Refusal {
  const reason = messageOf(error);
  return new Refusal(
    'storage-unavailable',
    `Cannot bring "${file}" up to this version, migration ${migration} failed: ${reason}; nothing was changed; ${remedy}`,
  );
}
