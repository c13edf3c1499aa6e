import { comparableEmail, isMailable } from '../platform/base/email-address.ts';
import type { SessionPrincipal, Vouched } from '../platform/base/principal.ts';
import {
  type Browser,
  formatCookie,
  isAlive,
  mintSession,
  parseCookie,
  type Session,
  UNREAD,
  READER_SESSION,
} from './session.rule.ts';
import { hashSecret, isSecretOf } from './secret.rule.ts';
import { createKept, createOnce } from '../platform/base/cache.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { USE_INTERVAL } from './key.rule.ts';
import type { PasswordAttempt } from './password.ts';
import type { Records, Stall } from './stall.ts';

const REMEMBERED = 10_000;
const LONGEST_USER_AGENT = 200;

type SignIn = PasswordAttempt & Browser;

/** Creates the object that checks session cookies. It remembers in this process when each session was last used. */
export function createSessions({ store, now }: Records) {
  const uses = createKept<number>(REMEMBERED);
  const vouchedAt = createKept<number>(REMEMBERED);
  const cookies = createKept<string>(REMEMBERED);
  const beginning = createOnce<string>();

  const recordUse = (session: Session, at: number): void => {
    if (at - session.lastSeenAt < USE_INTERVAL) return;
    uses.set(session.id, at);
    // A failed write is ignored: a full disk must not sign anybody out.
    store.write.recordSessionUse({ id: session.id, at }).catch(() => {});
  };
  /** Returns a session with its last use as this process knows it, even if that is not stored yet. */
  const withLastUse = <Seen extends Session>(session: Seen): Seen => ({
    ...session,
    lastSeenAt: Math.max(session.lastSeenAt, uses.get(session.id) ?? 0),
  });

  const isVouched = (session: Session & { readonly email: string }, by: Vouched, at: number): boolean =>
    by.isRead
      ? comparableEmail(by.address) === comparableEmail(session.email)
      : at - Math.max(session.lastSeenAt, vouchedAt.get(session.id) ?? 0) < UNREAD;

  /**
   * Finds the account of a cookie's session. Null if the cookie is malformed or forged, if the session is idle, expired or
   * ended, or not confirmed by the proxy that signs readers in, and if the account is disabled.
   */
  const byCookie = (value: string, vouched: Vouched | null = null): SessionPrincipal | null => {
    const credential = parseCookie(value);
    if (credential === null) return null;
    const holder = store.findSession(credential.id);
    if (holder === null || !isSecretOf(credential.secret, holder.secretHash)) return null;
    const at = now();
    const session = withLastUse(holder);
    if (!isAlive(session, at) || holder.accountDisabledAt !== null) return null;
    if ((vouched !== null) !== (holder.isByProxy === 1)) return null;
    if (vouched !== null && !isVouched(session, vouched, at)) return null;
    if (vouched?.isRead === true) vouchedAt.set(session.id, at);
    // Where the proxy's header is not read, the proxy may have ended the session, so no use is recorded.
    if (vouched?.isRead !== false) recordUse(session, at);
    const { id: sessionId, accountId, email, language } = holder;
    const isOwner = holder.isOwner === 1;
    const editor = holder.isEditor === 1 ? { isEditor: true } : {};
    const chosen = language === null ? {} : { language };
    return { kind: 'account', accountId, email, keyId: null, sessionId, isOwner, ...editor, ...chosen };
  };

  return {
    byCookie,

    byProxy: (name: string, address: string, begin: () => Promise<string>): Promise<string> =>
      beginning.run(name, async () => {
        const known = cookies.get(name);
        if (known !== undefined && byCookie(known, { isRead: true, address }) !== null) return known;
        return cookies.set(name, await begin());
      }),

    list(accountId: string): readonly Session[] {
      const at = now();
      return store
        .listSessions(accountId)
        .map(withLastUse)
        .filter((session) => isAlive(session, at));
    },
  };
}

