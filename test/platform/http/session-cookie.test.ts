import { describe, expect, test } from 'bun:test';
import { READER_SESSION } from '../../../src/accounts/session.rule.ts';
import { createSessionCookie } from '../../../src/platform/http/credential.ts';

test.each([
  ['https://stall.example', false, 'secure'],
  ['https://stall.example', true, 'secure'],
  ['https://127.0.0.1', false, 'secure'],
  ['http://127.0.0.1:7070', false, 'loopback'],
  ['http://127.1.2.3', false, 'loopback'],
  ['http://[::1]:7070', false, 'loopback'],
  ['http://localhost:7070', true, 'loopback'],
  ['http://stall.example', false, 'refused'],
  ['http://localhost.example', false, 'refused'],
  ['http://127.0.0.1.example', false, 'refused'],
  ['http://192.168.1.20:7070', false, 'refused'],
  ['http://0.0.0.0:7070', false, 'refused'],
  ['http://192.168.1.20:7070', true, 'insecure'],
] as const)('a stall at %s, with --insecure-http %p, signs in %s', (origin, insecureHttp, mode) => {
  expect(createSessionCookie(() => origin, insecureHttp, 1000).mode()).toBe(mode);
});

describe('the cookie', () => {
  const open = (origin: string) => createSessionCookie(() => origin, false, READER_SESSION.longest);
  const [secure, loopback] = [open('https://stall.example'), open('http://127.0.0.1:7070')];

  test('over https is of this host alone, for this host alone, and out of reach of scripts', () => {
    expect(secure.keep('a.b')).toBe(
      '__Host-bookstall=a.b; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(secure.drop()).toBe('__Host-bookstall=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  });

  test('over http of this machine has a name without the prefix', () => {
    expect(loopback.keep('a.b')).toBe('bookstall=a.b; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax');
  });

  test.each([
    ['__Host-bookstall=a.b', 'a.b'],
    ['x=1; __Host-bookstall=a.b; y=2', 'a.b'],
    ['x=1;__Host-bookstall=a.b', 'a.b'],
    ['__Host-bookstall=', ''],
    ['bookstall=a.b', null],
    ['__host-bookstall=a.b', null],
    ['x__Host-bookstall=a.b', null],
    ['__Host-bookstall=a.b; __Host-bookstall=c.d', null],
    ['__Host-bookstall', null],
    ['', null],
  ])('in %j is %j', (header, value) => {
    expect(secure.read(new Request('https://stall.example', { headers: { Cookie: header } }))).toBe(value);
  });

  test('counts for nothing over plain http from another machine', () => {
    const request = new Request('http://stall.example', { headers: { Cookie: 'bookstall=a.b' } });
    expect(open('http://stall.example').read(request)).toBeNull();
    expect(createSessionCookie(() => 'http://stall.example', true, 1000).read(request)).toBe('a.b');
  });
});
