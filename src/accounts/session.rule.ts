import { DAY, HOUR, MINUTE } from '../platform/base/duration.ts';
import { mintRandom, mintSecret } from './secret.rule.ts';
import { sql } from '../platform/store/statements.ts';
import type { Language } from '../words/words.ts';

/**
 * How long a session lasts without a request (`idle`) and in all (`longest`), in milliseconds. The sessions of the owner
 * and of editors open the office, and last less long.
 */
export const READER_SESSION = { idle: 30 * DAY, longest: 365 * DAY } as const;
export const OFFICE_SESSION = { idle: 12 * HOUR, longest: 30 * DAY } as const;

/**
 * How long a session is valid after the sign-in proxy last confirmed it, in milliseconds, on routes that do not read the
 * proxy's header.
 */
export const UNREAD = 15 * MINUTE;

/**
 * Matches 16 and 32 random bytes in base64url. The unused bits of each last digit must be zero, so that the same bytes have
 * only one spelling.
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
  /** Whether the session is the owner's or an editor's. */
  readonly isOffice: 0 | 1;
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

type SessionCredential = { readonly id: string; readonly secret: string };

export function mintSession(): SessionCredential {
  return { id: mintRandom(16), secret: mintSecret() };
}

export const formatCookie = ({ id, secret }: SessionCredential): string => `${id}.${secret}`;

export function parseCookie(value: string): SessionCredential | null {
  const [, id, secret] = COOKIE.exec(value) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

export function isAlive(session: Session, now: number): boolean {
  const { idle, longest } = session.isOffice === 1 ? OFFICE_SESSION : READER_SESSION;
  const { endedAt, createdAt, lastSeenAt, expiresAt } = session;
  return endedAt === null && now < expiresAt && now - createdAt < longest && now - lastSeenAt < idle;
}

export const ofOffice = sql`EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND (is_owner OR is_editor))`;

/** The SQL for `isAlive`, for a row of `sessions`. */
export const aliveSession = (now: number) =>
  sql`(ended_at IS NULL AND expires_at > ${now} AND iif(${ofOffice},
    created_at > ${now - OFFICE_SESSION.longest} AND last_seen_at > ${now - OFFICE_SESSION.idle},
    created_at > ${now - READER_SESSION.longest} AND last_seen_at > ${now - READER_SESSION.idle}))`;
