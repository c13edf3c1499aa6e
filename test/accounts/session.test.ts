import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { SessionPrincipal } from '../../src/platform/base/principal.ts';
import { formatCookie, READER_SESSION, mintSession, parseCookie } from '../../src/accounts/session.rule.ts';
import { disableAccount } from '../../src/accounts/account.ts';
import { until } from '../helpers/harness.ts';
import { openStore } from '../../src/store.ts';
import { EMAIL, HERE, openSignInServices, PASSWORD } from './sign-in-services.ts';
import { DAY, MINUTE, refusalOf, TODAY } from '../helpers/admin-services.ts';

type Desk = Awaited<ReturnType<typeof openSignInServices>>;

async function principalOf({ sessions }: Desk, cookie: string): Promise<SessionPrincipal> {
  const principal = sessions.byCookie(cookie);
  if (principal === null) throw new Error('The session does not count');
  return principal;
}

describe('a sign-in', () => {
  test('names the account by a session that is new each time', async () => {
    const desk = await openSignInServices();
    const [one, other] = [await desk.signIn(), await desk.signIn(PASSWORD, ' ANNA@example.org ')];
    const { id: accountId } = desk.accounts.find(EMAIL);
    expect(one.account).toEqual({ id: accountId, email: EMAIL, isOwner: false });
    expect(one.session).toEqual({
      ...{
        id: one.cookie.slice(0, 22),
        accountId,
        userAgent: 'Test/1.0',
        endedAt: null,
        isEditor: 0 as const,
        isOffice: 0 as const,
        language: null,
      },
      ...{ createdAt: TODAY, lastSeenAt: TODAY, expiresAt: TODAY + 365 * DAY },
    });
    const named = { kind: 'account', accountId, email: EMAIL, keyId: null, isOwner: false } as const;
    for (const { cookie, session } of [one, other])
      expect(desk.sessions.byCookie(cookie)).toEqual({ ...named, sessionId: session.id });
    expect(one.session.id).not.toBe(other.session.id);
    expect(parseCookie(one.cookie)?.secret).not.toBe(parseCookie(other.cookie)?.secret);
  });

  test('is refused with one sentence and one log line, whether the password is wrong or nobody has the address', async () => {
    const desk = await openSignInServices();
    const { id: account } = await desk.accounts.add('none@example.org');
    const typed = 'my secret typed in the wrong field';
    const refusals = [
      await refusalOf(desk.signIn('wrong heron wades')),
      await refusalOf(desk.signIn('', EMAIL, '198.51.100.1')),
      await refusalOf(desk.signIn(PASSWORD, 'none@example.org', '198.51.100.2')),
      await refusalOf(desk.signIn(PASSWORD, typed, '2001:db8:0:1')),
    ];
    expect([...new Set(refusals)]).toEqual([
      'unauthenticated: Cannot sign in: the e-mail address or the password is wrong; type both again, or have the password reset',
    ]);
    expect(desk.log).toEqual([
      { event: 'sign-in-failed', address: HERE, account: desk.first.account.id },
      { event: 'sign-in-failed', address: '198.51.100.1', account: desk.first.account.id },
      { event: 'sign-in-failed', address: '198.51.100.2', account },
      { event: 'sign-in-failed', address: '2001:db8:0:1::/64', account: null },
    ]);
  });

  test('begins no session where the account is disabled or the password changed before its turn comes', async () => {
    for (const change of ['disable', 'password'] as const) {
      const desk = await openSignInServices();
      const principal = await principalOf(desk, desk.first.cookie);
      const { session } = await desk.join('other@example.org');
      const signingIn = desk.signIn();
      if (change === 'disable') await desk.accounts.disable(EMAIL);
      else {
        const credentials = desk.store.findCredentials(EMAIL);
        await desk.store.write.changePassword({
          accountId: principal.accountId,
          by: principal.sessionId,
          from: credentials?.passwordHash ?? '',
          to: 'another hash',
          session: { ...session, id: 'x', accountId: principal.accountId, secretHash: new Uint8Array(32) },
          disconnects: true,
          at: desk.now(),
        });
      }
      expect(await refusalOf(signingIn)).toStartWith(
        'unauthenticated: Cannot sign in: the password was changed',
      );
    }
  });

  test.each([
    ['one account, from one address', ['storm@example.org'], ['198.51.100.1']],
    [
      'four addresses, with accounts of their own',
      ['storm@example.org', 'storm2@example.org'],
      ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'],
    ],
  ])('goes on for everybody else in a storm of right passwords by %s', async (_, emails, addresses) => {
    const desk = await openSignInServices();
    for (const email of emails) await desk.join(email);
    let [isOver, attempts] = [false, 0];
    const storm = async (n: number): Promise<void> => {
      const [email, address] = [emails[n % emails.length], addresses[n % addresses.length]];
      while (!isOver) {
        await refusalOf(desk.signIn(PASSWORD, email, address));
        attempts++;
        await Bun.sleep(1);
      }
    };
    const storms = Array.from({ length: 40 }, (__, n) => storm(n));
    // From the 21st on they wait for each other.
    await until(() => attempts > 20);
    const others = [];
    for (let n = 0; n < 4; n++) others.push(await refusalOf(desk.signIn(PASSWORD, EMAIL, `203.0.113.${n}`)));
    isOver = true;
    await Promise.all(storms);
    expect(new Set(others)).toEqual(new Set(['not refused: null']));
  });

  test('that must wait asks no password, writes no line, and works when the time is over', async () => {
    const desk = await openSignInServices();
    await refusalOf(desk.signIn('wrong heron wades'));
    expect(await refusalOf(desk.signIn())).toBe(
      'rate-limited: Cannot sign in yet: too many attempts failed; wait a second, then try again',
    );
    expect(desk.log).toHaveLength(1);
    desk.pass(1000);
    expect((await desk.signIn()).account.email).toBe(EMAIL);
  });

  test('of a disabled account tells so to who knows the password alone', async () => {
    const desk = await openSignInServices();
    await desk.accounts.disable(EMAIL);
    expect(await refusalOf(desk.signIn())).toStartWith(
      'access-denied: Cannot sign in: this account is disabled',
    );
    expect(await refusalOf(desk.signIn('wrong heron wades'))).toStartWith('unauthenticated:');
  });

  test('that verified a password which changed meanwhile begins nothing', async () => {
    const desk = await openSignInServices();
    const { accountId, passwordHash } = desk.store.findCredentials(EMAIL) ?? {};
    if (accountId === undefined || typeof passwordHash !== 'string') throw new Error('No password');
    const session = { ...desk.first.session, id: mintSession().id, secretHash: new Uint8Array(32) };
    const begin = (hash: string) => desk.store.write.addSession({ session, passwordHash: hash });
    expect(await begin(await desk.passwords.hash(PASSWORD, EMAIL))).toBe(false);
    await desk.accounts.disable(EMAIL);
    expect(await begin(passwordHash)).toBe(false);
    expect(desk.store.findSession(session.id)).toBeNull();
    await desk.accounts.enable(EMAIL);
    expect(await begin(passwordHash)).toBe(true);
  });

  test('the 21st ends the oldest, and no other account suffers', async () => {
    const desk = await openSignInServices();
    const bert = await desk.join('bert@example.org');
    const cookies = [desk.first.cookie];
    for (let n = 0; n < 20; n++) {
      desk.pass(1000);
      cookies.push((await desk.signIn()).cookie);
    }
    const alive = await Promise.all(cookies.map(async (cookie) => desk.sessions.byCookie(cookie) !== null));
    expect(alive).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
    expect(desk.sessions.list(desk.first.account.id)).toHaveLength(20);
    expect(desk.sessions.byCookie(bert.cookie)).not.toBeNull();
  });

  test("keeps a browser's name short and without control characters", async () => {
    const desk = await openSignInServices();
    const userAgent = `Bad\r\n\u001b[2J${'x'.repeat(500)}`;
    const { session } = await desk.sessions.signIn({
      email: EMAIL,
      password: PASSWORD,
      address: HERE,
      userAgent,
    });
    expect(session.userAgent).toMatch(/^Bad {3}\[2Jx+$/);
    expect(session.userAgent).toHaveLength(200);
  });
});

describe('a cookie', () => {
  test('that is forged in any part is nobody', async () => {
    const desk = await openSignInServices();
    const [mine, other] = [await desk.signIn(), await desk.signIn()].map(({ cookie }) => parseCookie(cookie));
    if (!mine || !other) throw new Error('No cookie');
    expect(desk.sessions.byCookie(formatCookie(mine))).not.toBeNull();
    for (const forged of [
      formatCookie({ ...mine, secret: other.secret }),
      formatCookie({ ...mine, secret: mintSession().secret }),
      formatCookie({ ...mine, id: mintSession().id }),
      formatCookie(mintSession()),
      `${formatCookie(mine)} `,
      mine.id,
      '',
    ])
      expect(desk.sessions.byCookie(forged)).toBeNull();
  });

  test('is nobody after 30 days without a request, for good', async () => {
    const desk = await openSignInServices();
    const { cookie } = desk.first;
    desk.pass(READER_SESSION.idle - 1);
    expect(desk.sessions.byCookie(cookie)).not.toBeNull();
    desk.pass(READER_SESSION.idle - 1);
    expect(desk.sessions.byCookie(cookie)).not.toBeNull();
    desk.pass(READER_SESSION.idle);
    expect(desk.sessions.byCookie(cookie)).toBeNull();
    expect(desk.sessions.byCookie(cookie)).toBeNull();
    expect(desk.sessions.list(desk.first.account.id)).toEqual([]);
  });

  test('is nobody after a year, however busy', async () => {
    const desk = await openSignInServices();
    const isAlive = async () => desk.sessions.byCookie(desk.first.cookie) !== null;
    const seen = [];
    for (
      let passed = 0;
      passed < READER_SESSION.longest;
      passed += READER_SESSION.idle / 2, desk.pass(READER_SESSION.idle / 2)
    )
      seen.push(await isAlive());
    expect([seen.every(Boolean), await isAlive()]).toEqual([true, false]);
  });

  test.each<[string, (desk: Desk, principal: SessionPrincipal) => Promise<unknown>]>([
    ['signed out', ({ sessions }, principal) => sessions.signOut(principal)],
    ['ended from the list', ({ sessions }, { accountId, sessionId }) => sessions.end(accountId, sessionId)],
    ['ended with all', ({ sessions }, { accountId }) => sessions.endAll(accountId)],
    ['of an account disabled', ({ accounts }) => accounts.disable(EMAIL)],
    [
      'of an account disabled and enabled',
      async ({ accounts }) => (await accounts.disable(EMAIL), accounts.enable(EMAIL)),
    ],
    [
      'of an account removed',
      ({ store }, { accountId }) => store.write.removeAccount({ id: accountId, at: 1 }),
    ],
  ])('%s is nobody from the next request on, also by a clock set back', async (_, end) => {
    const desk = await openSignInServices();
    const { cookie } = desk.first;
    await end(desk, await principalOf(desk, cookie));
    expect(desk.sessions.byCookie(cookie)).toBeNull();
    desk.pass(-5 * MINUTE);
    expect(desk.sessions.byCookie(cookie)).toBeNull();
  });

  test('ended by another process is nobody from the next request on', async () => {
    const desk = await openSignInServices();
    expect(desk.sessions.byCookie(desk.first.cookie)).not.toBeNull();
    const beside = await openStore(desk.directory);
    await disableAccount({ store: beside, now: desk.now }, 'command', EMAIL);
    expect(desk.sessions.byCookie(desk.first.cookie)).toBeNull();
    await beside.close();
  });

  test('of a disabled account is nobody, even where another program left the session', async () => {
    const desk = await openSignInServices();
    using db = new Database(join(desk.directory, 'bookstall.db'));
    db.run('UPDATE accounts SET disabled_at = 1');
    // All reads of one turn of the event loop see one snapshot.
    await new Promise((resolve) => setImmediate(resolve));
    expect(desk.sessions.byCookie(desk.first.cookie)).toBeNull();
  });

  test('tells whether the account is the owner', async () => {
    const desk = await openSignInServices();
    await desk.accounts.add('owner@example.org', true);
    const { url } = await desk.links.create('owner@example.org', 'invite', '');
    const { cookie, account } = await desk.use(url.slice(-43), { password: PASSWORD, userAgent: null });
    expect([account.isOwner, (await principalOf(desk, cookie)).isOwner]).toEqual([true, true]);
  });
});

describe('sessions', () => {
  test('are listed last seen first, seen to within a minute on disk', async () => {
    const desk = await openSignInServices();
    const { accountId } = desk.first.session;
    desk.pass(1000);
    const second = await desk.signIn();
    desk.pass(MINUTE);
    desk.sessions.byCookie(desk.first.cookie);
    await desk.store.write.recordSessionUse({ id: '', at: 0 });
    const listed = desk.sessions.list(accountId);
    expect(listed.map(({ id, lastSeenAt }) => [id, lastSeenAt - TODAY])).toEqual([
      [desk.first.session.id, MINUTE + 1000],
      [second.session.id, 1000],
    ]);
    expect(JSON.stringify(listed)).not.toContain(parseCookie(second.cookie)?.secret ?? '-');
  });

  test('last uses are written at most once a minute', async () => {
    const desk = await openSignInServices();
    const onDisk = async () => {
      for (let n = 0; n < 5; n++) desk.sessions.byCookie(desk.first.cookie);
      await desk.store.write.recordSessionUse({ id: '', at: 0 });
      return (desk.store.findSession(desk.first.session.id)?.lastSeenAt ?? 0) - TODAY;
    };
    const seen = [];
    for (const step of [0, 1000, MINUTE - 1001, 1, MINUTE]) {
      desk.pass(step);
      seen.push(await onDisk());
    }
    expect(seen).toEqual([0, 0, 0, MINUTE, 2 * MINUTE]);
  });

  test('end alone or all but one; those of another account are not found', async () => {
    const desk = await openSignInServices();
    const bert = await desk.join('bert@example.org');
    const [second, third] = [await desk.signIn(), await desk.signIn()];
    const { id: account } = second.account;
    const refusal = 'not-found: Cannot find that session: it has ended already';
    expect(await refusalOf(desk.sessions.end(account, bert.session.id))).toBe(refusal);
    await desk.sessions.end(account, second.session.id);
    expect(await refusalOf(desk.sessions.end(account, second.session.id))).toBe(refusal);
    expect(await desk.sessions.endAll(account, third.session.id)).toBe(1);
    const alive = [desk.first, second, third, bert].map(
      async ({ cookie }) => desk.sessions.byCookie(cookie) !== null,
    );
    expect(await Promise.all(alive)).toEqual([false, false, true, true]);
  });
});

describe('a password changed', () => {
  const NEXT = 'another heron wades in';
  const THERE = '198.51.100.9';

  test('needs the current one, ends every session and link, and gives the browser a new cookie', async () => {
    const desk = await openSignInServices();
    const other = await desk.signIn();
    const { url } = await desk.links.create(EMAIL, 'reset', '');
    const changed = await desk.changePassword(await principalOf(desk, other.cookie), PASSWORD, NEXT, THERE);
    const alive = [desk.first, other, changed].map(
      async ({ cookie }) => desk.sessions.byCookie(cookie) !== null,
    );
    expect(await Promise.all(alive)).toEqual([false, false, true]);
    expect(changed.session).toMatchObject({ userAgent: 'Test/1.0', createdAt: TODAY });
    expect(await refusalOf(() => desk.links.find(url.slice(-43)))).toStartWith('not-found:');
    expect(await refusalOf(desk.signIn())).toStartWith('unauthenticated:');
    desk.pass(1000);
    expect((await desk.signIn(NEXT)).account.email).toBe(EMAIL);
  });

  test('is refused to a session that was ended while its form arrived', async () => {
    const desk = await openSignInServices();
    const principal = await principalOf(desk, desk.first.cookie);
    await desk.sessions.end(principal.accountId, principal.sessionId);
    expect(await refusalOf(desk.changePassword(principal, PASSWORD, NEXT, THERE))).toStartWith(
      'unauthenticated:',
    );
    desk.pass(1000);
    expect((await desk.signIn()).account.email).toBe(EMAIL);
  });

  test.each([
    [
      'the current one is wrong',
      'wrong heron',
      NEXT,
      'unauthenticated: Cannot change the password: the current one is wrong; type it again',
    ],
    [
      'the next is too short',
      PASSWORD,
      'short',
      'invalid-request: Cannot use this password: it has 5 characters',
    ],
    [
      'the next is common',
      PASSWORD,
      'password123',
      'invalid-request: Cannot use this password: it is one of the commonest',
    ],
  ])('stays as it is where %s', async (_, current, next, refusal) => {
    const desk = await openSignInServices();
    const principal = await principalOf(desk, desk.first.cookie);
    expect(await refusalOf(desk.changePassword(principal, current, next, THERE))).toStartWith(refusal);
    expect(desk.sessions.byCookie(desk.first.cookie)).not.toBeNull();
    expect((await desk.signIn()).account.email).toBe(EMAIL);
  });

  test('begins no session of an account that was disabled meanwhile', async () => {
    const desk = await openSignInServices();
    const principal = await principalOf(desk, desk.first.cookie);
    await desk.accounts.disable(EMAIL);
    const changing = desk.changePassword(principal, PASSWORD, NEXT, THERE);
    expect(await refusalOf(changing)).toStartWith('unauthenticated:');
    await desk.accounts.enable(EMAIL);
    expect((await desk.signIn()).account.email).toBe(EMAIL);
  });

  test('is guessed no faster than at a sign-in', async () => {
    const desk = await openSignInServices();
    const principal = await principalOf(desk, desk.first.cookie);
    const change = (current: string) => refusalOf(desk.changePassword(principal, current, NEXT, HERE));
    expect(await change('wrong heron')).toStartWith('unauthenticated:');
    expect(await change(PASSWORD)).toStartWith('rate-limited:');
    expect(await refusalOf(desk.signIn())).toStartWith('rate-limited:');
    expect(desk.log).toEqual([{ event: 'sign-in-failed', address: HERE, account: desk.first.account.id }]);
  });
});
