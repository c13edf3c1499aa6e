import type { Actor, SessionPrincipal } from '../platform/base/principal.ts';
import { hintOf, readEmail } from '../platform/base/email-address.ts';
import { type Browser } from './session.rule.ts';
import { hashSecret, mintSecret } from './secret.rule.ts';
import { DAY, HOUR, MINUTE } from '../platform/base/duration.ts';
import { removeSetupUrl, writeSetupUrl } from '../platform/store/server-note.ts';
import { type Link, type LinkPurpose, SETS_PASSWORD, UNCONFIRMED_FOR } from './one-time-link-row.sql.ts';
import { findAccount } from './account.ts';
import { base32Of, bytesOf } from './base32.rule.ts';
import { readSecondCode } from './totp.rule.ts';
import { CODE_BYTES, MOST_WRONG_CODES } from './one-time-link.sql.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { csvLine } from '../platform/base/csv-rows.ts';
import { mintRow } from './session.ts';
import type { Data, Records, Stall } from './stall.ts';
import { type Say, ToldRefusal, OfficeRefusal } from '../platform/base/told.ts';

export type { Link } from './one-time-link-row.sql.ts';

/**
 * For each purpose of a one-time link: how long it is valid, in milliseconds (`term`) and in `words`, and the path of
 * its page.
 */
export const PURPOSES: Readonly<
  Record<LinkPurpose, { readonly term: number; readonly words: string; readonly path: string }>
