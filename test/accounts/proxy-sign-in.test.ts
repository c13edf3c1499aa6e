import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { mintTotpSecret, totpOf } from '../../src/accounts/totp.rule.ts';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { isLetThrough } from '../../src/platform/http/proxy-header.ts';
import { examineBaseUrl } from '../../src/office/doctor/server.ts';
import { createSubject } from '../../src/office/doctor/subject.ts';
import { readServerState } from '../../src/platform/store/server-note.ts';
import { openStall } from '../helpers/harness.ts';
import { startNginx } from '../installing/caching-nginx.ts';
import { ROUTES } from '../platform/http/routes.ts';

const [, section = ''] = readFileSync(
  join(import.meta.dir, '../../content/books/handbook/2i-install-and-run.md'),
  'utf8',
).split('## Sign-in by the proxy\n');
const [, caddy = '', nginx = ''] =
  (section.split('\n## ')[0] ?? '').match(/```\n[^]*?```/g)?.map((block) => block.slice(4, -3)) ?? [];

const HEADER = 'Remote-Email';
const SIGN_OUT = 'https://auth.example.org/logout';
const MINUTE = 60_000;
let clock = Date.parse('2026-11-20');
const proxySignIn = { header: HEADER, signUp: true, signOut: SIGN_OUT as string | null };
const stall = await openStall({
  config: { trustedProxies: parseNetworks('127.0.0.1'), proxySignIn },
  now: () => clock,
});

type Asked = {
  /** The address in the proxy's header. */
  readonly as?: string;
  /** Names and values by turns, as they are sent. */
  readonly more?: readonly string[];
  readonly cookie?: string;
  readonly method?: string;
  readonly body?: string;
  readonly from?: string;
  readonly mode?: string | null;
};

/** One request of a browser behind the proxy, which is at `from`; `cookie` is that of the answer. */
function ask(
  path: string,
  { as, more = [], cookie, method = 'GET', body = '', from, mode = 'navigate' }: Asked = {},
) {
  const { hostname, port, host } = new URL(stall.url);
  const headers = ['Host', host, 'Accept', 'text/html', 'User-Agent', 'a browser', ...more];
  if (as !== undefined) headers.push(HEADER, as);
  if (cookie !== undefined) headers.push('Cookie', cookie);
  if (mode !== null) headers.push('Sec-Fetch-Mode', mode);
  return new Promise<{ status: number; text: string; to: string; cookie: string; headers: object }>(
    (resolve, reject) => {
      const sent = request(
        {
          hostname,
          port,
          path,
          method,
          headers,
          localAddress: from ?? '127.0.0.1',
          insecureHTTPParser: true,
        },
        async (answer) => {
          let text = '';
          for await (const part of answer.setEncoding('utf8')) text += part;
          const [set = ''] = answer.headers['set-cookie'] ?? [];
          const to = answer.headers.location ?? '';
          resolve({
            status: answer.statusCode ?? 0,
            text,
            to,
            cookie: set.split(';')[0] ?? '',
            headers: answer.headers,
          });
        },
      );
      sent.on('error', reject).end(body);
    },
  );
}

const signIn = async (as: string): Promise<string> => (await ask('/sign-in', { as })).cookie;
const accountOf = (email: string) => stall.app.stall.store.findAccount(email);
const sessionsOf = (email: string) => stall.app.stall.sessions.list(accountOf(email)?.id ?? '');

