import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { Stall } from '../helpers/harness.ts';

/** The fields of a row of either log that a test may choose. */
export type Row = {
  readonly account: string | null;
  readonly key?: number | null;
  readonly item?: string;
  readonly outcome?: string | null;
  readonly door?: string;
  readonly at: number;
};

/** Writes rows into both logs of a running stall, as another process might: question `q0` … and download `d0` …. */
export function addLogRows(stall: Stall, rows: readonly Row[]): void {
  const db = new Database(join(stall.data, 'bookstall.db'), { strict: true });
  db.run('PRAGMA busy_timeout = 5000');
  const start = db.query<{ id: string }, []>('SELECT id FROM server_starts').get()?.id ?? '';
  const question = db.prepare(
    `INSERT INTO fetch_logs (id, server_start_id, account_id, key_id, book_id, asked_at, engine, outcome, answer_bytes, latency_ms)
     VALUES (?, ?, ?, ?, ?, ?, 'extractive', ?, 900, 12)`,
  );
  const download = db.prepare(
    `INSERT INTO downloads (id, account_id, key_id, kind, item_key, slug, digest, door, bytes, downloaded_at)
     VALUES (?, ?, ?, 'book', ?, ?, 'abcdef', ?, 48000, ?)`,
  );
  db.transaction(() => {
    rows.forEach(({ account, key = null, item = 'paid-id', outcome = 'quoted', door = 'install', at }, n) => {
      question.run(`q${n}`, start, account, key, item, at, outcome);
      download.run(`d${n}`, account, key, item, item.replace(/-id$/, '-book'), door, at);
    });
  })();
  db.close();
}