/**
 * Signs in with a password, and returns the cookie of the new session. Refuses unauthenticated, access-denied (a disabled
 * account), and rate-limited, with the time to wait.
 */
export async function beginSession(
  { store, passwords, now }: Stall,
  { email, password, address, ...browser }: SignIn,
): Promise<string> {
  const credentials = await passwords.authenticate(
    { email, password, address },
    (r) => r.account.wrongSignIn,
  );
  if (credentials.disabledAt !== null) throw new ToldRefusal('access-denied', (r) => r.account.disabled);
  const { accountId, passwordHash } = credentials;
  const { cookie, row } = mintRow(accountId, browser, now());
  if (passwordHash === null || !(await store.write.addSession({ session: row, passwordHash })))
    throw new ToldRefusal('unauthenticated', (r) => r.account.passwordChanged);
  await passwords.renew(password, accountId, passwordHash);
  return cookie;
}

/**
 * Signs in the address that a proxy confirms: begins a session, or returns the cookie of the one that this browser has. If
 * the stall allows it, makes a verified account for an unknown address, never the owner's. Refuses access-denied.
 */
export async function beginProxySession(
  stall: Stall,
  address: string,
  { client, ...browser }: Browser & { readonly client: string },
) {
  const { store, sessions, config, now } = stall;
  const [find, at] = [() => store.findAccountByAddress(address), now()];
  const added = { id: crypto.randomUUID(), email: address, isOwner: false, createdAt: at, disabledAt: null };
  // If two requests come at once, the second finds the account that the first made.
  if (find() === null && config.proxySignIn?.signUp === true && isMailable(address))
    await store.write.addAccount({ ...added, verifiedAt: at });
  const id = find()?.id;
  if (id === undefined) throw new ToldRefusal('access-denied', (r) => r.account.proxyUnknown({ address }));
  const name = `${id} ${client} ${browser.userAgent?.slice(0, LONGEST_USER_AGENT)}`;
  const begin = async (): Promise<string> => {
    const { cookie, row } = mintRow(id, { ...browser, isByProxy: true }, at);
    if (await store.write.addProxySession(row)) return cookie;
    throw new ToldRefusal('access-denied', (r) => r.account.disabled);
  };
  // With two-factor sign-in, each browser gets its own new session, which only the browser that sends the code can use.
  return store.findSecondStep(id) === null ? sessions.byProxy(name, address, begin) : begin();
}

/** Ends one of an account's sessions. Refuses not-found for another account's session, too. */
export async function endSession({ store, now }: Records, accountId: string, id: string): Promise<void> {
  if (await store.write.endSession({ accountId, id, at: now() })) return;
  throw new ToldRefusal('not-found', (r) => r.account.noSession);
}

export async function endThisSession(
  { store, now }: Records,
  { accountId, sessionId: id }: SessionPrincipal,
): Promise<void> {
  await store.write.endSession({ accountId, id, at: now() });
}

export const endSessions = ({ store, now }: Records, accountId: string, but: string | null = null) =>
  store.write.endSessions({ accountId, but, at: now() });

export function mintRow(accountId: string, browser: Browser, createdAt: number) {
  const { userAgent, language = null, isByProxy = false } = browser;
  const { id, secret } = mintSession();
  const row = {
    id,
    accountId,
    userAgent: userAgent?.replace(/\p{Cc}/gu, ' ').slice(0, LONGEST_USER_AGENT) ?? null,
    language,
    isByProxy,
    createdAt,
    expiresAt: createdAt + READER_SESSION.longest,
    secretHash: hashSecret(secret),
  };
  return { cookie: formatCookie({ id, secret }), row };
}

export function mintMember({ now }: Records, { email, ...browser }: Browser & { readonly email: string }) {
  const account = { id: crypto.randomUUID(), email };
  const { cookie, row: session } = mintRow(account.id, browser, now());
  return { account, session, cookie };
}
