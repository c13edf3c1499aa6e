import type { Database } from 'bun:sqlite';
import { HOUR } from '../../duration.ts';
import type { MailState, NewMail, OutboxRow } from '../../sales/outbox.ts';
import type { LogWindow } from './logs.ts';

type Row = Omit<OutboxRow, 'details'> & { readonly details: string };

const COLUMNS = `id, kind, subject, address, order_id AS orderId, account_id AS accountId, details, state,
  message_id AS messageId, tries, created_at AS createdAt, next_at AS nextAt, sent_at AS sentAt, error`;

export function outboxReads(db: Database) {
  const one = db.prepare<Row, [number]>(`SELECT ${COLUMNS} FROM outbox WHERE id = ?`);
  const ofOrder = db.prepare<Row, [number]>(`SELECT ${COLUMNS} FROM outbox WHERE order_id = ? ORDER BY id`);
  const due = db.prepare<Row, [number, number]>(
    `SELECT ${COLUMNS} FROM outbox WHERE state = 'queued' AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
  );
  const next = db.prepare<{ at: number | null }, []>(
    `SELECT min(next_at) AS at FROM outbox WHERE state = 'queued'`,
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
    /** Mails whose try is due, at most so many, the longest due first. */
    async listDueMails(at: number, most: number): Promise<readonly OutboxRow[]> {
      return due.all(at, most).map(toMail);
    },
    /** When the next try is due; null if nothing is queued. */
    async findNextMailTime(): Promise<number | null> {
      return next.get()?.at ?? null;
    },
    /** A page of mails of a state or of all, the newest first. The office and `mail list` call it. */
    async listMailPage(
      state: MailState | null,
      { beside, side, limit }: LogWindow,
    ): Promise<readonly OutboxRow[]> {
      const [direction, compare] = side === 'older' ? ['DESC', '<'] : ['ASC', '>'];
      const conditions = [
        ...(state === null ? [] : ['state = ?']),
        ...(beside === null ? [] : [`id ${compare} ?`]),
      ];
      const values = [...(state === null ? [] : [state]), ...(beside === null ? [] : [beside.row])];
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const rows = db
        .query<Row, (string | number)[]>(
          `SELECT ${COLUMNS} FROM outbox ${where} ORDER BY id ${direction} LIMIT ?`,
        )
        .all(...values, limit)
        .map(toMail);
      return side === 'older' ? rows : rows.toReversed();
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

/** The owner's mail about what needs attention, in the same write as its cause: none if one waits, and at most one an hour. */
export function attentionInserts(db: Database) {
  const { queue } = outboxInserts(db);
  const owner = db.prepare<{ id: string; email: string }, []>(
    'SELECT id, email FROM accounts WHERE is_owner = 1 AND disabled_at IS NULL',
  );
  const last = db.prepare<{ isWaiting: 0 | 1; at: number }, []>(
    `SELECT state IN ('queued', 'manual') AS isWaiting, coalesce(sent_at, created_at) AS at FROM outbox
     WHERE kind = 'attention' ORDER BY id DESC LIMIT 1`,
  );
  const delay = db.prepare('UPDATE outbox SET next_at = ? WHERE id = ?');
  return (at: number, state: NewMail['state']): void => {
    const [holder, earlier] = [owner.get(), last.get()];
    if (holder === null || earlier?.isWaiting === 1) return;
    const { id: accountId, email: address } = holder;
    const about = { kind: 'attention', subject: `attention:${at}`, orderId: null, details: {} } as const;
    const id = queue({ ...about, address, accountId, state, at });
    const dueAt = Math.max(at, (earlier?.at ?? -HOUR) + HOUR);
    if (id !== null && state === 'queued') delay.run(dueAt, id);
  };
}

/** Queues a mail once more, with another id so that no server takes it for the same; false if it is queued already. */
export function mailRepeats(db: Database) {
  const repeat = db.prepare(
    `UPDATE outbox SET state = 'queued', tries = 0, next_at = ?, message_id = NULL, error = NULL
     WHERE id = ? AND state <> 'queued'`,
  );
  return (id: number, at: number): boolean => repeat.run(at, id).changes === 1;
}

function toMail(row: Row): OutboxRow {
  return { ...row, details: JSON.parse(row.details) as OutboxRow['details'] };
}
