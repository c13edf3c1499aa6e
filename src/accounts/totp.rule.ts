// Time-based one-time passwords, RFC 6238, with the parameters that every authenticator takes: SHA-1, six digits, 30 seconds.
import { createHmac, randomBytes } from 'node:crypto';
import { SECOND } from '../platform/base/duration.ts';
import { normalForm } from '../platform/base/text.ts';
import { BASE32, bytesOf } from './base32.rule.ts';

const STEP = 30 * SECOND;

export const mintDigits = (count: number): string =>
  Array.from(randomBytes(count), (byte) => BASE32[byte % 32]).join('');

export const mintTotpSecret = (): string => mintDigits(32);

export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** Makes ten recovery codes of 80 bits each, as `ABCD-EFGH-IJKL-MNOP`. */
export const mintRecoveryCodes = (): readonly string[] =>
  Array.from({ length: 10 }, () => mintDigits(16).replaceAll(/.{4}(?!$)/g, '$&-'));

/** Removes spaces and hyphens from a typed code: six digits of an authenticator app, or a recovery code. */
export const readSecondCode = (text: string): string =>
  normalForm(text.slice(0, 100), 'NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '');

/** Computes the code of a secret for a step, which is the number of half minutes since 1970 UTC (RFC 4226 §5.3). */
export function totpOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = hash.readUInt32BE(hash[19]! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Returns the time step whose code this is: the present one, or the one before or after; null if none of these. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const present = Math.floor(now / STEP);
  return [present, present - 1, present + 1].find((step) => totpOf(secret, step) === code) ?? null;
}

/**
 * Returns the address in the QR code for authenticator apps
 * (https://github.com/google/google-authenticator/wiki/Key-Uri-Format).
 */
export const totpUri = (secret: string, stall: string, email: string): string =>
  `otpauth://totp/${encodeURIComponent(`${stall}:${email}`)}?secret=${secret}&issuer=${encodeURIComponent(stall)}`;
