import type { Actor } from '../access/principal.ts';
import type { AuditDetails, NewAuditEntry } from '../store/tables/audit-log.ts';
import type { Records } from './stall.ts';

/** Every act that is logged. */
export type AuditAction =
  | 'account.add'
  | 'account.disable'
  | 'account.email'
  | 'account.enable'
  | 'account.link'
  | 'account.remove'
  | 'code.create'
  | 'code.revoke'
  | 'grant.add'
  | 'grant.revoke'
  | 'grants.import'
  | 'item.announce'
  | 'item.rollback'
  | 'item.withdraw'
  | 'items.reindex'
  | 'key.create'
  | 'key.revoke'
  | 'key.rotate'
  | 'link.revoke'
  | 'mail.send'
  | 'order.add'
  | 'order.attach'
  | 'order.erase'
  | 'order.give-back'
  | 'order.grant'
  | 'order.link'
  | 'order.replay'
  | 'order.revoke'
  | 'orders.import'
  | 'token.create'
  | 'token.revoke';

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

/** The same for several acts of one actor. */
export function describeActs(by: Actor, now: () => number) {
  return (action: AuditAction, subject: string, details: AuditDetails = {}): NewAuditEntry =>
    auditEntry(by, now(), action, subject, details);
}

const PAGE = 100;

/** A hundred entries of the audit log, or at most `limit`, after the cursor of an earlier page. */
export async function listAudit({ store }: Records, after: number | null = null, limit: number = PAGE) {
  const rows = await store.listAuditEntries(after ?? Number.MAX_SAFE_INTEGER, limit + 1);
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
