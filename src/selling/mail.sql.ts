import type { Statements } from '../platform/store/statements.ts';
import { MAIL_KINDS, type MailState, type NewMail } from '../mailing/outbox.rule.ts';
import { MINUTE } from '../platform/base/duration.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { hashAddress } from './announcement.sql.ts';
import { type CopiesLink, renewCopies } from './code.sql.ts';
import { insertLink, type NewLink } from '../accounts/one-time-link-row.sql.ts';
import { refoldOrders } from './order-fold.sql.ts';
import { queueAgain, queueMail } from '../mailing/outbox.sql.ts';

const DROPPED = JSON.stringify(
  Object.entries(MAIL_KINDS).flatMap(([kind, { unsent }]) => (unsent === 'dropped' ? kind : [])),
);

/** One try to send a mail. It is stored before it begins, so that the next is due at `nextAt` even if this program ends. */
type MailTry = {
  readonly id: number;
  /** The id that the first try gives to the mail; later tries keep it. */
  readonly messageId: string;
  readonly link: NewLink | null;
  readonly copies: CopiesLink | null;
  readonly nextAt: number;
};

/** The result of a try. A mail that stays `queued` is tried again at the `nextAt` of the try. */
type MailEnd = {
  readonly id: number;
  readonly state: Exclude<MailState, 'manual'>;
  readonly error: string | null;
  readonly at: number;
};

/** A link that the owner passes on. The mail `mailId`, which would have had the link, then counts as sent. */
type PassedLink = { readonly link: NewLink; readonly mailId: number | null } & Audited;

/** An account whose holder asked for news by mail. `since` is when they asked, or when they last got news, if that is later. */
export type NewsReader = { readonly accountId: string; readonly email: string; readonly since: number };

export function mailReads(db: Statements) {
  return {
    /** Lists the readers who may get news by mail now: their last news was at `lastBefore` or earlier, or they got none. */
    listNewsReaders(lastBefore: number): readonly NewsReader[] {
      // Only verified addresses, since anyone could have ticked the box with another person's address.
      return db.all<NewsReader>`SELECT id AS accountId, email, max(news_since, coalesce(last, 0)) AS since
        FROM accounts LEFT JOIN
          (SELECT account_id, max(created_at) AS last FROM outbox
            WHERE kind = 'news' AND details <> '{}' GROUP BY account_id)
          ON account_id = id
        WHERE news_since IS NOT NULL AND verified_at IS NOT NULL AND disabled_at IS NULL
          AND (last IS NULL OR last <= ${lastBefore}) ORDER BY accounts.rowid`;
    },
    isBuyerTold: (orderId: number) =>
      db.has`SELECT 1 FROM outbox
        WHERE order_id = ${orderId} AND kind IN ('claim', 'library') AND sent_at IS NOT NULL`,
    findEReader: (accountId: string) =>
      db.value<string>`SELECT address FROM outbox
        WHERE account_id = ${accountId} AND kind = 'e-reader' AND address <> '' ORDER BY id DESC LIMIT 1`,
    findNewsSince: (accountId: string) =>
      db.value<number>`SELECT news_since FROM accounts
        WHERE id = ${accountId}`,
  };
}

