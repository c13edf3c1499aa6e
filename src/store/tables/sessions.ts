import type { Database } from 'bun:sqlite';
import type { Session } from '../../access/session.ts';
import { linkInserts } from './links.ts';

/** A session with its secret's SHA-256 and the facts of its account that sign-in needs. */
export type SessionHolder = Session & {
  readonly secretHash: Uint8Array;
  readonly email: string;
  readonly isOwner: 0 | 1;
  readonly accountDisabledAt: number | null;
};

export type NewSession = Omit<Session, 'lastSeenAt' | 'endedAt'> & { readonly secretHash: Uint8Array };

/** Live sessions an account may have; the next sign-in ends the oldest. */
const MOST = 20;

const COLUMNS = `sessions.id, account_id AS accountId, user_agent AS userAgent, sessions.created_at AS createdAt,
  last_seen_at AS lastSeenAt, expires_at AS expiresAt, ended_at AS endedAt`;

export function sessionReads(db: Database) {
  const byId = db.prepare<SessionHolder, [string]>(
    `SELECT ${COLUMNS}, secret_hash AS secretHash, email, is_owner AS isOwner, disabled_at AS accountDisabledAt
     FROM sessions JOIN accounts ON accounts.id = account_id WHERE sessions.id = ?`,
  );
  const byAccount = db.prepare<Session, [string]>(
    `SELECT ${COLUMNS} FROM sessions WHERE account_id = ? AND ended_at IS NULL ORDER BY last_seen_at DESC, rowid DESC`,
  );
  return {
    /** The session of this id with its account, whether or not it is still alive, or null. */
    async findSession(id: string): Promise<SessionHolder | null> {
      return byId.get(id);
    },
    /** An account's sessions that were not ended, the last seen first; idle and expired ones are among them. */
    async listSessions(accountId: string): Promise<readonly Session[]> {
      return byAccount.all(accountId);
    },
  };
}

export function sessionWrites(db: Database) {
  const { insert } = sessionInserts(db);
  const seen = db.prepare('UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?');
  const end = db.prepare(
    'UPDATE sessions SET ended_at = ? WHERE account_id = ? AND id = ? AND ended_at IS NULL',
  );
  const endOthers = db.prepare(
    'UPDATE sessions SET ended_at = ? WHERE account_id = ? AND id IS NOT ? AND ended_at IS NULL',
  );
  const isSame = db.prepare<{ yes: 1 }, [string, string]>(
    'SELECT 1 AS yes FROM accounts WHERE id = ? AND password_hash = ? AND disabled_at IS NULL',
  );
  return {
    /**
     * Begins a session, if the account is enabled and its password still the one that was verified: a sign-in waits its turn,
     * and the password may change in between. False if it did.
     */
    addSession(sign: { readonly session: NewSession; readonly passwordHash: string }): boolean {
      if (isSame.get(sign.session.accountId, sign.passwordHash) === null) return false;
      insert(sign.session);
      return true;
    },
    recordSessionUse(sight: { readonly id: string; readonly at: number }): void {
      seen.run(sight.at, sight.id);
    },
    /** False if the account has no such session, or it has ended already. */
    endSession(change: { readonly accountId: string; readonly id: string; readonly at: number }): boolean {
      return end.run(change.at, change.accountId, change.id).changes === 1;
    },
    /** Ends an account's sessions except the one with the id `but`; returns how many. */
    endSessions(change: {
      readonly accountId: string;
      readonly but: string | null;
      readonly at: number;
    }): number {
      return endOthers.run(change.at, change.accountId, change.but).changes;
    },
  };
}

/** The parts of a transaction that begin and end sessions. */
export function sessionInserts(db: Database) {
  const forget = db.prepare(
    `DELETE FROM sessions WHERE account_id = ?1 AND (ended_at IS NOT NULL OR expires_at <= ?2)`,
  );
  const add = db.prepare(
    `INSERT INTO sessions (id, account_id, secret_hash, user_agent, created_at, last_seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const endOldest = db.prepare(
    `UPDATE sessions SET ended_at = ?1 WHERE id IN (SELECT id FROM sessions WHERE account_id = ?2 AND ended_at IS NULL
     ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${MOST})`,
  );
  const endAll = db.prepare('UPDATE sessions SET ended_at = ? WHERE account_id = ? AND ended_at IS NULL');
  return {
    /** Begins a session, deletes the account's ended ones, and ends the oldest beyond 20. */
    insert({ id, accountId, secretHash, userAgent, createdAt, expiresAt }: NewSession): void {
      forget.run(accountId, createdAt);
      add.run(id, accountId, secretHash, userAgent, createdAt, createdAt, expiresAt);
      endOldest.run(createdAt, accountId);
    },
    endAll(accountId: string, at: number): void {
      endAll.run(at, accountId);
    },
  };
}

/** The facts that a sign-in is checked against; `passwordHash` is a PHC string, null if no password was set. */
export type Credentials = {
  readonly accountId: string;
  readonly email: string;
  readonly isOwner: 0 | 1;
  readonly disabledAt: number | null;
  readonly passwordHash: string | null;
};

type PasswordChange = {
  readonly accountId: string;
  /** The hash it must still have. */
  readonly from: string;
  readonly to: string;
  readonly session: NewSession;
  readonly at: number;
};

export function passwordReads(db: Database) {
  const byEmail = db.prepare<Credentials, [string]>(
    `SELECT id AS accountId, email, is_owner AS isOwner, disabled_at AS disabledAt, password_hash AS passwordHash
     FROM accounts WHERE email = ?`,
  );
  return {
    /** The credentials of an e-mail address, in any case, or null. */
    async findCredentials(email: string): Promise<Credentials | null> {
      return byEmail.get(email);
    },
  };
}

/** The part of a transaction that follows a new password: every session ends but a new one, and so do all links of the account and its address. */
export function passwordInserts(db: Database) {
  const sessions = sessionInserts(db);
  const links = linkInserts(db);
  return (accountId: string, session: NewSession, at: number): void => {
    links.endAll(accountId, at);
    sessions.endAll(accountId, at);
    sessions.insert(session);
  };
}

export function passwordWrites(db: Database) {
  const follow = passwordInserts(db);
  const swap = db.prepare(
    'UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ? AND disabled_at IS NULL',
  );
  return {
    /** Keeps the same password under another hash; false if it changed in between. */
    rehashPassword(change: {
      readonly accountId: string;
      readonly from: string;
      readonly to: string;
    }): boolean {
      return swap.run(change.to, change.accountId, change.from).changes === 1;
    },
    /** Sets a new password for one that was verified; false if it changed or the account was disabled in between. */
    changePassword({ accountId, from, to, session, at }: PasswordChange): boolean {
      if (swap.run(to, accountId, from).changes === 0) return false;
      follow(accountId, session, at);
      return true;
    },
  };
}
