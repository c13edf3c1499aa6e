import type { Database } from 'bun:sqlite';

/** "Bstl", which no other SQLite file has. */
export const APPLICATION_ID = 0x4273746c;

/** The value of a pragma that has one number. */
export function readPragma(db: Database, name: string): number {
  return Number(Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0]);
}