export function mailWrites(db: Statements) {
  /** Computes an order again after the mail with its claim link was sent or given up. */
  const refoldClaim = (mailId: number, at: number): void => {
    const orderId = db.value<number>`SELECT order_id
      FROM outbox JOIN orders ON orders.id = order_id
      WHERE outbox.id = ${mailId} AND kind = 'claim' AND (outbox.state = 'failed' OR attention IS NOT NULL)`;
    if (orderId !== null) refoldOrders(db, [orderId], { at });
  };
  return {
    /** Queues mails that no other write causes; returns how many are new. */
    queueMails({ mails, audit }: { readonly mails: readonly NewMail[] } & Audited): number {
      logAct(db, audit);
      return mails.filter((mail) => queueMail(db, mail) !== null).length;
    },
    /**
     * Queues a book for an e-reader; only once in a minute, since a form may be sent twice. Returns false if the account
     * has sent `most` books since `since`.
     */
    queueBook({ mail, since, most }: { mail: NewMail; since: number; most: number }): boolean {
      if (
        db.has`SELECT 1 FROM outbox WHERE account_id = ${mail.accountId} AND kind = 'e-reader' AND created_at > ${mail.at - MINUTE}
          AND address = ${mail.address} AND details = ${JSON.stringify(mail.details)}`
      )
        return true;
      const sent = db.value<number>`SELECT count(*) FROM outbox
        WHERE account_id = ${mail.accountId} AND kind = 'e-reader' AND created_at > ${since}`!;
      if (sent < most) queueMail(db, mail);
      return sent < most;
    },
    /**
     * Begins a try to send a mail: counts it, ends the links of earlier tries that failed, adds the new link. Returns
     * false if the mail is not queued.
     */
    beginMail({ id, messageId, link, copies, nextAt }: MailTry): boolean {
      const row = db.one<{ sentAt: number | null }>`
        UPDATE outbox SET message_id = coalesce(message_id, ${messageId}), tries = tries + 1, next_at = ${nextAt}
        WHERE id = ${id} AND state = 'queued' RETURNING sent_at AS sentAt`;
      if (row === null) return false;
      if (copies !== null) renewCopies(db, copies);
      if (link === null) return true;
      // Links that were made after the mail was last sent reached nobody, so they end.
      db.run`UPDATE links SET used_at = ${link.createdAt} WHERE outbox_id = ${id}
        AND created_at > ${row.sentAt ?? 0} AND used_at IS NULL`;
      insertLink(db, link);
      return true;
    },
    /**
     * Queues a mail again, with a new message id, so that no mail server drops it as a duplicate. Returns false if it is
     * queued already.
     */
    repeatMail({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (!queueAgain(db, id, at)) return false;
      logAct(db, audit);
      return true;
    },
    /**
     * Ends the wait of all queued mails, because the stall cannot send mail now. By its kind, a mail becomes `manual`, so
     * that the owner copies its link, or `dropped`. Returns their number.
     */
    leaveMails: (): number =>
      db.run`UPDATE outbox SET state = iif(kind IN (SELECT value FROM json_each(${DROPPED})), 'dropped', 'manual'), next_at = NULL
        WHERE state = 'queued'`.changes,
    /** Stores the result of a try. If the mail with an order's claim link failed, the order asks for the owner's attention. */
    endMail({ id, state, error, at }: MailEnd): void {
      const { changes } = db.run`UPDATE outbox SET state = ${state}, error = ${error},
          sent_at = CASE ${state} WHEN 'sent' THEN ${at} ELSE sent_at END,
          next_at = CASE ${state} WHEN 'queued' THEN next_at END
        WHERE id = ${id} AND (state = 'queued' OR state = 'dropped' AND ${state} = 'sent')`;
      if (changes === 1 && state !== 'queued') refoldClaim(id, at);
    },
    /** Adds a link that the owner passes on by hand; returns its id. The mail that should have carried it counts as sent. */
    passLink({ link, mailId, audit }: PassedLink): number {
      logAct(db, audit);
      const { changes } = db.run`UPDATE outbox SET state = 'sent', sent_at = ${link.createdAt}, next_at = NULL
        WHERE id = ${mailId} AND state IN ('queued', 'manual', 'failed')`;
      if (mailId !== null && changes === 1) refoldClaim(mailId, link.createdAt);
      return insertLink(db, link);
    },
    /**
     * Stores when an account's holder asked for news by mail, and ends an earlier unsubscription of the address. If `at`
     * is null, ends the news instead.
     */
    setNews({ accountId, at }: { readonly accountId: string; readonly at: number | null }): void {
      const email = db.value<string>`UPDATE accounts SET news_since = iif(${at} IS NULL, NULL, coalesce(news_since, ${at}))
        WHERE id = ${accountId} AND verified_at IS NOT NULL RETURNING email`;
      if (at !== null) db.run`DELETE FROM opt_outs WHERE address_hash = ${hashAddress(email ?? '')}`;
    },
  };
}
