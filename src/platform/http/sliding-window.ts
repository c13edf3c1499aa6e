import { Refusal } from '../base/refusal.ts';

export type Budget = { readonly limit: number; readonly seconds: number };

/**
 * The answer to one request. `remaining` is how many more requests are allowed at this time. After `resetSeconds` (whole, at
 * least 1), the oldest counted request stops counting; for a refused request, this is the `Retry-After`.
 */
export type Verdict = {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/**
 * Counts one request of `key`, and returns whether it is allowed. When there are too many keys to count each, new keys with the
 * same `coarseKey` (by default the key itself) are counted together.
 */
export type SlidingWindow = { readonly take: (key: string, coarseKey?: string) => Verdict };

type Tiers = { readonly own: Tier; readonly coarse: Tier };
type Tier = { readonly slots: SlotTable; readonly counters: Counters };

/** The counters in the slot of one key: twelve for the finished parts of the period, and one for the running part. */
export const countersPerSlot = 13;

const subWindows = countersPerSlot - 1;
const firstTick = countersPerSlot;
const sharedSlot = 1;
const budgetForm = /^([1-9]\d{0,9})\/([1-9]\d{0,4})$/;

/** Parses a request limit: `N/SECONDS` (N from 1 to 1,000,000,000, SECONDS from 1 to 86,400), or `off`, which gives null. */
export function parseBudget(text: string): Budget | null {
  if (text === 'off') return null;
  const [, limit, seconds] = (budgetForm.exec(text) ?? []).map(Number);
  if (limit !== undefined && seconds !== undefined && limit <= 1_000_000_000 && seconds <= 86_400) {
    return { limit, seconds };
  }
  const form = 'write N/SECONDS with N from 1 to 1,000,000,000 and SECONDS from 1 to 86,400, or off';
  throw Refusal.invalid(`Cannot parse the budget "${text}": ${form}`);
}

export const MOST_COUNTED = 131_072;

/**
 * Creates a request limiter with bounded memory, 40 MB at most. It never allows more than `limit` requests of a key in any
 * period of `seconds`; a request may count up to 1/12 of the period too long. `now` is a monotonic clock in ms.
 *
 * Only slots whose counts have expired are reused. If there is none, new keys with the same coarse key share one slot; if those
 * run out too, all others share one. Both tables are made at the first request: made earlier, they would make the garbage
 * collector go through everything just loaded, for 5 ms.
 */
export function createSlidingWindow({
  limit,
  seconds,
  now,
  capacity = MOST_COUNTED,
  overflowCapacity = 65_536,
}: Budget & {
  readonly now: () => number;
  readonly capacity?: number;
  readonly overflowCapacity?: number;
}): SlidingWindow {
  let tiers: Tiers | null = null;
  const shared = createCounters(sharedSlot);
  const span = seconds * 1000;
  const started = now();
  let elapsed = 0;

  const charge = (counters: Counters, slot: number, tick: number): Verdict => {
    const total = counters.total(slot, tick);
    const admitted = total < limit;
    if (admitted) counters.add(slot, tick);
    const freeTick = counters.oldest(slot, tick) + countersPerSlot;
    const freeAt = ((freeTick - firstTick) * span) / subWindows;
    const resetSeconds = Math.max(1, Math.ceil((freeAt - elapsed) / 1000));
    return { admitted, remaining: admitted ? limit - total - 1 : 0, resetSeconds };
  };

  const chargeSlot = ({ slots, counters }: Tier, key: string, slot: number, tick: number): Verdict => {
    const verdict = charge(counters, slot, tick);
    if (verdict.admitted) slots.use(key, slot);
    return verdict;
  };

  const takeNew = ({ own, coarse }: Tiers, key: string, coarseKey: string, tick: number): Verdict => {
    const found = coarse.slots.find(coarseKey);
    const [parent, parentSlot] = found === 0 ? [shared, sharedSlot] : [coarse.counters, found];
    if (parent.total(parentSlot, tick) >= limit) return charge(parent, parentSlot, tick);
    // A new slot begins with the counts of the shared slot that its key may have used before. Otherwise the key would
    // get its limit twice.
    const slot = claim(own, key, tick, parent, parentSlot);
    if (slot !== 0) return chargeSlot(own, key, slot, tick);
    const coarseSlot = found || claim(coarse, coarseKey, tick, shared, sharedSlot);
    return coarseSlot === 0
      ? charge(shared, sharedSlot, tick)
      : chargeSlot(coarse, coarseKey, coarseSlot, tick);
  };

  const take = (key: string, coarseKey = key): Verdict => {
    elapsed = Math.max(elapsed, now() - started);
    const tick = firstTick + Math.floor((elapsed * subWindows) / span);
    tiers ??= { own: createTier(capacity), coarse: createTier(overflowCapacity) };
    const slot = tiers.own.slots.find(key);
    return slot === 0 ? takeNew(tiers, key, coarseKey, tick) : chargeSlot(tiers.own, key, slot, tick);
  };
  return { take };
}

function createTier(capacity: number): Tier {
  return { slots: createSlotTable(capacity), counters: createCounters(capacity) };
}

function claim({ slots, counters }: Tier, key: string, tick: number, parent: Counters, parentSlot: number) {
  const slot = slots.next();
  if (counters.total(slot, tick) > 0) return 0;
  slots.use(key, slot);
  counters.copy(slot, tick, parent, parentSlot);
  return slot;
}

/**
 * Counts requests by slot and tick. A tick is the number of one part of the period; ticks count up from `countersPerSlot`. Call
 * `total` for the present tick before any other function.
 */
type Counters = {
  /** Returns the number of requests in `tick` and the twelve ticks before it. */
  readonly total: (slot: number, tick: number) => number;
  readonly add: (slot: number, tick: number) => void;
  /** Returns the earliest of these thirteen ticks that has a request, else `tick`. */
  readonly oldest: (slot: number, tick: number) => number;
  readonly copy: (slot: number, tick: number, from: Counters, fromSlot: number) => void;
  readonly at: (slot: number, tick: number) => number;
};

/** Creates the counters of the slots 1 to `capacity`, all zero, in fixed memory: 64 bytes for each slot. */
export function createCounters(capacity: number): Counters {
  const counts = new Uint32Array((capacity + 1) * countersPerSlot);
  const totals = new Uint32Array(capacity + 1);
  // Not 32-bit integers: with a period of one second there are 12 ticks a second, and 2^32 / 12 s are only eleven years.
  const ticks = new Float64Array(capacity + 1);
  const cell = (slot: number, tick: number): number => slot * countersPerSlot + (tick % countersPerSlot);

  const clear = (slot: number, tick: number): void => {
    totals[slot] = totals[slot]! - counts[cell(slot, tick)]!;
    counts[cell(slot, tick)] = 0;
  };

  const total = (slot: number, tick: number): number => {
    const first = Math.max(ticks[slot]! + 1, tick - countersPerSlot + 1);
    for (let entered = first; entered <= tick; entered++) clear(slot, entered);
    ticks[slot] = tick;
    return totals[slot]!;
  };

  const add = (slot: number, tick: number): void => {
    const index = cell(slot, tick);
    counts[index] = counts[index]! + 1;
    totals[slot] = totals[slot]! + 1;
  };

  const at = (slot: number, tick: number): number => counts[cell(slot, tick)]!;

  const oldest = (slot: number, tick: number): number => {
    let earliest = tick - countersPerSlot + 1;
    while (earliest < tick && at(slot, earliest) === 0) earliest++;
    return earliest;
  };

  const copy = (slot: number, tick: number, from: Counters, fromSlot: number): void => {
    for (let past = tick - countersPerSlot + 1; past <= tick; past++) {
      counts[cell(slot, past)] = from.at(fromSlot, past);
    }
    totals[slot] = from.total(fromSlot, tick);
    ticks[slot] = tick;
  };

  return { total, add, oldest, copy, at };
}

/**
 * Creates a table that assigns keys to the slots 1 to `capacity`; 0 means no slot. The Map's order is the order of last use.
 *
 * Keys are kept as fingerprints of 53 bits under a random seed: they take little memory, and nobody can choose keys that
 * collide.
 */
function createSlotTable(capacity: number) {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const slots = new Map<number, number>();
  const nameOf = (key: string): number => Number(Bun.hash.wyhash(key, seed) >> 11n);
  return {
    find: (key: string): number => slots.get(nameOf(key)) ?? 0,
    /** Returns the slot to assign next: an unused one, else the least recently used one. */
    next: (): number => (slots.size < capacity ? slots.size + 1 : slots.values().next().value!),
    /** Makes the key the most recently used one. `slot` is the key's own slot, or the `next` one. */
    use(key: string, slot: number): void {
      const name = nameOf(key);
      const isFull = slots.size === capacity && !slots.has(name);
      slots.delete(isFull ? slots.keys().next().value! : name);
      slots.set(name, slot);
    },
  };
}

type SlotTable = ReturnType<typeof createSlotTable>;
