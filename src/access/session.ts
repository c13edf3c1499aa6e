import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../duration.ts';
import type { Language } from '../words/words.ts';

/** How long a session lasts without a request, and after its sign-in at the most; in milliseconds. */
export const SESSION_IDLE = 12 * HOUR;
export const LONGEST_SESSION = 30 * DAY;

/** How long a session counts after the proxy vouched for it last, where the proxy's header is not read; in milliseconds. */
export const UNREAD = 15 * MINUTE;

/**
 * The word of a proxy that signs readers in, about one request: whether the header is read on this route, and the address
 * in it, '' for none.
 */
export type Vouched = { readonly isRead: boolean; readonly address: string };

/**
 * Matches 16 and 32 random bytes in base64url. The last digit of each has unused bits, which must be zero, so that each
 * pair has only one spelling.
 */
const COOKIE = /^([A-Za-z0-9_-]{21}[AQgw])\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

/**
 * One signed-in browser. Times are milliseconds since 1970 UTC; `endedAt` is null while nobody has ended it.
 */
export type Session = {
  readonly id: string;
  readonly accountId: string;
  readonly userAgent: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
};

/** The program that begins a session, the language of its page if the stall has several, and whether a proxy signs it in. */
export type Browser = {
  readonly userAgent: string | null;
  readonly language?: Language | null;
  readonly isByProxy?: boolean;
};

/** A browser's proof of its session: 128 bits that name it and 256 that are secret. */
type SessionCredential = { readonly id: string; readonly secret: string };

/** Makes a new session's id and secret; only the cookie keeps the secret. */
export function mintSession(): SessionCredential {
  return { id: randomBytes(16).toString('base64url'), secret: mintSecret() };
}

/** Makes 256 random bits in base64url, 43 characters: the secret of a session or of a one-time link. */
export const mintSecret = (): string => randomBytes(32).toString('base64url');

/** Formats the value of the session cookie, `<id>.<secret>`. */
export const formatCookie = ({ id, secret }: SessionCredential): string => `${id}.${secret}`;

/** Parses the value of a session cookie; null if it is not spelt exactly as `formatCookie` does. */
export function parseCookie(value: string): SessionCredential | null {
  const [, id, secret] = COOKIE.exec(value) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** Hashes a secret for storage: SHA-256, 32 bytes. A slow hash would add nothing to 256 random bits. */
export const hashSecret = (secret: string): Uint8Array => createHash('sha256').update(secret).digest();

/** Whether a secret has this hash. Takes the same time wherever the two hashes differ. */
export const isSecretOf = (secret: string, hash: Uint8Array): boolean =>
  timingSafeEqual(hashSecret(secret), hash);

/** Whether a session is in force: not ended, not idle for 12 hours, not 30 days old. */
export const isAlive = (session: Session, now: number): boolean =>
  session.endedAt === null && now < session.expiresAt && now - session.lastSeenAt < SESSION_IDLE;
