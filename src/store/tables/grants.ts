import type { Database } from 'bun:sqlite';
import type { Grant } from '../../access/grant.ts';
import { type Audited, auditInserts } from './audit-log.ts';

/** A grant as lists show it, with its account's e-mail address and the item's last known slug. */
export type ListedGrant = Grant & { readonly email: string; readonly slug: string };

export type NewGrant = Omit<Grant, 'revokedAt'>;

/** `isLive` in SQL, at the time ?1. */
export const LIVE_GRANT = 'revoked_at IS NULL AND starts_at <= ?1 AND (ends_at IS NULL OR ends_at > ?1)';

const COLUMNS = `account_id AS accountId, grants.kind, grants.item_key AS itemKey, source, granted_at AS grantedAt,
  starts_at AS "from", ends_at AS "until", revoked_at AS revokedAt`;
const LISTED = `SELECT ${COLUMNS}, email, slug FROM grants JOIN accounts ON accounts.id = account_id
  JOIN known_items ON known_items.kind = grants.kind AND known_items.item_key = grants.item_key`;

export function grantReads(db: Database) {
  const ofItem = db.prepare<Grant, [string, string, string]>(
    `SELECT ${COLUMNS} FROM grants WHERE account_id = ? AND kind = ? AND item_key = ?`,
  );
  const ofAccount = db.prepare<Grant, [string]>(`SELECT ${COLUMNS} FROM grants WHERE account_id = ?`);
  const listOfAccount = db.prepare<ListedGrant, [string]>(
    `${LISTED} WHERE account_id = ? ORDER BY slug, source`,
  );
  const listAll = db.prepare<ListedGrant, []>(`${LISTED} ORDER BY email, slug, source`);
  return {
    /** The account's grants of one item, live or not. */
    async findGrants(accountId: string, kind: string, itemKey: string): Promise<readonly Grant[]> {
      return ofItem.all(accountId, kind, itemKey);
    },
    /** All grants of an account, live or not. */
    async findAccountGrants(accountId: string): Promise<readonly Grant[]> {
      return ofAccount.all(accountId);
    },
    /** Grants for people to read, of one account or of all. */
    async listGrants(accountId: string | null): Promise<readonly ListedGrant[]> {
      return accountId === null ? listAll.all() : listOfAccount.all(accountId);
    },
  };
}

export function grantWrites(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
       granted_at = CASE WHEN revoked_at IS NULL THEN granted_at ELSE excluded.granted_at END,
       starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = NULL`,
  );
  const revoke = db.prepare(
    `UPDATE grants SET revoked_at = ? WHERE account_id = ? AND kind = ? AND item_key = ? AND revoked_at IS NULL AND (?5 IS NULL OR source = ?5)`,
  );
  const log = auditInserts(db);
  const addGrant = (grant: NewGrant): void => {
    upsert.run(
      grant.accountId,
      grant.kind,
      grant.itemKey,
      grant.source,
      grant.grantedAt,
      grant.from,
      grant.until,
    );
  };
  return {
    /** Adds grants, all or none; an existing one of the same source gets the new dates and is live again. */
    addGrants({ grants, audit }: { readonly grants: readonly NewGrant[] } & Audited): void {
      grants.forEach(addGrant);
      log(audit);
    },
    /** How many grants were revoked; `source` null means those of every source. */
    revokeGrants(
      change: {
        readonly accountId: string;
        readonly kind: string;
        readonly itemKey: string;
        readonly source: string | null;
        readonly at: number;
      } & Audited,
    ): number {
      const { accountId, kind, itemKey, source, at } = change;
      const { changes } = revoke.run(at, accountId, kind, itemKey, source);
      if (changes > 0) log(change.audit);
      return changes;
    },
  };
}
