import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import type { Grant } from './grant.rule.ts';

/** The SQL for `isLive`: the grant is valid now. `of` is a table's name and a dot, if several tables have these columns. */
export const liveGrant = (now: number, of: Sql = sql``) =>
  sql`${of}revoked_at IS NULL AND ${of}starts_at <= ${now} AND (${of}ends_at IS NULL OR ${of}ends_at > ${now})`;

/** Adds a grant; if a grant of the same source exists, it gets the new dates and is valid again. */
export function upsertGrant(db: Statements, grant: Omit<Grant, 'revokedAt'>): void {
  const { accountId, kind, itemKey, source, grantedAt, from, until } = grant;
  db.run`INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at, ends_at)
    VALUES (${accountId}, ${kind}, ${itemKey}, ${source}, ${grantedAt}, ${from}, ${until})
    ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
      granted_at = CASE WHEN revoked_at IS NULL THEN granted_at ELSE excluded.granted_at END,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = NULL`;
}
