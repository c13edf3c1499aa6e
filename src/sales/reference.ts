/** Crockford's digits: no I, L, O or U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The reference of an order that people read to each other, as `7KQ2M-X4TRD`: 50 bits of a hash of the provider's id. */
export function shortReference(provider: string, ref: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(`${provider} ${ref}`).digest();
  const digits = [...bytes.subarray(0, 10)].map((byte) => DIGITS[byte % 32]).join('');
  return `${digits.slice(0, 5)}-${digits.slice(5)}`;
}
