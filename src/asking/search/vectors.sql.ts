import { Database } from 'bun:sqlite';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** A vector as whole numbers from -127 to 127; times `scale`, they are the vector's numbers. */
export type Stored = { readonly scale: number; readonly bytes: Int8Array };

/** Half of the questions about other things come at most as near to a book's best passage as `half`, nine of ten as `most`. */
export type ForeignNearness = { readonly half: number; readonly most: number };

/**
 * Opens the file with the vectors of a book's texts by their keys, or creates it. Empties it if `made` differs: it has the
 * vectors of another model, or of texts with another prefix.
 */
export function openVectorFile(file: string, made: string): VectorFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return openTables(file, made);
  } catch (error) {
    if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))) throw error;
    rmSync(file);
    return openTables(file, made);
  }
}

function openTables(file: string, made: string) {
  const db = new Database(file, { create: true, readwrite: true, strict: true });
  db.run(`PRAGMA busy_timeout = 10000;
    CREATE TABLE IF NOT EXISTS made(by TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS vector(key TEXT PRIMARY KEY, scale REAL NOT NULL, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS nearness(name TEXT PRIMARY KEY, half REAL NOT NULL, most REAL NOT NULL) STRICT;`);
  const empty = db.transaction((by: string) => {
    db.run('DELETE FROM vector');
    db.run('DELETE FROM nearness');
    db.run('DELETE FROM made');
    db.run('INSERT INTO made VALUES (?)', [by]);
  });
  if (db.query<{ by: string }, []>('SELECT by FROM made').get()?.by !== made) empty(made);
  const put = db.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?)');
  const row = db.prepare<{ scale: number; bytes: Uint8Array }, [string]>(
    'SELECT scale, bytes FROM vector WHERE key = ?',
  );
  const drop = db.prepare('DELETE FROM vector WHERE key = ?');
  return {
    keys: (): ReadonlySet<string> =>
      new Set((db.query('SELECT key FROM vector').values() as [string][]).map(([key]) => key)),
    find(key: string): Stored | null {
      const found = row.get(key);
      return found && { scale: found.scale, bytes: new Int8Array(found.bytes) };
    },
    add: db.transaction((rows: readonly (readonly [string, Stored])[]) => {
      for (const [key, { scale, bytes }] of rows) put.run(key, scale, new Uint8Array(bytes.buffer));
    }),
    /** Removes texts that the book no longer has, and the nearness of questions about other things, measured with them. */
    remove: db.transaction((keys: Iterable<string>) => {
      for (const key of keys) drop.run(key);
      db.run('DELETE FROM nearness');
    }),
    empty: () => empty(made),
    nearness: (name: string): ForeignNearness | null =>
      db.query<ForeignNearness, [string]>('SELECT half, most FROM nearness WHERE name = ?').get(name),
    setNearness: (name: string, { half, most }: ForeignNearness): void =>
      void db.run('INSERT OR REPLACE INTO nearness VALUES (?, ?, ?)', [name, half, most]),
    close() {
      for (const statement of [put, row, drop]) statement.finalize();
      db.close();
    },
  };
}

export type VectorFile = ReturnType<typeof openTables>;
