/** The Worker that reads a database for the doctor, which may stop waiting for it. It changes nothing. */
import { existsSync } from 'node:fs';
import type { Finding, Findings } from './database-check.ts';
import { messageOf } from '../../platform/base/refusal.ts';
import { openImmutable } from '../../platform/store/copy.ts';
import { openShared } from '../../platform/store/database.ts';
import { type Statements, statementsOf } from '../../platform/store/statements.ts';
import { outboxReads } from '../../mailing/outbox.sql.ts';
import { saleTroubles } from '../../selling/sale.sql.ts';

declare const self: Worker;

const EXAMINATIONS: { readonly [Name in keyof Findings]: (db: Statements) => Findings[Name] } = {
  identity: (db) => ({
    applicationId: db.value<number>`PRAGMA application_id`!,
    schema: db.value<number>`PRAGMA user_version`!,
    sqlite: db.value<string>`SELECT sqlite_version()`!,
  }),
  damage: (db) => {
    const found = db.value<string>`PRAGMA quick_check(1)`;
    return found === 'ok' ? null : found;
  },
  orphans: (db) => db.all`SELECT "table", count(*) AS rows FROM pragma_foreign_key_check GROUP BY "table"`,
  keptEditions: (db) => db.all`SELECT slug, version, tar, state = 'kept' OR
      (kind, item_key, digest) IN (SELECT kind, item_key, digest FROM rollbacks) AS isNeeded
    FROM editions WHERE state IN ('served', 'kept')`,
  lostRepositories: (db) =>
    db.all<{ slug: string }>`SELECT slug FROM downloads
      WHERE door = 'git' AND (kind, item_key) NOT IN (SELECT kind, item_key FROM git_commits)
      GROUP BY kind, item_key ORDER BY slug`.map(({ slug }) => slug),
  tokensToday: (db) =>
    db.value<number>`SELECT sum(input_tokens + output_tokens) FROM fetch_logs
      WHERE asked_at >= strftime('%s', 'now', 'start of day') * 1000` ?? 0,
  sales: (db) => saleTroubles(db, Date.now()),
  failedMails: (db) => outboxReads(db).countFailedMails(Date.now()),
};

self.onmessage = ({ data: file }: MessageEvent<string>) => {
  const isQuiet = !existsSync(`${file}-wal`);
  examineAll(file, isQuiet);
  // Reads again if another process opened the database meanwhile: half of a change may have been read.
  if (isQuiet && existsSync(`${file}-wal`)) examineAll(file, false);
  self.postMessage(null);
};

function examineAll(file: string, isQuiet: boolean): void {
  let opened = null as ReturnType<typeof open> | null;
  const db = statementsOf(() => (opened ??= open(file, isQuiet)));
  for (const [name, examine] of Object.entries(EXAMINATIONS)) {
    let finding: Finding<unknown>;
    try {
      finding = { value: examine(db) };
    } catch (error) {
      finding = { reason: messageOf(error) };
    }
    self.postMessage({ name, finding });
  }
  opened?.close();
}

/**
 * Opens a database for reading. Without a WAL (write-ahead log), no other process has it open: then opens it as immutable,
 * since SQLite would otherwise leave an empty WAL and its index behind (https://www.sqlite.org/wal.html#readonly).
 */
function open(file: string, isQuiet: boolean) {
  const db = isQuiet ? openImmutable(file) : openShared(file);
  db.run('PRAGMA busy_timeout = 1000');
  return db;
}
