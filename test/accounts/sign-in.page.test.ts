import { describe, expect, test } from 'bun:test';
import type { Config } from '../../src/platform/config/config.ts';
import { openStall, PASSWORD } from '../helpers/harness.ts';

const OWN = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };
const EMAIL = 'reader@example.org';
const STRANGER = 'stranger@example.org';

const stall = await open();

async function open(config: Partial<Config> = {}) {
  const opened = await openStall({ config });
  await opened.reader(EMAIL, 'paid-book');
  const cookie = await opened.signIn(EMAIL);
  // Not the stall's configured origin.
  const address = `http://127.0.0.1:${opened.app.server.server?.port}`;
  const send = (path: string, init: RequestInit = {}) => fetch(`${address}${path}`, init);
  const post = (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { ...OWN, Accept: 'text/html', ...headers },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
  const signIn = (fields: Readonly<Record<string, string>> = {}) =>
    post('/sign-in', { email: EMAIL, password: PASSWORD, ...fields });
  return { ...opened, fetch: send, cookie, post, trySignIn: signIn };
}

describe('signing in', () => {
  test('redirects to the library with a cookie that opens it', async () => {
    const response = await stall.trySignIn();
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard']);
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^bookstall=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const page = await stall.fetch('/dashboard', { headers: { Cookie: cookie.split(';')[0] ?? '' } });
    expect(page.status).toBe(200);
  });

  test.each([
    ['/dashboard/api-keys', '/dashboard/api-keys'],
    ['/books/paid-book?x=1', '/books/paid-book?x=1'],
    ['//evil.example', '/dashboard'],
    ['/\\evil.example', '/dashboard'],
    ['https://evil.example', '/dashboard'],
  ])('with next=%s redirects to %s', async (next, location) => {
    expect((await stall.trySignIn({ next })).headers.get('location')).toBe(location);
  });

  test('opens a new session even if a cookie was sent, so that none can be planted', async () => {
    const planted = stall.cookie.Cookie;
    const response = await stall.post('/sign-in', { email: EMAIL, password: PASSWORD }, { Cookie: planted });
    expect(response.headers.get('set-cookie')).not.toContain(planted);
  });

  test('that is refused shows the form again with the e-mail address, without the password', async () => {
    const response = await stall.trySignIn({
      email: STRANGER,
      password: 'not the password <b>',
      next: '/dashboard/logs',
    });
    const page = await response.text();
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
    expect(page).toContain('role="alert"');
    expect(page).toContain(`value="${STRANGER}"`);
    expect(page).toContain('value="/dashboard/logs"');
    expect(page).not.toContain('not the password');
  });

  test('leaves neither address nor password in the log', () => {
    const log = JSON.stringify(stall.log);
    expect(log).not.toContain(STRANGER);
    expect(log).not.toContain('not the password');
    expect(log).toContain('"event":"sign-in-failed","address":"127.0.0.1"');
  });
});

describe('a visitor who is not signed in', () => {
  test.each(['GET', 'HEAD'])('is redirected to sign in, and afterwards back (%s)', async (method) => {
    const init = { method, headers: { Accept: 'text/html' }, redirect: 'manual' } as const;
    const response = await stall.fetch('/dashboard/logs?page=2', init);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/sign-in?next=%2Fdashboard%2Flogs%3Fpage%3D2',
    ]);
  });

  test('and sends a form gets a page that says so', async () => {
    const response = await stall.post('/dashboard/account/sessions/end-others', {});
    expect([response.status, response.headers.get('content-type')]).toEqual([
      401,
      'text/html; charset=utf-8',
    ]);
  });
});

test('signing out ends the session and clears the cache, but no cookie of another host', async () => {
  const cookie = await stall.signIn(EMAIL);
  const response = await stall.post('/sign-out', {}, cookie);
  expect([response.status, response.headers.get('clear-site-data')]).toEqual([303, '"cache", "storage"']);
  expect(response.headers.get('set-cookie')).toStartWith('bookstall=; Max-Age=0;');
  expect((await stall.fetch('/dashboard', { headers: cookie })).status).toBe(401);
});

test('a wrong password here slows the guessing of it on the page that changes it', async () => {
  const { now } = performance;
  const moment = performance.now();
  performance.now = () => moment;
  try {
    const guessed = await open();
    expect((await guessed.trySignIn({ password: 'a wrong password' })).status).toBe(401);
    const fields = { current: PASSWORD, password: `${PASSWORD} more` };
    const response = await guessed.post('/dashboard/account/password', fields, guessed.cookie);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  } finally {
    performance.now = now;
  }
});

test('no cache keeps a page of a signed-in reader', async () => {
  for (const path of ['/dashboard', '/dashboard/api-keys', '/dashboard/account'])
    expect((await stall.fetch(path, { headers: stall.cookie })).headers.get('cache-control')).toBe(
      'no-store',
    );
});

describe('a stall', () => {
  test('at an https address has Secure cookies and Strict-Transport-Security', async () => {
    const secure = await open({ baseUrl: 'https://stall.example' });
    const response = await secure.trySignIn();
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-bookstall=.*; Secure$/);
    const page = await secure.fetch('/sign-in');
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('at a plain http address of another machine signs nobody in, and says why', async () => {
    const plain = await open({ baseUrl: 'http://stall.example' });
    expect(await (await plain.fetch('/sign-in')).text()).toContain('--insecure-http');
    const response = await plain.trySignIn();
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await plain.fetch('/dashboard', { headers: plain.cookie })).status).toBe(401);
  });

  test('at such an address reads no password from a link either, and does not use the link up', async () => {
    const plain = await open({ baseUrl: 'http://stall.example' });
    await plain.app.admin.accounts.add('new@example.org');
    const { url } = await plain.app.admin.links.create('new@example.org', 'invite', plain.url);
    const code = url.slice(url.indexOf('#') + 1);
    for (const path of ['/invite', '/redeem/account']) {
      const response = await plain.post(path, { code, password: PASSWORD });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
      expect(await response.text()).toContain('--insecure-http');
    }
    expect(plain.app.admin.links.find(code)).toMatchObject({ email: 'new@example.org' });
    expect(await (await plain.fetch('/invite')).text()).toContain('--insecure-http');
  });

  test('that allows it anyway warns on every page', async () => {
    const insecure = await open({ baseUrl: 'http://stall.example', insecureHttp: true });
    expect((await insecure.trySignIn()).status).toBe(303);
    for (const path of ['/', '/sign-in', '/invite'])
      expect(await (await insecure.fetch(path)).text()).toContain('class="insecure"');
  });
});
