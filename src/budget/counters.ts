/** Counters of a slot: twelve whole sub-windows and the running one. */
export const countersPerSlot = 13;

/** Counts by slot and tick (the running number of a sub-window); ticks only grow and begin at `countersPerSlot`. */
export type Counters = {
  /** Sum of the last thirteen ticks up to `tick`. */
  readonly total: (slot: number, tick: number) => number;
  /** Counts one at `tick`; call `total` for that tick first. */
  readonly add: (slot: number, tick: number) => void;
  /** The earliest of the last thirteen ticks with a count, after `total` was called for `tick`. */
  readonly oldest: (slot: number, tick: number) => number;
  /** Replaces the counts of `slot` by those of another bank's slot, after its `total` was called for `tick`. */
  readonly copy: (slot: number, tick: number, from: Counters, fromSlot: number) => void;
  /** The count of one of the last thirteen ticks, after `total` was called for the present one. */
  readonly at: (slot: number, tick: number) => number;
};

/** Creates the counters of slots 1..capacity in fixed memory: 64 bytes a slot, all zero. */
export function createCounters(capacity: number): Counters {
  const counts = new Uint32Array((capacity + 1) * countersPerSlot);
  const totals = new Uint32Array(capacity + 1);
  // Not 32 bits: with a window of one second they would overflow after eleven years.
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
