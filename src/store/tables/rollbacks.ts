import type { Database } from 'bun:sqlite';
import { auditInserts, type Audited } from './audit-log.ts';
import type { KnownEdition } from './editions.ts';

/** Names an edition of an item. */
type EditionName = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'>;

/** A kept edition that an item serves instead of its folder's; `ownDigest` is the folder's, null until it is first served. */
export type Rollback = EditionName &
  Pick<KnownEdition, 'version' | 'tar' | 'manifest'> & { readonly ownDigest: string | null };

export function rollbackReads(db: Database) {
  const rollbacks = db.prepare<Rollback, []>(
    `SELECT kind, item_key AS itemKey, digest, own_digest AS ownDigest, version, tar, manifest
     FROM rollbacks JOIN editions USING (kind, item_key, digest)`,
  );
  const withdrawn = db.prepare<EditionName, []>(
    `SELECT kind, item_key AS itemKey, digest FROM editions WHERE state = 'withdrawn'`,
  );
  const sum = db.prepare<{ editions: number; bytes: number }, []>(
    `SELECT count(*) AS editions, coalesce(sum(tar_size), 0) AS bytes FROM editions WHERE state = 'kept'`,
  );
  return {
    /** How many superseded editions of all items are kept, and the size of their archives in bytes. */
    async sumKeptEditions(): Promise<{ readonly editions: number; readonly bytes: number }> {
      return sum.get() ?? { editions: 0, bytes: 0 };
    },
    async listRollbacks(): Promise<readonly Rollback[]> {
      return rollbacks.all();
    },
    /** Every edition that is never served again. */
    async listWithdrawn(): Promise<readonly EditionName[]> {
      return withdrawn.all();
    },
  };
}

export function rollbackWrites(db: Database) {
  const isKept = db.prepare<unknown, [string, string, string]>(
    `SELECT 1 FROM editions WHERE kind = ? AND item_key = ? AND digest = ? AND state = 'kept'`,
  );
  const add = db.prepare(
    `INSERT INTO rollbacks (kind, item_key, digest, at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET digest = excluded.digest, own_digest = NULL, at = excluded.at`,
  );
  const settle = db.prepare(
    'UPDATE rollbacks SET own_digest = ? WHERE kind = ? AND item_key = ? AND digest = ? AND own_digest IS NULL',
  );
  const end = db.prepare('DELETE FROM rollbacks WHERE kind = ? AND item_key = ? AND digest = ?');
  const withdraw = db.prepare<{ tar: string }, [string, string, string]>(
    `UPDATE editions SET state = 'withdrawn'
     WHERE kind = ? AND item_key = ? AND digest = ? AND state IN ('kept', 'gone') RETURNING tar`,
  );
  const log = auditInserts(db);
  return {
    /** Has the item serve a kept edition from its next publish on; false, and nothing is changed, if it is not kept. */
    rollBack({ kind, itemKey, digest, at, audit }: EditionName & Audited & { readonly at: number }): boolean {
      if (isKept.get(kind, itemKey, digest) === null) return false;
      add.run(kind, itemKey, digest, at);
      if (audit !== undefined) log(audit);
      return true;
    },
    /** Notes the digest of the folder whose edition a rollback replaces; another one ends the rollback. */
    settleRollback({ kind, itemKey, digest, ownDigest }: EditionName & { readonly ownDigest: string }): void {
      settle.run(ownDigest, kind, itemKey, digest);
    },
    endRollback({ kind, itemKey, digest }: EditionName): void {
      end.run(kind, itemKey, digest);
    },
    /** Withdraws an edition for good and gives its tar body, to be deleted; null if it is served or was withdrawn before. */
    withdrawEdition({ kind, itemKey, digest, audit }: EditionName & Audited): string | null {
      const tar = withdraw.get(kind, itemKey, digest)?.tar ?? null;
      if (tar === null) return null;
      end.run(kind, itemKey, digest);
      if (audit !== undefined) log(audit);
      return tar;
    },
  };
}
