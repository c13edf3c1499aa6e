import type { Database } from 'bun:sqlite';
import type { NewMail, OutboxRow } from '../../sales/outbox.ts';
import { type Audited, auditInserts } from './audit-log.ts';

/** A row of `MAIL_COLUMNS`. */
export type MailRow = Omit<OutboxRow, 'details'> & { readonly details: string };

export const MAIL_COLUMNS = `id, kind, subject, address, order_id AS orderId, account_id AS accountId, details, state,
  message_id AS messageId, tries, created_at AS createdAt, next_at AS nextAt, sent_at AS sentAt, error`;

export function outboxReads(db: Database) {
  const one = db.prepare<MailRow, [number]>(`SELECT ${MAIL_COLUMNS} FROM outbox WHERE id = ?`);
  const ofOrder = db.prepare<MailRow, [number]>(
    `SELECT ${MAIL_COLUMNS} FROM outbox WHERE order_id = ? ORDER BY id`,
  );
  return {
    async findMail(id: number): Promise<OutboxRow | null> {
      const row = one.get(id);
      return row && toMail(row);
    },
    /** The mails of an order, the oldest first. The order's page calls it. */
    async listOrderMails(orderId: number): Promise<readonly OutboxRow[]> {
      return ofOrder.all(orderId).map(toMail);
    },
  };
}

/** The part of a transaction that queues mail beside its cause. The fold calls it, and every use case that mails. */
export function outboxInserts(db: Database) {
  const insert = db.prepare<{ id: number }, (string | number | null)[]>(
    `INSERT INTO outbox (kind, subject, address, order_id, account_id, details, state, created_at, next_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, subject, address) WHERE address <> '' DO UPDATE
       SET state = excluded.state, next_at = excluded.next_at, tries = 0, error = NULL
       WHERE outbox.state = 'dropped' AND sent_at IS NULL
     RETURNING id`,
  );
  const drop = db.prepare(
    `UPDATE outbox SET state = 'dropped', next_at = NULL WHERE order_id = ? AND kind = ? AND state IN ('queued', 'manual')`,
  );
  return {
    /** The row's id; null if a mail of this kind about this subject was queued to this address before. A dropped one is queued again. */
    queue(mail: NewMail): number | null {
      const { kind, subject, address, orderId, accountId, details, state, at } = mail;
      const due = state === 'queued' ? at : null;
      const text = JSON.stringify(details);
      return insert.get(kind, subject, address, orderId, accountId, text, state, at, due)?.id ?? null;
    },
    /** Drops the unsent mails of a kind about an order: its cause is gone. */
    drop(orderId: number, kind: NewMail['kind']): void {
      drop.run(orderId, kind);
    },
  };
}

export function outboxWrites(db: Database) {
  const inserts = outboxInserts(db);
  const log = auditInserts(db);
  return {
    /** Queues mails that no other write causes; how many are new. */
    queueMails({ mails, audit }: { readonly mails: readonly NewMail[] } & Audited): number {
      log(audit);
      return mails.filter((mail) => inserts.queue(mail) !== null).length;
    },
  };
}

/** A row with its details read. */
export function toMail(row: MailRow): OutboxRow {
  return { ...row, details: JSON.parse(row.details) as OutboxRow['details'] };
}
