import type { Database } from 'bun:sqlite';
import { foldEmail } from '../../access/email-address.ts';
import type { NewLink } from './links.ts';

/** The parts of a transaction that add links and end those of mails. */
export function linkInserts(db: Database) {
  const insert = db.prepare<{ id: number }, (string | number | Uint8Array | null)[]>(
    `INSERT INTO links (purpose, account_id, order_id, address, outbox_id, secret_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const endUnsent = db.prepare(
    'UPDATE links SET used_at = ? WHERE outbox_id = ? AND created_at > ? AND used_at IS NULL',
  );
  const endOfAccount = db.prepare('UPDATE links SET used_at = ? WHERE account_id = ? AND used_at IS NULL');
  const end = db.prepare('UPDATE links SET used_at = ? WHERE id = ?');
  const sentToAddresses = db.prepare<{ id: number; address: string }, [number]>(
    'SELECT id, address FROM links WHERE address IS NOT NULL AND used_at IS NULL AND expires_at > ?',
  );
  const emailOf = db.prepare<{ email: string }, [string]>('SELECT email FROM accounts WHERE id = ?');
  return {
    /** Ends every link of an account, and those that were sent to its address before it had an account. */
    endAll(accountId: string, at: number): void {
      endOfAccount.run(at, accountId);
      const address = foldEmail(emailOf.get(accountId)?.email ?? '');
      for (const link of sentToAddresses.all(at))
        if (foldEmail(link.address) === address) end.run(at, link.id);
    },
    /** The new link's id. */
    insert(link: NewLink): number {
      const { purpose, accountId, orderId, address, outboxId, secretHash, createdAt, expiresAt } = link;
      const row = [purpose, accountId, orderId, address, outboxId, secretHash, createdAt, expiresAt];
      return insert.get(...row)?.id ?? 0;
    },
    /** Ends a mail's links that were made after it was last sent: nobody has them. */
    endUnsent(outboxId: number, sentAt: number, at: number): void {
      endUnsent.run(at, outboxId, sentAt);
    },
  };
}
