// API keys and install tokens: two tables of one shape, so that what forgets a scope never makes an account of a link.
import type { Database } from 'bun:sqlite';
import type { ScopedItem, TokenScope } from '../../access/principal.ts';
import { type Audited, auditInserts } from './audit-log.ts';

/** An API key, or an install token. */
export type KeyKind = 'key' | 'token';

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

/** The same of an install token, which has a scope. */
export type StoredToken = StoredKey & { readonly scope: TokenScope };

type Stored<Kind extends KeyKind> = { key: StoredKey; token: StoredToken }[Kind];

/** A key or token with the facts of its account that authentication needs. */
export type KeyHolder<Kind extends KeyKind = KeyKind> = Stored<Kind> & {
  readonly email: string;
  readonly accountDisabledAt: number | null;
};

export type NewKey = Pick<StoredKey, 'accountId' | 'prefix' | 'name' | 'createdAt' | 'expiresAt'> & {
  readonly hash: Uint8Array;
};
type NewToken = NewKey & Pick<StoredToken, 'scope'>;

/** A key that replaces another, which ends at `endsAt`. */
type KeyReplacement = { readonly key: NewKey; readonly replaces: number; readonly endsAt: number };

type Named = { readonly kind: KeyKind; readonly id: number; readonly at: number };

const TABLES = { key: 'keys', token: 'tokens' } as const;

/** How many live ones an account may have. */
export const MOST_LIVE: Readonly<Record<KeyKind, number>> = { key: 100, token: 50 };

/** How many ended ones of an account are kept, the last; a reader who makes and revokes keys all day must not fill the database. */
const MOST_ENDED = 500;

/** `isUsable` in SQL, at the time ?1. */
export const LIVE_KEY = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)';

type ScopeColumns = { readonly items: string | null; readonly reads: number };
type Row<Kind extends KeyKind> = Omit<KeyHolder<Kind>, 'scope'> & Partial<ScopeColumns>;

export function keyReads(db: Database) {
  const [keys, tokens] = [readsOf(db, 'key'), readsOf(db, 'token')];
  const of = <Kind extends KeyKind>(kind: Kind) =>
    (kind === 'key' ? keys : tokens) as unknown as ReturnType<typeof readsOf<Kind>>;
  return {
    /** The key or token of this SHA-256 with its account, whether or not it is still valid, or null. */
    async findKeyHolder<Kind extends KeyKind>(kind: Kind, hash: Uint8Array): Promise<KeyHolder<Kind> | null> {
      return withScope(of(kind).byHash.get(hash));
    },
    async findKeyHolderById<Kind extends KeyKind>(kind: Kind, id: number): Promise<KeyHolder<Kind> | null> {
      return withScope(of(kind).byId.get(id));
    },
    /** All keys or tokens of an account, revoked and expired ones too, oldest first. */
    async listKeys<Kind extends KeyKind>(kind: Kind, accountId: string): Promise<readonly KeyHolder<Kind>[]> {
      return of(kind)
        .byAccount.all(accountId)
        .flatMap((row) => withScope<Kind>(row) ?? []);
    },
  };
}

function readsOf<Kind extends KeyKind>(db: Database, kind: Kind) {
  const table = TABLES[kind];
  const holders = `SELECT ${table}.id, account_id AS accountId, prefix, name, ${kind === 'token' ? 'items, reads,' : ''}
    ${table}.created_at AS createdAt, last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt,
    email, disabled_at AS accountDisabledAt FROM ${table} JOIN accounts ON accounts.id = account_id`;
  return {
    byHash: db.prepare<Row<Kind>, [Uint8Array]>(`${holders} WHERE hash = ?`),
    byId: db.prepare<Row<Kind>, [number]>(`${holders} WHERE ${table}.id = ?`),
    byAccount: db.prepare<Row<Kind>, [string]>(`${holders} WHERE account_id = ? ORDER BY ${table}.id`),
  };
}

function withScope<Kind extends KeyKind>(row: Row<Kind> | null): KeyHolder<Kind> | null {
  if (row === null) return null;
  const { items, reads, ...key } = row;
  if (reads === undefined) return key as unknown as KeyHolder<Kind>;
  const scope: TokenScope = {
    items: items == null ? null : (JSON.parse(items) as readonly ScopedItem[]),
    may: reads === 1 ? ['take', 'read', 'ask'] : ['take'],
  };
  return { ...key, scope };
}