> = {
  setup: { term: 30 * MINUTE, words: '30 minutes', path: '/set-up' },
  invite: { term: 72 * HOUR, words: '72 hours', path: '/invite' },
  reset: { term: 72 * HOUR, words: '72 hours', path: '/reset' },
  claim: { term: 7 * DAY, words: '7 days', path: '/claim' },
  open: { term: 72 * HOUR, words: '72 hours', path: '/open' },
  email: { term: 24 * HOUR, words: '24 hours', path: '/email' },
  unsubscribe: { term: 365 * DAY, words: 'a year', path: '/unsubscribe' },
  news: { term: UNCONFIRMED_FOR, words: '7 days', path: '/news/confirm' },
  'sign-in': { term: 30 * MINUTE, words: '30 minutes', path: '/sign-in/link' },
};

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * A link that was just made. Its secret is in the fragment of its address (after #), which browsers do not send and logs do
 * not contain.
 */
type CreatedLink = MintedLink & { readonly id: number };

type LinkRequest = {
  readonly email: string;
  readonly purpose: 'invite' | 'reset' | 'email';
  readonly to?: string | null;
};

/**
 *  Makes a link for the account of `email`: to set its first password (`invite`) or another (`reset`), or to change its
 *  address to `to` (`email`).
 *  Refuses a disabled account, an invite if a password is set, a change of address if none is set, and a new address that
 *  has an account.
 */
export async function createLink(
  stall: Records,
  by: Actor,
  { email, purpose, to = null }: LinkRequest,
  origin: string,
): Promise<CreatedLink> {
  const account = findAccount(stall, email);
  const address = to === null ? null : readEmail(to);
  if (address !== null && stall.store.findAccountByAddress(address) !== null)
    throw new OfficeRefusal('invalid-request', (r) => r.linkTaken({ email: account.email, address }));
  if (account.disabledAt !== null) throw new OfficeRefusal('invalid-request', (r) => r.linkDisabled(account));
  if (purpose === 'invite' && account.hasPassword)
    throw new OfficeRefusal('invalid-request', (r) => r.linkHasPassword(account));
  if (purpose === 'email' && !account.hasPassword)
    throw new OfficeRefusal('invalid-request', (r) => r.linkNoPassword(account));
  const { row, link } = mintLink({ purpose, account, address }, origin, stall.now());
  const audit = auditEntry(by, row.createdAt, 'account.link', account.email, { purpose });
  return { id: await stall.store.write.addLink({ ...row, audit }), ...link };
}

/**
 * Finds a link with one of the purposes, without using it up. `email` is null for a set-up link. Refuses not-found if the
 * link cannot be used.
 */
export function findLink({ store, now }: Records, secret: string, purposes = SETS_PASSWORD): Link {
  const link = SECRET.test(secret) ? store.findLink(hashSecret(secret), now()) : null;
  if (link === null || !purposes.includes(link.purpose)) throw unusable();
  return link;
}

export async function revokeLink({ store, now }: Records, by: Actor, id: number): Promise<void> {
  const at = now();
  const link = store.listLinks(at).find((one) => one.id === id);
  const purpose = link?.purpose ?? null;
  const audit = auditEntry(by, at, 'link.revoke', link?.email ?? 'set-up', { purpose });
  if (await store.write.revokeLink({ id, at, audit })) return;
  throw new OfficeRefusal('not-found', (r) => r.linkNotOpen);
}

/**
 * Makes the link by which the first owner sets the stall up, and writes it to `<data>/setup-url`; called at each start.
 * Returns null if the stall has an owner.
 */
export async function ensureSetup(stall: Data, origin: string): Promise<CreatedLink | null> {
  const { store, now, config } = stall;
  if (store.findOwner() !== null) {
    removeSetupUrl(config.data);
    return null;
  }
  const { row, link } = mintLink({ purpose: 'setup' }, origin, now());
  const id = await store.write.addLink(row);
  writeSetupUrl(config.data, link.url);
  return { id, ...link };
}

/**
 * The purpose and target of a link. `address` is where the link is mailed if it claims an order, creates an account or confirms
 * a new address; any other link goes to the account's address.
 */
export type LinkSubject = {
  readonly purpose: LinkPurpose;
  readonly account?: { readonly id: string; readonly email: string } | null;
  readonly orderId?: number | null;
  readonly address?: string | null;
  readonly outboxId?: number | null;
  /** The SHA-256, in base64url, of the secret in the cookie of the browser that asked to sign in. */
  readonly asker?: string | null;
};

/** Makes a link whose address begins with `origin`, and its row, which has only a hash of the link's secret. */
export function mintLink(
  { purpose, account = null, orderId = null, address = null, outboxId = null, asker = null }: LinkSubject,
  origin: string,
  createdAt: number,
) {
  const { term, words, path } = PURPOSES[purpose];
  const secret = mintSecret();
  const expiresAt = createdAt + term;
  const accountId = account?.id ?? null;
  const secretHash = hashSecret(secret);
  const askerHash = asker === null ? null : Uint8Array.fromBase64(asker, { alphabet: 'base64url' });
  return {
    row: { purpose, accountId, orderId, address, outboxId, createdAt, expiresAt, secretHash, askerHash },
    link: {
      // An unsubscribe link has its secret in the path: mail programs post to the whole address (RFC 8058), but do not send
      // the fragment.
      url: `${origin}${path}${purpose === 'unsubscribe' ? '/' : '#'}${secret}`,
      purpose,
      email: address ?? account?.email ?? null,
      expiresAt,
      validFor: words,
    },
  };
}

export type MintedLink = Pick<Link, 'purpose' | 'email' | 'expiresAt'> & {
  readonly url: string;
  readonly validFor: string;
};

/** The form on a link's page. Only the set-up of the first owner asks for an e-mail address. */
export type LinkAnswer = Browser & {
  readonly email?: string;
  readonly password: string;
  readonly disconnects?: boolean;
};

/**
 *  Sets a password by a link and uses the link up, in one transaction: of two people who use it at once, one is refused.
 *  Ends all other sessions and links of the account, signs in, and returns the cookie.
 *
 *  A link that belongs to an address, not to an account, can only set a first password. Refuses what `findLink`,
 *  `readPassword` and `readEmail` refuse; then the link stays valid.
 */
export async function redeemLink(stall: Stall, secret: string, answer: LinkAnswer): Promise<string> {
  const { store, passwords, now, config } = stall;
  // The link is checked before the slow hashing of the password, so that guessed links cost the server nothing.
  const link = findLink(stall, secret);
  const email = link.email ?? readEmail(answer.email ?? '');
  // The address may have got an account since the link was sent.
  const isToAddress = link.purpose !== 'setup' && link.accountId === null;
  if (isToAddress && store.findAccountByAddress(email)?.hasPassword === true)
    throw new ToldRefusal('invalid-request', (r) => r.account.linkOfAccount);
  const passwordHash = await passwords.hash(answer.password, email);
  const at = now();
  const accountId = crypto.randomUUID();
  const { cookie, row: session } = mintRow(accountId, answer, at);
  const secretHash = hashSecret(secret);
  const { disconnects = true } = answer;
  const change = { secretHash, passwordHash, email, accountId, session, disconnects, at };
  if (!(await store.write.useLink(change))) throw unusable();
  if (link.purpose === 'setup') removeSetupUrl(config.data);
  return cookie;
}

/**
 *  Signs in by a mailed link, or by its code, and returns the session's cookie. `asker` is the secret of the browser. If
 *  another browser asked for the link, returns the code to type there, and uses nothing up.
 *
 *  The refusal is the same for a wrong code, a used code, and a code for an address without an account.
 */
export async function enterByLink(
  stall: Stall,
  asker: string | null,
  typed: string,
  browser: Browser,
): Promise<{ readonly cookie: string } | { readonly code: string }> {
  const { store, now } = stall;
  const askerHash = hashSecret(asker ?? mintSecret());
  const secretHash = SECRET.test(typed) ? hashSecret(typed) : null;
  if (secretHash !== null) findLink(stall, typed, ['sign-in']);
  if (secretHash !== null && !store.isAskedBy(secretHash, askerHash))
    return { code: base32Of(secretHash.subarray(0, CODE_BYTES)).replace(/.{4}/, '$&-') };
  const digits = readSecondCode(typed);
  const code = /^[A-Z2-7]{8}$/.test(digits) ? bytesOf(digits) : null;
  const at = now();
  const { cookie, row: session } = mintRow('', browser, at);
  if (await store.write.enterByLink({ askerHash, secretHash, code, session, at })) return { cookie };
  throw new ToldRefusal('unauthenticated', (r) => r.account.wrongSignInCode({ most: MOST_WRONG_CODES }));
}

/**
 *  Changes an account's address by the link that was mailed to the new one. Ends every session but the caller's; keys
 *  stay, unless a visitor typed the old address and nobody confirmed it.
 *
 *  A caller who is not signed in to the account types its password; `client` is the caller's network. Otherwise pressing
 *  the button in a stranger's mail would give the reader's address, and all that is bought with it, to the stranger's
 *  account. Without a password, or with two-factor sign-in, the caller must be signed in. Refuses a link that cannot be
 *  used, a wrong password, and an address with an account.
 */
export async function confirmEmail(
  stall: Stall,
  secret: string,
  confirming: {
    readonly session: SessionPrincipal | null;
    readonly password: string;
    readonly client: string;
    readonly disconnects: boolean;
  },
) {
  const { session, password, client, disconnects } = confirming;
  const { store, now } = stall;
  const at = now();
  const { accountId, email, address } = findLink(stall, secret, ['email']);
  if (email === null || accountId === null || address === null) throw unusable();
  if (session?.accountId !== accountId) {
    const isByPassword = store.findAccountById(accountId)?.hasPassword === true;
    if (!isByPassword || store.findSecondStep(accountId) !== null)
      throw new ToldRefusal('unauthenticated', (r) => r.account.emailNeedsSignIn);
    const notTheirs: Say = (r) => r.account.emailNotTheirs;
    if (password === '') throw new ToldRefusal('unauthenticated', notTheirs);
    await stall.passwords.authenticate({ email, password, address: client }, notTheirs);
  }
  const actor = { via: 'page', actorId: accountId, actorEmail: address } as const;
  const audit = { ...auditEntry('command', at, 'account.email', address, { from: hintOf(email) }), ...actor };
  const sessionId = session?.sessionId ?? null;
  if (!(await store.write.changeEmail({ secretHash: hashSecret(secret), sessionId, disconnects, at, audit })))
    throw unusable();
  return { accountId, email: address };
}

export function linkTable(links: readonly MintedLink[]): string {
  const rows = links.map(({ email, url, expiresAt }) => [email, url, new Date(expiresAt).toISOString()]);
  return [['email', 'link', 'expires'], ...rows].map(csvLine).join('');
}

/** Makes the refusal of a link that is unknown, used up, revoked, expired or of a disabled account: one sentence for all. */
export const unusable = (): ToldRefusal => new ToldRefusal('not-found', (r) => r.account.linkUnusable);
