import { expect, test } from 'bun:test';
import { comparableEmail, hintOf, isMailable } from '../../../src/platform/base/email-address.ts';

test.each([
  ['ADA@Example.ORG', 'ada@example.org'],
  [' ada@example.org\n', 'ada@example.org'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['ju\u0308rgen@example.org', 'jürgen@example.org'],
  ['JÜRGEN@example.org', 'jürgen@example.org'],
  ['"a@b"@Example.org', '"a@b"@example.org'],
])('%j is compared as %j', (email, folded) => {
  expect(comparableEmail(email)).toBe(folded);
  expect(comparableEmail(folded)).toBe(folded);
});

test.each([
  ['a.da@example.org', 'ada@example.org'],
  ['ada+books@example.org', 'ada@example.org'],
  ['аda@example.org', 'ada@example.org'],
  ['ada@example.org.', 'ada@example.org'],
  ['ada@127.1', 'ada@127.0.0.1'],
  ['ada@exa%6dple.org', 'ada@example.org'],
])('%s and %s are two people', (one, other) => {
  expect(comparableEmail(one)).not.toBe(comparableEmail(other));
});

test.each(["o'neil+x@example.org", 'jürgen@bücher.example', 'a@b', 'a_b-c@x--y.org'])(
  '%s can be mailed',
  (email) => {
    expect(isMailable(email)).toBeTrue();
  },
);

test.each([
  [254, true],
  [255, false],
])('an address of %d bytes can be mailed: %p', (length, isIt) => {
  expect(isMailable(`${'a'.repeat(length - 12)}@example.org`)).toBe(isIt);
});

test('a hint gives an address away to nobody', () => {
  expect(hintOf('ada@example.org')).toBe('a…@e…');
  expect(hintOf('😀a@example.org')).toBe('😀…@e…');
});
