import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formatCookie,
  isAlive,
  mintSession,
  OFFICE_SESSION,
  parseCookie,
  READER_SESSION,
} from '../../src/accounts/session.rule.ts';
import { hashSecret, isSecretOf, mintSecret } from '../../src/accounts/secret.rule.ts';

const credential = mintSession();
const cookie = formatCookie(credential);

describe("a session's cookie", () => {
  test('is 128 and 256 random bits, new each time', () => {
    const [id = '', secret = ''] = cookie.split('.');
    expect([Buffer.from(id, 'base64url').length, Buffer.from(secret, 'base64url').length]).toEqual([16, 32]);
    expect(new Set(Array.from({ length: 1000 }, () => formatCookie(mintSession()))).size).toBe(1000);
    expect(parseCookie(cookie)).toEqual(credential);
  });

  test.each([
    ['nothing', ''],
    ['a dot', '.'],
    ['no secret', `${credential.id}.`],
    ['no id', `.${credential.secret}`],
    ['a third part', `${cookie}.x`],
    ['white space before', ` ${cookie}`],
    ['a line break after', `${cookie}\n`],
    ['quotes', `"${cookie}"`],
    ['padding', `${cookie}=`],
    ['digits of plain base64', cookie.replace(/^./, '+')],
    ['an escape', cookie.replace('.', '%2E')],
    ['a short id', cookie.slice(1)],
    ['a short secret', cookie.slice(0, -1)],
    ['a long secret', `${cookie}A`],
    ['two cookies', `${cookie},${cookie}`],
    ['a NUL', `${cookie}\0`],
  ])('with %s is nobody', (_, value) => {
    expect(parseCookie(value)).toBeNull();
  });

  test('has one spelling: whatever is taken decodes to bytes that are spelt so', () => {
    const digit = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    const part = (length: number) => fc.string({ unit: digit, minLength: length, maxLength: length });
    fc.assert(
      fc.property(part(22), part(43), (id, secret) => {
        const respelt = [id, secret].map((text) => Buffer.from(text, 'base64url').toString('base64url'));
        expect(parseCookie(`${id}.${secret}`) !== null).toBe(respelt.join('.') === `${id}.${secret}`);
      }),
    );
  });
});

test('a secret proves itself alone', () => {
  const hash = hashSecret(credential.secret);
  expect(hash).toHaveLength(32);
  expect([isSecretOf(credential.secret, hash), isSecretOf(mintSecret(), hash)]).toEqual([true, false]);
});

describe('a session', () => {
  test('of a reader lasts 30 idle days and a year at most, of the office 12 hours and 30 days', () => {
    expect([READER_SESSION, OFFICE_SESSION]).toEqual([
      { idle: 2_592_000_000, longest: 31_536_000_000 },
      { idle: 43_200_000, longest: 2_592_000_000 },
    ]);
  });

  const born = Date.parse('2026-11-20T12:00:00Z');
  const session = {
    ...{ id: 'i', accountId: 'a', userAgent: null, createdAt: born, lastSeenAt: born },
    ...{ expiresAt: born + READER_SESSION.longest, endedAt: null, isOffice: 0 as const },
  };
  test.each([
    ['just begun', {}, 0, true],
    ...(
      [
        ['reader', READER_SESSION, 0],
        ['owner', OFFICE_SESSION, 1],
      ] as const
    ).flatMap(([who, { idle, longest }, isOffice]) => [
      [`of a ${who} and idle for nearly too long`, { isOffice }, idle - 1, true] as const,
      [`of a ${who} and idle for too long`, { isOffice }, idle, false] as const,
      [
        `of a ${who} in its last minute`,
        { isOffice, lastSeenAt: born + longest - 2 },
        longest - 1,
        true,
      ] as const,
      [`of a ${who} and too old`, { isOffice, lastSeenAt: born + longest - 2 }, longest, false] as const,
    ]),
    ['ended', { endedAt: born + 1 }, 2, false],
    ['ended, by a clock that was set back', { endedAt: born + 1000 }, 2, false],
  ])('%s: %o after %d ms is alive: %p', (_, change, passed, expected) => {
    expect(isAlive({ ...session, ...change }, born + passed)).toBe(expected);
  });
});
