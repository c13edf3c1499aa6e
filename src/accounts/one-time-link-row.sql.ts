import { type Statements, values } from '../platform/store/statements.ts';
import { DAY } from '../platform/base/duration.ts';
import { comparableEmail } from '../platform/base/email-address.ts';

/**
 * The purpose of a one-time link. In this order: to create the owner's account, set a first password, replace a password, claim
 * an order, create an account, end news by mail, change an account's address, confirm an address for news, or sign in.
 */
export type LinkPurpose =
  'setup' | 'invite' | 'reset' | 'claim' | 'open' | 'unsubscribe' | 'email' | 'news' | 'sign-in';

/** How long an address that asked for news is kept before it is confirmed, and the link for that works, in milliseconds. */
export const UNCONFIRMED_FOR = 7 * DAY;

export const SETS_PASSWORD: readonly LinkPurpose[] = ['setup', 'invite', 'reset', 'open'];

/**
 * A one-time link, without its secret. A set-up link has no account; one that claims an order or creates an account is sent
 * to an address that may have none. Times are milliseconds since 1970 UTC.
 */
export type Link = {
  readonly id: number;
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly orderId: number | null;
  /** The address of the link's account; if the link has no account, the address to which it was sent. */
  readonly email: string | null;
  /** The address to which the link was sent; null if that is the account's own. */
  readonly address: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/**
 * A link to add, with the SHA-256 of its secret and the mail that carries it. `askerHash` is the SHA-256 of the secret in
 * the cookie of the browser that asked for a sign-in link.
 */
export type NewLink = Omit<Link, 'id' | 'email'> & {
  readonly outboxId: number | null;
  readonly askerHash: Uint8Array | null;
  readonly secretHash: Uint8Array;
};

export function endLinks(db: Statements, accountId: string, at: number): void {
  db.run`UPDATE links SET used_at = ${at} WHERE account_id = ${accountId} AND used_at IS NULL`;
  const email = db.value<string>`SELECT email FROM accounts WHERE id = ${accountId}`;
  const address = comparableEmail(email ?? '');
  const open = db.all<{ id: number; address: string }>`SELECT id, address FROM links
    WHERE address IS NOT NULL AND used_at IS NULL AND expires_at > ${at}`;
  for (const link of open)
    if (comparableEmail(link.address) === address)
      db.run`UPDATE links SET used_at = ${at} WHERE id = ${link.id}`;
}

export const insertLink = (db: Statements, link: NewLink): number =>
  db.value<number>`INSERT INTO links ${values(link)} RETURNING id`!;
