import { expect, test } from 'bun:test';
import { codePrefix, mintCode, readCode } from '../../src/selling/redeem-code.rule.ts';

test('a code has the prefix, five groups of five and no digit that looks like another', () => {
  const codes = Array.from({ length: 200 }, mintCode);
  for (const code of codes) {
    expect(code).toMatch(/^svg_([2-9A-HJ-NP-Z]{5}-){4}[2-9A-HJ-NP-Z]{5}$/);
    expect(readCode(code)).toBe(code);
  }
  expect(new Set(codes).size).toBe(200);
  expect(codePrefix(codes[0]!)).toMatch(/^svg_.{5}$/);
});

test('a code is read in any case, with or without hyphens, spaces and prefix', () => {
  const code = mintCode();
  const digits = code.slice(4);
  for (const typed of [
    code.toLowerCase(),
    ` ${code} `,
    digits,
    digits.replaceAll('-', ''),
    digits.replaceAll('-', ' '),
    digits.replaceAll('-', '\u2013'),
    `SVG_${digits.toLowerCase()}`,
  ])
    expect(readCode(typed)).toBe(code);
});

test('a code is read in a text of up to 100 characters', () => {
  const code = mintCode();
  expect([readCode(code.padEnd(100)), readCode(code.padEnd(101))]).toEqual([code, null]);
});

test('a code with one digit changed or two swapped is refused', () => {
  const digits = [...mintCode().slice(4).replaceAll('-', '')];
  for (let n = 0; n < digits.length; n++) {
    const other = digits.with(n, digits[n] === 'A' ? 'B' : 'A').join('');
    expect(readCode(other)).toBeNull();
    const next = digits[n + 1];
    if (next === undefined || next === digits[n]) continue;
    expect(
      readCode(
        digits
          .with(n, next)
          .with(n + 1, digits[n]!)
          .join(''),
      ),
    ).toBeNull();
  }
});

test.each(['', 'svg_', 'svg_ABCDE', '0'.repeat(25), 'A'.repeat(25), 'A'.repeat(5000), 'svc_ABCDE-FGHJK'])(
  '%p is no code',
  (text) => {
    expect(readCode(text)).toBeNull();
  },
);
