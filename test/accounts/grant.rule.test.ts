import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Grant, isLive } from '../../src/accounts/grant.rule.ts';

const NOW = 1_000_000;
const grant = (more: Partial<Grant>): Grant => ({
  accountId: 'a',
  kind: 'book',
  itemKey: 'b',
  source: 'manual',
  grantedAt: NOW - 10,
  from: NOW - 10,
  until: null,
  revokedAt: null,
  waits: 0,
  ...more,
});

test.each<[string, Partial<Grant>, boolean]>([
  ['without an end', {}, true],
  ['that begins this instant', { from: NOW }, true],
  ['that begins in a millisecond', { from: NOW + 1 }, false],
  ['that ends in a millisecond', { until: NOW + 1 }, true],
  ['that ends this instant', { until: NOW }, false],
  ['that ended', { until: NOW - 1 }, false],
  ['that is revoked', { revokedAt: NOW - 1 }, false],
  ['that is revoked and has no end', { revokedAt: 0, until: null }, false],
  ['that was made after it began', { grantedAt: NOW + 5 }, true],
])('a grant %s', (_, more, live) => {
  expect(isLive(grant(more), NOW)).toBe(live);
});

test('a grant lives in one unbroken span, from its first to before its last instant', () => {
  const dates = fc.record({
    from: fc.nat(1000),
    length: fc.integer({ min: 1, max: 1000 }),
    now: fc.nat(3000),
  });
  fc.assert(
    fc.property(dates, ({ from, length, now }) => {
      expect(isLive(grant({ from, until: from + length }), now)).toBe(now >= from && now < from + length);
    }),
  );
});
