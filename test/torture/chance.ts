// Repeatable randomness: everything random in a torture run comes from its seed.

export type Chance = {
  readonly below: (limit: number) => number;
  readonly between: (least: number, most: number) => number;
  readonly odds: (share: number) => boolean;
  readonly among: <T>(choices: readonly T[]) => T;
  readonly fork: (name: string) => Chance;
};

/** Random choices from a seed (mulberry32). `fork` gives an independent stream, so that timing in one place does not affect another. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (least: number, most: number): number => least + next() * (most - least),
    odds: (share: number): boolean => next() < share,
    among: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    fork: (name: string): Chance => createChance(Bun.hash.crc32(`${seed} ${name}`)),
  };
}
