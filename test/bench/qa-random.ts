/** Park and Miller's minimal standard generator, numbers from 0 to 1: the same on every machine. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
