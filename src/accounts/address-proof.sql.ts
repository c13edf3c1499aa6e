import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import type { AccountFollowers } from './account-follow-up.rule.ts';
import { endDeviceKeys } from './device-key.sql.ts';
import { endConnections } from './connection.sql.ts';
import { endLinks } from './one-time-link-row.sql.ts';
import { endSessions } from './session.sql.ts';

/** Selects accounts whose address a visitor typed and nobody has confirmed. The view `all_grants` has the same condition. */
export const TYPED = sql`verified_at IS NULL AND is_typed = 1`;

type End = (db: Statements, accountId: string, at: number, but?: string | null) => unknown;

const revoke =
  (table: Sql): End =>
  (db, accountId, at) =>
    db.run`UPDATE ${table} SET revoked_at = ${at} WHERE account_id = ${accountId} AND revoked_at IS NULL`;

/** For each table of things that open an account, the function that ends them. A test demands the table of each new kind. */
export const CREDENTIALS: Readonly<Record<string, End>> = {
  sessions: endSessions,
  pending_sign_ins: endSessions,
  keys: revoke(sql`keys`),
  tokens: revoke(sql`tokens`),
  publish_keys: revoke(sql`publish_keys`),
  device_keys: endDeviceKeys,
  connections: (db, accountId, at) =>
    endConnections(db, sql`account_id = ${accountId}`, { at, by: 'address' }),
  links: endLinks,
};

export function endCredentials(db: Statements, accountId: string, at: number, but: string | null = null) {
  for (const end of Object.values(CREDENTIALS)) end(db, accountId, at, but);
}

/**
 * Verifies an account whose holder has proven the address. The first proof ends everything that opened the account before,
 * even its password: somebody else may have typed the address.
 */
export function proveAddress(db: Statements, follow: AccountFollowers, accountId: string, at: number): void {
  const { changes } = db.run`UPDATE accounts SET verified_at = ${at}, password_hash = NULL
    WHERE id = ${accountId} AND verified_at IS NULL`;
  if (changes === 1) endCredentials(db, accountId, at);
  follow.verified(accountId, at);
}
