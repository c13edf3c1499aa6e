import { describe, expect, test } from 'bun:test';
import { openStall, PASSWORD } from '../helpers/harness.ts';
import { createVisitor, typedIn } from '../platform/site/visitor.ts';
import { beginSession } from '../../src/accounts/session.ts';
import { EN } from '../../src/words/en.ts';
import { nameProgram } from '../../src/shop/account.page.tsx';

const ACCOUNT = '/dashboard/account';
const HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>';

const stall = await openStall();

/** A reader with a session of each of these programs, who visits with the first one's cookie. */
async function openReader(email: string, ...userAgents: string[]) {
  const { account } = await stall.reader(email, 'paid-book');
  const first = await stall.signIn(email);
  const cookies = [];
  for (const userAgent of userAgents) {
    const cookie = await beginSession(stall.app.stall, {
      email,
      password: PASSWORD,
      address: '127.0.0.1',
      userAgent,
    });
    cookies.push({ Cookie: `bookstall=${cookie}` });
  }
  return { ...createVisitor(stall, first), account, email, cookies };
}

const idOf = (cookie: string): string => /bookstall=([^.]+)\./.exec(cookie)?.[1] ?? '';
const isIn = async (cookie: { readonly Cookie: string }) =>
  (await createVisitor(stall, cookie).open(ACCOUNT)).status === 200;

describe('the account page', () => {
  test('shows the account, and no other', async () => {
    const anna = await openReader('anna@example.org');
    await openReader('ben@example.org');
    const page = await anna.open(ACCOUNT);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.text).toContain('E-mail anna@example.org Change e-mail');
    expect(page.text).toContain(`Subscriber id ${anna.account.id}`);
    expect(page.text).toContain('1 active key.');
    expect(page.text).not.toContain('ben@');
  });

  test('leads to all that is the account’s, and each leads back', async () => {
    const { open } = await openReader('bea@example.org');
    const { html } = await open(ACCOUNT);
    for (const page of [
      'account/email',
      'account/password',
      'account/data',
      'account/removal',
      'api-keys',
      'connect',
      'logs',
      'downloads',
    ]) {
      expect(html).toContain(`href="/dashboard/${page}"`);
      expect((await open(`/dashboard/${page}`)).html).toContain(`<a href="${ACCOUNT}">Account</a> ›`);
    }
  });

  test('keeps or forgets reading places as one button says', async () => {
    const { open, send } = await openReader('cora@example.org');
    const states = [];
    for (const reading of [null, '', 'on']) {
      if (reading !== null) expect((await send(`${ACCOUNT}/reading`, { reading })).status).toBe(303);
      states.push((await open(ACCOUNT)).text.includes('Reading place Kept'));
    }
    expect(states).toEqual([true, false, true]);
  });

  test('needs a session, and so does its data', async () => {
    const nobody = createVisitor(stall, { Cookie: 'bookstall=forged.forged' });
    for (const path of [ACCOUNT, `${ACCOUNT}/data`]) {
      const page = await nobody.open(path);
      expect([page.status, page.headers.get('location')]).toEqual([
        303,
        `/sign-in?next=${encodeURIComponent(path)}`,
      ]);
    }
  });

  test('sends everything stored about the account as a file', async () => {
    const carl = await openReader('carl@example.org');
    await stall.app.admin.keys.create(carl.email, 'another', 'never');
    const { headers, html } = await carl.send(`${ACCOUNT}/data`, { password: PASSWORD });
    expect(headers.get('content-disposition')).toBe('attachment; filename="bookstall-data.json"');
    // An export by the owner has only the number of notes.
    expect(JSON.parse(html)).toEqual({
      ...JSON.parse(JSON.stringify(await stall.app.admin.personalData.export(carl.email))),
      notes: [],
    });
    expect(JSON.parse(html)).toMatchObject({
      account: { email: carl.email },
      keys: [{ name: 'test' }, { name: 'another' }],
      grants: [{ slug: 'paid-book' }],
    });
    expect(html).not.toMatch(/hash|argon2|secret/);
    expect((await carl.send(`${ACCOUNT}/data`, { password: 'wrong' })).status).toBe(401);
  });

  test('deletes the account for its password, and the log does not say whose it was', async () => {
    const olga = await openReader('olga@example.org');
    const { status, text, headers } = await olga.send(`${ACCOUNT}/removal`, { password: PASSWORD });
    expect([status, text.includes('Your account is deleted.')]).toEqual([200, true]);
    expect(headers.get('set-cookie')).toMatch(/^bookstall=;/);
    expect((await olga.open(ACCOUNT)).status).toBe(303);
    expect(() => stall.app.admin.accounts.find(olga.email)).toThrow();
    await stall.app.admin.accounts.add('owner@example.org', true);
    const owner = createVisitor(stall, await stall.signIn('owner@example.org'));
    expect((await owner.send(`${ACCOUNT}/removal`, { password: PASSWORD })).status).toBe(404);
    expect((await owner.open(ACCOUNT)).status).toBe(200);
    const acts = stall.app.stall.store.listAuditEntries(Number.MAX_SAFE_INTEGER, 5);
    expect(JSON.stringify(acts)).not.toContain(olga.email);
    expect(acts).toContainEqual(
      expect.objectContaining({ action: 'account.remove', subject: olga.account.id, actorEmail: null }),
    );
  });
});

