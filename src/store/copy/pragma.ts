import type { Database } from 'bun:sqlite';

/** "Bstl": tells our database from any other SQLite file. */
export const APPLICATION_ID = 0x4273746c;

/** The number that a pragma of one value gives. */
export function readPragma(db: Database, name: string): number {
  return Number(Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0]);
}
