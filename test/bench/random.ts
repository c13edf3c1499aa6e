// Made-up input that is the same at every run.

/** A small generator with a seed (mulberry32), so that two runs measure the same bytes. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random address of 2000::/3, the part of IPv6 that is given out; not the same at every run. */
export function randomIpv6(): string {
  const groups = crypto.getRandomValues(new Uint16Array(8));
  groups[0] = 0x2000 | ((groups[0] ?? 0) & 0x1fff);
  return Array.from(groups, (group) => group.toString(16)).join(':');
}
