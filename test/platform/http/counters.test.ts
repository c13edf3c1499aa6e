import { expect, test } from 'bun:test';
import { countersPerSlot, createCounters } from '../../../src/platform/http/sliding-window.ts';

test('a copy holds what was counted in the current tick too', () => {
  const [from, to] = [createCounters(4), createCounters(4)];
  from.add(2, 100);
  from.total(2, 100);
  from.add(2, 100);
  to.copy(3, 100, from, 2);
  expect([to.total(3, 100), to.at(3, 100)]).toEqual([from.total(2, 100), from.at(2, 100)]);
  expect(to.total(3, 100 + countersPerSlot)).toBe(0);
});

test.each(Array.from({ length: countersPerSlot }, (_, n) => n))(
  'nothing is left a whole window later of what was counted %d ticks into one',
  (offset) => {
    const counters = createCounters(1);
    const tick = 1000 + offset;
    counters.total(1, tick);
    counters.add(1, tick);
    for (const later of [countersPerSlot, 2 * countersPerSlot - 1, 3 * countersPerSlot]) {
      const other = createCounters(1);
      other.total(1, tick);
      other.add(1, tick);
      expect([other.total(1, tick + countersPerSlot - 1), other.total(1, tick + later)]).toEqual([1, 0]);
    }
    expect(counters.total(1, tick + 3 * countersPerSlot)).toBe(0);
  },
);
