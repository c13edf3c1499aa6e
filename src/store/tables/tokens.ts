import type { Database } from 'bun:sqlite';
import type { ScopedItem, TokenScope } from '../../access/token-scope.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { LIVE_KEY } from './keys.ts';

/** An install token as it is stored, without the token itself. Times are milliseconds since 1970 UTC; null is never. */
export type StoredToken = {
  readonly id: number;
  readonly accountId: string;
  readonly prefix: string;
  readonly name: string;
  readonly scope: TokenScope;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
};

/** A token with the facts of its account that authentication needs. */
export type TokenHolder = StoredToken & {
  readonly email: string;
  readonly accountDisabledAt: number | null;
};

export type NewToken = Omit<StoredToken, 'id' | 'lastUsedAt' | 'revokedAt'> & { readonly hash: Uint8Array };

/** Live tokens an account may have. */
export const MOST_TOKENS = 50;

/** How many ended tokens of an account are kept, the last ones. */
const MOST_ENDED = 500;

const COLUMNS = `tokens.id, account_id AS accountId, prefix, name, items, reads, tokens.created_at AS createdAt,
  last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt`;

type Row<Token extends StoredToken> = Omit<Token, 'scope'> & {
  readonly items: string | null;
  readonly reads: number;
};

export function tokenReads(db: Database) {
  const holders = `SELECT ${COLUMNS}, email, disabled_at AS accountDisabledAt FROM tokens JOIN accounts ON accounts.id = account_id`;
  const byHash = db.prepare<Row<TokenHolder>, [Uint8Array]>(`${holders} WHERE hash = ?`);
  const byId = db.prepare<Row<TokenHolder>, [number]>(`${holders} WHERE tokens.id = ?`);
  const byAccount = db.prepare<Row<StoredToken>, [string]>(
    `SELECT ${COLUMNS} FROM tokens WHERE account_id = ? ORDER BY id`,
  );
  return {
    /** The token of this SHA-256 with its account, whether or not it is still valid, or null. */
    async findTokenHolder(hash: Uint8Array): Promise<TokenHolder | null> {
      return withScope(byHash.get(hash));
    },
    async findTokenHolderById(id: number): Promise<TokenHolder | null> {
      return withScope(byId.get(id));
    },
    /** All tokens of an account, revoked and expired ones too, oldest first. */
    async listTokens(accountId: string): Promise<readonly StoredToken[]> {
      return byAccount.all(accountId).map((row) => withScope(row));
    },
  };
}

function withScope<Token extends StoredToken>(row: Row<Token>): Token;
function withScope<Token extends StoredToken>(row: Row<Token> | null): Token | null;
function withScope<Token extends StoredToken>(row: Row<Token> | null): Token | null {
  if (row === null) return null;
  const { items, reads, ...token } = row;
  const scope: TokenScope = {
    items: items === null ? null : (JSON.parse(items) as readonly ScopedItem[]),
    may: reads === 1 ? ['take', 'read', 'ask'] : ['take'],
  };
  return { ...token, scope } as unknown as Token;
}

export function tokenWrites(db: Database) {
  const insert = db.prepare<
    { id: number },
    [string, Uint8Array, string, string, string | null, number, number, number | null]
  >(
    `INSERT INTO tokens (account_id, hash, prefix, name, items, reads, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const live = db.prepare<{ tokens: number }, [number, string]>(
    `SELECT count(*) AS tokens FROM tokens WHERE account_id = ?2 AND ${LIVE_KEY}`,
  );
  const revoke = db.prepare('UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const use = db.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?');
  const forget = db.prepare(
    `DELETE FROM tokens WHERE id IN (
       SELECT id FROM tokens WHERE account_id = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)
       ORDER BY id DESC LIMIT -1 OFFSET ${MOST_ENDED})`,
  );
  const log = auditInserts(db);
  return {
    /** The new token's id, or `full`. */
    addToken({ audit, ...token }: NewToken & Audited): number | 'full' {
      const { accountId, hash, prefix, name, scope, createdAt, expiresAt } = token;
      if ((live.get(createdAt, accountId)?.tokens ?? 0) >= MOST_TOKENS) return 'full';
      log(audit);
      const items = scope.items === null ? null : JSON.stringify(scope.items);
      const reads = scope.may.includes('read') ? 1 : 0;
      const added = insert.get(accountId, hash, prefix, name, items, reads, createdAt, expiresAt)?.id ?? 0;
      forget.run(accountId, createdAt);
      return added;
    },
    /** False if the token was revoked already. */
    revokeToken({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (revoke.run(at, id).changes === 0) return false;
      log(audit);
      return true;
    },
    recordTokenUse(usage: { readonly id: number; readonly at: number }): void {
      use.run(usage.at, usage.id);
    },
  };
}
