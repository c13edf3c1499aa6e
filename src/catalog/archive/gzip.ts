// Makes a gzip member (RFC 1952) by putting a new first part before data that was compressed earlier.
import { loadZlib } from '../../platform/base/runtime.ts';

// ID1 ID2, CM deflate, no flags, MTIME 0 (none), XFL 0, OS 255 (unknown): no trace of machine or time
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** The bytes behind the compressed data: the CRC-32 and the size, ISIZE. */
export const TRAILER = 8;

export const headSize = (firstSize: number): number => HEADER.length + storedSize(firstSize);

/**
 * Prepares a compressed body for being sent after many different first parts. The body is chunks that end in
 * END_OF_DEFLATE; `crc32` and `size` are those of its content. The functions returned write a gzip member (RFC 1952)
 * around a body that may already be in place: before it the header and a first part, behind it the trailer.
 */
export function createSplice(body: { readonly crc32: number; readonly size: number }) {
  const combine = crc32Combiner(body.size);
  return (member: Uint8Array) => {
    const trailer = new DataView(member.buffer, member.byteOffset + member.length - TRAILER);
    return (first: Uint8Array): void => {
      // The header is written each time, since a longer first part for the same body may have overwritten it. The loop
      // is ten times as fast as `set`.
      for (let at = 0; at < HEADER.length; at++) member[at] = HEADER[at]!;
      writeStored(first, member, HEADER.length);
      trailer.setUint32(0, combine(Bun.hash.crc32(first), body.crc32), true);
      // setUint32 keeps the size modulo 2^32, as ISIZE wants it
      trailer.setUint32(4, first.length + body.size, true);
    };
  };
}

// Raw deflate, RFC 1951. A chunk ends with a sync flush (§3.2.4, an empty stored block), so that it is byte-aligned and
// not final: any sequence of chunks followed by END_OF_DEFLATE is one deflate stream.

const STORED_MAX = 65_535;
const STORED_HEADER = 5;

export const END_OF_DEFLATE: Uint8Array<ArrayBuffer> = Uint8Array.of(0x03, 0x00);

const storedSize = (size: number): number => size + STORED_HEADER * Math.ceil(size / STORED_MAX);

/**
 * Writes bytes uncompressed, as stored blocks (RFC 1951 §3.2.4) of at most 65,535 bytes, none of them the final one. The
 * result is empty for no bytes.
 */
export function storedBlock(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(storedSize(bytes.length));
  writeStored(bytes, blocks, 0);
  return blocks;
}

function writeStored(bytes: Uint8Array, into: Uint8Array, start: number): void {
  for (let from = 0, at = start; from < bytes.length; from += STORED_MAX) {
    const part = bytes.length <= STORED_MAX ? bytes : bytes.subarray(from, from + STORED_MAX);
    const { length } = part;
    into[at++] = 0;
    for (const half of [length, ~length]) {
      into[at++] = half & 0xff;
      into[at++] = (half >> 8) & 0xff;
    }
    into.set(part, at);
    at += length;
  }
}

/**
 * Compresses bytes at level 6 to a chunk that refers to no earlier bytes, is not final and ends at a byte border; empty
 * for no bytes. If they do not shrink, they are stored, so that a chunk grows by at most 5 bytes for each 65,535.
 */
export function deflateChunk(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length === 0) return new Uint8Array(0);
  const { constants, deflateRawSync } = loadZlib();
  const deflated = deflateRawSync(bytes, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
  return deflated.length < storedSize(bytes.length) ? deflated : storedBlock(bytes);
}

// CRC-32 of RFC 1952 §8, as a polynomial over GF(2) with its bits reflected: bit 31 is x^0, bit 0 is x^31.
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X = 0x40000000;

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b;
    b = b & 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1;
  }
  return product >>> 0;
}

// x^(2^n); the table wraps after 32 because the polynomial is primitive: x^(2^32) = x
const POWERS = new Uint32Array(32);
for (let n = 0, power = X; n < 32; n++) {
  POWERS[n] = power;
  power = multiply(power, power);
}

// Divide instead of shifting: a shift in JavaScript would cut the length to 32 bits.
function powerOfBytes(length: number): number {
  let product = ONE;
  for (let n = 3; length > 0; n++, length = Math.floor(length / 2)) {
    if (length % 2 === 1) product = multiply(POWERS[n % 32] ?? 0, product);
  }
  return product;
}

/**
 * Prepares `crc32Combine` for many first parts before the same `lengthB` bytes, so that each then needs only one
 * multiplication. Lengths are whole numbers up to 2^53 - 1.
 */
export function crc32Combiner(lengthB: number): (a: number, b: number) => number {
  const shift = powerOfBytes(lengthB);
  return (a, b) => (multiply(shift, a) ^ b) >>> 0;
}

/**
 * Computes the CRC-32 of two parts joined, from the CRC-32 of each and the length of the second in bytes. The length may
 * exceed 4 GiB: it is a whole number up to 2^53 - 1.
 */
export const crc32Combine = (a: number, b: number, lengthB: number): number => crc32Combiner(lengthB)(a, b);
