import { sql, type Statements } from '../platform/store/statements.ts';
import { accountByAddress } from './account-by-address.sql.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import type { AccountFollowers } from './account-follow-up.rule.ts';
import { beginSession, endSessions, setPassword, isOpen, type NewSession } from './session.sql.ts';
import { endCredentials, proveAddress, TYPED } from './address-proof.sql.ts';
import { endConnections } from './connection.sql.ts';
import { endLinks, insertLink, type Link, type NewLink, SETS_PASSWORD } from './one-time-link-row.sql.ts';

/** The use of a link that sets a password. `email` and `accountId` are for a new account, if the link creates one. */
type LinkUse = {
  readonly secretHash: Uint8Array;
  readonly passwordHash: string;
  readonly email: string;
  readonly accountId: string;
  readonly session: Omit<NewSession, 'accountId'>;
  readonly disconnects: boolean;
  readonly at: number;
};

/** The use of a link that changes an address. The session `sessionId`, of the browser that opened the link, does not end. */
type EmailChange = {
  readonly secretHash: Uint8Array;
  readonly sessionId: string | null;
  readonly disconnects: boolean;
  readonly at: number;
} & Required<Audited>;

/**
 * A sign-in by a link, in the browser that asked for it. The browser sends the link's secret, or the code that the link
 * shows in another browser: the first bytes of the secret's hash.
 */
type LinkEntry = {
  readonly askerHash: Uint8Array;
  readonly secretHash: Uint8Array | null;
  readonly code: Uint8Array | null;
  readonly session: Omit<NewSession, 'accountId'>;
  readonly at: number;
};

/** How many wrong codes a browser may send before its links end. */
export const MOST_WRONG_CODES = 5;

export const CODE_BYTES = 5;

/**
 * Selects links that can still be used: not used or expired, not of a disabled account or a claimed order. A set-up link is
 * usable only while there is no owner.
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
    isAskedBy: (secretHash: Uint8Array, askerHash: Uint8Array): boolean =>
      db.has`SELECT 1 FROM links WHERE secret_hash = ${secretHash} AND asker_hash = ${askerHash}`,
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
  /**
   * Returns the account whose password a link sets, and makes it if the link creates one; null if the link may not set its
   * password.
   */
  const holderOf = (link: Link, { accountId, email, at }: LinkUse): string | null => {
    // Only the person who runs the machine has the set-up link, so an account that has the address already becomes the owner's.
    if (link.purpose === 'setup')
      return db.value<string>`INSERT INTO accounts (id, email, is_owner, created_at)
        VALUES (${accountId}, ${email}, 1, ${at})
        ON CONFLICT (email) DO UPDATE SET is_owner = 1, disabled_at = NULL RETURNING id`;
    if (link.accountId !== null) return link.accountId;
    // A mailed link may have been passed on, so it can set only the first password of an account.
    const known = accountByAddress(db, email);
    if (known !== null)
      return db.value<string>`SELECT id FROM accounts
        WHERE id = ${known.id} AND password_hash IS NULL AND disabled_at IS NULL`;
    db.run`INSERT INTO accounts (id, email, created_at) VALUES (${accountId}, ${email}, ${at})`;
    return accountId;
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
     * Uses a link that sets a password, creates its account if needed, and verifies the address. Ends the account's other
     * links and its sessions, and begins a new session. False if the link cannot be used.
     */
    useLink(change: LinkUse): boolean {
      const { secretHash, session, at } = change;
      const link = db.one<Link>`${usable(at)} AND secret_hash = ${secretHash}`;
      if (link === null || !SETS_PASSWORD.includes(link.purpose)) return false;
      const accountId = holderOf(link, change);
      if (accountId === null) return false;
      use(link.id, at);
      proveAddress(db, follow, accountId, at);
      setPassword(db, { ...change, session: { ...session, accountId } });
      return true;
    },
    /** Signs in by a link or its code, and uses the link up. If neither is valid, returns false, and counts a wrong try. */
    enterByLink({ askerHash, secretHash, code, session, at }: LinkEntry): boolean {
      const link = db.one<Link>`${usable(at)} AND purpose = 'sign-in' AND is_owner = 0
        AND asker_hash = ${askerHash} AND tries < ${MOST_WRONG_CODES}
        AND (secret_hash = ${secretHash} OR substr(secret_hash, 1, ${CODE_BYTES}) = ${code})`;
      if (link === null || link.accountId === null) {
        db.run`UPDATE links SET tries = tries + 1 WHERE asker_hash = ${askerHash} AND used_at IS NULL`;
        return false;
      }
      use(link.id, at);
      proveAddress(db, follow, link.accountId, at);
      beginSession(db, { ...session, accountId: link.accountId });
      return true;
    },
    /**
     * Uses a link that changes an account's address, and verifies the new one. Ends the account's other links, and its
     * sessions but `sessionId`. If a visitor typed the old address and nobody confirmed it, also ends all that opens the
     * account, and what the owner gave it. The account keeps its orders, and gets those bought with the new address.
     * Returns false if the link cannot be used, or the new address has another account by now.
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
      if (disconnects) endConnections(db, sql`account_id = ${id}`, { at, by: 'address' });
      // The audit log gets the new address too, so that the account's export and its removal find the rows.
      db.run`UPDATE audit_log SET subject = iif(subject = ${from} COLLATE NOCASE, ${to}, subject),
        details = replace(details, json_quote(${from}), json_quote(${to}))`;
      db.run`UPDATE outbox SET account_id = ${id}
        WHERE account_id IS NULL AND order_id IS NULL AND address = ${from} COLLATE NOCASE`;
      // The owner invited the holder of the old address, or gave them items: a visitor who only typed it may be somebody else.
      if (db.has`SELECT 1 FROM accounts WHERE id = ${id} AND ${TYPED}`) {
        endCredentials(db, id, at, sessionId);
        db.run`UPDATE grants SET revoked_at = ${at} WHERE revoked_at IS NULL
          AND id IN (SELECT id FROM all_grants WHERE account_id = ${id} AND waits = 1)`;
        db.run`DELETE FROM group_members WHERE account_id = ${id}`;
      }
      db.run`UPDATE accounts SET email = ${to}, verified_at = coalesce(verified_at, ${at}),
        is_editor = is_editor AND verified_at IS NOT NULL WHERE id = ${id}`;
      logAct(db, audit);
      follow.verified(id, at);
      return true;
    },
  };
}
