import type { SessionPrincipal } from '../../access/principal.ts';
import type { AuditDetails, AuditEntry } from '../../store/tables/audit-log.ts';
import type { Store } from '../../store/store.ts';

const PAGE = 100;

/** A page of entries, the newest first; `next` is the cursor of the older ones, null at the end. */
export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: number | null };

/** The log of what the owner does through the site. */
export function createAudit(store: Store, now: () => number) {
  return {
    /**
     * Writes what was done: `account.disable` of "anna@example.org". No secret. Removing an account takes its address out of
     * this log, where the address is a whole subject or a whole value of `details`: never put it into a sentence, and name an
     * account just removed by its id.
     */
    async note(
      { accountId, email }: SessionPrincipal,
      action: string,
      subject: string,
      details: AuditDetails = {},
    ): Promise<void> {
      const entry = { at: now(), actorId: accountId, actorEmail: email, action, subject, details };
      await store.write('addAuditEntry', entry);
    },
    /** A hundred entries, or as many as told, after the cursor of an earlier page. */
    async list(after: number | null = null, limit: number = PAGE): Promise<AuditPage> {
      const rows = await store.listAuditEntries(after ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const entries = rows.slice(0, limit);
      return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;
