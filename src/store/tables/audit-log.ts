import type { Database } from 'bun:sqlite';

/** What an owner did. `details` holds words and numbers, never a secret; the actor is null once that account was removed. */
export type AuditEntry = {
  readonly id: number;
  readonly at: number;
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly action: string;
  readonly subject: string;
  readonly details: AuditDetails;
};

export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

type Row = Omit<AuditEntry, 'details'> & { readonly details: string };

export function auditReads(db: Database) {
  const page = db.prepare<Row, [number, number]>(
    `SELECT id, at, actor_id AS actorId, actor_email AS actorEmail, action, subject, details
     FROM audit_log WHERE id < ? ORDER BY id DESC LIMIT ?`,
  );
  return {
    /** Entries older than the id `before`, the newest first. */
    async listAuditEntries(before: number, limit: number): Promise<readonly AuditEntry[]> {
      return page
        .all(before, limit)
        .map((row) => ({ ...row, details: JSON.parse(row.details) as AuditDetails }));
    },
  };
}

export function auditWrites(db: Database) {
  const insert = db.prepare(
    'INSERT INTO audit_log (at, actor_id, actor_email, action, subject, details) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return {
    addAuditEntry(entry: Omit<AuditEntry, 'id'>): void {
      const { at, actorId, actorEmail, action, subject, details } = entry;
      insert.run(at, actorId, actorEmail, action, subject, JSON.stringify(details));
    },
  };
}
