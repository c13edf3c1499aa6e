import type { AuditEntry } from '../../store/tables/audit-log.ts';
import type { Store } from '../../store/store.ts';

const PAGE = 100;

/** A page of entries, the newest first; `next` is the cursor of the older ones, null at the end. */
type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: number | null };

/** The log of what was done to the stall on its pages, by commands and by signals. */
export function createAudit(store: Store) {
  return {
    /** A hundred entries, or at most `limit`, after the cursor of an earlier page. */
    async list(after: number | null = null, limit: number = PAGE): Promise<AuditPage> {
      const rows = await store.listAuditEntries(after ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const entries = rows.slice(0, limit);
      return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
  };
}
