import { Database } from 'bun:sqlite';
import { readPragma } from '../copy/pragma.ts';
import { openImmutable } from '../copy/verify-database.ts';
import { migrations } from '../database/migrations.ts';
import { createReads } from '../tables/reads.ts';
import { createWrites } from '../writer/writes.ts';

/**
 * Tries a database's tables on an empty copy in memory: brings them up to this version and prepares every statement of
 * the program. Throws SQLite's error if a table or column is missing, or `user_version` is not that of the tables.
 */
export function trySchema(file: string): void {
  const db = openImmutable(file);
  const copy = new Database(':memory:', { strict: true });
  try {
    for (const sql of readSchema(db)) copy.run(sql);
    for (const migration of migrations.slice(readPragma(db, 'user_version'))) copy.run(migration);
    createReads(copy);
    createWrites(copy);
  } finally {
    db.close();
    copy.close();
  }
}

/** The statements of all tables, then of indexes and triggers, without SQLite's own. */
function readSchema(db: Database): readonly string[] {
  return db
    .query<{ sql: string }, []>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', rowid",
    )
    .all()
    .map(({ sql }) => sql);
}