describe('an address that the proxy names', () => {
  test('is signed in on any page, by one session, in a verified account that is not the owner', async () => {
    const as = 'ada@example.org';
    const first = await ask('/books/paid-book?x=1', { as });
    expect([first.status, first.to]).toEqual([303, '/sign-in?next=%2Fbooks%2Fpaid-book%3Fx%3D1']);
    const tabs = await Promise.all(Array.from({ length: 10 }, () => ask(first.to, { as })));
    expect(new Set(tabs.map(({ status, to }) => `${status} ${to}`))).toEqual(
      new Set(['303 /books/paid-book?x=1']),
    );
    const [cookie = ''] = new Set(tabs.map((tab) => tab.cookie));
    expect(new Set(tabs.map((tab) => tab.cookie)).size).toBe(1);
    expect(sessionsOf(as)).toHaveLength(1);
    const page = await ask('/dashboard/account', { as: 'ADA@example.org', cookie });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<b>ada@example.org</b>');
    expect(page.text).not.toContain('/dashboard/account/password');
    expect(accountOf(as)).toMatchObject({ isOwner: false, hasPassword: false, verifiedAt: clock });
  });

  test('is found in a header of odd case', async () => {
    const { status, cookie } = await ask('/sign-in', { more: ['rEMOTE-eMAIL', 'odd@example.org'] });
    expect(status).toBe(303);
    expect((await ask('/dashboard', { cookie, more: ['REMOTE-EMAIL', 'odd@example.org'] })).status).toBe(200);
  });

  test('opens no session to a program, which has no Sec-Fetch-Mode', async () => {
    const answer = await ask('/sign-in', { as: 'program@example.org', mode: null });
    expect([answer.status, answer.cookie, accountOf('program@example.org')]).toEqual([200, '', null]);
    expect((await ask('/', { as: 'program@example.org', mode: null })).status).toBe(200);
  });

  test('without an account is refused where none are made', async () => {
    proxySignIn.signUp = false;
    const answer = await ask('/sign-in', { as: 'new@example.org' });
    proxySignIn.signUp = true;
    expect([answer.status, answer.cookie, accountOf('new@example.org')]).toEqual([403, '', null]);
    expect(answer.text).toContain('this stall has no account for new@example.org');
  });

  test('is verified by it, and loses the keys that somebody made before', async () => {
    const email = 'before@example.org';
    await stall.app.admin.accounts.add(email);
    const { key } = await stall.app.admin.keys.create(email, 'laptop', 'never');
    const db = new Database(join(stall.data, 'bookstall.db'));
    db.run(`UPDATE accounts SET verified_at = NULL, password_hash = 'x' WHERE email = '${email}'`);
    db.close();
    await signIn(email);
    expect(accountOf(email)?.verifiedAt).toBe(clock);
    const held = await stall.fetch('/api/holdings', { headers: { Authorization: `Bearer ${key}` } });
    expect(held.status).toBe(401);
  });

  test('that nobody can mail gets no account', async () => {
    expect((await ask('/sign-in', { as: '<eve@example.org>' })).status).toBe(403);
  });

  test('is refused while its account is disabled', async () => {
    const cookie = await signIn('gone@example.org');
    await stall.app.admin.accounts.disable('gone@example.org');
    expect((await ask('/dashboard', { as: 'gone@example.org', cookie })).to).toStartWith('/sign-in');
    expect((await ask('/sign-in', { as: 'gone@example.org', cookie })).status).toBe(403);
  });
});

