/** The maximum difference between a signed time and our clock, in milliseconds. */
const TOLERANCE = 300_000;

/** The maximum number of signatures that are compared; providers send fewer, even while a secret is replaced. */
const MOST_SIGNATURES = 16;

export const isFresh = (seconds: string, now: number): boolean =>
  /^[1-9][0-9]{0,11}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= TOLERANCE;

/** Whether one of the signatures is the HMAC-SHA256 of the joined parts under one of the keys, compared in constant time. */
export function isSigned(
  parts: readonly (string | Uint8Array)[],
  signatures: readonly string[],
  keys: readonly (string | Uint8Array)[],
  encoding: 'hex' | 'base64' = 'hex',
): boolean {
  if (signatures.length > MOST_SIGNATURES) return false;
  const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  let isFound = false;
  for (const key of keys) {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    const expected = Buffer.from(hmac.digest(encoding));
    for (const signature of signatures) {
      const given = Buffer.from(signature);
      // Compares the encoded texts, since a decoder would accept several spellings of the same bytes.
      if (given.length === expected.length && timingSafeEqual(given, expected)) isFound = true;
    }
  }
  return isFound;
}
