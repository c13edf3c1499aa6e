import { sql, type Statements, where, values } from '../platform/store/statements.ts';
import { isMailable } from '../platform/base/email-address.ts';
import { FAILED_MAIL_TIME, MAIL_KINDS, MAIL_WAITS } from './outbox.rule.ts';
import type { MailState, MailWay, NewMail, OutboxRow } from './outbox.rule.ts';
import type { LogWindow } from '../platform/store/paging.ts';

type Row = Omit<OutboxRow, 'details'> & { readonly details: string };

const COLUMNS = sql`id, kind, subject, address, order_id AS orderId, account_id AS accountId, details, state,
  message_id AS messageId, tries, created_at AS createdAt, next_at AS nextAt, sent_at AS sentAt, error`;

/** The kinds that are sent in a way; for `soon` those of all other ways, since it also takes kinds of other versions. */
const kindsOf = (way: MailWay): string => {
  const is = (one: MailWay): boolean => (one === way) === (way !== 'soon');
  return JSON.stringify(Object.entries(MAIL_KINDS).flatMap(([kind, one]) => (is(one.way) ? kind : [])));
};

export const outboxReads = (db: Statements) => ({
  findMail(id: number): OutboxRow | null {
    const row = db.one<Row>`SELECT ${COLUMNS} FROM outbox WHERE id = ${id}`;
    return row && toMail(row);
  },
  listOrderMails: (orderId: number): readonly OutboxRow[] =>
    db.all<Row>`SELECT ${COLUMNS} FROM outbox WHERE order_id = ${orderId} ORDER BY id`.map(toMail),
  listDueMails: (at: number, way: MailWay, most: number): readonly OutboxRow[] =>
    db.all<Row>`SELECT ${COLUMNS} FROM outbox
        WHERE state = 'queued' ${way === 'many' ? sql`` : sql`AND (kind = 'news') = 0`} AND (kind IN (SELECT value FROM json_each(${kindsOf(way)}))) = ${way !== 'soon'} AND next_at <= ${at}
        ORDER BY next_at, id LIMIT ${most}`.map(toMail),
  isMailDue: (at: number): boolean =>
    db.has`SELECT 1 FROM outbox WHERE state = 'queued' AND (kind = 'news') IN (0, 1) AND next_at <= ${at}`,
  countFailedMails: (at: number): number =>
    db.value<number>`SELECT count(*) FROM outbox
        WHERE state = 'failed' AND kind <> 'news' AND created_at >= ${at - FAILED_MAIL_TIME}`!,
  findNextMailTime: (): number | null =>
    db.value<number>`SELECT min(next_at) FROM outbox WHERE state = 'queued'`,
  listMailPage(state: MailState | null, { beside, side, limit }: LogWindow): readonly OutboxRow[] {
    const [direction, compare] = side === 'older' ? [sql`DESC`, sql`<`] : [sql`ASC`, sql`>`];
    const ofState = state && sql`state = ${state}`;
    const rows = db.all<Row>`SELECT ${COLUMNS} FROM outbox
        ${where(ofState, beside && sql`id ${compare} ${beside.row}`)} ORDER BY id ${direction} LIMIT ${limit}`;
    return (side === 'older' ? rows : rows.toReversed()).map(toMail);
  },
});

/**
 * Queues a mail in the transaction of the change that causes it. Returns the mail's id; null if the address cannot be mailed, or
 * a mail of this kind about this subject was queued for it before. A mail that was dropped unsent is queued again.
 */
export function queueMail(db: Statements, mail: NewMail): number | null {
  const { details, at, dueAt = at, ...row } = mail;
  if (!isMailable(row.address)) return null;
  const nextAt = row.state === 'queued' ? dueAt : null;
  return db.value<number>`
    INSERT INTO outbox ${values({ ...row, details: JSON.stringify(details), createdAt: at, nextAt })}
    ON CONFLICT (kind, subject, address) WHERE address <> '' DO UPDATE
      SET state = excluded.state, next_at = excluded.next_at, tries = 0, error = NULL
      WHERE outbox.state = 'dropped' AND sent_at IS NULL
    RETURNING id`;
}

export function dropMails(db: Statements, orderId: number, kind: NewMail['kind']): void {
  db.run`UPDATE outbox SET state = 'dropped', next_at = NULL WHERE order_id = ${orderId}
    AND kind = ${kind} AND ${MAIL_WAITS}`;
}

export const findMailedOwner = (db: Statements): { readonly id: string; readonly email: string } | null =>
  db.one`SELECT id, email FROM accounts WHERE is_owner = 1 AND disabled_at IS NULL`;

/** Returns whether the newest mail of a kind still waits, and when it was sent, else queued. Null if there is no such mail. */
export function findLastMail(
  db: Statements,
  kind: 'attention' | 'reports',
): { readonly isWaiting: boolean; readonly at: number } | null {
  const mail = db.one<{ isWaiting: 0 | 1; at: number }>`
    SELECT ${MAIL_WAITS} AS isWaiting, coalesce(sent_at, created_at) AS at FROM outbox
    WHERE kind = ${kind} ORDER BY id DESC LIMIT 1`;
  return mail && { at: mail.at, isWaiting: mail.isWaiting === 1 };
}

/**
 * Queues a mail again, with a new message id, so that no mail server drops it as a duplicate; false if it is queued already.
 */
export function queueAgain(
  db: Statements,
  id: number,
  at: number,
  details: OutboxRow['details'] = {},
): boolean {
  const { changes } =
    db.run`UPDATE outbox SET state = 'queued', tries = 0, next_at = ${at}, message_id = NULL,
    error = NULL, details = json_patch(details, ${JSON.stringify(details)}) WHERE id = ${id} AND state <> 'queued'`;
  return changes === 1;
}

function toMail(row: Row): OutboxRow {
  return { ...row, details: JSON.parse(row.details) as OutboxRow['details'] };
}
