import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOffice } from '../helpers/office.ts';
import { ensureSetup } from '../../src/accounts/one-time-link.ts';
import { openStore } from '../../src/store.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { EMAIL, openSignInServices, ORIGIN, secretOf } from './sign-in-services.ts';
import { MINUTE, refusalOf, TODAY } from '../helpers/admin-services.ts';

const HOUR = 60 * MINUTE;
const NEXT = 'another heron wades in';
const UNUSABLE =
  'not-found: Cannot use this link: it is used up, has expired or was never made here; sign in if you have an account, or ask the stall for a new one';

type Desk = Awaited<ReturnType<typeof openSignInServices>>;

describe('a link', () => {
  test('carries 256 bits in its fragment, and the store keeps their SHA-256 alone', async () => {
    const { accounts, links, store } = await openSignInServices();
    await accounts.add('bert@example.org');
    const { url, ...link } = await links.create('Bert@example.org', 'invite', ORIGIN);
    expect(url).toMatch(/^https:\/\/stall\.example\.org\/invite#[A-Za-z0-9_-]{43}$/);
    expect(link).toMatchObject({
      purpose: 'invite',
      email: 'bert@example.org',
      expiresAt: TODAY + 72 * HOUR,
    });
    const found = links.find(secretOf(url));
    expect(found).toMatchObject({
      purpose: 'invite',
      email: 'bert@example.org',
      expiresAt: TODAY + 72 * HOUR,
    });
    const { id: accountId } = accounts.find('bert@example.org');
    for (const told of [found, links.list(), await Array.fromAsync(store.walkPersonalData(accountId, false))])
      expect(JSON.stringify(told)).not.toContain(secretOf(url));
    expect(links.find(secretOf(url))).toEqual(found);
  });

  test('sets the password, signs in, and ends every other session and link of the account', async () => {
    const { links, use, sessions, signIn, first, join: joinStall, pass } = await openSignInServices();
    const bert = await joinStall('bert@example.org');
    const [mine, spare] = [
      await links.create(EMAIL, 'reset', ORIGIN),
      await links.create(EMAIL, 'reset', ORIGIN),
    ];
    const his = await links.create('bert@example.org', 'reset', ORIGIN);
    const { cookie, account, session } = await use(secretOf(mine.url), { password: NEXT, userAgent: 'A' });
    expect(account).toEqual({ id: first.account.id, email: EMAIL, isOwner: false });
    expect(sessions.byCookie(cookie)).toMatchObject({ accountId: account.id, sessionId: session.id });
    expect(sessions.byCookie(first.cookie)).toBeNull();
    expect(sessions.byCookie(bert.cookie)).not.toBeNull();
    expect(await refusalOf(() => links.find(secretOf(spare.url)))).toBe(UNUSABLE);
    expect(links.find(secretOf(his.url)).email).toBe('bert@example.org');
    expect(await refusalOf(signIn())).toStartWith('unauthenticated:');
    pass(1000);
    expect((await signIn(NEXT)).account.email).toBe(EMAIL);
  });

  test.each<[string, (desk: Desk, link: { id: number; url: string }) => unknown]>([
    ['used', ({ use }, { url }) => use(secretOf(url), { password: NEXT, userAgent: null })],
    ['revoked', ({ links }, { id }) => links.revoke(id)],
    ['72 hours old', ({ pass }) => pass(72 * HOUR)],
    ['of an account disabled', ({ accounts }) => accounts.disable(EMAIL)],
    [
      'of an account removed',
      ({ store, first }) => store.write.removeAccount({ id: first.account.id, at: 1 }),
    ],
  ])('%s is found no more, nor used', async (_, end) => {
    const desk = await openSignInServices();
    const link = await desk.links.create(EMAIL, 'reset', ORIGIN);
    await desk.links.create(EMAIL, 'reset', ORIGIN);
    desk.pass(1);
    await end(desk, link);
    expect(await refusalOf(() => desk.links.find(secretOf(link.url)))).toBe(UNUSABLE);
    const again = desk.use(secretOf(link.url), { password: 'a third heron wades', userAgent: null });
    expect(await refusalOf(again)).toBe(UNUSABLE);
  });

  test('that ends between its page and the write changes nothing', async () => {
    const desk = await openSignInServices();
    const { url, id } = await desk.links.create(EMAIL, 'reset', ORIGIN);
    const using = desk.use(secretOf(url), { password: NEXT, userAgent: null });
    await desk.links.revoke(id);
    expect(await refusalOf(using)).toBe(UNUSABLE);
    expect(desk.sessions.byCookie(desk.first.cookie)).not.toBeNull();
    expect((await desk.signIn()).account.email).toBe(EMAIL);
  });

  test('stays open where the password is refused', async () => {
    const { links, use } = await openSignInServices();
    const secret = secretOf((await links.create(EMAIL, 'reset', ORIGIN)).url);
    expect(await refusalOf(use(secret, { password: 'short', userAgent: null }))).toStartWith(
      'invalid-request:',
    );
    expect((await use(secret, { password: NEXT, userAgent: null })).account.email).toBe(EMAIL);
  });

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}'`, 'A'.repeat(1e6), '\0'])(
    'with the secret %j is not found',
    async (secret) => {
      const { links, use } = await openSignInServices();
      expect(await refusalOf(() => links.find(secret))).toBe(UNUSABLE);
      expect(await refusalOf(use(secret, { password: NEXT, userAgent: null }))).toBe(UNUSABLE);
    },
  );

  test('is refused to unknown and disabled accounts, and as an invite where a password is set', async () => {
    const { accounts, links } = await openSignInServices();
    expect(await refusalOf(links.create(EMAIL, 'invite', ORIGIN))).toStartWith(
      'invalid-request: Cannot make a link for "anna@example.org": a password is set',
    );
    expect(await refusalOf(links.create('x@example.org', 'reset', ORIGIN))).toStartWith('not-found:');
    await accounts.disable(EMAIL);
    expect(await refusalOf(links.create(EMAIL, 'reset', ORIGIN))).toContain('the account is disabled');
  });

  test('is listed while it can be used, and revoked once', async () => {
    const { links, pass } = await openSignInServices();
    const one = await links.create(EMAIL, 'reset', ORIGIN);
    pass(HOUR);
    const other = await links.create(EMAIL, 'reset', ORIGIN);
    expect(links.list().map(({ id, email }) => [id, email])).toEqual([
      [other.id, EMAIL],
      [one.id, EMAIL],
    ]);
    await links.revoke(other.id);
    expect(await refusalOf(links.revoke(other.id))).toStartWith('not-found: Cannot revoke that link');
    pass(71 * HOUR);
    expect(links.list()).toEqual([]);
  });
});

