import { MAIL_WAITS } from '../mailing/outbox.rule.ts';
import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import { dropSubscriber } from './announcement.sql.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { eraseOrders } from './order-fold.sql.ts';
import { askedBack, pageOf } from './order.sql.ts';

/** A row about a person. Times are milliseconds since 1970 UTC, and hashes of secrets are left out. */
export type PersonalRow = Readonly<Record<string, string | number | null>>;

export type RemovedRows = Readonly<
  Record<'keys' | 'grants' | 'notes' | 'sessions' | 'questions' | 'downloads' | 'orders', number>
>;

/** The maximum number of rows read at once; reading them blocks the event loop for a few milliseconds. */
const STEP = 2000;

/**
 * Returns the queries for an account's rows, in the order of the export. Add each new table that refers to accounts. With
 * `isOwn`, leaves out rows that wait for a proof of the address, which the reader may only have typed.
 */
const queriesOf = (
  id: string,
  isOwn: boolean,
  address = sql`(SELECT email FROM accounts WHERE id = ${id} AND (verified_at IS NOT NULL OR NOT ${isOwn}))`,
): Readonly<Record<string, Sql>> => ({
  keys: sql`SELECT id, name, prefix, scope, created_at, last_used_at, expires_at, revoked_at, replaces
     FROM keys WHERE account_id = ${id} ORDER BY id`,
  tokens: sql`SELECT id, name, prefix, items, reads, created_at, last_used_at, expires_at, revoked_at
     FROM tokens WHERE account_id = ${id} ORDER BY id`,
  assistants: sql`SELECT id, name, host, asks, notes, created_at, last_used_at, ended_at, ended_by
     FROM connections WHERE account_id = ${id} ORDER BY created_at, rowid`,
  publish_keys: sql`SELECT id, name, prefix, slugs, sets_terms, created_at, last_used_at, expires_at, revoked_at
     FROM publish_keys WHERE account_id = ${id} ORDER BY id`,
  grants: sql`SELECT grants.kind, slug, grants.item_key, source, granted_at, starts_at, ends_at, revoked_at FROM all_grants AS grants
     JOIN known_items ON known_items.kind = grants.kind AND known_items.item_key = grants.item_key
     WHERE account_id = ${id} AND NOT (waits AND ${isOwn}) ORDER BY id`,
  groups: sql`SELECT group_name, joined_at FROM group_members
     WHERE account_id = ${id} AND ${address} IS NOT NULL ORDER BY group_name`,
  sessions: sql`SELECT scope, user_agent, created_at, last_seen_at, expires_at, ended_at
     FROM sessions WHERE account_id = ${id} ORDER BY created_at`,
  second_step: sql`SELECT created_at FROM second_steps WHERE account_id = ${id}`,
  code_networks: sql`SELECT network, first_at FROM code_networks WHERE account_id = ${id} ORDER BY first_at`,
  wrong_codes: sql`SELECT kind, network, at AS tried_at FROM wrong_codes WHERE account_id = ${id} ORDER BY at`,
  links: sql`SELECT purpose, address, created_at, expires_at, used_at FROM links WHERE account_id = ${id} ORDER BY id`,
  questions: sql`SELECT id, key_id, book_id, asked_at, door, engine, outcome, answer_bytes, input_tokens,
     output_tokens, latency_ms FROM fetch_logs WHERE account_id = ${id} ORDER BY asked_at, rowid`,
  downloads: sql`SELECT id, key_id, kind, slug, item_key, digest, door, bytes, downloaded_at
     FROM downloads WHERE account_id = ${id} ORDER BY downloaded_at, rowid`,
  orders: sql`SELECT id, number, provider, provider_ref, ref, state, at AS bought_at, email, attached_by, claimed_at, bundle,
       (SELECT group_concat(slug, ' ' ORDER BY slug) FROM order_items WHERE order_id = orders.id) AS items, quantity, amount,
       tax, refunded, currency, paid_at, until AS ends_at, ${pageOf('receipt')} AS receipt,
       ${pageOf('subscription')} AS subscription, ${askedBack(sql`sale_facts.at`)} AS money_back_asked_at,
       ${askedBack(sql`fact ->> 'reason'`)} AS money_back_reason FROM orders WHERE account_id = ${id} ORDER BY id`,
  mails: sql`SELECT kind, subject, address, state, created_at, sent_at FROM outbox
     WHERE account_id = ${id} OR address = ${address} COLLATE NOCASE ORDER BY id`,
  subscriptions: sql`SELECT about, page, language, asked AS asked_at, confirmed AS confirmed_at FROM subscribers
     WHERE address = ${address} COLLATE NOCASE ORDER BY about`,
  codes: sql`SELECT code_id, at AS used_at FROM code_uses WHERE account_id = ${id} ORDER BY at`,
  reports: sql`SELECT id, note_id, book_id, path, text, state, answer, created_at FROM reports
     WHERE account_id = ${id} ORDER BY created_at`,
  device_keys: sql`SELECT id, prefix, device, created_at, last_used_at FROM device_keys WHERE account_id = ${id} ORDER BY id`,
  device_places: sql`SELECT document, progress, percentage, device, device_id, received_at FROM device_places
     WHERE account_id = ${id} ORDER BY received_at, document`,
  reading: sql`SELECT kind, item_key, path, part, block, marks, read_at FROM reading_places
     WHERE account_id = ${id} ORDER BY read_at, item_key`,
  audit: sql`SELECT at, via, actor_id IS ${id} AS is_actor, action, subject, details FROM audit_log
     WHERE actor_id = ${id} OR subject = ${address} COLLATE NOCASE ORDER BY id`,
});

