import type { Database } from 'bun:sqlite';
import { linkInserts } from './link-rows.ts';
import { sessionInserts, type NewSession } from './sessions.ts';

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
