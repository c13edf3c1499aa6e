// The limits of keys, and the rule by which an API key, an install token or a publish key has ended, in TypeScript and in SQL.
import { sql } from '../platform/store/statements.ts';

export type KeyKind = 'key' | 'token';

/** The maximum number of live keys and of live tokens of an account. */
export const MOST_LIVE: Readonly<Record<KeyKind, number>> = { key: 100, token: 50 };

/** How many days a key and an install token last by default. */
export const KEY_DAYS = 90;
export const TOKEN_DAYS = 365;

export const LONGEST_KEY_NAME = 80;

/** The minimum time between two stored uses of a key, a session or an assistant's token, in milliseconds. */
export const USE_INTERVAL = 60_000;

type KeyTimes = { readonly revokedAt: number | null; readonly expiresAt: number | null };

export function keyEnd({ revokedAt, expiresAt }: KeyTimes, now: number): 'revoked' | 'expired' | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt === null || now < expiresAt ? null : 'expired';
}

export const isUsable = (key: KeyTimes, now: number): boolean => keyEnd(key, now) === null;

export const liveKey = (now: number) =>
  sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}))`;
