// Unsigned integers in groups of seven bits, the lowest first, as in LEB128.
const MORE = 128;
const MOST_BYTES = 5;

/** A growing sequence of varints. */
export function createVarints() {
  let bytes = new Uint8Array(64);
  let length = 0;
  return {
    push(value: number): void {
      if (length + MOST_BYTES > bytes.length) {
        const larger = new Uint8Array(2 * bytes.length);
        larger.set(bytes);
        bytes = larger;
      }
      let left = value;
      for (; left >= MORE; left >>>= 7) bytes[length++] = (left & 127) | MORE;
      bytes[length++] = left;
    },
    bytes: (): Uint8Array => bytes.subarray(0, length),
    clear(): void {
      length = 0;
    },
  };
}

/** The integers that `createVarints` wrote. */
export function readVarints(bytes: Uint8Array): Uint32Array {
  const values = new Uint32Array(bytes.length);
  let count = 0;
  let value = 0;
  let shift = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    value |= (byte & 127) << shift;
    if (byte < MORE) {
      values[count++] = value;
      value = shift = 0;
    } else shift += 7;
  }
  return values.subarray(0, count);
}
