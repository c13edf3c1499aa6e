import { sql, type Statements, values } from '../platform/store/statements.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { liveKey } from '../accounts/key.rule.ts';
import type { StoredKey } from '../accounts/key.sql.ts';

/**
 * A publish key as it is stored. `slugs` lists the items it may publish; null means every item, `PREFIX-*` every slug that
 * begins with the prefix.
 */
export type StoredPublishKey = StoredKey & {
  readonly slugs: readonly string[] | null;
  readonly setsTerms: boolean;
  readonly isOwners: boolean;
};

type NewPublishKey = Omit<StoredPublishKey, 'id' | 'lastUsedAt' | 'revokedAt' | 'isOwners'> & {
  readonly hash: Uint8Array;
};

export const MOST_PUBLISH_KEYS = 20;

type Row = Omit<StoredPublishKey, 'slugs' | 'setsTerms' | 'isOwners'> & {
  readonly slugs: string | null;
  readonly setsTerms: 0 | 1;
  readonly isOwners: 0 | 1;
};

export function publishKeyReads(db: Statements) {
  const find = (condition = sql`true`) =>
    db.all<Row>`SELECT publish_keys.id, account_id AS accountId, prefix, name, slugs, sets_terms AS setsTerms,
      publish_keys.created_at AS createdAt, last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt,
      is_owner AND disabled_at IS NULL AS isOwners
      FROM publish_keys JOIN accounts ON accounts.id = account_id WHERE ${condition} ORDER BY publish_keys.id`.map(
      ({ slugs, setsTerms, isOwners, ...key }): StoredPublishKey => ({
        ...key,
        slugs: slugs === null ? null : (JSON.parse(slugs) as readonly string[]),
        setsTerms: setsTerms === 1,
        isOwners: isOwners === 1,
      }),
    );
  return {
    /** Returns the publish key of this SHA-256, even if it is no longer valid; or null. */
    findPublishKey: (hash: Uint8Array): StoredPublishKey | null => find(sql`hash = ${hash}`)[0] ?? null,
    listPublishKeys: (): readonly StoredPublishKey[] => find(),
  };
}

export const publishKeyWrites = (db: Statements) => ({
  /** Adds a publish key; returns its id, or `full` if twenty are neither revoked nor expired. */
  addPublishKey({ audit, ...key }: NewPublishKey & Audited): number | 'full' {
    const live = db.value<number>`SELECT count(*) FROM publish_keys WHERE ${liveKey(key.createdAt)}`!;
    if (live >= MOST_PUBLISH_KEYS) return 'full';
    logAct(db, audit);
    const row = { ...key, slugs: key.slugs && JSON.stringify(key.slugs) };
    return db.value<number>`INSERT INTO publish_keys ${values(row)} RETURNING id`!;
  },
  revokePublishKey({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
    const { changes } =
      db.run`UPDATE publish_keys SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`;
    if (changes > 0) logAct(db, audit);
    return changes > 0;
  },
  recordPublishKeyUse({ id, at }: { readonly id: number; readonly at: number }): void {
    db.run`UPDATE publish_keys SET last_used_at = ${at} WHERE id = ${id}`;
  },
});
