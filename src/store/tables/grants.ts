import type { Database } from 'bun:sqlite';
import type { Grant } from '../../access/grant.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { orderFolds } from './order-folds.ts';
import { orderOfSource } from './sale-grants.ts';

/** A grant as lists show it, with its account's e-mail address and the item's last known slug. */
export type ListedGrant = Grant & { readonly email: string; readonly slug: string };

type Revocation = Pick<Grant, 'accountId' | 'kind' | 'itemKey'> & {
  /** Null is every source. */
  readonly source: string | null;
  readonly at: number;
};

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
  // The pattern lets SQLite see that only grants of sales are meant.
  const ofSales = db.prepare<{ source: string; slug: string }, [string, string, string, string | null]>(
    `SELECT source, slug FROM grants JOIN known_items USING (kind, item_key)
     WHERE account_id = ?1 AND grants.kind = ?2 AND grants.item_key = ?3 AND revoked_at IS NULL
       AND (?4 IS NULL OR source = ?4) AND source GLOB 'sale:*'`,
  );
  const folds = orderFolds(db);
  const log = auditInserts(db);
  /** A grant of a sale would come back with the next fold, so its order is revoked instead. */
  const revokeSales = ({ accountId, kind, itemKey, source, at }: Revocation): number =>
    ofSales.all(accountId, kind, itemKey, source).filter((grant) => {
      const orderId = orderOfSource(grant.source);
      const items = [{ kind, itemKey, slug: grant.slug }];
      return orderId !== null && folds.act({ orderId, fact: { kind: 'revoke', items }, origin: 'owner', at });
    }).length;
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
    revokeGrants(change: Revocation & Audited): number {
      const { accountId, kind, itemKey, source, at } = change;
      const sales = revokeSales(change);
      const revoked = sales + revoke.run(at, accountId, kind, itemKey, source).changes;
      if (revoked > 0) log(change.audit);
      return revoked;
    },
  };
}
