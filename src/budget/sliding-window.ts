import { Refusal } from '../refusal.ts';
import { type Counters, countersPerSlot, createCounters } from './counters.ts';
import { createSlotTable, type SlotTable } from './slot-table.ts';

/** At most `limit` requests in any window of `seconds`. */
export type Budget = { readonly limit: number; readonly seconds: number };

/**
 * The outcome of one request: `remaining` requests are left after it, and the oldest one still counted stops counting in
 * `resetSeconds` (whole, >= 1), which is also the `Retry-After` of a request that was not admitted.
 */
export type Verdict = {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/** Counts one request of `key`; `coarseKey` (default: the key) names the bucket it shares when the table is full. */
export type SlidingWindow = { readonly take: (key: string, coarseKey?: string) => Verdict };

type Tiers = { readonly own: Tier; readonly coarse: Tier };
type Tier = { readonly slots: SlotTable; readonly counters: Counters };

const subWindows = countersPerSlot - 1;
const firstTick = countersPerSlot;
const sharedSlot = 1;
const budgetForm = /^([1-9]\d{0,9})\/([1-9]\d{0,4})$/;

/** Reads `N/SECONDS` (N 1 to 1,000,000,000, SECONDS 1 to 86,400), or `off` as null; refuses anything else. */
export function parseBudget(text: string): Budget | null {
  if (text === 'off') return null;
  const [, limit, seconds] = (budgetForm.exec(text) ?? []).map(Number);
  if (limit !== undefined && seconds !== undefined && limit <= 1_000_000_000 && seconds <= 86_400) {
    return { limit, seconds };
  }
  const form = 'write N/SECONDS with N from 1 to 1,000,000,000 and SECONDS from 1 to 86,400, or off';
  throw new Refusal('invalid-request', `Cannot parse the budget "${text}": ${form}`);
}

/**
 * Creates a sliding window in fixed memory (18 MB at most, touched as it fills): never more than `limit` of a key are
 * admitted in any window of `seconds`, and a request stops counting at most 1/12 of that late. `now` is a monotonic
 * clock in ms. Only expired slots are reused; when none is left, new keys share a bucket per coarse key, and when
 * that table is full too, one bucket. Both tables are made at the first request: at start they would make the
 * garbage collector traverse everything just loaded, for 5 ms.
 */
export function createSlidingWindow({
  limit,
  seconds,
  now,
  capacity = 131_072,
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

  const chargeSlot = ({ slots, counters }: Tier, slot: number, tick: number): Verdict => {
    const verdict = charge(counters, slot, tick);
    if (verdict.admitted) slots.touch(slot);
    return verdict;
  };

  const takeNew = ({ own, coarse }: Tiers, key: string, coarseKey: string, tick: number): Verdict => {
    const found = coarse.slots.find(coarseKey);
    const [parent, parentSlot] = found === 0 ? [shared, sharedSlot] : [coarse.counters, found];
    if (parent.total(parentSlot, tick) >= limit) return charge(parent, parentSlot, tick);
    // A new slot inherits the counts of the bucket its key may have used so far; otherwise the key would have two budgets.
    const slot = claim(own, key, tick, parent, parentSlot);
    if (slot !== 0) return chargeSlot(own, slot, tick);
    const coarseSlot = found || claim(coarse, coarseKey, tick, shared, sharedSlot);
    return coarseSlot === 0 ? charge(shared, sharedSlot, tick) : chargeSlot(coarse, coarseSlot, tick);
  };

  const take = (key: string, coarseKey = key): Verdict => {
    elapsed = Math.max(elapsed, now() - started);
    const tick = firstTick + Math.floor((elapsed * subWindows) / span);
    tiers ??= { own: createTier(capacity), coarse: createTier(overflowCapacity) };
    const slot = tiers.own.slots.find(key);
    return slot === 0 ? takeNew(tiers, key, coarseKey, tick) : chargeSlot(tiers.own, slot, tick);
  };
  return { take };
}

function createTier(capacity: number): Tier {
  return { slots: createSlotTable(capacity), counters: createCounters(capacity) };
}

function claim(
  { slots, counters }: Tier,
  key: string,
  tick: number,
  parent: Counters,
  parentSlot: number,
): number {
  const slot = slots.next();
  if (counters.total(slot, tick) > 0) return 0;
  slots.assign(slot, key);
  counters.copy(slot, tick, parent, parentSlot);
  return slot;
}
