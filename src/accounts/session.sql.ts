import { endConnections } from './connection.sql.ts';
import { sql, type Statements } from '../platform/store/statements.ts';
import { ofOffice, type Session } from './session.rule.ts';
import { MINUTE } from '../platform/base/duration.ts';
import type { Language } from '../words/words.ts';
import { endLinks } from './one-time-link-row.sql.ts';

type SessionHolder = Session & {
  readonly isByProxy: 0 | 1;
  readonly secretHash: Uint8Array;
  readonly email: string;
  readonly isOwner: 0 | 1;
  readonly isEditor: 0 | 1;
  readonly language: Language | null;
  readonly accountDisabledAt: number | null;
};

/**
 * A session to begin. `language` is that of the page on which the reader signed in; null if the stall has only one
 * language.
 */
export type NewSession = Omit<Session, 'lastSeenAt' | 'endedAt' | 'isOffice'> & {
  readonly secretHash: Uint8Array;
  readonly language: Language | null;
  /** Whether the proxy in front of the server signed the reader in. If so, the proxy must name the account in each request. */
  readonly isByProxy?: boolean;
};

/** The maximum number of an account's open sessions; another sign-in ends the oldest. */
export const MOST_SESSIONS = 20;

/** How long a sign-in waits for the two-factor code, in milliseconds. */
const PENDING = 5 * MINUTE;

const COLUMNS = sql`sessions.id, account_id AS accountId, user_agent AS userAgent, sessions.created_at AS createdAt,
  last_seen_at AS lastSeenAt, expires_at AS expiresAt, ended_at AS endedAt, ${ofOffice} AS isOffice`;

export function sessionReads(db: Statements) {
  return {
    // An account that a visitor made may have somebody else's address, so an editor's address must be verified.
    findSession: (id: string) =>
      db.one<SessionHolder>`SELECT ${COLUMNS}, secret_hash AS secretHash,
        scope IS 'proxy' AS isByProxy, email, is_owner AS isOwner, language,
        is_editor AND verified_at IS NOT NULL AS isEditor, disabled_at AS accountDisabledAt
        FROM sessions JOIN accounts ON accounts.id = account_id
        WHERE sessions.id = ${id}`,
    listSessions: (accountId: string) =>
      db.all<Session>`SELECT ${COLUMNS} FROM sessions WHERE account_id = ${accountId}
        AND ended_at IS NULL ORDER BY last_seen_at DESC, rowid DESC`,
    findCredentials: (email: string) =>
      db.one<PasswordHolder>`SELECT id AS accountId, email, is_owner AS isOwner, disabled_at AS disabledAt,
        password_hash AS passwordHash FROM accounts WHERE email = ${email}`,
  };
}

export function sessionWrites(db: Statements) {
  const has = (accountId: string, passwordHash: string | null): boolean =>
    db.has`SELECT 1 FROM accounts
      WHERE id = ${accountId} AND password_hash IS ${passwordHash} AND disabled_at IS NULL`;
  return {
    /** Begins a session; false if the account was disabled or its password changed while this write waited in the queue. */
    addSession(sign: { readonly session: NewSession; readonly passwordHash: string }): boolean {
      if (!has(sign.session.accountId, sign.passwordHash)) return false;
      beginSession(db, sign.session);
      return true;
    },
    recordSessionUse(sight: { readonly id: string; readonly at: number }): void {
      db.run`UPDATE sessions SET last_seen_at = max(last_seen_at, ${sight.at}) WHERE id = ${sight.id}`;
    },
    endSession: (change: { readonly accountId: string; readonly id: string; readonly at: number }): boolean =>
      db.run`UPDATE sessions SET ended_at = ${change.at} WHERE account_id = ${change.accountId}
        AND id = ${change.id} AND ended_at IS NULL`.changes === 1,
    endSessions: ({ accountId, but, at }: { accountId: string; but: string | null; at: number }): number =>
      endSessions(db, accountId, at, but),
    /** Stores another hash of the same password; false if the password has changed since it was checked. */
    rehashPassword({ accountId, from, to }: Pick<PasswordChange, 'accountId' | 'from' | 'to'>): boolean {
      if (!has(accountId, from)) return false;
      writePassword(db, accountId, to);
      return true;
    },
    /**
     * Replaces a password that was checked; false if the password changed, the account was disabled or the session ended
     * since then.
     */
    changePassword(change: PasswordChange): boolean {
      if (!isOpen(db, change.by) || !has(change.accountId, change.from)) return false;
      // The browser's session has passed the two-factor check, so the new session asks for no code.
      setPassword(db, { ...change, passwordHash: change.to }, insertSession);
      return true;
    },
  };
}

