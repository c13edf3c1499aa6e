import type { Database } from 'bun:sqlite';
import type { MailState, NewMail } from '../../sales/outbox.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { linkInserts, type NewLink } from './links.ts';
import { orderFolds } from './order-folds.ts';
import { mailRepeats, outboxInserts } from './outbox.ts';

/** One try of a mail, written before it begins: the next is due at `nextAt` even if this program ends in between. */
type MailTry = {
  readonly id: number;
  /** Set at the first try; later tries keep it. */
  readonly messageId: string;
  readonly link: NewLink | null;
  readonly nextAt: number;
};

/** How a try ended: `queued` is tried again when it was said to be. */
type MailEnd = {
  readonly id: number;
  readonly state: Exclude<MailState, 'manual'>;
  readonly error: string | null;
  readonly at: number;
};

/** A link that the owner passes on: it counts as the mail that would have had it. */
type PassedLink = { readonly link: NewLink; readonly mailId: number | null } & Audited;

/** An account whose holder asked for news by mail; `since` is the last news it got, or when it asked. */
export type NewsReader = { readonly accountId: string; readonly email: string; readonly since: number };

export function mailReads(db: Database) {
  // Only verified addresses: anyone could tick the box under another's address.
  const readers = db.prepare<NewsReader & { readonly last: number | null }, [number]>(
    `SELECT id AS accountId, email, max(news_since, coalesce(last, 0)) AS since, last FROM accounts
     LEFT JOIN (SELECT account_id, max(created_at) AS last FROM outbox WHERE kind = 'news' GROUP BY account_id)
       ON account_id = id
     WHERE news_since IS NOT NULL AND verified_at IS NOT NULL AND disabled_at IS NULL
       AND (last IS NULL OR last <= ?) ORDER BY accounts.rowid`,
  );
  const since = db.prepare<{ newsSince: number | null }, [string]>(
    'SELECT news_since AS newsSince FROM accounts WHERE id = ?',
  );
  return {
    /** Those who may get news by mail now: their last was at this time or earlier. */
    async listNewsReaders(lastBefore: number): Promise<readonly NewsReader[]> {
      return readers
        .all(lastBefore)
        .map(({ accountId, email, since: from }) => ({ accountId, email, since: from }));
    },
    /** When an account's holder asked for news by mail; null if they do not want it. */
    async findNewsSince(accountId: string): Promise<number | null> {
      return since.get(accountId)?.newsSince ?? null;
    },
  };
}

export function mailWrites(db: Database) {
  const [links, folds, outbox] = [linkInserts(db), orderFolds(db), outboxInserts(db)];
  const [repeat, log] = [mailRepeats(db), auditInserts(db)];
  const begin = db.prepare<{ sentAt: number | null }, [string, number, number]>(
    `UPDATE outbox SET message_id = coalesce(message_id, ?), tries = tries + 1, next_at = ?
     WHERE id = ? AND state = 'queued' RETURNING sent_at AS sentAt`,
  );
  const leave = db.prepare(`UPDATE outbox SET state = 'manual', next_at = NULL WHERE state = 'queued'`);
  const end = db.prepare(
    `UPDATE outbox SET state = ?1, error = ?2, sent_at = CASE ?1 WHEN 'sent' THEN ?3 ELSE sent_at END,
       next_at = CASE ?1 WHEN 'queued' THEN next_at END
     WHERE id = ?4 AND state = 'queued'`,
  );
  const copied = db.prepare(
    `UPDATE outbox SET state = 'sent', sent_at = ?, next_at = NULL WHERE id = ? AND state IN ('queued', 'manual', 'failed')`,
  );
  const orderOf = db.prepare<{ orderId: number }, [number]>(
    `SELECT order_id AS orderId FROM outbox JOIN orders ON orders.id = order_id
     WHERE outbox.id = ? AND kind = 'claim' AND (outbox.state = 'failed' OR attention IS NOT NULL)`,
  );
  const setNews = db.prepare(
    'UPDATE accounts SET news_since = CASE WHEN ?1 IS NULL THEN NULL ELSE coalesce(news_since, ?1) END WHERE id = ?2',
  );
  // Also once it was used, and after the account's other links ended: a mail program may send it twice.
  const endNews = db.prepare(
    `UPDATE accounts SET news_since = NULL WHERE id =
       (SELECT account_id FROM links WHERE secret_hash = ? AND purpose = 'unsubscribe' AND expires_at > ?)`,
  );
  /** Folds the order of a claim mail again once that was sent or given up. */
  const refoldClaim = (mailId: number, at: number): void => {
    const found = orderOf.get(mailId);
    if (found !== null) folds.refold([found.orderId], { at });
  };
  return {
    /** Queues mails that no other write causes; how many are new. */
    queueMails({ mails, audit }: { readonly mails: readonly NewMail[] } & Audited): number {
      log(audit);
      return mails.filter((mail) => outbox.queue(mail) !== null).length;
    },
    /** Counts a try, ends the link of an earlier one that was not sent, and adds its own. False if it is not queued any more. */
    beginMail({ id, messageId, link, nextAt }: MailTry): boolean {
      const row = begin.get(messageId, nextAt, id);
      if (row === null) return false;
      if (link === null) return true;
      links.endUnsent(id, row.sentAt ?? 0, link.createdAt);
      links.insert(link);
      return true;
    },
    /** Queues a mail once more, with another id so that no server takes it for the same. False if it is queued already. */
    repeatMail({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (!repeat(id, at)) return false;
      log(audit);
      return true;
    },
    /** Leaves what is queued to the owner, who copies its links: this stall sends no mail. How many. */
    leaveMails(): number {
      return leave.run().changes;
    },
    /** Notes how a try ended. An order whose buyer no mail reaches asks for the owner's attention. */
    endMail({ id, state, error, at }: MailEnd): void {
      if (end.run(state, error, at, id).changes === 1 && state !== 'queued') refoldClaim(id, at);
    },
    /** Adds a link that the owner passes on; the mail that would have had it counts as sent. */
    passLink({ link, mailId, audit }: PassedLink): number {
      log(audit);
      if (mailId !== null && copied.run(link.createdAt, mailId).changes === 1)
        refoldClaim(mailId, link.createdAt);
      return links.insert(link);
    },
    /** Notes when an account's holder asked for news by mail; null ends it. */
    setNews({ accountId, at }: { readonly accountId: string; readonly at: number | null }): void {
      setNews.run(at, accountId);
    },
    /** Ends the news of the account whose mail has this link; false if there is no such link. */
    endNews({ secretHash, at }: { readonly secretHash: Uint8Array; readonly at: number }): boolean {
      return endNews.run(secretHash, at).changes === 1;
    },
  };
}
