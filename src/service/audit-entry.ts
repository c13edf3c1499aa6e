import type { Actor } from '../access/principal.ts';
import type { AuditDetails, NewAuditEntry } from '../store/tables/audit-log.ts';
import type { Records } from './stall.ts';

/** Every act that is logged. */
export type AuditAction =
  | `account.${'add' | 'disable' | 'email' | 'enable' | 'link' | 'remove' | 'second-step'}`
  | `${'code' | 'token'}.${'create' | 'revoke'}`
  | `grant.${'add' | 'revoke'}`
  | `group.${'add' | 'join' | 'leave' | 'remove'}`
  | `item.${'announce' | 'push' | 'rollback' | 'withdraw'}`
  | `key.${'create' | 'revoke' | 'rotate'}`
  | `publish-key.${'create' | 'revoke'}`
  | `order.${'add' | 'attach' | 'erase' | 'give-back' | 'grant' | 'link' | 'replay' | 'revoke'}`
  | `${'grants' | 'orders'}.import`
  | 'items.reindex'
  | 'link.revoke'
  | 'mail.send'
  | 'news.remove'
  | 'report.set';

/**
 * Describes an act for the audit log: `account.disable` of "anna@example.org". No secret. Removing an account takes its
 * address out of that log if it is a whole subject or a whole value of `details`: never put it into a sentence, and name an
 * account just removed by its id.
 */
export function auditEntry(
  by: Actor,
  at: number,
  action: AuditAction,
  subject: string,
  details: AuditDetails = {},
): NewAuditEntry {
  const actor =
    typeof by === 'string'
      ? { via: by, actorId: null, actorEmail: null }
      : { via: 'page' as const, actorId: by.accountId, actorEmail: by.email };
  return { at, ...actor, action, subject, details };
}

/** The audit entries of several acts of one actor. */
export function describeActs(by: Actor, now: () => number) {
  return (action: AuditAction, subject: string, details: AuditDetails = {}): NewAuditEntry =>
    auditEntry(by, now(), action, subject, details);
}

const PAGE = 100;

/** A hundred entries of the audit log, or at most `limit`, after the cursor of an earlier page. */
export function listAudit({ store }: Records, after: number | null = null, limit: number = PAGE) {
  const rows = store.listAuditEntries(after ?? Number.MAX_SAFE_INTEGER, limit + 1);
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
