import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';
import { type Credentials, type NewSession, passwordInserts } from './sessions.ts';
import { verificationInserts } from './accounts.ts';
import { foldEmail } from '../../access/email-address.ts';

/**
 * The purpose of a one-time link: to create the owner's account, set a first password, set another, claim an order,
 * create an account, or end news by mail.
 */
export type LinkPurpose = 'setup' | 'invite' | 'reset' | 'claim' | 'open' | 'unsubscribe';

/**
 * A one-time link, without its secret. Set-up links have no account; those to claim an order or to make an account are for
 * an address, which may have one. Times are milliseconds since 1970 UTC.
 */
export type Link = {
  readonly id: number;
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly orderId: number | null;
  /** The account's address, or the one it was sent to. */
  readonly email: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A link to add, with the SHA-256 of its secret and the mail it is in. */
export type NewLink = Omit<Link, 'id' | 'email'> & {
  readonly address: string | null;
  readonly outboxId: number | null;
  readonly secretHash: Uint8Array;
};

/** `email` and `accountId` are those of an account that the link makes, if it makes one. */
type LinkUse = {
  readonly secretHash: Uint8Array;
  readonly passwordHash: string;
  readonly email: string;
  readonly accountId: string;
  readonly session: Omit<NewSession, 'accountId'>;
  readonly at: number;
};

type Holder = Pick<Credentials, 'accountId' | 'email' | 'isOwner'>;

/** Links that can be used: not used or expired, of no disabled account and no claimed order and, for a set-up, while the stall has no owner. */
const USABLE = `SELECT links.id, purpose, links.account_id AS accountId, order_id AS orderId,
    coalesce(accounts.email, address) AS email, links.created_at AS createdAt, expires_at AS expiresAt
  FROM links LEFT JOIN accounts ON accounts.id = links.account_id
  WHERE used_at IS NULL AND expires_at > ?1 AND disabled_at IS NULL
    AND (order_id IS NULL OR EXISTS (SELECT 1 FROM orders WHERE orders.id = order_id AND orders.account_id IS NULL))
    AND (purpose <> 'setup' OR NOT EXISTS (SELECT 1 FROM accounts WHERE is_owner = 1))`;

export function linkReads(db: Database) {
  const byHash = db.prepare<Link, [number, Uint8Array]>(`${USABLE} AND secret_hash = ?2`);
  const all = db.prepare<Link, [number]>(`${USABLE} AND purpose <> 'unsubscribe' ORDER BY links.id DESC`);
  return {
    /** The link of this SHA-256 if it can be used at a time, or null. */
    async findLink(secretHash: Uint8Array, at: number): Promise<Link | null> {
      return byHash.get(at, secretHash);
    },
    /** Every link that can be used at a time, the newest first; without those that end news, of which each mail has one. */
    async listLinks(at: number): Promise<readonly Link[]> {
      return all.all(at);
    },
  };
}

export function linkWrites(db: Database) {
  const follow = passwordInserts(db);
  const links = linkInserts(db);
  const verification = verificationInserts(db);
  const log = auditInserts(db);
  const usable = db.prepare<Link, [number, Uint8Array]>(`${USABLE} AND secret_hash = ?2`);
  const use = db.prepare('UPDATE links SET used_at = ? WHERE id = ? AND used_at IS NULL');
  const forgetSetups = db.prepare(`DELETE FROM links WHERE purpose = 'setup'`);
  // A link to an address may be in other hands by now, as a purchase passed on: it sets a first password alone.
  const setPassword = db.prepare<Holder, [string, string, 0 | 1]>(
    `UPDATE accounts SET password_hash = ?1 WHERE id = ?2 AND disabled_at IS NULL AND (?3 = 0 OR password_hash IS NULL)
     RETURNING id AS accountId, email, is_owner AS isOwner`,
  );
  // The set-up link belongs to the person who runs the machine: an existing account becomes the owner's.
  const addOwner = db.prepare<Holder, [string, string, string, number]>(
    `INSERT INTO accounts (id, email, is_owner, password_hash, created_at, verified_at) VALUES (?, ?, 1, ?, ?4, ?4)
     ON CONFLICT (email) DO UPDATE SET is_owner = 1, password_hash = excluded.password_hash, disabled_at = NULL
     RETURNING id AS accountId, email, is_owner AS isOwner`,
  );
  /** The account that a link is for: its own, or that of its address, which is made if there is none. */
  const holderOf = (link: Link, { accountId, email, passwordHash, at }: LinkUse): Holder | null => {
    if (link.purpose === 'setup') return addOwner.get(accountId, email, passwordHash, at);
    if (link.accountId === null)
      return setPassword.get(passwordHash, verification.findOrAdd({ id: accountId, email, at }), 1);
    verification.distrust(link.accountId, at);
    return setPassword.get(passwordHash, link.accountId, 0);
  };
  return {
    /** The new link's id; of set-up links only the newest is kept. */
    addLink({ audit, ...link }: NewLink & Audited): number {
      log(audit);
      if (link.purpose === 'setup') forgetSetups.run();
      return links.insert(link);
    },
    /** False if it was used already. */
    revokeLink({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (use.run(at, id).changes === 0) return false;
      log(audit);
      return true;
    },
    /**
     * Uses a link up: sets the password, makes the account if the link does, and verifies its address; uses up the account's
     * other links, ends its sessions and begins one. Returns the account, or null if the link cannot be used (any more).
     */
    useLink(change: LinkUse): Holder | null {
      const { secretHash, session, at } = change;
      const link = usable.get(at, secretHash);
      if (link === null || link.purpose === 'unsubscribe') return null;
      const holder = holderOf(link, change);
      if (holder === null) return null;
      use.run(at, link.id);
      follow(holder.accountId, { ...session, accountId: holder.accountId }, at);
      verification.verify(holder.accountId, link.orderId, at);
      return holder;
    },
  };
}

/** The parts of a transaction that add links and end those of mails. */
export function linkInserts(db: Database) {
  const insert = db.prepare<{ id: number }, (string | number | Uint8Array | null)[]>(
    `INSERT INTO links (purpose, account_id, order_id, address, outbox_id, secret_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const endUnsent = db.prepare(
    'UPDATE links SET used_at = ? WHERE outbox_id = ? AND created_at > ? AND used_at IS NULL',
  );
  const endOfAccount = db.prepare('UPDATE links SET used_at = ? WHERE account_id = ? AND used_at IS NULL');
  const end = db.prepare('UPDATE links SET used_at = ? WHERE id = ?');
  const sentToAddresses = db.prepare<{ id: number; address: string }, [number]>(
    'SELECT id, address FROM links WHERE address IS NOT NULL AND used_at IS NULL AND expires_at > ?',
  );
  const emailOf = db.prepare<{ email: string }, [string]>('SELECT email FROM accounts WHERE id = ?');
  return {
    /** Ends every link of an account, and those that were sent to its address before it had an account. */
    endAll(accountId: string, at: number): void {
      endOfAccount.run(at, accountId);
      const address = foldEmail(emailOf.get(accountId)?.email ?? '');
      for (const link of sentToAddresses.all(at))
        if (foldEmail(link.address) === address) end.run(at, link.id);
    },
    /** The new link's id. */
    insert(link: NewLink): number {
      const { purpose, accountId, orderId, address, outboxId, secretHash, createdAt, expiresAt } = link;
      const row = [purpose, accountId, orderId, address, outboxId, secretHash, createdAt, expiresAt];
      return insert.get(...row)?.id ?? 0;
    },
    /** Ends a mail's links that were made after it was last sent: nobody has them. */
    endUnsent(outboxId: number, sentAt: number, at: number): void {
      endUnsent.run(at, outboxId, sentAt);
    },
  };
}