describe('a header', () => {
  const EVE = 'eve@example.org';
  test.each<[string, readonly string[]]>([
    ['sent twice', [HEADER, EVE, HEADER, EVE]],
    ['sent twice, once in odd case', [HEADER, EVE, 'remote-EMAIL', '']],
    ['with a comma', [HEADER, `${EVE}, other@example.org`]],
    ['with a comma in an address', [HEADER, 'eve,x@example.org']],
    ['beside one with an underscore', [HEADER, EVE, 'Remote_Email', 'ada@example.org']],
    ['with an underscore alone', ['remote_email', EVE]],
    ['with a byte outside ASCII', [HEADER, 'év@example.org']],
    ['with a blank outside ASCII', [HEADER, `${EVE}\u00a0`]],
    ['with no address', [HEADER, 'eve']],
    ['with two at signs', [HEADER, 'eve@example.org@example.org']],
  ])('%s is refused on pages, and not read below /api', async (_, more) => {
    const cookie = await signIn('ada@example.org');
    for (const path of ['/', '/sign-in', '/dashboard'])
      expect([path, (await ask(path, { more, cookie })).status]).toEqual([path, 403]);
    for (const path of ['/api/items', '/feed.xml', '/opds', '/api/holdings'])
      expect([path, (await ask(path, { more, cookie })).status]).toEqual([path, 200]);
    expect(accountOf(EVE)).toBeNull();
  });

  test('that is empty names nobody', async () => {
    expect((await ask('/', { as: ' ' })).status).toBe(200);
    expect((await ask('/dashboard', { as: '' })).to).toStartWith('/sign-in');
  });

  test('from a peer that is not trusted is ignored, and logged once', async () => {
    const cookie = await signIn('ada@example.org');
    const forged = { as: 'ada@example.org', from: '127.0.0.2' };
    expect((await ask('/', forged)).status).toBe(200);
    expect((await ask('/sign-in', forged)).cookie).toBe('');
    expect((await ask('/dashboard', { ...forged, cookie })).to).toStartWith('/sign-in');
    const lines = stall.log.filter(({ event }) => event === 'proxy-header');
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringContaining('Remote-Email from "127.0.0.2"'),
    ]);
  });
});

describe('a session by the proxy', () => {
  test('counts with its own address alone', async () => {
    const cookie = await signIn('ada@example.org');
    expect((await ask('/dashboard', { as: 'ada@example.org', cookie })).status).toBe(200);
    expect((await ask('/dashboard', { cookie })).to).toStartWith('/sign-in');
    const other = await ask('/dashboard', { as: 'bert@example.org', cookie });
    expect([other.status, other.text]).toEqual([303, '']);
    const bert = await ask(other.to, { as: 'bert@example.org', cookie });
    expect((await ask('/dashboard/account', { as: 'bert@example.org', cookie: bert.cookie })).text).toContain(
      '<b>bert@example.org</b>',
    );
  });

  test('counts below /api until 15 minutes after the last page', async () => {
    const as = 'late@example.org';
    const cookie = await signIn(as);
    clock += MINUTE / 2;
    expect((await ask('/dashboard', { as, cookie })).status).toBe(200);
    clock += 15 * MINUTE - 1;
    expect((await ask('/api/holdings', { cookie })).status).toBe(200);
    clock += 1;
    expect((await ask('/api/holdings', { as, cookie })).status).toBe(401);
    expect((await ask('/dashboard', { as, cookie })).status).toBe(200);
    expect((await ask('/api/holdings', { cookie })).status).toBe(200);
  });

  test('takes forms of this site alone, and ends by signing out, which leads to the proxy', async () => {
    const as = 'out@example.org';
    const cookie = await signIn(as);
    const form = { as, cookie, method: 'POST' };
    const foreign = await ask('/sign-out', { ...form, more: ['Origin', 'https://auth.example.org'] });
    expect(foreign.status).toBe(403);
    const out = await ask('/sign-out', { ...form, more: ['Origin', stall.url] });
    expect(out.headers).toMatchObject({ refresh: `0; url=${SIGN_OUT}` });
    expect(out.cookie).toBe('bookstall=');
    expect((await ask('/api/holdings', { cookie })).status).toBe(401);
    expect((await ask('/dashboard', { as, cookie })).to).toStartWith('/sign-in');
    const again = await signIn(as);
    expect(again).not.toBe(cookie);
    expect((await ask('/dashboard', { as, cookie: again })).status).toBe(200);
  });
});

test('a page offers to sign out only where the proxy has a way to', async () => {
  const as = 'stay@example.org';
  const cookie = await signIn(as);
  const offers = async () => (await ask('/dashboard', { as, cookie })).text.includes('>Sign out</button>');
  expect(await offers()).toBeTrue();
  proxySignIn.signOut = null;
  expect(await offers()).toBeFalse();
  proxySignIn.signOut = SIGN_OUT;
});