export const personalDataReads = (db: Statements) => ({
  /**
   * Yields all that is stored about an account, except its own row: table by table, at most STEP rows at once, without a
   * transaction around them.
   */
  *walkPersonalData(accountId: string, isOwn: boolean): Generator<readonly [string, readonly PersonalRow[]]> {
    for (const [name, query] of Object.entries(queriesOf(accountId, isOwn)))
      for (let skip = 0; ; skip += STEP) {
        const rows = db.all<PersonalRow>`${query} LIMIT ${STEP} OFFSET ${skip}`;
        yield [name, rows];
        if (rows.length < STEP) break;
      }
  },
});

export function personalDataWrites(db: Statements) {
  const count = (table: Sql, id: string): number =>
    db.value<number>`SELECT count(*) FROM ${table} WHERE account_id = ${id}`!;
  const forget = (table: Sql, id: string): number =>
    db.run`UPDATE ${table} SET account_id = NULL, key_id = NULL WHERE account_id = ${id}`.changes;
  return {
    /**
     * Deletes an account with its keys, install tokens, grants, notes, sessions and links, and erases it from its orders. Its
     * rows of the logs stay, without account and key.
     */
    removeAccount({ id, at, audit }: { readonly id: string; readonly at: number } & Audited): RemovedRows {
      // Makes deletions overwrite the file's free pages as well, since deleted rows in them may hold the address.
      db.run`PRAGMA secure_delete = ON`;
      try {
        // The entry comes before the deletions, which take its actor out if the account itself acted.
        logAct(db, audit);
        const owned = db.all<{ id: number }>`SELECT id FROM orders WHERE account_id = ${id}`.map(
          (one) => one.id,
        );
        const removed = {
          keys: count(sql`keys`, id),
          grants: count(sql`grants`, id),
          notes: count(sql`notes`, id),
          sessions: count(sql`sessions`, id),
          questions: forget(sql`fetch_logs`, id),
          downloads: forget(sql`downloads`, id),
          orders: eraseOrders(db, owned, at),
        };
        // Leaves alone orders that only wait for the account's address, and their mails: they do not belong to the
        // account yet.
        db.run`UPDATE outbox SET address = '', account_id = NULL, details = '{}', error = NULL, next_at = NULL,
            state = iif(${MAIL_WAITS}, 'dropped', state)
          FROM accounts WHERE accounts.id = ${id} AND (outbox.account_id = accounts.id
            OR order_id IS NULL AND address = accounts.email COLLATE NOCASE)`;
        db.run`UPDATE reports SET account_id = NULL, note_id = NULL, text = NULL, answer = NULL WHERE account_id = ${id}`;
        db.run`UPDATE audit_log SET actor_id = NULL, actor_email = NULL WHERE actor_id = ${id}`;
        // The acts on the account stay in the audit log, without its address and the names of its keys.
        db.run`UPDATE audit_log SET
            subject = iif(subject = email COLLATE NOCASE, 'a removed account', subject),
            details = iif(EXISTS (SELECT 1 FROM json_each(details) WHERE value = email COLLATE NOCASE), '{}',
              iif(subject = email COLLATE NOCASE, json_remove(details, '$.name'), details))
          FROM accounts WHERE accounts.id = ${id}`;
        dropSubscriber(db, db.value<string>`DELETE FROM accounts WHERE id = ${id} RETURNING email` ?? '');
        return removed;
      } finally {
        db.run`PRAGMA secure_delete = FAST`;
      }
    },
  };
}
