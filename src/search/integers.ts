const FEWEST = 64;

/** A growing list of integers in one typed array. */
export function createIntegers() {
  let values = new Int32Array(FEWEST);
  let length = 0;
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Int32Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (index: number): number => values[index]!,
    length: () => length,
    values: (): Int32Array => values.subarray(0, length),
  };
}

export type Integers = ReturnType<typeof createIntegers>;
