import { sql, type Statements } from '../platform/store/statements.ts';
import { accountByAddress } from './account-by-address.sql.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import type { AccountFollowers } from './account-follow-up.rule.ts';
import { type PasswordHolder, endSessions, followPassword, isOpen, type NewSession } from './session.sql.ts';
import { distrustAccount } from './account.sql.ts';
import { endConnections } from './connection.sql.ts';
import { endLinks, insertLink, type Link, type NewLink, opensAccount } from './link-row.sql.ts';

/** The use of a link that sets a password. `email` and `accountId` are those of a new account, if the link creates one. */
type LinkUse = {
  readonly secretHash: Uint8Array;
  readonly passwordHash: string;
  readonly email: string;
  readonly accountId: string;
  readonly session: Omit<NewSession, 'accountId'>;
  readonly disconnects: boolean;
  readonly at: number;
};

/** A use of a link that changes an address. The session `sessionId`, of the browser that opened the link, does not end. */
type EmailChange = {
  readonly secretHash: Uint8Array;
  readonly sessionId: string | null;
  readonly disconnects: boolean;
  readonly at: number;
} & Required<Audited>;

type Holder = Pick<PasswordHolder, 'accountId' | 'email' | 'isOwner'>;

/**
 * Selects links that can still be used: not used or expired, not of a disabled account or a claimed order. A set-up link can be
 * used only while there is no owner.
 */
const usable = (now: number) => sql`
  SELECT links.id, purpose, links.account_id AS accountId, order_id AS orderId,
    coalesce(accounts.email, address) AS email, address, links.created_at AS createdAt, expires_at AS expiresAt
  FROM links LEFT JOIN accounts ON accounts.id = links.account_id
  WHERE used_at IS NULL AND expires_at > ${now} AND disabled_at IS NULL
    AND (order_id IS NULL OR EXISTS (SELECT 1 FROM orders WHERE orders.id = order_id AND orders.account_id IS NULL))
    AND (purpose <> 'setup' OR NOT EXISTS (SELECT 1 FROM accounts WHERE is_owner = 1))`;

export function linkReads(db: Statements) {
  return {
    findLink: (secretHash: Uint8Array, at: number) =>
      db.one<Link>`${usable(at)} AND secret_hash = ${secretHash}`,
    findHeldOrder: (secretHash: Uint8Array) =>
      db.value<number>`SELECT orders.id FROM links JOIN orders ON orders.id = order_id
        WHERE purpose = 'claim' AND secret_hash = ${secretHash} AND orders.account_id IS NOT NULL`,
    listLinks: (at: number) =>
      db.all<Link>`${usable(at)} AND purpose NOT IN ('unsubscribe', 'news') ORDER BY links.id DESC`,
  };
}

export function linkWrites(db: Statements, follow: AccountFollowers) {
  const use = (id: number, at: number) =>
    db.run`UPDATE links SET used_at = ${at} WHERE id = ${id} AND used_at IS NULL`;
  const setPassword = (id: string, hash: string, isFirst: boolean) =>
    db.one<Holder>`UPDATE accounts SET password_hash = ${hash}
      WHERE id = ${id} AND disabled_at IS NULL AND (${isFirst} = 0 OR password_hash IS NULL)
      RETURNING id AS accountId, email, is_owner AS isOwner`;
  const holderOf = (link: Link, { accountId, email, passwordHash, at }: LinkUse): Holder | null => {
    // Only the person who runs the machine has the set-up link, so an existing account with the address becomes the owner's.
    if (link.purpose === 'setup')
      return db.one<Holder>`INSERT INTO accounts (id, email, is_owner, password_hash, created_at, verified_at)
        VALUES (${accountId}, ${email}, 1, ${passwordHash}, ${at}, ${at})
        ON CONFLICT (email) DO UPDATE SET is_owner = 1, password_hash = excluded.password_hash, disabled_at = NULL
        RETURNING id AS accountId, email, is_owner AS isOwner`;
    if (link.accountId !== null) {
      distrustAccount(db, link.accountId, at);
      return setPassword(link.accountId, passwordHash, false);
    }
    // A mailed link may have been passed on with a purchase, so somebody else may have it: it can set only an account's first
    // password.
    const known = accountByAddress(db, email);
    if (known === null)
      db.run`INSERT INTO accounts (id, email, created_at) VALUES (${accountId}, ${email}, ${at})`;
    return setPassword(known?.id ?? accountId, passwordHash, true);
  };
  return {
    addLink({ audit, ...link }: NewLink & Audited): number {
      logAct(db, audit);
      if (link.purpose === 'setup') db.run`DELETE FROM links WHERE purpose = 'setup'`;
      return insertLink(db, link);
    },
    revokeLink({ id, at, audit }: { readonly id: number; readonly at: number } & Audited): boolean {
      if (use(id, at).changes === 0) return false;
      logAct(db, audit);
      return true;
    },
    /**
     * Uses a link that opens an account: sets the password, creates the account if needed, and verifies its address. Ends the
     * account's other links and its sessions, and begins a new session. Returns the account; null if the link cannot be used.
     */
    useLink(change: LinkUse): Holder | null {
      const { secretHash, session, at } = change;
      const link = db.one<Link>`${usable(at)} AND secret_hash = ${secretHash}`;
      if (link === null || !opensAccount(link)) return null;
      const holder = holderOf(link, change);
      if (holder === null) return null;
      use(link.id, at);
      followPassword(db, { ...session, accountId: holder.accountId }, at);
      const { accountId } = holder;
      if (change.disconnects) endConnections(db, sql`account_id = ${accountId}`, at, 'password');
      db.run`UPDATE accounts SET verified_at = ${at} WHERE id = ${accountId} AND verified_at IS NULL`;
      if (link.orderId !== null) follow.claimed(link.orderId, accountId, at);
      follow.verified(accountId, at);
      return holder;
    },
    /**
     * Uses a link that changes an account's address, and verifies the account. Ends its other links and every session except
     * `sessionId`. The account keeps its orders, and gets those bought with the new address. Returns false if the link cannot
     * be used, or the address has another account by now.
     */
    changeEmail({ secretHash, sessionId, disconnects, at, audit }: EmailChange): boolean {
      const link = db.one<Link>`${usable(at)} AND purpose = 'email' AND secret_hash = ${secretHash}`;
      const { accountId: id = null, email: from = null, address: to = null } = link ?? {};
      if (id === null || from === null || to === null || (accountByAddress(db, to)?.id ?? id) !== id)
        return false;
      if (sessionId !== null && !isOpen(db, sessionId)) return false;
      follow.moving({ accountId: id, from, to, at });
      endLinks(db, id, at);
      endSessions(db, id, at, sessionId);
      if (disconnects) endConnections(db, sql`account_id = ${id}`, at, 'address');
      // Changes the address in the audit log too, so that the account's export and its removal find the rows about it.
      db.run`UPDATE audit_log SET subject = iif(subject = ${from} COLLATE NOCASE, ${to}, subject),
        details = replace(details, json_quote(${from}), json_quote(${to}))`;
      db.run`UPDATE outbox SET account_id = ${id}
        WHERE account_id IS NULL AND order_id IS NULL AND address = ${from} COLLATE NOCASE`;
      // The owner invited the holder of the former address, who was never seen if nobody has verified it.
      db.run`UPDATE accounts SET email = ${to}, verified_at = coalesce(verified_at, ${at}),
        is_editor = is_editor AND verified_at IS NOT NULL WHERE id = ${id}`;
      logAct(db, audit);
      follow.verified(id, at);
      return true;
    },
  };
}
