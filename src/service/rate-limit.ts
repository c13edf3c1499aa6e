/** `burst` at once, then one an interval; in milliseconds. */
export type Rate = { readonly burst: number; readonly interval: number };

export type RateLimit = ReturnType<typeof createRateLimit>;

/** How often keys are forgotten whose burst is whole again, in milliseconds. */
const SWEEP = 60_000;

/** Buckets of the generic cell rate algorithm (ITU-T I.371): for each key, the time at which its burst is whole again. */
export function createRateLimit({ burst, interval }: Rate) {
  const ends = new Map<string, number>();
  let swept = 0;
  return {
    /** How long until the next is allowed; 0 is now. */
    wait: (key: string, at: number): number =>
      Math.max(0, (ends.get(key) ?? at) - at - (burst - 1) * interval),
    take(key: string, at: number): void {
      if (at - swept >= SWEEP) for (const [other, end] of ends) if (end <= at) ends.delete(other);
      if (at - swept >= SWEEP) swept = at;
      ends.set(key, Math.max(ends.get(key) ?? at, at) + interval);
    },
    giveBack(key: string): void {
      const end = ends.get(key);
      if (end !== undefined) ends.set(key, end - interval);
    },
    size: (): number => ends.size,
  };
}
