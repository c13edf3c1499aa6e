import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';
import { type Credentials, passwordInserts } from './passwords.ts';
import type { NewSession } from './sessions.ts';

/** The use of a one-time link: to make the owner's account, to set a first password, to set another. */
export type LinkPurpose = 'setup' | 'invite' | 'reset';

/** A one-time link, without its secret. A set-up link has no account yet. Times are milliseconds since 1970 UTC. */
export type Link = {
  readonly id: number;
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly email: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A link to add, with the SHA-256 of its secret. */
export type NewLink = Omit<Link, 'id' | 'email'> & { readonly secretHash: Uint8Array };

/** `email` and `accountId` are those of an account that a set-up link makes. */
type LinkUse = {
  readonly secretHash: Uint8Array;
  readonly passwordHash: string;
  readonly email: string;
  readonly accountId: string;
  readonly session: Omit<NewSession, 'accountId'>;
  readonly at: number;
};

type Holder = Pick<Credentials, 'accountId' | 'email' | 'isOwner'>;

/** Links that can be used: not used or expired, of an enabled account or, for a set-up, while the stall has no owner. */
const USABLE = `SELECT links.id, purpose, account_id AS accountId, email, links.created_at AS createdAt, expires_at AS expiresAt
  FROM links LEFT JOIN accounts ON accounts.id = account_id
  WHERE used_at IS NULL AND expires_at > ?1 AND disabled_at IS NULL
    AND (purpose <> 'setup' OR NOT EXISTS (SELECT 1 FROM accounts WHERE is_owner = 1))`;

export function linkReads(db: Database) {
  const byHash = db.prepare<Link, [number, Uint8Array]>(`${USABLE} AND secret_hash = ?2`);
  const all = db.prepare<Link, [number]>(`${USABLE} ORDER BY links.id DESC`);
  return {
    /** The link of this SHA-256 if it can be used at a time, or null. */
    async findLink(secretHash: Uint8Array, at: number): Promise<Link | null> {
      return byHash.get(at, secretHash);
    },
    /** Every link that can be used at a time, the newest first. */
    async listLinks(at: number): Promise<readonly Link[]> {
      return all.all(at);
    },
  };
}

export function linkWrites(db: Database) {
  const follow = passwordInserts(db);
  const log = auditInserts(db);
  const usable = db.prepare<Link, [number, Uint8Array]>(`${USABLE} AND secret_hash = ?2`);
  const insert = db.prepare<{ id: number }, [string, string | null, Uint8Array, number, number]>(
    'INSERT INTO links (purpose, account_id, secret_hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
  );
  const use = db.prepare('UPDATE links SET used_at = ? WHERE id = ? AND used_at IS NULL');
  const forgetSetups = db.prepare(`DELETE FROM links WHERE purpose = 'setup'`);
  const setPassword = db.prepare<Holder, [string, string | null]>(
    'UPDATE accounts SET password_hash = ? WHERE id = ? RETURNING id AS accountId, email, is_owner AS isOwner',
  );
  // The set-up link belongs to the person who runs the machine: an existing account becomes the owner's.
  const addOwner = db.prepare<Holder, [string, string, string, number]>(
    `INSERT INTO accounts (id, email, is_owner, password_hash, created_at) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (email) DO UPDATE SET is_owner = 1, password_hash = excluded.password_hash, disabled_at = NULL
     RETURNING id AS accountId, email, is_owner AS isOwner`,
  );
  return {
    /** The new link's id; of set-up links only the newest is kept. */
    addLink({ purpose, accountId, secretHash, createdAt, expiresAt, audit }: NewLink & Audited): number {
      log(audit);
      if (purpose === 'setup') forgetSetups.run();
      return insert.get(purpose, accountId, secretHash, createdAt, expiresAt)?.id ?? 0;
    },
    /** False if it was used already. */
    revokeLink({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (use.run(at, id).changes === 0) return false;
      log(audit);
      return true;
    },
    /**
     * Uses a link up: sets the password, makes the owner's account for a set-up, uses up the account's other links, ends its
     * sessions and begins one. Returns the account, or null if the link cannot be used (any more).
     */
    useLink({ secretHash, passwordHash, email, accountId, session, at }: LinkUse): Holder | null {
      const link = usable.get(at, secretHash);
      if (link === null) return null;
      const holder =
        link.purpose === 'setup'
          ? addOwner.get(accountId, email, passwordHash, at)
          : setPassword.get(passwordHash, link.accountId);
      if (holder === null) return null;
      use.run(at, link.id);
      follow(holder.accountId, { ...session, accountId: holder.accountId }, at);
      return holder;
    },
  };
}
