import { sql, type Statements } from '../platform/store/statements.ts';
import { comparableEmail } from '../platform/base/email-address.ts';
import type { OutboxRow, MailState } from '../mailing/outbox.rule.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { accountByAddress } from '../accounts/account-by-address.sql.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { liveGrant } from '../accounts/grant.rule.ts';
import type { KnownItem } from '../catalog/known-item.rule.ts';

type Item = Omit<KnownItem, 'slug'>;

/**
 * An announcement of the owner to an item's readers: the text of all mails with this `subject`. `title` is the owner's
 * subject line, null for the notes of an edition; `leftOut` is how many readers had unsubscribed.
 */
type Announcement = Item &
  Pick<OutboxRow, 'subject'> & { title: string | null; text: string; leftOut: number; at: number };

/** An announcement with the number of its mails in each state; `dropped` mails were no longer needed, or were stopped. */
type Told = Announcement & Record<Exclude<MailState, 'manual'>, number>;

const ANNOUNCEMENTS = sql`SELECT subject, kind, item_key AS itemKey, title, text, left_out AS leftOut, at FROM announcements`;

const LATEST = 5;

/** Returns the hash by which the tables of unsubscribed addresses and of subscribers find an address. */
export const hashAddress = (address: string): string => sha256(comparableEmail(address));

/**
 * Lists who gets news of an item: the verified, enabled accounts that hold it, then the addresses of paid orders without
 * an account, or with an unverified one. Leaves out tests, presents and disabled accounts, and may list a person twice.
 */
export const listRecipients = (db: Statements, { kind, itemKey }: Item, now: number) =>
  db.all<Pick<OutboxRow, 'address' | 'accountId' | 'orderId'>>`
        SELECT accounts.email AS address, accounts.id AS accountId, NULL AS orderId
        FROM all_grants AS grants JOIN accounts ON accounts.id = grants.account_id
          LEFT JOIN orders ON source GLOB 'sale:*' AND orders.id = CAST(substr(source, 6) AS INTEGER)
        WHERE kind = ${kind} AND item_key = ${itemKey} AND ${liveGrant(now)}
          AND verified_at IS NOT NULL AND disabled_at IS NULL AND coalesce(is_test, 0) = 0
        UNION ALL SELECT trim(orders.email), NULL, orders.id
        FROM order_items JOIN orders ON orders.id = order_id LEFT JOIN accounts ON accounts.id = orders.account_id
        WHERE kind = ${kind} AND item_key = ${itemKey} AND state = 'paid' AND (until IS NULL OR until > ${now})
          AND orders.email IS NOT NULL AND is_test = 0 AND verified_at IS NULL AND disabled_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE chain = orders.chain AND fact ->> 'kind' = 'gift')`;

export const announcementReads = (db: Statements) => ({
  listRecipients: (item: Item, now: number) => listRecipients(db, item, now),
  /** Lists the addresses of an item's paid test sales, whose buyers get no news. */
  listTestBuyers: ({ kind, itemKey }: Item): readonly string[] =>
    db.all<{
      email: string;
    }>`SELECT DISTINCT trim(orders.email) AS email FROM order_items JOIN orders ON orders.id = order_id
        WHERE kind = ${kind} AND item_key = ${itemKey} AND is_test = 1 AND state = 'paid' AND orders.email IS NOT NULL`.map(
      ({ email }) => email,
    ),
  /**
   * Lists who was or will be sent the news with this subject, or other news about the same edition. `claimedBy` is the
   * account that has the order of the mail.
   */
  listTold: (subject: string) =>
    db.all<Pick<OutboxRow, 'address' | 'accountId'> & { claimedBy: string | null }>`
        SELECT address, outbox.account_id AS accountId, orders.account_id AS claimedBy
        FROM outbox LEFT JOIN orders ON orders.id = order_id WHERE kind = 'news' AND outbox.state <> 'dropped'
          AND (subject = ${subject} OR instr(details, ${subject.slice(subject.indexOf(':') + 1)}) > 0)`,
  /** Returns the subjects and details of all news of an account, except dropped ones, as one text to look for an edition in. */
  findNewsOf: (accountId: string) =>
    db.value<string>`SELECT group_concat(subject || details) FROM outbox
        WHERE account_id = ${accountId} AND kind = 'news' AND state <> 'dropped'`,
  listAnnouncements: ({ kind, itemKey }: Item) =>
    db.all<Told>`SELECT told.*, sum(state = 'sent') AS sent, sum(state = 'queued') AS queued,
          sum(state = 'failed') AS failed, sum(state = 'dropped') AS dropped
        FROM (${ANNOUNCEMENTS} WHERE kind = ${kind} AND item_key = ${itemKey} ORDER BY at DESC LIMIT ${LATEST}) AS told
        JOIN outbox ON outbox.kind = 'news' AND outbox.subject = told.subject GROUP BY told.subject ORDER BY told.at DESC`,
  findAnnouncement: (subject: string) => db.one<Announcement>`${ANNOUNCEMENTS} WHERE subject = ${subject}`,
  /** Returns since when an address is unsubscribed from news; null if it is not. */
  findOptOut: (address: string) =>
    db.value<number>`SELECT at FROM opt_outs WHERE address_hash = ${hashAddress(address)}`,
});

