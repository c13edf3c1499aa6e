import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createAddressReader } from '../../../src/platform/http/address.ts';
import { createSlidingWindow } from '../../../src/platform/http/sliding-window.ts';
import { countAdmitted, createLog, openWindow } from './window-clock.ts';
import { runs } from '../../helpers/runs.ts';

describe('a full sliding window', () => {
  const tiny = { limit: 3, seconds: 12, capacity: 2, overflowCapacity: 1 };

  test('keeps what it holds, shares per coarse key, then shares one bucket', () => {
    const { take } = openWindow(tiny);
    expect(countAdmitted(take, 1, '1.1.0.1', '1.1')).toBe(1);
    expect(countAdmitted(take, 2, '1.1.0.2', '1.1')).toBe(2);
    expect(countAdmitted(take, 2, '1.1.0.3', '1.1')).toBe(2);
    expect(countAdmitted(take, 2, '1.1.0.4', '1.1')).toBe(1);
    expect(countAdmitted(take, 2, '2.2.0.1', '2.2')).toBe(2);
    expect(countAdmitted(take, 2, '3.3.0.1', '3.3')).toBe(1);
    expect(countAdmitted(take, 5, '1.1.0.1', '1.1')).toBe(2);
    expect(countAdmitted(take, 5, '1.1.0.2', '1.1')).toBe(1);
  });

  test('a key without a coarse key has a slot of its own in the second table', () => {
    const { take } = openWindow(tiny);
    for (const key of ['a', 'b', 'c']) expect(countAdmitted(take, 5, key)).toBe(3);
    expect(countAdmitted(take, 2, 'd')).toBe(2);
    expect(countAdmitted(take, 5, 'e')).toBe(1);
  });

  test('hands out an expired slot, the least recently admitted first', () => {
    const { clock, take } = openWindow(tiny);
    take('a', 'x');
    take('b', 'x');
    clock.ms = 6_000;
    take('a', 'x');
    clock.ms = 12_999;
    expect(take('c', 'y').remaining).toBe(2);
    expect(take('d', 'y').remaining).toBe(1);
    clock.ms = 13_000;
    expect(take('e', 'z').remaining).toBe(2);
    expect(take('f', 'z').remaining).toBe(2);
    expect(take('a', 'x').remaining).toBe(1);
  });

  test('a refused key does not hold its slot longer', () => {
    const { clock, take } = openWindow(tiny);
    countAdmitted(take, 3, 'a', 'x');
    clock.ms = 3_000;
    countAdmitted(take, 3, 'b', 'x');
    clock.ms = 12_000;
    expect(take('a', 'x').admitted).toBe(false);
    clock.ms = 13_000;
    expect(take('c', 'y').remaining).toBe(2);
    expect(take('d', 'y').remaining).toBe(2);
    expect(take('e', 'y').remaining).toBe(1);
  });

  test('what a key used of a shared bucket counts on when it gets a slot of its own', () => {
    const { clock, take } = openWindow({ ...tiny, capacity: 1 });
    take('a', 'x');
    clock.ms = 6_000;
    expect(countAdmitted(take, 2, 'b', 'y')).toBe(2);
    expect(countAdmitted(take, 2, 'c', 'z')).toBe(2);
    clock.ms = 13_000;
    expect(countAdmitted(take, 5, 'b', 'y')).toBe(1);
    clock.ms = 19_000;
    expect(countAdmitted(take, 5, 'b', 'y')).toBe(2);
  });

  test('a key refused by a shared bucket takes no slot', () => {
    const { clock, take } = openWindow({ ...tiny, capacity: 1 });
    take('a', 'x');
    clock.ms = 6_000;
    expect(countAdmitted(take, 5, 'b', 'y')).toBe(3);
    clock.ms = 13_000;
    expect(take('b', 'y')).toEqual({ admitted: false, remaining: 0, resetSeconds: 6 });
    expect(take('c', 'z').remaining).toBe(2);
    expect(take('d', 'w').remaining).toBe(2);
    expect(take('e', 'v').remaining).toBe(1);
  });

  test('many keys in few slots: no key ever over the limit, and none refused while few requests are held', () => {
    const budgets = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      seconds: fc.integer({ min: 1, max: 20 }),
      capacity: fc.integer({ min: 1, max: 5 }),
      overflowCapacity: fc.integer({ min: 1, max: 3 }),
    });
    const requests = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(11)), {
      maxLength: 150,
    });
    fc.assert(
      fc.property(budgets, requests, (budget, list) => {
        const { clock, take } = openWindow(budget);
        const log = createLog();
        const span = budget.seconds * 1000;
        for (const [gap, n] of list) {
          clock.ms += Math.floor(gap ** 4 * span);
          const key = `${n % 5}.${n}`;
          const verdict = take(key, `${n % 5}`);
          if (verdict.admitted) log.add(key, clock.ms);
          expect(log.since(key, clock.ms - span)).toBeLessThanOrEqual(budget.limit);
          if (!verdict.admitted) {
            expect(log.sinceByAll(clock.ms - (span * 13) / 12 + 1e-6)).toBeGreaterThanOrEqual(budget.limit);
          }
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  test('a table large enough gives every key exactly its own window', () => {
    const requests = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(11)), {
      maxLength: 150,
    });
    fc.assert(
      fc.property(requests, (list) => {
        const { clock, take } = openWindow({ limit: 2, seconds: 12, capacity: 12, overflowCapacity: 1 });
        const alone = Array.from({ length: 12 }, () =>
          createSlidingWindow({ limit: 2, seconds: 12, capacity: 1, now: () => clock.ms }),
        );
        for (const [gap, n] of list) {
          clock.ms += Math.floor(gap ** 4 * 12_000);
          expect(take(`${n}`)).toEqual(alone[n]!.take(`${n}`));
        }
      }),
    );
  });
});

describe('far more random IPv6 networks than there are slots', () => {
  test('leave memory flat, live counters in place and the rest in shared buckets', () => {
    const { take } = openWindow({ limit: 2, seconds: 60, capacity: 2 ** 15, overflowCapacity: 2 ** 14 });
    const read = createAddressReader({ trustedProxies: [], see: () => {} });
    const ask = (ip: string) => {
      const { key, coarseKey } = read(ip, null);
      return take(key, coarseKey);
    };
    const groups = new Uint16Array(4);
    const flood = (times: number) => {
      let admitted = 0;
      for (let n = 0; n < times; n++) {
        crypto.getRandomValues(groups);
        if (ask(`${[...groups].map((group) => group.toString(16)).join(':')}::1`).admitted) admitted++;
      }
      return admitted;
    };
    const heapSize = () => {
      Bun.gc(true);
      return heapStats().heapSize;
    };
    const early = Array.from({ length: 1_000 }, (_, n) => `2001:db8:0:${n.toString(16)}::1`);
    for (const ip of early) expect(ask(ip).remaining).toBe(1);
    expect(flood(1_000)).toBe(1_000);
    // Slots left in the first table, one request for each network of the second, two for the last bucket.
    expect(flood(74_000)).toBeGreaterThan(2 ** 15 - 2_000 + 2 ** 14 - 500);
    const before = heapSize();
    expect(flood(60_000)).toBeLessThan(1_000);
    expect(heapSize() - before).toBeLessThan(1_000_000);
    for (const ip of early) expect(ask(ip)).toMatchObject({ admitted: true, remaining: 0 });
    for (const ip of early) expect(ask(ip).admitted).toBe(false);
    expect(flood(1_000)).toBeLessThan(100);
  });
});
