/** Names slots 1..capacity by key; 0 is no slot. Every operation is O(1); the table never grows. */
export type SlotTable = {
  /** The slot of `key`, or 0. */
  readonly find: (key: string) => number;
  /** The slot to assign next: an unused one, else the least recently used. */
  readonly next: () => number;
  /** Takes `slot`, which `next` returned, from its holder and gives it to `key`. */
  readonly assign: (slot: number, key: string) => void;
  /** Makes `slot` the most recently used. */
  readonly touch: (slot: number) => void;
};

/**
 * Creates a table of `capacity` slots, about 24 bytes each: hash chains for look-up, a ring ordered by last use.
 * Keys are kept as 64-bit fingerprints under a random seed, so that nobody can choose keys that collide.
 */
export function createSlotTable(capacity: number): SlotTable {
  const fingerprint = createFingerprint();
  const lows = new Uint32Array(capacity + 1);
  const highs = new Uint32Array(capacity + 1);
  const heads = new Uint32Array(2 ** Math.ceil(Math.log2(capacity)));
  const chained = new Uint32Array(capacity + 1);
  // Entry 0 closes the ring: newer[0] is the least recently used slot, older[0] the most recently used one.
  const newer = new Uint32Array(capacity + 1);
  const older = new Uint32Array(capacity + 1);
  const mask = heads.length - 1;
  let used = 0;

  const find = (key: string): number => {
    const [low, high] = fingerprint(key);
    let slot = heads[low & mask]!;
    while (slot !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = chained[slot]!;
    return slot;
  };

  const unchain = (slot: number): void => {
    const bucket = lows[slot]! & mask;
    if (heads[bucket] === slot) {
      heads[bucket] = chained[slot]!;
      return;
    }
    let before = heads[bucket]!;
    while (chained[before] !== slot) before = chained[before]!;
    chained[before] = chained[slot]!;
  };

  const chain = (slot: number, key: string): void => {
    const [low, high] = fingerprint(key);
    lows[slot] = low;
    highs[slot] = high;
    chained[slot] = heads[low & mask]!;
    heads[low & mask] = slot;
  };

  const append = (slot: number): void => {
    const newest = older[0]!;
    older[slot] = newest;
    newer[newest] = slot;
    newer[slot] = 0;
    older[0] = slot;
  };

  const touch = (slot: number): void => {
    newer[older[slot]!] = newer[slot]!;
    older[newer[slot]!] = older[slot]!;
    append(slot);
  };

  const assign = (slot: number, key: string): void => {
    const isFirstUse = slot > used;
    if (!isFirstUse) unchain(slot);
    chain(slot, key);
    if (!isFirstUse) return touch(slot);
    used = slot;
    append(slot);
  };

  return { find, next: () => (used < capacity ? used + 1 : newer[0]!), assign, touch };
}

function createFingerprint(): (key: string) => readonly [low: number, high: number] {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const hash = new BigUint64Array(1);
  const halves = new Uint32Array(hash.buffer);
  return (key) => {
    hash[0] = Bun.hash.wyhash(key, seed);
    return [halves[0]!, halves[1]!];
  };
}
