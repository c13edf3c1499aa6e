import { DAY } from '../platform/base/duration.ts';
import type { OutboxRow } from '../mailing/outbox.rule.ts';
import { UNCONFIRMED_FOR } from '../accounts/one-time-link-row.sql.ts';
import { dropSubscriber, hashAddress } from './announcement.sql.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { queueMail } from '../mailing/outbox.sql.ts';
import { type Sql, sql, type Statements } from '../platform/store/statements.ts';

/** A visitor's request for news. `about` is the slug of the item whose publication is awaited, or '' for news of the stall. */
type Ask = {
  readonly address: string;
  readonly about: string;
  readonly page: string;
  readonly language: string;
  readonly at: number;
};

/** An address that asked for news on the page `page`, and confirmed it at `confirmedAt`, in milliseconds since 1970. */
type Subscriber = Omit<Ask, 'at'> & { readonly confirmedAt: number };

export const MOST_CONFIRMATIONS = 3;
const MOST_IN = 30 * DAY;

/** How long the address in a mail about a publication is kept. Until it is deleted, the mail's link that ends news works. */
const TOLD = 30 * DAY;

export const subscriberReads = (db: Statements) => ({
  countSubscribers: () =>
    db.all<{ about: string; confirmed: number; waiting: number }>`
      SELECT about, count(confirmed) AS confirmed, count(*) - count(confirmed) AS waiting
      FROM subscribers GROUP BY about ORDER BY about`,
  listSubscribers: (about: string | null = null) =>
    db.all<Subscriber>`SELECT address, about, page, language, confirmed AS confirmedAt FROM subscribers
      WHERE confirmed IS NOT NULL AND (${about} IS NULL OR about = ${about})`,
  listAwaited: () =>
    db.all<{
      slug: string;
    }>`SELECT DISTINCT about AS slug FROM subscribers WHERE about <> '' AND confirmed IS NOT NULL`,
  findSubscription: (address: string) =>
    db.value<string>`SELECT language FROM subscribers
      WHERE address_hash = ${hashAddress(address)} AND about = '' AND confirmed IS NOT NULL`,
});

export function subscriberWrites(db: Statements) {
  const erase = (mails: Sql): void =>
    void db.run`UPDATE outbox SET address = '', details = '{}', error = NULL, next_at = NULL,
      state = iif(state = 'queued', 'dropped', state) WHERE address <> '' AND ${mails}`;
  return {
    /**
     * Stores an unconfirmed address, and queues the mail with its confirmation link; does nothing after too many such
     * mails.
     */
    subscribe({ address, about, page, language, at }: Ask): void {
      const hash = hashAddress(address);
      const sent = db.value<number>`SELECT count(*) FROM confirmations
        WHERE address_hash = ${hash} AND at > ${at - MOST_IN}`;
      if ((sent ?? 0) >= MOST_CONFIRMATIONS) return;
      db.run`INSERT INTO confirmations VALUES (${hash}, ${at})`;
      db.run`INSERT INTO subscribers VALUES (${hash}, ${about}, ${address}, ${page}, ${language}, ${at}, NULL)
        ON CONFLICT DO UPDATE SET page = excluded.page, language = excluded.language, asked = ${at}
        WHERE confirmed IS NULL`;
      const mail = {
        kind: 'subscribe',
        subject: `news:${about}:${at}`,
        state: 'queued',
        address,
        at,
      } as const;
      queueMail(db, { ...mail, orderId: null, accountId: null, details: { about, language } });
    },
    /**
     * Confirms the address to which the link was sent, and ends an earlier unsubscription. Returns `about` and the page on
     * which the visitor asked; null if the link cannot be used.
     */
    confirmNews({ secretHash, at }: { readonly secretHash: Uint8Array; readonly at: number }) {
      const mail = db.one<Pick<Ask, 'address' | 'about'>>`
        SELECT outbox.address, details ->> 'about' AS about FROM links JOIN outbox ON outbox.id = outbox_id
        WHERE secret_hash = ${secretHash} AND purpose = 'news' AND expires_at > ${at}`;
      if (mail === null) return null;
      const hash = hashAddress(mail.address);
      const found = db.one<
        Pick<Ask, 'about' | 'page'>
      >`UPDATE subscribers SET confirmed = coalesce(confirmed, ${at})
        WHERE address_hash = ${hash} AND about = ${mail.about} RETURNING about, page`;
      if (found !== null) db.run`DELETE FROM opt_outs WHERE address_hash = ${hash}`;
      return found;
    },
    /**
     * Queues a mail to each address that awaits an item, except unsubscribed ones, and deletes these subscriptions;
     * returns the number of mails.
     */
    tellSubscribers({ slug, at }: { readonly slug: string; readonly at: number }): number {
      const { changes } = db.run`
        INSERT INTO outbox (kind, subject, address, details, state, created_at, next_at)
        SELECT 'news', ${`told:${slug}:${at}`}, address, json_object('about', about, 'language', language),
          'queued', ${at}, ${at} FROM subscribers WHERE about = ${slug} AND confirmed IS NOT NULL
          AND address_hash NOT IN (SELECT address_hash FROM opt_outs)`;
      db.run`DELETE FROM subscribers WHERE about = ${slug} AND confirmed IS NOT NULL`;
      return changes;
    },
    /**
     * Deletes an address's subscriptions and mails, but not the count of its confirmations. Returns the number of
     * subscriptions.
     */
    removeSubscriber({ address, audit }: Pick<OutboxRow, 'address'> & Audited): number {
      db.run`PRAGMA secure_delete = ON`;
      try {
        erase(sql`order_id IS NULL AND account_id IS NULL AND address = ${address} COLLATE NOCASE`);
        logAct(db, audit);
        return dropSubscriber(db, address);
      } finally {
        db.run`PRAGMA secure_delete = FAST`;
      }
    },
    sweepSubscribers({ at }: { readonly at: number }): void {
      db.run`DELETE FROM subscribers WHERE confirmed IS NULL AND asked <= ${at - UNCONFIRMED_FOR}`;
      db.run`DELETE FROM confirmations WHERE at <= ${at - MOST_IN}`;
      erase(sql`kind = 'subscribe' AND created_at <= ${at - UNCONFIRMED_FOR}`);
      erase(sql`kind = 'news' AND subject GLOB 'told:*' AND created_at <= ${at - TOLD}`);
    },
  };
}
