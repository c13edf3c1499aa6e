import { expect, test } from 'bun:test';
import { mintRecoveryCodes, readSecondCode, stepOf, totpOf } from '../../src/accounts/totp.rule.ts';

/** The secret of RFC 6238, appendix B: "12345678901234567890". */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %d s the code is that of RFC 6238, of which six digits count', (seconds, code) => {
  expect(totpOf(SECRET, Math.floor(seconds / 30))).toBe(code.slice(2));
});

test.each([
  [-90_000, null],
  [-60_000, null],
  [-30_000, 999],
  [0, 1000],
  [30_000, 1001],
  [60_000, null],
  [90_000, null],
])('a clock that is %d ms beside ours gives the step %p', (beside, step) => {
  const now = 30_000_000;
  expect(stepOf(SECRET, totpOf(SECRET, (now + beside) / 30_000), now)).toBe(step);
});

test('recovery codes have 80 bits, and are read in any case, with or without hyphens', () => {
  const codes = mintRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(readSecondCode(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toBe(readSecondCode(code));
  }
});