test('the office offers no invite and no link for a password', async () => {
  await stall.app.admin.accounts.add('boss@example.org', true);
  const as = 'boss@example.org';
  const cookie = await signIn(as);
  const list = await ask('/admin/accounts', { as, cookie });
  expect(list.text).toContain('>Add account</button>');
  const page = await ask(`/admin/accounts/${accountOf('ada@example.org')?.id}`, { as, cookie });
  expect(page.status).toBe(200);
  expect(page.text).not.toMatch(/(?:invite|reset) link|No password yet|New e-mail/);
});

test("the owner's second step asks for its code, and the session counts with the owner's header alone", async () => {
  const [as, secret] = ['boss@example.org', mintTotpSecret()];
  const db = new Database(join(stall.data, 'bookstall.db'));
  db.run('INSERT INTO second_steps VALUES (?, ?, 0, ?)', [accountOf(as)?.id ?? '', secret, clock]);
  db.close();
  const { to, cookie } = await ask('/sign-in?next=/admin', { as });
  expect(to).toBe('/sign-in?next=%2Fadmin');
  expect((await ask('/admin', { as, cookie })).to).toBe(to);
  expect((await ask(to, { as, cookie })).text).toContain('name="code"');
  expect((await ask(to, { as: 'bert@example.org', cookie })).status).toBe(303);
  const more = ['Origin', stall.url, 'Content-Type', 'application/x-www-form-urlencoded'];
  const enter = (code: string, named = as) =>
    ask('/sign-in', { as: named, cookie, method: 'POST', more, body: `next=/admin&code=${code}` });
  const code = totpOf(secret, Math.floor(clock / 30_000));
  const wrong = await enter(code === '000000' ? '000001' : '000000');
  expect([wrong.status, wrong.text.includes('name="code"')]).toEqual([401, true]);
  expect((await enter(code, 'bert@example.org')).status).toBe(401);
  const done = await enter(code);
  expect(done.to).toBe('/admin');
  expect((await ask('/admin', { as, cookie: done.cookie })).status).toBe(200);
  expect((await ask('/admin', { cookie: done.cookie })).to).toStartWith('/sign-in');
  expect((await ask('/admin', { as, cookie })).to).toStartWith('/sign-in');
});

describe('a password', () => {
  test('opens no session that counts', async () => {
    const { email } = await stall.reader('typist@example.org');
    const { Cookie: cookie } = await stall.signIn(email);
    expect((await ask('/api/holdings', { cookie })).status).toBe(401);
    expect((await ask('/dashboard', { cookie })).to).toStartWith('/sign-in');
    expect((await ask('/dashboard', { as: email, cookie })).to).toStartWith('/sign-in');
  });

  test.each([
    ...['/set-up', '/invite', '/reset', '/open', '/email', '/forgot', '/sign-up'],
    ...['/dashboard/account/password', '/dashboard/account/email'],
  ])('has no page %s', async (path) => {
    const as = 'ada@example.org';
    const cookie = await signIn(as);
    const page = await ask(path, { as, cookie });
    expect([page.status, page.text.includes('There are no passwords')]).toEqual([404, true]);
    const form = await ask(path, { as, cookie, method: 'POST', more: ['Origin', stall.url] });
    expect(form.status).toBe(404);
  });

  test('is not taken by the form of sign-in', async () => {
    const page = await ask('/sign-in');
    expect(page.text).toContain('The sign-in of your organisation');
    expect(page.text).not.toContain('type="password"');
    const more = ['Origin', stall.url, 'Content-Type', 'application/x-www-form-urlencoded'];
    expect((await ask('/sign-in', { method: 'POST', more })).status).toBe(404);
  });
});

