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

// Division, not shifts: a JavaScript shift would cut lengths to 32 bits
function powerOfBytes(length: number): number {
  let product = ONE;
  for (let n = 3; length > 0; n++, length = Math.floor(length / 2)) {
    if (length % 2 === 1) product = multiply(POWERS[n % 32] ?? 0, product);
  }
  return product;
}

/**
 * Prepares `crc32Combine` for many parts that are all followed by `lengthB` bytes,
 * which leaves one multiplication for each. Lengths are whole numbers up to 2^53 - 1.
 */
export function crc32Combiner(lengthB: number): (a: number, b: number) => number {
  const shift = powerOfBytes(lengthB);
  return (a, b) => (multiply(shift, a) ^ b) >>> 0;
}

/**
 * The CRC-32 of two parts joined, from the CRC-32 of each and the second's length in bytes
 * (a whole number up to 2^53 - 1, so right beyond 4 GiB).
 */
export function crc32Combine(a: number, b: number, lengthB: number): number {
  return crc32Combiner(lengthB)(a, b);
}
