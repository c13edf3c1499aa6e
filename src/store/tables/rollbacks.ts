import type { Statements } from '../statements.ts';
import { auditInserts, type Audited } from './audit-log.ts';
import type { KnownEdition } from './editions.ts';

/** Names an edition of an item. */
type EditionName = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'>;

/** A kept edition that an item serves instead of its folder's; `ownDigest` is the folder's, null until it is first served. */
export type Rollback = EditionName &
  Pick<KnownEdition, 'version' | 'tar' | 'manifest'> & { readonly ownDigest: string | null };

export function rollbackReads(db: Statements) {
  return {
    /** How many superseded editions of all items are kept, and the size of their archives in bytes. */
    async sumKeptEditions(): Promise<{ readonly editions: number; readonly bytes: number }> {
      return db.one<{ editions: number; bytes: number }>`
        SELECT count(*) AS editions, coalesce(sum(tar_size), 0) AS bytes FROM editions WHERE state = 'kept'`!;
    },
    async listRollbacks(): Promise<readonly Rollback[]> {
      return db.all<Rollback>`SELECT kind, item_key AS itemKey, digest, own_digest AS ownDigest, version,
        tar, manifest FROM rollbacks JOIN editions USING (kind, item_key, digest)`;
    },
    /** Every edition that is never served again. */
    async listWithdrawn(): Promise<readonly EditionName[]> {
      return db.all<EditionName>`SELECT kind, item_key AS itemKey, digest FROM editions
        WHERE state = 'withdrawn'`;
    },
  };
}

export function rollbackWrites(db: Statements) {
  const end = ({ kind, itemKey, digest }: EditionName): void =>
    void db.run`DELETE FROM rollbacks WHERE kind = ${kind} AND item_key = ${itemKey} AND digest = ${digest}`;
  const log = auditInserts(db);
  return {
    /** Has the item serve a kept edition from its next publish on; false, and nothing is changed, if it is not kept. */
    rollBack({ kind, itemKey, digest, at, audit }: EditionName & Audited & { readonly at: number }): boolean {
      const isKept = db.has`SELECT 1 FROM editions
        WHERE kind = ${kind} AND item_key = ${itemKey} AND digest = ${digest} AND state = 'kept'`;
      if (!isKept) return false;
      db.run`INSERT INTO rollbacks (kind, item_key, digest, at)
        VALUES (${kind}, ${itemKey}, ${digest}, ${at})
        ON CONFLICT DO UPDATE SET digest = excluded.digest, own_digest = NULL, at = excluded.at`;
      log(audit);
      return true;
    },
    /** Notes the digest of the folder whose edition a rollback replaces; another one ends the rollback. */
    settleRollback({ kind, itemKey, digest, ownDigest }: EditionName & { readonly ownDigest: string }): void {
      db.run`UPDATE rollbacks SET own_digest = ${ownDigest} WHERE kind = ${kind} AND item_key = ${itemKey}
        AND digest = ${digest} AND own_digest IS NULL`;
    },
    endRollback: end,
    /** Withdraws an edition for good and gives its tar body, to be deleted; null if it is served or was withdrawn before. */
    withdrawEdition({ kind, itemKey, digest, audit }: EditionName & Audited): string | null {
      const edition = db.one<{ tar: string }>`UPDATE editions SET state = 'withdrawn' WHERE kind = ${kind}
        AND item_key = ${itemKey} AND digest = ${digest} AND state IN ('kept', 'gone') RETURNING tar`;
      if (edition === null) return null;
      end({ kind, itemKey, digest });
      log(audit);
      return edition.tar;
    },
  };
}