export function keyWrites(db: Database) {
  const of = { key: writesOf(db, 'key'), token: writesOf(db, 'token') };
  const insertKey = db.prepare<
    { id: number },
    [string, Uint8Array, string, string, number, number | null, number | null]
  >(
    `INSERT INTO keys (account_id, hash, prefix, name, created_at, expires_at, replaces) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const insertToken = db.prepare<
    { id: number },
    [string, Uint8Array, string, string, number, number | null, string | null, number]
  >(
    `INSERT INTO tokens (account_id, hash, prefix, name, created_at, expires_at, items, reads) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const unrevoked = db.prepare<{ id: number }, [number]>(
    'SELECT id FROM keys WHERE id = ? AND revoked_at IS NULL',
  );
  const shorten = db.prepare('UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1) WHERE id = ?2');
  const revokeNamed = db.prepare(
    'UPDATE keys SET revoked_at = ? WHERE account_id = ? AND name = ? AND revoked_at IS NULL',
  );
  const log = auditInserts(db);
  const add = ({ audit, ...key }: NewKey & Audited, replaces: number | null): number => {
    log(audit);
    const { accountId, hash, prefix, name, createdAt, expiresAt } = key;
    const added = insertKey.get(accountId, hash, prefix, name, createdAt, expiresAt, replaces)?.id ?? 0;
    of.key.forget(accountId, createdAt);
    return added;
  };
  return {
    /** The new key's id, or `full`. */
    addKey(key: NewKey & Audited): number | 'full' {
      return of.key.isFull(key) ? 'full' : add(key, null);
    },
    /** The new token's id, or `full`. */
    addToken({ audit, ...token }: NewToken & Audited): number | 'full' {
      if (of.token.isFull(token)) return 'full';
      log(audit);
      const { accountId, hash, prefix, name, scope, createdAt, expiresAt } = token;
      const items = scope.items === null ? null : JSON.stringify(scope.items);
      const reads = scope.may.includes('read') ? 1 : 0;
      const added = insertToken.get(accountId, hash, prefix, name, createdAt, expiresAt, items, reads);
      of.token.forget(accountId, createdAt);
      return added?.id ?? 0;
    },
    /** Adds a key for the one it replaces, which ends at `endsAt` or at its own end, whichever is first; at once is for good. */
    replaceKey({ key, replaces, endsAt, audit }: KeyReplacement & Audited): number | 'full' | 'revoked' {
      if (unrevoked.get(replaces) === null) return 'revoked';
      const isAtOnce = endsAt <= key.createdAt;
      if (!isAtOnce && of.key.isFull(key)) return 'full';
      if (isAtOnce) of.key.revoke.run(key.createdAt, replaces);
      else shorten.run(endsAt, replaces);
      return add({ ...key, audit }, replaces);
    },
    /** Adds a key and revokes every earlier one of its name and account. */
    renewKey(key: NewKey & Audited): number {
      revokeNamed.run(key.createdAt, key.accountId, key.name);
      return add(key, null);
    },
    /** False if it was revoked already. */
    revokeKey({ kind, id, at, audit }: Named & Audited): boolean {
      if (of[kind].revoke.run(at, id).changes === 0) return false;
      log(audit);
      return true;
    },
    recordKeyUse({ kind, id, at }: Named): void {
      of[kind].use.run(at, id);
    },
  };
}

function writesOf(db: Database, kind: KeyKind) {
  const table = TABLES[kind];
  const live = db.prepare<{ count: number }, [number, string]>(
    `SELECT count(*) AS count FROM ${table} WHERE account_id = ?2 AND ${LIVE_KEY}`,
  );
  const eldest = `(SELECT id FROM ${table} WHERE account_id = ?1 AND (revoked_at IS NOT NULL OR expires_at <= ?2)
    ORDER BY id DESC LIMIT -1 OFFSET ${MOST_ENDED})`;
  const unname =
    kind === 'key'
      ? db.prepare(`UPDATE keys SET replaces = NULL WHERE account_id = ?1 AND replaces IN ${eldest}`)
      : null;
  const forget = db.prepare(`DELETE FROM ${table} WHERE id IN ${eldest}`);
  return {
    isFull: ({ accountId, createdAt }: NewKey) =>
      (live.get(createdAt, accountId)?.count ?? 0) >= MOST_LIVE[kind],
    forget(accountId: string, at: number): void {
      unname?.run(accountId, at);
      forget.run(accountId, at);
    },
    revoke: db.prepare(`UPDATE ${table} SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL`),
    use: db.prepare(`UPDATE ${table} SET last_used_at = ? WHERE id = ?`),
  };
}
