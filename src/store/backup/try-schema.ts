import { Database } from 'bun:sqlite';
import { readPragma } from '../copy/pragma.ts';
import { openImmutable } from '../copy/verify-database.ts';
import { migrations } from '../database/migrations.ts';
import { createReads } from '../tables/reads.ts';
import { createWrites } from '../writer/writes.ts';

/**
 * Tries a database's tables on an empty copy in memory: brings them up to this version and prepares every statement of
 * the program. Throws if a table, column or index is missing, or `user_version` is not that of the tables.
 */
export function trySchema(file: string): void {
  const db = openImmutable(file);
  const copy = new Database(':memory:', { strict: true });
  try {
    for (const sql of readSchema(db)) copy.run(sql);
    for (const migration of migrations.slice(readPragma(db, 'user_version'))) copy.run(migration);
    createReads(copy);
    createWrites(copy);
    refuseMissingIndex(copy);
  } finally {
    db.close();
    copy.close();
  }
}

/** No statement needs an index, and yet some hold what the program promises: one owner, a mail once. */
function refuseMissingIndex(copy: Database): void {
  const whole = new Database(':memory:', { strict: true });
  try {
    for (const migration of migrations) whole.run(migration);
    const [missing] = readIndexes(whole).difference(readIndexes(copy));
    if (missing !== undefined) throw new Error(`no such index: ${missing}`);
  } finally {
    whole.close();
  }
}

function readIndexes(db: Database): ReadonlySet<string> {
  const rows = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'index'").all();
  return new Set(rows.map(({ name }) => name));
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
