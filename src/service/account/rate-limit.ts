/** `burst` at once, then one an interval; in milliseconds. */
export type Rate = { readonly burst: number; readonly interval: number };

/** Buckets of the generic cell rate algorithm (ITU-T I.371): for each key, the time at which its burst is whole again. */
export function createRateLimit({ burst, interval }: Rate) {
  const ends = new Map<string, number>();
  return {
    /** How long until the next is allowed; 0 is now. */
    wait: (key: string, at: number): number =>
      Math.max(0, (ends.get(key) ?? at) - at - (burst - 1) * interval),
    take: (key: string, at: number): void => void ends.set(key, Math.max(ends.get(key) ?? at, at) + interval),
    giveBack: (key: string): void => {
      const end = ends.get(key);
      if (end !== undefined) ends.set(key, end - interval);
    },
    sweep: (at: number): void => {
      for (const [key, end] of ends) if (end <= at) ends.delete(key);
    },
    size: (): number => ends.size,
  };
}
