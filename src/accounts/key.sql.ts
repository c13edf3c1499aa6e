// API keys and install tokens. They have separate tables with the same columns: code that forgets the scope of a token
// cannot take it for a key, which opens the whole account.
import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import { type ScopedItem, type TokenScope, tokenActions } from '../platform/base/principal.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { type KeyKind, liveKey, MOST_LIVE } from './key.rule.ts';

/** A stored API key, without its secret. Times are milliseconds since 1970 UTC; null means never. */
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

export type StoredToken = StoredKey & { readonly scope: TokenScope };

type Stored<Kind extends KeyKind> = { key: StoredKey; token: StoredToken }[Kind];

export type KeyHolder<Kind extends KeyKind = KeyKind> = Stored<Kind> & {
  readonly email: string;
  readonly accountDisabledAt: number | null;
};

export type NewKey = Pick<StoredKey, 'accountId' | 'prefix' | 'name' | 'createdAt' | 'expiresAt'> & {
  readonly hash: Uint8Array;
};
type NewToken = NewKey & Pick<StoredToken, 'scope'>;

/** A new key, the id of the key that it replaces, and when the replaced one ends. */
type KeyReplacement = { readonly key: NewKey; readonly replaces: number; readonly endsAt: number };

type Named = { readonly kind: KeyKind; readonly id: number; readonly at: number };

const TABLES: Readonly<Record<KeyKind, Sql>> = { key: sql`keys`, token: sql`tokens` };

/**
 * How many ended keys or tokens are kept for an account, the newest. A reader who makes and revokes keys all day must not
 * fill the database.
 */
const MOST_ENDED = 500;

/** A key, or a token with the columns of its scope. For a key both columns are null. */
type Row = KeyHolder<'key'> & { readonly items: string | null; readonly reads: number | null };

export function keyReads(db: Statements) {
  const find = <Kind extends KeyKind>(kind: Kind, condition: Sql) => {
    const table = TABLES[kind];
    const ofToken = (column: Sql) => (kind === 'token' ? column : sql`NULL`);
    return db.all<Row>`SELECT ${table}.id, account_id AS accountId, prefix, name, ${ofToken(sql`items`)} AS items,
      ${ofToken(sql`reads`)} AS reads, ${table}.created_at AS createdAt, last_used_at AS lastUsedAt,
      expires_at AS expiresAt, revoked_at AS revokedAt, email, disabled_at AS accountDisabledAt
      FROM ${table} JOIN accounts ON accounts.id = account_id WHERE ${condition} ORDER BY ${table}.id`.map(
      withScope<Kind>,
    );
  };
  return {
    findKeyHolder<Kind extends KeyKind>(kind: Kind, hash: Uint8Array): KeyHolder<Kind> | null {
      return find(kind, sql`hash = ${hash}`)[0] ?? null;
    },
    findKeyHolderById<Kind extends KeyKind>(kind: Kind, id: number): KeyHolder<Kind> | null {
      return find(kind, sql`${TABLES[kind]}.id = ${id}`)[0] ?? null;
    },
    listKeys<Kind extends KeyKind>(kind: Kind, accountId: string): readonly KeyHolder<Kind>[] {
      return find(kind, sql`account_id = ${accountId}`);
    },
  };
}

function withScope<Kind extends KeyKind>(row: Row): KeyHolder<Kind> {
  const { items, reads, ...key } = row;
  if (reads === null) return key as unknown as KeyHolder<Kind>;
  const scope: TokenScope = {
    items: items == null ? null : (JSON.parse(items) as readonly ScopedItem[]),
    may: tokenActions(reads === 1),
  };
  return { ...key, scope };
}

export function keyWrites(db: Statements) {
  const of = { key: writesOf(db, 'key'), token: writesOf(db, 'token') };
  const add = ({ audit, ...key }: NewKey & Audited, replaces: number | null): number => {
    logAct(db, audit);
    return of.key.add(key, sql`replaces`, sql`${replaces}`);
  };
  return {
    /** Adds a key; returns its id, or `full` if the account has `MOST_LIVE` live ones. */
    addKey: (key: NewKey & Audited): number | 'full' => (of.key.isFull(key) ? 'full' : add(key, null)),
    addToken({ audit, ...token }: NewToken & Audited): number | 'full' {
      if (of.token.isFull(token)) return 'full';
      logAct(db, audit);
      const { items, may } = token.scope;
      const scope = sql`${items && JSON.stringify(items)}, ${may.includes('read')}`;
      return of.token.add(token, sql`items, reads`, scope);
    },
    /**
     * Adds a key in place of `replaces`, which ends at `endsAt` at the latest, and is revoked if that is now. Returns the
     * new id, `revoked` if the old key was revoked before, or `full` if both would be one live key too many.
     */
    replaceKey({ key, replaces, endsAt, audit }: KeyReplacement & Audited): number | 'full' | 'revoked' {
      if (!db.has`SELECT 1 FROM keys WHERE id = ${replaces} AND revoked_at IS NULL`) return 'revoked';
      const isAtOnce = endsAt <= key.createdAt;
      if (!isAtOnce && of.key.isFull(key)) return 'full';
      if (isAtOnce) of.key.revoke(replaces, key.createdAt);
      else
        db.run`UPDATE keys SET expires_at = min(coalesce(expires_at, ${endsAt}), ${endsAt})
        WHERE id = ${replaces}`;
      return add({ ...key, audit }, replaces);
    },
    renewKey(key: NewKey & Audited): number {
      db.run`UPDATE keys SET revoked_at = ${key.createdAt} WHERE account_id = ${key.accountId}
        AND name = ${key.name} AND revoked_at IS NULL`;
      return add(key, null);
    },
    revokeKey({ kind, id, at, audit }: Named & Audited): boolean {
      if (of[kind].revoke(id, at).changes === 0) return false;
      logAct(db, audit);
      return true;
    },
    recordKeyUse({ kind, id, at }: Named): void {
      db.run`UPDATE ${TABLES[kind]} SET last_used_at = ${at} WHERE id = ${id}`;
    },
  };
}

function writesOf(db: Statements, kind: KeyKind) {
  const table = TABLES[kind];
  return {
    isFull({ accountId, createdAt }: NewKey): boolean {
      const live = db.value<number>`SELECT count(*) FROM ${table}
        WHERE account_id = ${accountId} AND ${liveKey(createdAt)}`!;
      return live >= MOST_LIVE[kind];
    },
    add(key: NewKey, columns: Sql, values: Sql): number {
      const { accountId, hash, prefix, name, createdAt, expiresAt } = key;
      const id = db.value<number>`
        INSERT INTO ${table} (account_id, hash, prefix, name, created_at, expires_at, ${columns})
        VALUES (${accountId}, ${hash}, ${prefix}, ${name}, ${createdAt}, ${expiresAt}, ${values}) RETURNING id`!;
      const eldest = sql`(SELECT id FROM ${table} WHERE account_id = ${accountId}
        AND NOT ${liveKey(createdAt)} ORDER BY id DESC LIMIT -1 OFFSET ${MOST_ENDED})`;
      if (kind === 'key')
        db.run`UPDATE keys SET replaces = NULL WHERE account_id = ${accountId} AND replaces IN ${eldest}`;
      db.run`DELETE FROM ${table} WHERE id IN ${eldest}`;
      return id;
    },
    revoke: (id: number, at: number) =>
      db.run`UPDATE ${table} SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`,
  };
}
