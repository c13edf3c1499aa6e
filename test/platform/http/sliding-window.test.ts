import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseBudget } from '../../../src/platform/http/sliding-window.ts';
import { Refusal } from '../../../src/platform/base/refusal.ts';
import { countAdmitted, createLog, openWindow } from './window-clock.ts';
import { runs } from '../../helpers/runs.ts';

const small = { limit: 3, seconds: 12, capacity: 8, overflowCapacity: 4 };

describe('parseBudget', () => {
  test.each([
    ['off', null],
    ['60/60', { limit: 60, seconds: 60 }],
    ['1/1', { limit: 1, seconds: 1 }],
    ['1000000000/86400', { limit: 1_000_000_000, seconds: 86_400 }],
  ])('reads %s', (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  test.each([
    '',
    '60',
    '60/',
    '/60',
    '0/60',
    '60/0',
    '1000000001/60',
    '60/86401',
    '-1/60',
    '+1/60',
    '1.5/60',
    '1e3/60',
    '060/60',
    '60/060',
    ' 60/60',
    '60/60 ',
    '60 / 60',
    '60/60\n',
    '60/60/60',
    '0x10/60',
    'OFF',
    'on',
    '60/60s',
    '٣/60',
  ])('refuses %j and says the form', (text) => {
    expect(() => parseBudget(text)).toThrow(Refusal);
    expect(() => parseBudget(text)).toThrow(
      `Cannot parse the budget "${text}": write N/SECONDS with N from 1 to 1,000,000,000 and SECONDS from 1 to 86,400`,
    );
  });
});

describe('sliding window of one key', () => {
  test('counts down, refuses, and frees a slot with the sub-window after the full window', () => {
    const { clock, take } = openWindow(small);
    expect(take('a')).toEqual({ admitted: true, remaining: 2, resetSeconds: 13 });
    clock.ms = 999;
    expect(take('a')).toEqual({ admitted: true, remaining: 1, resetSeconds: 13 });
    clock.ms = 5_500;
    expect(take('a')).toEqual({ admitted: true, remaining: 0, resetSeconds: 8 });
    expect(take('a')).toEqual({ admitted: false, remaining: 0, resetSeconds: 8 });
    clock.ms = 12_999;
    expect(take('a')).toEqual({ admitted: false, remaining: 0, resetSeconds: 1 });
    clock.ms = 13_000;
    expect(take('a')).toEqual({ admitted: true, remaining: 1, resetSeconds: 5 });
  });

  test('does not let a burst at both sides of a sub-window pass the limit', () => {
    const { clock, take } = openWindow({ limit: 10, seconds: 12 });
    clock.ms = 999;
    expect(countAdmitted(take, 20, 'a')).toBe(10);
    clock.ms = 12_999;
    expect(countAdmitted(take, 20, 'a')).toBe(0);
    clock.ms = 13_000;
    expect(countAdmitted(take, 20, 'a')).toBe(10);
  });

  test('does not count refused requests', () => {
    const { clock, take } = openWindow(small);
    countAdmitted(take, 3, 'a');
    for (clock.ms = 0; clock.ms < 13_000; clock.ms += 10) expect(take('a').admitted).toBe(false);
    expect(countAdmitted(take, 20, 'a')).toBe(3);
  });

  test('a limit of one admits one a window', () => {
    const { clock, take } = openWindow({ limit: 1, seconds: 1 });
    const admitted: number[] = [];
    for (clock.ms = 0; clock.ms < 4_000; clock.ms++) if (take('a').admitted) admitted.push(clock.ms);
    expect(admitted).toEqual([0, 1_084, 2_167, 3_250]);
  });

  test('the largest limit and window count on', () => {
    const { clock, take } = openWindow({ limit: 1_000_000_000, seconds: 86_400 });
    expect(countAdmitted(take, 100_000, 'a')).toBe(100_000);
    clock.ms = 86_400_000;
    expect(take('a')).toEqual({ admitted: true, remaining: 999_899_999, resetSeconds: 7_200 });
    clock.ms = 93_600_000;
    expect(take('a').remaining).toBe(999_999_998);
  });

  test('keys do not touch each other', () => {
    const { take } = openWindow(small);
    expect(countAdmitted(take, 5, 'a')).toBe(3);
    expect(countAdmitted(take, 5, 'b')).toBe(3);
  });

  test('agrees with a list of timestamps: never over the limit, at most 1/12 late, truthful on when to come back', () => {
    const budgets = fc.record({
      limit: fc.integer({ min: 1, max: 6 }),
      seconds: fc.integer({ min: 1, max: 40 }),
    });
    const steps = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 4 })),
    );
    const starts = fc.constantFrom(0, -5_000, 123_456, 1_790_000_000_000);
    fc.assert(
      fc.property(budgets, steps, starts, (budget, gaps, start) => {
        const { clock, take } = openWindow({ ...budget, capacity: 4, overflowCapacity: 2 }, start);
        const log = createLog();
        const span = budget.seconds * 1000;
        const takeChecked = () => {
          const verdict = take('a');
          const before = log.since('a', clock.ms - span);
          if (verdict.admitted) log.add('a', clock.ms);
          expect(log.since('a', clock.ms - span)).toBeLessThanOrEqual(budget.limit);
          const held = log.since('a', clock.ms - (span * 13) / 12 + 1e-6);
          if (!verdict.admitted) expect(held).toBeGreaterThanOrEqual(budget.limit);
          expect(verdict.remaining).toBeLessThanOrEqual(budget.limit - before);
          expect(verdict.remaining).toBeGreaterThanOrEqual(budget.limit - held);
          return verdict;
        };
        for (const [gap, times] of gaps) {
          clock.ms += Math.floor(gap * gap * span);
          for (let n = 0; n < times; n++) takeChecked();
        }
        let verdict = takeChecked();
        for (let left = verdict.remaining; left > 0; left--) verdict = takeChecked();
        const refused = takeChecked();
        expect(refused).toEqual({ admitted: false, remaining: 0, resetSeconds: verdict.resetSeconds });
        clock.ms += (refused.resetSeconds - 1) * 1000;
        if (refused.resetSeconds > 1) expect(takeChecked().admitted).toBe(false);
        clock.ms += 1000;
        expect(takeChecked().admitted).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('the clock of a sliding window', () => {
  test.each([0, -1_000_000, 0.5, 1_790_000_000_000, 2 ** 44])('may start at %d', (start) => {
    const { clock, take } = openWindow(small, start);
    expect(countAdmitted(take, 5, 'a')).toBe(3);
    clock.ms += 12_999;
    expect(take('a').admitted).toBe(false);
    clock.ms += 1;
    expect(take('a').admitted).toBe(true);
  });

  test('that steps back forgives nothing and holds nothing longer', () => {
    const { clock, take } = openWindow(small, 100_000);
    clock.ms = 110_000;
    expect(countAdmitted(take, 5, 'a')).toBe(3);
    clock.ms = 105_000;
    expect(take('a')).toEqual({ admitted: false, remaining: 0, resetSeconds: 13 });
    expect(take('b')).toEqual({ admitted: true, remaining: 2, resetSeconds: 13 });
    clock.ms = 122_999;
    expect(take('a').admitted).toBe(false);
    clock.ms = 123_000;
    expect(countAdmitted(take, 5, 'a')).toBe(3);
  });

  test('that leaps by decades frees everything and keeps counting', () => {
    const { clock, take } = openWindow({ ...small, seconds: 1 });
    countAdmitted(take, 3, 'a');
    clock.ms = 40 * 365 * 86_400_000;
    expect(countAdmitted(take, 5, 'a')).toBe(3);
    clock.ms += 1_000;
    expect(take('a').admitted).toBe(false);
    clock.ms += 84;
    expect(take('a').admitted).toBe(true);
  });
});