test.each([
  ['drops', 'ok', /and a forged Remote-Email does not$/],
  [
    'passes on',
    'fail',
    /^Anybody can sign in as anybody at http:.*: the proxy passes a forged Remote-Email on$/,
  ],
] as const)('the doctor, behind a proxy that %s the header, says %s', async (does, status, sentence) => {
  const front = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async ({ url, headers }) => {
      const forged = does === 'drops' ? null : headers.get(HEADER);
      const answer = await fetch(`${stall.url}${new URL(url).pathname}`, {
        headers: forged === null ? {} : { [HEADER]: forged },
      });
      const challenge = answer.headers.get('www-authenticate') ?? '';
      // The stall was started without the address of this proxy.
      const text = (await answer.text()).replaceAll(stall.url, new URL(url).origin);
      return new Response(text, { status: answer.status, headers: { 'WWW-Authenticate': challenge } });
    },
  });
  const config = { ...stall.settings, baseUrl: `http://127.0.0.1:${front.port}` };
  const server = readServerState(stall.data);
  expect(server).toMatchObject({ note: { settings: { 'proxy-user': HEADER } } });
  const found = await examineBaseUrl(createSubject(config, server));
  await front.stop(true);
  expect(found).toMatchObject({ status, sentence: expect.stringMatching(sentence) });
});

describe('the paths that the proxy lets through', () => {
  /** Of the stall's pages: the budget is a session's, or they load it. */
  const isOfPages = (route: string, path: string): boolean =>
    ['session', 'either'].includes(ROUTES[route]?.[0] ?? '')
      ? !/^\/(?:api\/|kosync\/|client\.tgz$|feed\.xml$|token$|register$|revoke$|unsubscribe\/)/.test(path)
      : /^\/(?:(?:assets|covers)\/|offline\.)/.test(path);
  const [, list = ''] = /let these paths through, and everything below them: (.*?)\. /.exec(section) ?? [];
  const listed = [...list.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  const isListed = (path: string): boolean =>
    listed.some((one) =>
      one
        .split('/')
        .every((part, n) => part === path.split('/')[n] || (part === '*' && path.split('/').length > n)),
    );
  const expressions = [/path_regexp (\S+)/.exec(caddy), /location ~ "(.*)"/.exec(nginx)].map(
    (match) => new RegExp(match?.[1] ?? '(?!)'),
  );

  test('are all that programs use, and no page', () => {
    for (const [route, [, , example]] of Object.entries(ROUTES)) {
      const path = (example?.path ?? route.slice(route.indexOf('/'))).replace(/\?.*/, '');
      const told = [isLetThrough(path), isListed(path), ...expressions.map((one) => one.test(path))];
      expect([route, ...told]).toEqual([route, ...told.map(() => !isOfPages(route, path))]);
    }
  });

  test.skipIf(Bun.which('nginx') === null)(
    "get no header through the Handbook's nginx, and pages the proxy's",
    async () => {
      const guard = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: ({ headers }) => {
          const [, who] = /who=([^;]+)/.exec(headers.get('cookie') ?? '') ?? [];
          return new Response(null, {
            status: who === undefined ? 401 : 200,
            headers: { [HEADER]: who ?? '' },
          });
        },
      });
      const url = await startNginx(
        (_, port) =>
          `server { listen 127.0.0.1:${port}; ${nginx.replaceAll('127.0.0.1:7070', new URL(stall.url).host).replace('127.0.0.1:9091', `127.0.0.1:${guard.port}`)} }`,
      );
      const open = (path: string, ...cookies: string[]) =>
        fetch(`${url}${path}`, {
          headers: {
            Cookie: cookies.join('; '),
            [HEADER]: 'owner@example.org',
            'Sec-Fetch-Mode': 'navigate',
          },
          redirect: 'manual',
        });
      expect((await open('/dashboard')).headers.get('location')).toStartWith('https://auth.example.org/?rd=');
      const answer = await open('/sign-in', 'who=carl@example.org');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard']);
      const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
      const page = await open('/dashboard/account', 'who=carl@example.org', cookie);
      expect(await page.text()).toContain('<b>carl@example.org</b>');
      expect(accountOf('owner@example.org')).toBeNull();
      expect((await open('/api/holdings', cookie)).status).toBe(200);
      expect((await open('/api/holdings')).status).toBe(401);
      await guard.stop(true);
    },
  );
});
