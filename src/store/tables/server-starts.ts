import type { Database } from 'bun:sqlite';

/** One start of the server over this data directory. */
export type ServerStart = { readonly id: string; readonly version: string; readonly startedAt: number };

export function serverStartReads(db: Database) {
  const last = db.prepare<ServerStart & { stoppedAt: number | null }, []>(
    'SELECT id, version, started_at AS startedAt, stopped_at AS stoppedAt FROM server_starts ORDER BY rowid DESC LIMIT 1',
  );
  return {
    /** The last start; it is the living one only while a server holds the data directory. */
    async findLastStart() {
      return last.get();
    },
  };
}

export function serverStartWrites(db: Database) {
  const insert = db.prepare('INSERT INTO server_starts (id, version, started_at) VALUES (?, ?, ?)');
  const stop = db.prepare('UPDATE server_starts SET stopped_at = ? WHERE id = ?');
  return {
    addServerStart(start: ServerStart): void {
      insert.run(start.id, start.version, start.startedAt);
    },
    endServerStart(end: { readonly id: string; readonly at: number }): void {
      stop.run(end.at, end.id);
    },
  };
}
