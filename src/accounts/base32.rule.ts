/** The digits of base32 (RFC 4648 §6), each of five bits. */
export const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const partsOf = (bits: string, size: number): readonly number[] =>
  Array.from({ length: Math.floor(bits.length / size) }, (_, n) =>
    parseInt(bits.slice(n * size, (n + 1) * size), 2),
  );

const bitsOf = (numbers: Iterable<number>, size: number): string =>
  Array.from(numbers, (number) => number.toString(2).padStart(size, '0')).join('');

/** Writes bytes in base32; bits at the end that fill no digit are left out. */
export const base32Of = (bytes: Uint8Array): string =>
  partsOf(bitsOf(bytes, 8), 5)
    .map((digit) => BASE32[digit])
    .join('');

/** Reads base32 that is known to be well-formed; bits at the end that fill no byte are left out. */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(
    partsOf(
      bitsOf(
        Array.from(text, (digit) => BASE32.indexOf(digit)),
        5,
      ),
      8,
    ),
  );
