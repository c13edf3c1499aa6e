import type { Database } from 'bun:sqlite';
import type { MailState, OutboxRow } from '../../sales/outbox.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { claimMailEnds } from './mail-ends.ts';
import { linkInserts } from './link-rows.ts';
import type { NewLink } from './links.ts';
import type { LogWindow } from './log-page.ts';
import { MAIL_COLUMNS, type MailRow, toMail } from './outbox.ts';

/** A link that the owner passes on: it counts as the mail that would have had it. */
type PassedLink = { readonly link: NewLink; readonly mailId: number | null } & Audited;

export function mailPageReads(db: Database) {
  return {
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
        .query<MailRow, (string | number)[]>(
          `SELECT ${MAIL_COLUMNS} FROM outbox ${where} ORDER BY id ${direction} LIMIT ?`,
        )
        .all(...values, limit)
        .map(toMail);
      return side === 'older' ? rows : rows.toReversed();
    },
  };
}

export function mailPageWrites(db: Database) {
  const [links, log, claims] = [linkInserts(db), auditInserts(db), claimMailEnds(db)];
  const copied = db.prepare(
    `UPDATE outbox SET state = 'sent', sent_at = ?, next_at = NULL WHERE id = ? AND state IN ('queued', 'manual', 'failed')`,
  );
  return {
    /** Adds a link that the owner passes on; the mail that would have had it counts as sent. */
    passLink({ link, mailId, audit }: PassedLink): number {
      log(audit);
      if (mailId !== null && copied.run(link.createdAt, mailId).changes === 1) claims(mailId, link.createdAt);
      return links.insert(link);
    },
  };
}
