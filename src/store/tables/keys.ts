import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';

/** An API key as it is stored, without the key itself. Times are milliseconds since 1970 UTC; null is never. */
export type StoredKey = {
  readonly id: number;
  readonly accountId: string;
  readonly prefix: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
};

/** A key with the facts of its account that authentication needs. */
export type KeyHolder = StoredKey & { readonly email: string; readonly accountDisabledAt: number | null };

export type NewKey = Pick<StoredKey, 'accountId' | 'prefix' | 'name' | 'createdAt' | 'expiresAt'> & {
  readonly hash: Uint8Array;
};

/** A key that replaces another, which ends at `endsAt`. */
type KeyReplacement = { readonly key: NewKey; readonly replaces: number; readonly endsAt: number };

/** Live keys an account may have. */
export const MOST_KEYS = 100;

/** How many ended keys of an account are kept, the last ones; a reader who makes and revokes keys all day must not fill the database. */
const MOST_ENDED = 500;

/** `isUsable` in SQL, at the time ?1. */
export const LIVE_KEY = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)';

const COLUMNS = `keys.id, account_id AS accountId, prefix, name, keys.created_at AS createdAt,
  last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt`;

export function keyReads(db: Database) {
  const holders = `SELECT ${COLUMNS}, email, disabled_at AS accountDisabledAt FROM keys JOIN accounts ON accounts.id = account_id`;
  const byHash = db.prepare<KeyHolder, [Uint8Array]>(`${holders} WHERE hash = ?`);
  const byId = db.prepare<KeyHolder, [number]>(`${holders} WHERE keys.id = ?`);
  const byAccount = db.prepare<StoredKey, [string]>(
    `SELECT ${COLUMNS} FROM keys WHERE account_id = ? ORDER BY id`,
  );
  return {
    /** The key of this SHA-256 with its account, whether or not it is still valid, or null. */
    async findKeyHolder(hash: Uint8Array): Promise<KeyHolder | null> {
      return byHash.get(hash);
    },
    async findKeyHolderById(id: number): Promise<KeyHolder | null> {
      return byId.get(id);
    },
    /** All keys of an account, revoked and expired ones too, oldest first. */
    async listKeys(accountId: string): Promise<readonly StoredKey[]> {
      return byAccount.all(accountId);
    },
  };
}

export function keyWrites(db: Database) {
  const insert = db.prepare<
    { id: number },
    [string, Uint8Array, string, string, number, number | null, number | null]
  >(
    `INSERT INTO keys (account_id, hash, prefix, name, created_at, expires_at, replaces) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const live = db.prepare<{ keys: number }, [number, string]>(
    `SELECT count(*) AS keys FROM keys WHERE account_id = ?2 AND ${LIVE_KEY}`,
  );
  const unrevoked = db.prepare<{ id: number }, [number]>(
    'SELECT id FROM keys WHERE id = ? AND revoked_at IS NULL',
  );
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const shorten = db.prepare('UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1) WHERE id = ?2');
  const revokeNamed = db.prepare(
    'UPDATE keys SET revoked_at = ? WHERE account_id = ? AND name = ? AND revoked_at IS NULL',
  );
  const use = db.prepare('UPDATE keys SET last_used_at = ? WHERE id = ?');
  const eldest = db.prepare<{ id: number }, [string, number]>(
    `SELECT id FROM keys WHERE account_id = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)
     ORDER BY id DESC LIMIT -1 OFFSET ${MOST_ENDED}`,
  );
  const unname = db.prepare('UPDATE keys SET replaces = NULL WHERE account_id = ? AND replaces = ?');
  const forget = db.prepare('DELETE FROM keys WHERE id = ?');
  const log = auditInserts(db);
  const add = (key: NewKey & Audited, replaces: number | null): number => {
    log(key.audit);
    const { accountId, hash, prefix, name, createdAt, expiresAt } = key;
    const added = insert.get(accountId, hash, prefix, name, createdAt, expiresAt, replaces)?.id ?? 0;
    for (const { id } of eldest.all(accountId, createdAt)) {
      unname.run(accountId, id);
      forget.run(id);
    }
    return added;
  };
  const isFull = ({ accountId, createdAt }: NewKey): boolean =>
    (live.get(createdAt, accountId)?.keys ?? 0) >= MOST_KEYS;
  return {
    /** The new key's id, or `full`. */
    addKey(key: NewKey & Audited): number | 'full' {
      return isFull(key) ? 'full' : add(key, null);
    },
    /** Adds a key for the one it replaces, which ends at `endsAt` or at its own end, whichever is first; at once is for good. */
    replaceKey({ key, replaces, endsAt, audit }: KeyReplacement & Audited): number | 'full' | 'revoked' {
      if (unrevoked.get(replaces) === null) return 'revoked';
      const isAtOnce = endsAt <= key.createdAt;
      if (!isAtOnce && isFull(key)) return 'full';
      if (isAtOnce) revoke.run(key.createdAt, replaces);
      else shorten.run(endsAt, replaces);
      return add({ ...key, audit }, replaces);
    },
    /** Adds a key and revokes every earlier one of its name and account. */
    renewKey(key: NewKey & Audited): number {
      revokeNamed.run(key.createdAt, key.accountId, key.name);
      return add(key, null);
    },
    /** False if the key was revoked already. */
    revokeKey({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (revoke.run(at, id).changes === 0) return false;
      log(audit);
      return true;
    },
    recordKeyUse(usage: { readonly id: number; readonly at: number }): void {
      use.run(usage.at, usage.id);
    },
  };
}
