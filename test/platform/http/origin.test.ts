import { describe, expect, test } from 'bun:test';
import { ownPath } from '../../../src/platform/http/answer.ts';
import { refuseForeign } from '../../../src/platform/http/guards.ts';

const OWN = 'https://stall.example';

describe('a form', () => {
  test.each([
    ['our page, by fetch metadata', { 'Sec-Fetch-Site': 'same-origin' }, true],
    ['our page, by Origin alone', { Origin: OWN }, true],
    [
      'our page behind a proxy that says http',
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://stall.example' },
      true,
    ],
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, false],
    ['another site that lies in Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: OWN }, false],
    ['a sister site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.stall.example' }, false],
    ['an address that was typed', { 'Sec-Fetch-Site': 'none' }, false],
    ['a sandboxed frame', { Origin: 'null' }, false],
    ['the same host over http', { Origin: 'http://stall.example' }, false],
    ['another port', { Origin: 'https://stall.example:8443' }, false],
    ['an unnamed sender', {}, false],
  ])('from %s with %j is accepted: %p', (_, headers, isTaken) => {
    const request = new Request(OWN, { method: 'POST', headers });
    if (isTaken) expect(() => refuseForeign(request, OWN)).not.toThrow();
    else expect(() => refuseForeign(request, OWN)).toThrow('it was not sent from this stall');
  });

  test.each(['GET', 'HEAD'])('sent with %s is not checked, since that changes nothing', (method) => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect(() => refuseForeign(new Request(OWN, { method, headers }), OWN)).not.toThrow();
  });
});

test.each([
  ['/dashboard', '/dashboard'],
  ['/books/field-notes?x=1&y=%2F', '/books/field-notes?x=1&y=%2F'],
  ['/?q=Käse', '/?q=K%C3%A4se'],
  ['dashboard', '/home'],
  ['dashboard/keys', '/home'],
  ['//evil.example', '/home'],
  ['/\\evil.example', '/home'],
  ['\\\\evil.example', '/home'],
  ['/\t/evil.example', '/home'],
  ['/\n/evil.example', '/home'],
  ['/.//evil.example', '/home'],
  ['/x/..//evil.example', '/home'],
  ['/%2f/evil.example', '/%2f/evil.example'],
  ['https://evil.example/', '/home'],
  ['https:/evil.example', '/home'],
  ['javascript:alert(1)', '/home'],
  ['evil.example', '/home'],
  ['', '/home'],
])('after signing in, %j leads to %j', (next, expected) => {
  const path = ownPath(next, '/home');
  expect(path).toBe(expected);
  expect(new URL(path, OWN).origin).toBe(OWN);
});
