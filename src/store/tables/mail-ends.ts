import type { Database } from 'bun:sqlite';
import type { MailState } from '../../sales/outbox.ts';
import { orderFolds } from './order-folds.ts';

/** How a try ended: `queued` is tried again when it was said to be. */
type MailEnd = {
  readonly id: number;
  readonly state: Exclude<MailState, 'manual'>;
  readonly error: string | null;
  readonly at: number;
};

export function mailEndWrites(db: Database) {
  const claims = claimMailEnds(db);
  const end = db.prepare(
    `UPDATE outbox SET state = ?1, error = ?2, sent_at = CASE ?1 WHEN 'sent' THEN ?3 ELSE sent_at END,
       next_at = CASE ?1 WHEN 'queued' THEN next_at END
     WHERE id = ?4 AND state = 'queued'`,
  );
  return {
    /** Notes how a try ended. An order whose buyer no mail reaches asks for the owner's attention. */
    endMail({ id, state, error, at }: MailEnd): void {
      if (end.run(state, error, at, id).changes === 1 && state !== 'queued') claims(id, at);
    },
  };
}

/** The part of a transaction that folds the order of a claim mail again once that was sent or given up. */
export function claimMailEnds(db: Database) {
  const folds = orderFolds(db);
  const orderOf = db.prepare<{ orderId: number }, [number]>(
    `SELECT order_id AS orderId FROM outbox JOIN orders ON orders.id = order_id
     WHERE outbox.id = ? AND kind = 'claim' AND (outbox.state = 'failed' OR attention IS NOT NULL)`,
  );
  return (mailId: number, at: number): void => {
    const found = orderOf.get(mailId);
    if (found !== null) folds.refold([found.orderId], { at });
  };
}