describe('sessions', () => {
  test('are listed by program, hostile ones as text, and the current one is marked', async () => {
    const reader = await openReader(
      'dora@example.org',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      HOSTILE,
    );
    const page = await reader.open(ACCOUNT);
    expect(page.text).toContain('Firefox on Linux');
    expect(page.html).toContain('title="&lt;script>alert(1)&lt;/script>');
    expect(page.html).not.toMatch(/<(script>|img)/);
    expect(page.html.match(/This browser/g)).toHaveLength(1);
    expect(page.html).not.toContain(`/sessions/${idOf(reader.cookie.Cookie)}/end`);
    for (const { Cookie } of reader.cookies) expect(page.html).toContain(`/sessions/${idOf(Cookie)}/end`);
  });

  test('can be ended one by one, from the next request on', async () => {
    const reader = await openReader('emil@example.org', 'a', 'b');
    const [one, other] = reader.cookies;
    if (one === undefined || other === undefined) throw new Error('No sessions');
    const done = await reader.send(`${ACCOUNT}/sessions/${idOf(one.Cookie)}/end`);
    expect([done.status, done.headers.get('location')]).toEqual([303, `${ACCOUNT}?said=session-ended`]);
    expect([await isIn(one), await isIn(other), await isIn(reader.cookie)]).toEqual([false, true, true]);
    const again = await reader.send(`${ACCOUNT}/sessions/${idOf(one.Cookie)}/end`);
    expect(again.status).toBe(404);
    expect(again.text).toContain('Cannot find that session');
  });

  test('of another account are not found, and do not end', async () => {
    const [reader, victim] = [
      await openReader('fred@example.org'),
      await openReader('gina@example.org', 'a'),
    ];
    for (const { Cookie } of [victim.cookie, ...victim.cookies])
      expect((await reader.send(`${ACCOUNT}/sessions/${idOf(Cookie)}/end`)).status).toBe(404);
    await reader.send(`${ACCOUNT}/sessions/end-others`);
    expect(await isIn(victim.cookie)).toBe(true);
  });

  test('all end except the current one', async () => {
    const reader = await openReader('hugo@example.org', 'a', 'b');
    const done = await reader.send(`${ACCOUNT}/sessions/end-others`);
    expect([done.status, done.headers.get('location')]).toEqual([303, `${ACCOUNT}?said=sessions-ended`]);
    expect(await Promise.all([reader.cookie, ...reader.cookies].map(isIn))).toEqual([true, false, false]);
    expect((await reader.open(`${ACCOUNT}?said=sessions-ended`)).text).toContain('All other sessions ended.');
  });
});

describe('changing the password', () => {
  test('needs the current one, gives this browser a new session and ends all others; keys keep working', async () => {
    const reader = await openReader('ines@example.org', 'a');
    const next = 'eight bitterns in the reeds';
    const done = await reader.send(`${ACCOUNT}/password`, { current: PASSWORD, password: next });
    expect([done.status, done.headers.get('location')]).toEqual([303, `${ACCOUNT}?said=password-changed`]);
    const line = done.headers.get('set-cookie') ?? '';
    expect(line).toMatch(/^bookstall=[\w-]+\.[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const fresh = { Cookie: line.split(';')[0] ?? '' };
    expect(await Promise.all([fresh, reader.cookie, ...reader.cookies].map(isIn))).toEqual([
      true,
      false,
      false,
    ]);
    const again = { email: reader.email, address: '127.0.0.2', userAgent: null };
    expect(await beginSession(stall.app.stall, { ...again, password: next })).toBeString();
    await expect(beginSession(stall.app.stall, { ...again, password: PASSWORD })).rejects.toThrow(
      'password is wrong',
    );
    const [key] = await stall.app.admin.keys.list(reader.email);
    expect(key?.revokedAt).toBeNull();
  });

  test.each([
    [
      'a wrong current password',
      'jane@example.org',
      'not this one',
      'eight bitterns in the reeds',
      401,
      'the current one is wrong',
    ],
    ['a short new one', 'kurt@example.org', PASSWORD, 'short', 400, '8'],
    ['one of the commonest', 'lena@example.org', PASSWORD, 'password1', 400, 'one of the commonest'],
    ['the e-mail address', 'mona@example.org', PASSWORD, 'mona@example.org', 400, 'e-mail address'],
  ])(
    'with %s is refused, nothing changes, and no password stays in the page',
    async (_, email, current, password, status, word) => {
      await stall.reader(email);
      const visitor = createVisitor(stall, await stall.signIn(email));
      const answer = await visitor.send(`${ACCOUNT}/password`, { current, password });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null]);
      expect(answer.text).toContain(word);
      expect([typedIn(answer.html, 'current'), typedIn(answer.html, 'password')]).toEqual(['', '']);
      if (password !== email) expect(answer.html).not.toContain(`"${password}"`);
      expect(await isIn(visitor.cookie)).toBe(true);
      const again = { email, password: PASSWORD, address: '127.0.0.2', userAgent: null };
      expect(await beginSession(stall.app.stall, again)).toBeString();
    },
  );
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on a Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on an iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    'Headless Chrome on Linux',
  ],
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64) Something', 'Another program on Linux'],
  ['<script>alert(1)</script>', 'Another program'],
  ['', 'An unnamed program'],
  [null, 'An unnamed program'],
])('%j is named %j', (userAgent, name) => {
  expect(nameProgram(EN.library.sessions, userAgent)).toBe(name);
});
