import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';
import { orderErasures } from './order-folds.ts';

/** Rows by kind; times are milliseconds since 1970 UTC, and hashes of secrets are left out. */
type PersonalData = Readonly<Record<string, readonly PersonalRow[]>>;

type PersonalRow = Readonly<Record<string, string | number | null>>;

/** How many rows went with an account, and how many of the logs stay without it. */
export type RemovedRows = {
  readonly keys: number;
  readonly grants: number;
  readonly sessions: number;
  readonly questions: number;
  readonly downloads: number;
  /** They stay without the person. */
  readonly orders: number;
};

/** Rows of one step, in which the event loop is held for a few milliseconds. */
const STEP = 2000;

/** The rows of an account, in this order. A new table with accounts in it must be added. */
const QUERIES = [
  [
    'keys',
    'SELECT id, name, prefix, scope, created_at, last_used_at, expires_at, revoked_at, replaces FROM keys WHERE account_id = ?1 ORDER BY id',
  ],
  [
    'tokens',
    'SELECT id, name, prefix, items, reads, created_at, last_used_at, expires_at, revoked_at FROM tokens WHERE account_id = ?1 ORDER BY id',
  ],
  [
    'grants',
    `SELECT grants.kind, slug, grants.item_key, source, granted_at, starts_at, ends_at, revoked_at FROM grants
     JOIN known_items ON known_items.kind = grants.kind AND known_items.item_key = grants.item_key WHERE account_id = ?1 ORDER BY id`,
  ],
  [
    'sessions',
    'SELECT scope, user_agent, created_at, last_seen_at, expires_at, ended_at FROM sessions WHERE account_id = ?1 ORDER BY created_at',
  ],
  ['links', 'SELECT purpose, created_at, expires_at, used_at FROM links WHERE account_id = ?1 ORDER BY id'],
  [
    'questions',
    `SELECT id, key_id, book_id, asked_at, door, engine, outcome, answer_bytes, input_tokens, output_tokens, latency_ms
     FROM fetch_logs WHERE account_id = ?1 ORDER BY asked_at, rowid`,
  ],
  [
    'downloads',
    'SELECT id, key_id, kind, slug, item_key, digest, door, bytes, downloaded_at FROM downloads WHERE account_id = ?1 ORDER BY downloaded_at, rowid',
  ],
  [
    'orders',
    `SELECT id, provider, provider_ref, ref, state, at AS bought_at, email, attached_by, claimed_at, bundle,
       (SELECT group_concat(slug, ' ' ORDER BY slug) FROM order_items WHERE order_id = orders.id) AS items, quantity, amount,
       tax, refunded, currency, paid_at, until AS ends_at FROM orders WHERE account_id = ?1 ORDER BY id`,
  ],
  [
    'mails',
    `SELECT kind, subject, address, state, created_at, sent_at FROM outbox
     WHERE account_id = ?1 OR address = (SELECT email FROM accounts WHERE id = ?1) COLLATE NOCASE ORDER BY id`,
  ],
  ['codes', 'SELECT code_id, at AS used_at FROM code_uses WHERE account_id = ?1 ORDER BY at'],
  [
    'reading',
    'SELECT kind, item_key, path, read_at FROM reading_places WHERE account_id = ?1 ORDER BY read_at, item_key',
  ],
  [
    'audit',
    `SELECT at, via, actor_id IS ?1 AS is_actor, action, subject, details FROM audit_log
     WHERE actor_id = ?1 OR subject = (SELECT email FROM accounts WHERE id = ?1) COLLATE NOCASE ORDER BY id`,
  ],
] as const;

export function personalDataReads(db: Database) {
  const queries = QUERIES.map(([name, sql]) => {
    const query = db.prepare<PersonalRow, [string, number, number]>(`${sql} LIMIT ?2 OFFSET ?3`);
    return [name, query] as const;
  });
  return {
    /** Everything that is kept of an account, but the account's own row. */
    async findPersonalData(accountId: string): Promise<PersonalData> {
      return Object.fromEntries(queries.map(([name, query]) => [name, query.all(accountId, -1, 0)]));
    },
    /** The same kind by kind, as many rows at a time as STEP says; no transaction is held between them. */
    async *walkPersonalData(accountId: string): AsyncGenerator<readonly [string, readonly PersonalRow[]]> {
      for (const [name, query] of queries)
        for (let skip = 0; ; skip += STEP) {
          const rows = query.all(accountId, STEP, skip);
          yield [name, rows];
          if (rows.length < STEP) break;
        }
    },
  };
}

export function personalDataWrites(db: Database) {
  const count = (table: string) =>
    db.prepare<{ rows: number }, [string]>(`SELECT count(*) AS rows FROM ${table} WHERE account_id = ?`);
  const forget = (table: string) =>
    db.prepare(`UPDATE ${table} SET account_id = NULL, key_id = NULL WHERE account_id = ?`);
  const [keys, grants, sessions] = [count('keys'), count('grants'), count('sessions')];
  const [questions, downloads] = [forget('fetch_logs'), forget('downloads')];
  const forgetActor = db.prepare(
    'UPDATE audit_log SET actor_id = NULL, actor_email = NULL WHERE actor_id = ?',
  );
  // The acts on the account stay in the log, without its name.
  const forgetSubject = db.prepare(
    `UPDATE audit_log SET
       subject = iif(subject = email COLLATE NOCASE, 'a removed account', subject),
       details = iif(EXISTS (SELECT 1 FROM json_each(details) WHERE value = email COLLATE NOCASE), '{}', details)
     FROM accounts WHERE accounts.id = ?`,
  );
  // Purchases that wait for an unverified account's address are not its own, nor are their mails.
  const blankMails = db.prepare(
    `UPDATE outbox SET address = '', account_id = NULL, details = '{}', error = NULL, next_at = NULL,
       state = iif(state IN ('queued', 'manual'), 'dropped', state)
     FROM accounts WHERE accounts.id = ? AND (outbox.account_id = accounts.id
       OR order_id IS NULL AND address = accounts.email COLLATE NOCASE)`,
  );
  const orders = orderErasures(db);
  const log = auditInserts(db);
  const remove = db.prepare('DELETE FROM accounts WHERE id = ?');
  return {
    /** Deletes an account with its keys, install tokens, grants, sessions and links, and takes it out of its orders; its rows of the logs stay without account and key. */
    removeAccount({ id, at, audit }: { readonly id: string; readonly at: number } & Audited): RemovedRows {
      // The file's free pages must not keep an address either.
      db.run('PRAGMA secure_delete = ON');
      try {
        const removed = {
          keys: keys.get(id)?.rows ?? 0,
          grants: grants.get(id)?.rows ?? 0,
          sessions: sessions.get(id)?.rows ?? 0,
          questions: questions.run(id).changes,
          downloads: downloads.run(id).changes,
          orders: orders.eraseAll(id, at),
        };
        blankMails.run(id);
        forgetActor.run(id);
        forgetSubject.run(id);
        remove.run(id);
        log(audit);
        return removed;
      } finally {
        db.run('PRAGMA secure_delete = FAST');
      }
    },
  };
}
