import type { Database } from 'bun:sqlite';
import { HOUR } from '../../duration.ts';
import type { NewMail, OutboxRow } from '../../sales/outbox.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { linkInserts } from './link-rows.ts';
import type { NewLink } from './links.ts';
import { MAIL_COLUMNS, type MailRow, outboxInserts, toMail } from './outbox.ts';

/** One try of a mail, written before it begins: the next is due at `nextAt` even if this program ends in between. */
type MailTry = {
  readonly id: number;
  /** Set at the first try; later tries keep it. */
  readonly messageId: string;
  readonly link: NewLink | null;
  readonly nextAt: number;
};

export function mailTryReads(db: Database) {
  const due = db.prepare<MailRow, [number, number]>(
    `SELECT ${MAIL_COLUMNS} FROM outbox WHERE state = 'queued' AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
  );
  const next = db.prepare<{ at: number | null }, []>(
    `SELECT min(next_at) AS at FROM outbox WHERE state = 'queued'`,
  );
  return {
    /** Mails whose try is due, at most so many, the longest due first. */
    async listDueMails(at: number, most: number): Promise<readonly OutboxRow[]> {
      return due.all(at, most).map(toMail);
    },
    /** When the next try is due; null if nothing is queued. */
    async findNextMailTime(): Promise<number | null> {
      return next.get()?.at ?? null;
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

export function mailTryWrites(db: Database) {
  const links = linkInserts(db);
  const [repeat, log] = [mailRepeats(db), auditInserts(db)];
  const begin = db.prepare<{ sentAt: number | null }, [string, number, number]>(
    `UPDATE outbox SET message_id = coalesce(message_id, ?), tries = tries + 1, next_at = ?
     WHERE id = ? AND state = 'queued' RETURNING sent_at AS sentAt`,
  );
  const leave = db.prepare(`UPDATE outbox SET state = 'manual', next_at = NULL WHERE state = 'queued'`);
  return {
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
  };
}
