import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import {
  containsKey,
  hashKey,
  hasKeyForm,
  isKey,
  keyPrefix,
  mintKey,
} from '../../../src/platform/base/key.ts';
import { runs } from '../../helpers/runs.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The contract's checksum, written down once more: CRC-32 of the 32 as 6 base62 digits, big-endian, padded with 0. */
function checksum(random: string): string {
  let rest = crc32(random);
  const digits = Array.from({ length: 6 }, () => {
    const digit = ALPHABET[rest % 62];
    rest = Math.floor(rest / 62);
    return digit;
  });
  return digits.reverse().join('');
}

const random32 = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 32, maxLength: 32 });
const key = random32.map((random) => `svc_${random}${checksum(random)}`);

test('a key is svc_, 32 digits and their checksum', () => {
  for (let n = 0; n < 1000; n++) {
    const minted = mintKey();
    expect(minted).toMatch(/^svc_[0-9A-Za-z]{38}$/);
    expect(minted.slice(36)).toBe(checksum(minted.slice(4, 36)));
    expect(isKey(minted)).toBe(true);
  }
});

test.each([
  ['0'.repeat(32), '2wjyrI'],
  ['0123456789ABCDEFGHIJKLMNOPQRSTUV', '1ggZdL'],
])('the checksum of %s is %s for good', (random, digits) => {
  expect(isKey(`svc_${random}${digits}`)).toBe(true);
});

test('a checksum that begins with 0 is padded', () => {
  fc.assert(
    fc.property(
      random32.filter((random) => crc32(random) < 62 ** 5),
      (random) => {
        expect(isKey(`svc_${random}${checksum(random)}`)).toBe(true);
        expect(checksum(random)).toStartWith('0');
      },
    ),
    { numRuns: runs(20) },
  );
});

test('every digit is as likely as any other at every place', () => {
  const counts = new Map<string, number>();
  const keys = 4000;
  for (let n = 0; n < keys; n++)
    for (const digit of mintKey().slice(4, 36)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const expected = (keys * 32) / 62;
  const chiSquare = [...ALPHABET].reduce(
    (sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected,
    0,
  );
  // 61 degrees of freedom: above 130 once in a million runs; `byte % 62` without rejection gives about 2,500.
  expect(chiSquare).toBeLessThan(130);
});

test('any one changed digit is refused', () => {
  const change = fc.record({ key, at: fc.nat({ max: 37 }), digit: fc.constantFrom(...ALPHABET) });
  fc.assert(
    fc.property(change, ({ key: good, at, digit }) => {
      const place = 4 + at;
      fc.pre(good[place] !== digit);
      expect(isKey(good)).toBe(true);
      expect(isKey(good.slice(0, place) + digit + good.slice(place + 1))).toBe(false);
    }),
    { numRuns: runs(2000) },
  );
});

test('two neighbours swapped are refused', () => {
  fc.assert(
    fc.property(key, fc.integer({ min: 4, max: 40 }), (good, at) => {
      const [a = '', b = ''] = [good[at], good[at + 1]];
      fc.pre(a !== b);
      expect(isKey(good.slice(0, at) + b + a + good.slice(at + 2))).toBe(false);
    }),
  );
});

test.each([
  ['nothing', () => ''],
  ['a prefix alone', () => 'svc_'],
  ['a missing digit', (good: string) => good.slice(0, -1)],
  ['a digit too many', (good: string) => `${good}0`],
  ['another prefix', (good: string) => `svi_${good.slice(4)}`],
  ['an upper-case prefix', (good: string) => `SVC_${good.slice(4)}`],
  ['a space before it', (good: string) => ` ${good}`],
  ['a newline behind it', (good: string) => `${good}\n`],
  ['a letter beyond ASCII', (good: string) => `${good.slice(0, 10)}é${good.slice(11)}`],
])('%s is no key', (_, make) => {
  expect(isKey(make(mintKey()))).toBe(false);
});

test.each([
  ['alone', (good: string) => good, true, true],
  ['in a sentence', (good: string) => `use ${good}, please`, true, true],
  ['in a URL', (good: string) => `https://x.example/?k=${good}&b`, true, true],
  ['as an install token', (good: string) => `svi_${good.slice(4)}`, true, true],
  ['with a wrong checksum', (good: string) => `${good.slice(0, 36)}zzzzzz`, true, false],
  ['after one with a wrong checksum', (good: string) => `${good.slice(0, 36)}zzzzzz ${good}`, true, true],
  ['inside a longer word', (good: string) => `x${good}`, false, false],
  ['with a digit too many', (good: string) => `${good}0`, false, false],
  ['too short', (good: string) => good.slice(0, -1), false, false],
])('a key %s: hasKeyForm and containsKey', (_, make, hasForm, contains) => {
  const text = make(mintKey());
  expect([hasKeyForm(text), containsKey(text)]).toEqual([hasForm, contains]);
  expect([hasKeyForm(text), containsKey(text)]).toEqual([hasForm, contains]);
});

test('a key is kept as its SHA-256, and shown as svc_ and four digits', () => {
  const minted = mintKey();
  expect(Buffer.from(hashKey(minted)).toString('hex')).toBe(
    new Bun.CryptoHasher('sha256').update(minted).digest('hex'),
  );
  expect(keyPrefix(minted)).toBe(minted.slice(0, 8));
});

test('its checksum is its end, and nothing stands between or after', () => {
  const [random, sum] = ['0'.repeat(32), '2wjyrI'];
  for (const other of [`svc_${random}0${sum}`, `svc_${random}${sum}0`, `0svc_${random}${sum}`])
    expect(isKey(other)).toBe(false);
  expect(isKey(`0svc_${random}${checksum(`_${random.slice(1)}`)}`)).toBe(false);
  // The digits begin with their own checksum, and do not end with it.
  expect(isKey(`svc_2v3Slx8N0gVThVSrDslBBkxPzgMO2axi2v3Slx`)).toBe(true);
  expect(isKey(`svc_2v3Slx8N0gVThVSrDslBBkxPzgMO2axi000000`)).toBe(false);
});
