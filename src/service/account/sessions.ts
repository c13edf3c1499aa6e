import type { SessionPrincipal } from '../../access/principal.ts';
import {
  ABSOLUTE,
  formatCookie,
  hashSecret,
  isAlive,
  isSecretOf,
  mintSession,
  parseCookie,
  type Session,
} from '../../access/session.ts';
import type { Log } from '../../log.ts';
import { Refusal } from '../../refusal.ts';
import type { Credentials } from '../../store/tables/passwords.ts';
import type { NewSession, SessionHolder } from '../../store/tables/sessions.ts';
import type { Store } from '../../store/store.ts';
import { createMemo } from '../memo.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle.ts';

/** Last sights are written at most this often, in milliseconds. */
const SIGHT_INTERVAL = 60_000;
const REMEMBERED_SIGHTS = 10_000;
const LONGEST_USER_AGENT = 200;

/** What a sign-in is asked with: `address` is the client's prefix, as `ClientAddress.key` has it. */
export type SignIn = {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly userAgent: string | null;
};

/** A session just begun; `cookie` is the only time its secret is seen. */
export type SignedIn = {
  readonly cookie: string;
  readonly session: Session;
  readonly account: { readonly id: string; readonly email: string; readonly isOwner: boolean };
};

type Dependencies = {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly log: Log;
  readonly now: () => number;
};

