// Adler-32 of RFC 1950 §9, in pieces: the runtime's own takes no start value.
const BASE = 65_521;

/** The checksum of no bytes. */
export const ADLER32_EMPTY = 1;

/** The checksum of A followed by B, of both checksums and B's length in bytes. */
export function adler32Combine(a: number, b: number, lengthB: number): number {
  const length = lengthB % BASE;
  const [lowA, highA] = [a & 0xffff, a >>> 16];
  const [lowB, highB] = [b & 0xffff, b >>> 16];
  const low = (lowA + lowB + BASE - 1) % BASE;
  const high = (highA + highB + length * lowA + BASE - length) % BASE;
  return ((high << 16) | low) >>> 0;
}
