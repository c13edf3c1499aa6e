import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { normalizePassword, readPassword } from '../../src/accounts/password.rule.ts';

describe('a password', () => {
  test.each([
    ['of 8 characters', 'abcdefgh', 'abcdefgh'],
    ['with white space around it', '  a herons ', '  a herons '],
    ['of 8 emoji, which are 16 UTF-16 units', '🦜'.repeat(8), '🦜'.repeat(8)],
    ['of 256 emoji', '🦜'.repeat(256), '🦜'.repeat(256)],
    ['typed with combining marks', 'u\u0308ber alle Reiher', 'über alle Reiher'],
    ['with a NUL in it', 'heron\0heron', 'heron\0heron'],
  ])('%s is taken', (_, text, expected) => {
    expect(readPassword(text)).toBe(expected);
  });

  test.each([
    ['nothing', '', 'it is blank'],
    ['white space', ' '.repeat(12), 'it is blank'],
    ['wide white space', '\u3000'.repeat(9), 'it is blank'],
    ['one character', 'a', 'it has 1 character; use at least 8'],
    ['7 emoji', '🦜'.repeat(7), 'it has 7 characters; use at least 8'],
    ['8 that are 4 after NFC', 'u\u0308'.repeat(4), 'it has 4 characters; use at least 8'],
    ['257 characters', 'heron'.repeat(51) + 'he', 'it has 257 characters; use at most 256'],
    ['a megabyte', 'a'.repeat(1 << 20), 'it has 1048576 characters; use at most 256'],
  ])('of %s is refused, and not repeated', (_, text, reason) => {
    const refused = () => readPassword(text);
    expect(refused).toThrow(`Cannot use this password: ${reason}`);
    if (text.trim().length > 1) expect(refused).not.toThrow(text);
  });

  test('is the same from every keyboard, and of no other length than it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const normal = normalizePassword(text);
        const length = [...normal].length;
        const isTaken = length >= 8 && length <= 256 && normal.trim() !== '';
        if (isTaken) expect(readPassword(text.normalize('NFD'))).toBe(normal);
        else expect(() => readPassword(text)).toThrow('Cannot use this password');
      }),
    );
  });
});
