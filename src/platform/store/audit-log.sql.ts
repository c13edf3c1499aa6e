import { type Statements, values } from './statements.ts';

/**
 * One act of a person who runs the stall. `details` holds words and numbers, never a secret. The actor is null for a command, a
 * signal or a push, and once the actor's account is removed.
 */
type AuditEntry = {
  readonly id: number;
  readonly at: number;
  readonly via: 'page' | 'command' | 'signal' | 'push';
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly action: string;
  readonly subject: string;
  readonly details: AuditDetails;
};

export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** The entry that a write adds to the audit log in its own transaction; absent if readers act on their own accounts. */
export type Audited = { readonly audit?: NewAuditEntry };

type Row = Omit<AuditEntry, 'details'> & { readonly details: string };

export const auditReads = (db: Statements) => ({
  listAuditEntries: (before: number, limit: number): readonly AuditEntry[] =>
    db.all<Row>`SELECT id, at, via, actor_id AS actorId, actor_email AS actorEmail, action,
        subject, details FROM audit_log WHERE id < ${before} ORDER BY id DESC LIMIT ${limit}`.map((row) => ({
      ...row,
      details: JSON.parse(row.details) as AuditDetails,
    })),
});

export const auditWrites = (db: Statements) => ({
  addAuditEntry: (entry: NewAuditEntry): void => logAct(db, entry),
});

export function logAct(db: Statements, entry: NewAuditEntry | undefined): void {
  if (entry === undefined) return;
  db.run`INSERT INTO audit_log ${values({ ...entry, details: JSON.stringify(entry.details) })}`;
}
