import type { Actor } from '../base/principal.ts';
import type { AuditDetails, NewAuditEntry } from './audit-log.sql.ts';
import type { Records } from '../base/stall.ts';

export type AuditAction =
  | `account.${'add' | 'disable' | 'editor' | 'email' | 'enable' | 'link' | 'remove' | 'second-step'}`
  | `${'code' | 'token'}.${'create' | 'revoke'}`
  | `grant.${'add' | 'revoke'}`
  | `group.${'add' | 'join' | 'leave' | 'remove'}`
  | `item.${'announce' | 'push' | 'rollback' | 'withdraw'}`
  | `key.${'create' | 'revoke' | 'rotate'}`
  | `publish-key.${'create' | 'revoke'}`
  | `order.${'add' | 'attach' | 'erase' | 'give-back' | 'grant' | 'link' | 'replay' | 'revoke'}`
  | `${'grants' | 'orders'}.import`
  | 'backup.download'
  | 'items.reindex'
  | 'link.revoke'
  | 'mail.send'
  | 'news.remove'
  | `assistant.${'connect' | 'disconnect' | 'reuse'}`
  | 'report.set'
  | 'setting.set';

/**
 * Makes an audit entry, such as `account.disable` of "anna@example.org"; no field may hold a secret. When an account is
 * removed, its address is deleted from the log only where it is a whole `subject` or a whole value of `details`. So do not put
 * an address into a sentence, and name a removed account by its id.
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

export function describeActs(by: Actor, now: () => number) {
  return (action: AuditAction, subject: string, details: AuditDetails = {}): NewAuditEntry =>
    auditEntry(by, now(), action, subject, details);
}

const ROWS_A_PAGE = 100;

/**
 * Lists audit entries, newest first. `after` is `next` of the page before, null for the first; `next` is null on the last page.
 */
export function listAudit({ store }: Records, after: number | null = null, limit: number = ROWS_A_PAGE) {
  const rows = store.listAuditEntries(after ?? Number.MAX_SAFE_INTEGER, limit + 1);
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