/** The use cases of sessions: an account by its password, a browser by its cookie. */
export function createSessions({ store, passwords, throttle, log, now }: Dependencies) {
  const sights = new Map<string, number>();
  const remember = createMemo<SessionHolder>(store.generation);

  const noteSight = (session: Session, at: number): void => {
    if (at - session.lastSeenAt < SIGHT_INTERVAL) return;
    if (sights.size >= REMEMBERED_SIGHTS) sights.clear();
    sights.set(session.id, at);
    // Nothing hangs on it: a full disk must not sign anybody out.
    store.write('noteSessionSeen', { id: session.id, at }).catch(() => {});
  };
  /** As last seen by this process, whether or not that is written yet. */
  const withSight = <Seen extends Session>(session: Seen): Seen => ({
    ...session,
    lastSeenAt: Math.max(session.lastSeenAt, sights.get(session.id) ?? 0),
  });

  /** The account whose password this is; refused where there is none, after the same time. */
  const verify = async (
    { email, password, address }: Omit<SignIn, 'userAgent'>,
    complaint: string,
  ): Promise<Credentials> => {
    const credentials = await store.findCredentials(email.trim());
    const hash = credentials?.passwordHash ?? null;
    const isRight = await throttle.attempt(address, email, (isFamiliar) =>
      passwords.verify(password, hash, { key: address, isFamiliar }),
    );
    if (isRight && credentials !== null) return credentials;
    // Not the e-mail address: where nobody has it, it may be a password in the wrong field.
    log({ event: 'sign-in-failed', address: formatPrefix(address), account: credentials?.accountId ?? null });
    throw new Refusal('unauthenticated', complaint);
  };

  return {
    /** Begins a session. Refused with `unauthenticated`, `access-denied` (disabled) or `rate-limited`, which tells when to try again. */
    async signIn({ email, password, address, userAgent }: SignIn): Promise<SignedIn> {
      const credentials = await verify({ email, password, address }, WRONG);
      if (credentials.disabledAt !== null) throw new Refusal('access-denied', DISABLED);
      const { accountId, passwordHash } = credentials;
      const { cookie, row } = mintRow(accountId, userAgent, now());
      if (passwordHash === null || !(await store.write('addSession', { session: row, passwordHash })))
        throw new Refusal('unauthenticated', CHANGED);
      await passwords.renew(password, accountId, passwordHash);
      return signedIn(cookie, row, credentials);
    },

    /** Whose session a cookie's value is; null for one that is malformed, forged, idle, expired or ended, or of a disabled account. */
    async byCookie(value: string): Promise<SessionPrincipal | null> {
      const credential = parseCookie(value);
      if (credential === null) return null;
      const holder = await remember(credential.id, () => store.findSession(credential.id));
      if (holder === null || !isSecretOf(credential.secret, holder.secretHash)) return null;
      const at = now();
      const session = withSight(holder);
      if (!isAlive(session, at) || holder.accountDisabledAt !== null) return null;
      noteSight(session, at);
      const { id: sessionId, accountId, email } = holder;
      return { kind: 'account', accountId, email, keyId: null, sessionId, isOwner: holder.isOwner === 1 };
    },

    /** An account's live sessions, the last seen first. */
    async list(accountId: string): Promise<readonly Session[]> {
      const at = now();
      return (await store.listSessions(accountId)).map(withSight).filter((session) => isAlive(session, at));
    },
    /** Ends one of an account's sessions; another account's is not found. */
    async end(accountId: string, id: string): Promise<void> {
      if (await store.write('endSession', { accountId, id, at: now() })) return;
      throw new Refusal('not-found', 'Cannot find that session: it has ended already');
    },
    /** Ends an account's sessions, but the one of the id `but`; gives how many. */
    endAll: (accountId: string, but: string | null = null): Promise<number> =>
      store.write('endSessions', { accountId, but, at: now() }),
    /** Ends the session that asks; one that ended meanwhile is as good. */
    async signOut({ accountId, sessionId }: SessionPrincipal): Promise<void> {
      await store.write('endSession', { accountId, id: sessionId, at: now() });
    },

    /**
     * Sets a new password if `current` is right, under the same throttle as a sign-in. Ends every session of the account, uses
     * up its links, and begins a new session: the browser that asked gets its cookie anew.
     */
    async changePassword(
      { accountId, email, sessionId }: SessionPrincipal,
      current: string,
      next: string,
      address: string,
    ): Promise<SignedIn> {
      const credentials = await verify({ email, password: current, address }, WRONG_CURRENT);
      const to = await passwords.hash(next, email);
      const userAgent = (await store.findSession(sessionId))?.userAgent ?? null;
      const { cookie, row } = mintRow(accountId, userAgent, now());
      const from = credentials.passwordHash ?? '';
      if (!(await store.write('changePassword', { accountId, from, to, session: row, at: now() })))
        throw new Refusal('unauthenticated', CHANGED);
      return signedIn(cookie, row, credentials);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

const WRONG =
  'Cannot sign in: the e-mail address or the password is wrong; if it is forgotten, ask the stall for a reset link';
const WRONG_CURRENT = 'Cannot change the password: the current one is wrong; type it again';
const DISABLED = 'Cannot sign in: this account is disabled; ask the stall to enable it';
const CHANGED = 'Cannot sign in: the password was changed or the account disabled meanwhile; sign in again';

/** A session of an account, with the cookie that proves it. */
export function mintRow(
  accountId: string,
  userAgent: string | null,
  createdAt: number,
): { readonly cookie: string; readonly row: NewSession } {
  const { id, secret } = mintSession();
  const row = {
    id,
    accountId,
    userAgent: userAgent?.replace(/\p{Cc}/gu, ' ').slice(0, LONGEST_USER_AGENT) ?? null,
    createdAt,
    expiresAt: createdAt + ABSOLUTE,
    secretHash: hashSecret(secret),
  };
  return { cookie: formatCookie({ id, secret }), row };
}

/** What a page is told of a session just begun; its secret's hash stays here. */
export function signedIn(
  cookie: string,
  { secretHash: _, ...row }: NewSession,
  { accountId, email, isOwner }: Pick<Credentials, 'accountId' | 'email' | 'isOwner'>,
): SignedIn {
  return {
    cookie,
    session: { ...row, lastSeenAt: row.createdAt, endedAt: null },
    account: { id: accountId, email, isOwner: isOwner === 1 },
  };
}

/** An IPv6 prefix as a network that fail2ban and firewalls can read: its key is the first four groups. */
function formatPrefix(prefix: string): string {
  return prefix.includes(':') ? `${prefix}::/64` : prefix;
}
