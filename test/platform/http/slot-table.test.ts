import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSlotTable } from '../../../src/platform/http/sliding-window.ts';
import { runs } from '../../helpers/runs.ts';

test('a slot table agrees with a Map ordered by last use', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('assign', 'touch', 'find'), fc.nat(60)), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 33 }), steps, (capacity, list) => {
      const table = createSlotTable(capacity);
      const expected = new Map<string, number>();
      for (const [step, n] of list) {
        const key = `${n}`;
        const slot = expected.get(key);
        expect(table.find(key)).toBe(slot ?? 0);
        if (step === 'touch' && slot !== undefined) {
          table.touch(slot);
          expected.delete(key);
          expected.set(key, slot);
        }
        if (step !== 'assign' || slot !== undefined) continue;
        const [oldest] = expected;
        const isFull = expected.size === capacity;
        const next = isFull ? oldest![1] : expected.size + 1;
        expect(table.next()).toBe(next);
        table.assign(next, key);
        if (isFull) expected.delete(oldest![0]);
        expected.set(key, next);
      }
      for (let n = 0; n <= 60; n++) expect(table.find(`${n}`)).toBe(expected.get(`${n}`) ?? 0);
    }),
    { numRuns: runs(200) },
  );
});
