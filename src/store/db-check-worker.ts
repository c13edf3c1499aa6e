/** The Worker that reads a database for the doctor, which can stop waiting for it. It changes nothing. */
import { constants, Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Finding, Findings } from './database-check.ts';
import { messageOf } from '../refusal.ts';
import { statementsOf } from './statements.ts';
import { saleTroubles } from './tables/sales.ts';

declare const self: Worker;

/** The columns of times in the past; a grant's own dates may be in the future. */
const TIMES = [
  ['accounts', 'created_at'],
  ['keys', 'created_at'],
  ['keys', 'last_used_at'],
  ['grants', 'granted_at'],
  ['server_starts', 'started_at'],
  ['server_starts', 'stopped_at'],
  ['fetch_logs', 'asked_at'],
  ['downloads', 'downloaded_at'],
] as const;

const EXAMINATIONS: { readonly [Name in keyof Findings]: (db: Database) => Findings[Name] } = {
  identity: (db) => ({
    applicationId: readValue(db, 'PRAGMA application_id'),
    schema: readValue(db, 'PRAGMA user_version'),
    sqlite: readValue(db, 'SELECT sqlite_version()'),
  }),
  newest: (db) => {
    const times = TIMES.map(([table, column]) =>
      readValue<number | null>(db, `SELECT max(${column}) FROM ${table}`),
    );
    return Math.max(...times.map((time) => time ?? 0));
  },
  damage: (db) => {
    const found = readValue<string>(db, 'PRAGMA quick_check(1)');
    return found === 'ok' ? null : found;
  },
  orphans: (db) =>
    db
      .query<Findings['orphans'][number], []>(
        'SELECT "table", count(*) AS rows FROM pragma_foreign_key_check GROUP BY "table"',
      )
      .all(),
  keptEditions: (db) =>
    db
      .query<Findings['keptEditions'][number], []>(
        `SELECT slug, version, tar, state = 'kept' OR
           (kind, item_key, digest) IN (SELECT kind, item_key, digest FROM rollbacks) AS isNeeded
         FROM editions WHERE state IN ('served', 'kept')`,
      )
      .all(),
  lostRepositories: (db) =>
    db
      .query<{ slug: string }, []>(
        `SELECT slug FROM downloads WHERE door = 'git' AND (kind, item_key) NOT IN (SELECT kind, item_key FROM git_commits)
         GROUP BY kind, item_key ORDER BY slug`,
      )
      .all()
      .map(({ slug }) => slug),
  tokensToday: (db) =>
    readValue<number | null>(
      db,
      "SELECT sum(input_tokens + output_tokens) FROM fetch_logs WHERE asked_at >= strftime('%s', 'now', 'start of day') * 1000",
    ) ?? 0,
  sales: (db) =>
    saleTroubles(
      statementsOf(() => db),
      Date.now(),
    ),
};

self.onmessage = ({ data: file }: MessageEvent<string>) => {
  const isQuiet = !existsSync(`${file}-wal`);
  examineAll(file, isQuiet);
  // Another process opened it in between: half of a change may have been read.
  if (isQuiet && existsSync(`${file}-wal`)) examineAll(file, false);
  self.postMessage(null);
};

function examineAll(file: string, isQuiet: boolean): void {
  let db: Database | null = null;
  for (const [name, examine] of Object.entries(EXAMINATIONS)) {
    let finding: Finding<unknown>;
    try {
      db ??= open(file, isQuiet);
      finding = { value: examine(db) };
    } catch (error) {
      finding = { reason: messageOf(error) };
    }
    self.postMessage({ name, finding });
  }
  db?.close();
}

/**
 * Without a WAL no process has the file open, and it is read as immutable: otherwise SQLite would leave an empty WAL and its
 * index behind (https://www.sqlite.org/wal.html#readonly).
 */
function open(file: string, isQuiet: boolean): Database {
  const uri = pathToFileURL(file);
  if (isQuiet) uri.searchParams.set('immutable', '1');
  const db = new Database(uri.href, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  db.run('PRAGMA busy_timeout = 1000');
  return db;
}

function readValue<T>(db: Database, sql: string): T {
  return Object.values(db.query<Record<string, T>, []>(sql).get() ?? {})[0] as T;
}
