import { DAY, HOUR, MINUTE } from '../platform/base/duration.ts';
import { mintRandom, mintSecret } from './secret.rule.ts';
import { sql } from '../platform/store/statements.ts';
import type { Language } from '../words/words.ts';

/**
 * How long a session lasts without a request, in milliseconds. It ends after `LONGEST_SESSION` all the same, or when
 * `MOST_SESSIONS` newer ones are open.
 */
export const SESSION_IDLE = 12 * HOUR;

/** The maximum time of a session after the sign-in, in milliseconds. */
export const LONGEST_SESSION = 30 * DAY;

/**
 * How long a session stays valid after the sign-in proxy last confirmed it, on routes that do not read the proxy's header; in
 * milliseconds.
 */
export const UNREAD = 15 * MINUTE;

/**
 * Matches 16 and 32 random bytes in base64url. The last digit of each has unused bits, which must be zero, so that the
 * same bytes have only one spelling.
 */
const COOKIE = /^([A-Za-z0-9_-]{21}[AQgw])\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

export type Session = {
  readonly id: string;
  readonly accountId: string;
  readonly userAgent: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
};

/**
 * The browser that signs in: its user agent, the language of its page if the stall has several, and whether a proxy
 * signs it in.
 */
export type Browser = {
  readonly userAgent: string | null;
  readonly language?: Language | null;
  readonly isByProxy?: boolean;
};

/** The proof of a session in a browser's cookie: an id of 128 bits, and a secret of 256 bits. */
type SessionCredential = { readonly id: string; readonly secret: string };

/** Makes the id and the secret of a new session. The secret is kept only in the cookie. */
export function mintSession(): SessionCredential {
  return { id: mintRandom(16), secret: mintSecret() };
}

export const formatCookie = ({ id, secret }: SessionCredential): string => `${id}.${secret}`;

export function parseCookie(value: string): SessionCredential | null {
  const [, id, secret] = COOKIE.exec(value) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

export const isAlive = (session: Session, now: number): boolean =>
  session.endedAt === null && now < session.expiresAt && now - session.lastSeenAt < SESSION_IDLE;

/** The same in SQL. */
export const aliveSession = (now: number) =>
  sql`(ended_at IS NULL AND expires_at > ${now} AND last_seen_at > ${now - SESSION_IDLE})`;