export function announcementWrites(db: Statements) {
  return {
    /**
     * Adds an announcement and its mails in one transaction, so that a crash loses none. `readers` is the result of
     * `listRecipients` as JSON. If the subject was announced before, its unsent mails get this text, and dropped ones are
     * queued again.
     */
    addAnnouncement({
      readers,
      audit,
      at,
      ...told
    }: Announcement & Audited & { readonly readers: string }): void {
      const { subject } = told;
      logAct(db, audit);
      db.run`INSERT INTO announcements
        VALUES (${subject}, ${told.kind}, ${told.itemKey}, ${told.title}, ${told.text}, ${told.leftOut}, ${at})
        ON CONFLICT DO UPDATE SET text = excluded.text, left_out = excluded.left_out, at = excluded.at`;
      db.run`INSERT INTO outbox (kind, subject, address, order_id, account_id, details, state, created_at, next_at)
        SELECT 'news', ${subject}, value ->> 'address', value ->> 'orderId', value ->> 'accountId', '{}', 'queued', ${at}, ${at}
        FROM json_each(${readers}) WHERE true
        ON CONFLICT (kind, subject, address) WHERE address <> '' DO UPDATE
          SET state = 'queued', next_at = ${at}, tries = 0, error = NULL
          WHERE outbox.state = 'dropped' AND sent_at IS NULL`;
    },
    stopAnnouncements({ kind, itemKey, audit }: Item & Audited): number {
      logAct(db, audit);
      return db.run`UPDATE outbox SET state = 'dropped', next_at = NULL WHERE kind = 'news' AND state = 'queued'
        AND details = '{}' AND subject IN (SELECT subject FROM announcements WHERE kind = ${kind} AND item_key = ${itemKey})`
        .changes;
    },
    endNews({ secretHash, at }: { readonly secretHash: Uint8Array; readonly at: number }): boolean {
      // Accepts a used link too, since a mail program may send the request twice. An erased recipient's mail has no address.
      const mail = db.one<Pick<OutboxRow, 'address' | 'accountId'>>`
        SELECT outbox.address, outbox.account_id AS accountId FROM links JOIN outbox ON outbox.id = outbox_id
        WHERE secret_hash = ${secretHash} AND purpose = 'unsubscribe' AND expires_at > ${at}`;
      if (mail === null) return false;
      const id = mail.accountId ?? accountByAddress(db, mail.address)?.id ?? null;
      const email = db.value<string>`UPDATE accounts SET news_since = NULL WHERE id = ${id} RETURNING email`;
      for (const address of [mail.address, email ?? ''].filter((one) => one !== '')) {
        db.run`INSERT OR IGNORE INTO opt_outs VALUES (${hashAddress(address)}, ${at})`;
        dropSubscriber(db, address);
      }
      return true;
    },
  };
}

export const dropSubscriber = (db: Statements, address: string): number =>
  db.run`DELETE FROM subscribers WHERE address_hash = ${hashAddress(address)}`.changes;