describe("the owner's set-up link", () => {
  const setUpUrl = ({ dataDirectory }: Desk) => join(dataDirectory, 'setup-url');

  test('makes the owner once, within 30 minutes, and its file goes', async () => {
    const desk = await openSignInServices();
    const link = await desk.links.ensureSetup(ORIGIN);
    expect(link).toMatchObject({ purpose: 'setup', email: null, expiresAt: TODAY + 30 * MINUTE });
    const { url = '' } = link ?? {};
    expect(url).toMatch(/^https:\/\/stall\.example\.org\/set-up#[A-Za-z0-9_-]{43}$/);
    expect(readFileSync(setUpUrl(desk), 'utf8')).toBe(`${url}\n`);
    expect(statSync(setUpUrl(desk)).mode & 0o777).toBe(0o600);
    const answer = { email: ' owner@example.org ', password: NEXT, userAgent: null };
    const { account, cookie } = await desk.use(secretOf(url), answer);
    expect(account).toMatchObject({ email: 'owner@example.org', isOwner: true });
    expect(desk.sessions.byCookie(cookie)).toMatchObject({ isOwner: true });
    expect(existsSync(setUpUrl(desk))).toBe(false);
    expect(await refusalOf(desk.use(secretOf(url), answer))).toBe(UNUSABLE);
    expect(await desk.links.ensureSetup(ORIGIN)).toBeNull();
    await desk.store.write.removeAccount({ id: account.id, at: 1 });
    expect(await refusalOf(desk.use(secretOf(url), answer))).toBe(UNUSABLE);
  });

  test.each([
    ['no address', ''],
    ['no address at all', undefined],
    ['half an address', 'owner@'],
  ])('with %s is refused, and stays open', async (_, email) => {
    const desk = await openSignInServices();
    const secret = secretOf((await desk.links.ensureSetup(ORIGIN))?.url ?? '');
    const answer = { password: NEXT, userAgent: null, ...(email === undefined ? {} : { email }) };
    expect(await refusalOf(desk.use(secret, answer))).toStartWith('invalid-request: Cannot read');
    expect(desk.links.find(secret).purpose).toBe('setup');
  });

  test('is void after 30 minutes, after the next start, and once there is an owner', async () => {
    const desk = await openSignInServices();
    const make = async () => secretOf((await desk.links.ensureSetup(ORIGIN))?.url ?? '');
    const first = await make();
    const second = await make();
    expect(await refusalOf(() => desk.links.find(first))).toBe(UNUSABLE);
    expect(desk.links.find(second).email).toBeNull();
    desk.pass(30 * MINUTE);
    expect(await refusalOf(() => desk.links.find(second))).toBe(UNUSABLE);
    const third = await make();
    await desk.accounts.add('owner@example.org', true);
    const answer = { email: 'mallory@example.org', password: NEXT, userAgent: null };
    expect(await refusalOf(desk.use(third, answer))).toBe(UNUSABLE);
    expect(desk.accounts.list().filter(({ isOwner }) => isOwner)).toHaveLength(1);
    expect(await desk.links.ensureSetup(ORIGIN)).toBeNull();
    expect(existsSync(setUpUrl(desk))).toBe(false);
  });

  test('makes an account that is there already the owner, enabled and signed out elsewhere', async () => {
    const desk = await openSignInServices();
    const secret = secretOf((await desk.links.ensureSetup(ORIGIN))?.url ?? '');
    const { account } = await desk.use(secret, {
      email: 'ANNA@example.org',
      password: NEXT,
      userAgent: null,
    });
    expect(account).toEqual({ id: desk.first.account.id, email: EMAIL, isOwner: true });
    expect(desk.sessions.byCookie(desk.first.cookie)).toBeNull();
  });

  test('takes the place of a file of others, and gives it to this user alone', async () => {
    const desk = await openSignInServices();
    writeFileSync(setUpUrl(desk), 'old', { mode: 0o666 });
    await desk.links.ensureSetup(ORIGIN);
    expect(statSync(setUpUrl(desk)).mode & 0o777).toBe(0o600);
  });
});

test.each(['setup', 'reset'] as const)(
  'of two processes that use one %s link at once, one wins',
  async (purpose) => {
    const dataDirectory = temporaryDirectory();
    const store = await openStore(dataDirectory);
    const stall = { store, now: Date.now, config: { data: dataDirectory } };
    const { accounts, links } = createOffice(stall);
    await accounts.add(EMAIL);
    const link = purpose === 'setup' ? await ensureSetup(stall, '') : await links.create(EMAIL, 'reset', '');
    const users = ['one@example.org', 'other@example.org'].map((email) => {
      const file = join(import.meta.dir, 'link-redeemer.ts');
      const args = [process.execPath, file, dataDirectory, secretOf(link?.url ?? ''), email];
      const child = Bun.spawn(args, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
      return { child, lines: child.stdout.pipeThrough(new TextDecoderStream()).getReader() };
    });
    for (const { lines } of users) expect((await lines.read()).value).toBe('ready\n');
    for (const { child } of users) {
      void child.stdin.write('go\n');
      void child.stdin.end();
    }
    const said = await Promise.all(users.map(async ({ lines }) => (await lines.read()).value?.trim() ?? ''));
    const winners = said.filter((text) => text.startsWith('signed in '));
    expect([winners.length, said.filter((text) => text.startsWith('Cannot use this link')).length]).toEqual([
      1, 1,
    ]);
    const holders = accounts.list().filter(({ hasPassword }) => hasPassword);
    expect(holders.map(({ email }) => `signed in ${email}`)).toEqual(winners);
    for (const { accountId } of [store.findCredentials(holders[0]?.email ?? '')].flatMap(
      (holder) => holder ?? [],
    ))
      expect(store.listSessions(accountId)).toHaveLength(1);
    await store.close();
  },
);