/** Begins a session. If the account has two-factor sign-in, stores a pending sign-in instead, under the same cookie. */
export function beginSession(db: Statements, session: NewSession): void {
  const { id, accountId, secretHash, createdAt } = session;
  db.run`DELETE FROM pending_sign_ins WHERE expires_at <= ${createdAt}`;
  const { changes } = db.run`INSERT INTO pending_sign_ins
    SELECT ${id}, account_id, ${secretHash}, ${createdAt + PENDING} FROM second_steps WHERE account_id = ${accountId}`;
  if (changes === 0) insertSession(db, session);
}

/**
 * Begins a session whose code was checked or is not needed. Deletes the account's ended and expired sessions, and ends the
 * oldest beyond `MOST_SESSIONS`.
 */
export function insertSession(db: Statements, session: NewSession): void {
  const { id, accountId, secretHash, userAgent, createdAt, expiresAt, language } = session;
  const scope = session.isByProxy === true ? 'proxy' : null;
  if (language !== null) db.run`UPDATE accounts SET mail_language = ${language} WHERE id = ${accountId}`;
  db.run`DELETE FROM sessions WHERE account_id = ${accountId}
    AND (ended_at IS NOT NULL OR expires_at <= ${createdAt})`;
  db.run`INSERT INTO sessions (id, account_id, secret_hash, scope, user_agent, created_at, last_seen_at, expires_at)
    VALUES (${id}, ${accountId}, ${secretHash}, ${scope}, ${userAgent}, ${createdAt}, ${createdAt}, ${expiresAt})`;
  db.run`UPDATE sessions SET ended_at = ${createdAt} WHERE id IN (SELECT id FROM sessions
    WHERE account_id = ${accountId} AND ended_at IS NULL ORDER BY created_at DESC, rowid DESC
    LIMIT -1 OFFSET ${MOST_SESSIONS})`;
}

/** Ends an account's sessions except `but`, and returns how many. Deletes its sign-ins that wait for a two-factor code. */
export function endSessions(db: Statements, accountId: string, at: number, but: string | null = null) {
  db.run`DELETE FROM pending_sign_ins WHERE account_id = ${accountId}`;
  return db.run`UPDATE sessions SET ended_at = ${at} WHERE account_id = ${accountId}
    AND id IS NOT ${but} AND ended_at IS NULL`.changes;
}

type PasswordHolder = {
  readonly accountId: string;
  readonly email: string;
  readonly isOwner: 0 | 1;
  readonly disabledAt: number | null;
  readonly passwordHash: string | null;
};

type PasswordChange = {
  readonly accountId: string;
  /**
   * The id of the session that asks for the change. It must still be open: a request's body may arrive long after its session
   * ended.
   */
  readonly by: string;
  /** The hash that must still be stored for the account; null for none. */
  readonly from: string | null;
  readonly to: string;
  readonly session: NewSession;
  readonly disconnects: boolean;
  readonly at: number;
};

type NewPassword = Pick<PasswordChange, 'session' | 'disconnects' | 'at'> & { readonly passwordHash: string };

/**
 * Sets a password, in the caller's transaction: ends all sessions and links, begins one session, and ends assistants if
 * `disconnects`.
 */
export function setPassword(db: Statements, change: NewPassword, begin = beginSession): void {
  const { session, passwordHash, disconnects, at } = change;
  writePassword(db, session.accountId, passwordHash);
  beginAgain(db, session, at, begin);
  if (disconnects) endConnections(db, sql`account_id = ${session.accountId}`, { at, by: 'password' });
}

const writePassword = (db: Statements, accountId: string, hash: string) =>
  db.run`UPDATE accounts SET password_hash = ${hash} WHERE id = ${accountId}`;

/** Ends an account's sessions and all links to it or its address, and begins a new session, in the caller's transaction. */
export function beginAgain(db: Statements, session: NewSession, at: number, begin = beginSession): void {
  const { accountId } = session;
  endLinks(db, accountId, at);
  endSessions(db, accountId, at);
  begin(db, session);
}

export const isOpen = (db: Statements, id: string): boolean =>
  db.has`SELECT 1 FROM sessions WHERE id = ${id} AND ended_at IS NULL`;
