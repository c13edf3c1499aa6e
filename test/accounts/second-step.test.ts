import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import jsQR from 'jsqr';
import { totpOf } from '../../src/accounts/totp.rule.ts';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { DAY, HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { createLink, ensureSetup } from '../../src/accounts/one-time-link.ts';
import { type as typeWords } from '../platform/cli/type.ts';
import { until } from '../helpers/harness.ts';
import { chosen, openBrowser, openClaimStall, PASSWORD, secretOf } from '../selling/claim-stall.ts';

const [PAGE, CODE] = ['/admin/second-step', 'Enter the code'];
const stall = await openClaimStall({ config: { trustedProxies: parseNetworks('127.0.0.1') } });
const { admin } = stall.app;
let [email, secret, recovery] = ['owner@example.org', '', ['']];

/** A browser of a network of its own, unless one is named. */
let networks = 0;
const browserAt = (network = `198.51.100.${++networks}`) =>
  openBrowser((path, init) =>
    stall.fetch(path, { ...init, headers: { ...init?.headers, 'X-Forwarded-For': network } }),
  );
type Browser = ReturnType<typeof browserAt>;

/** The code of a clock that is so far beside ours. */
const codeNow = (beside = 0): string => totpOf(secret, Math.floor((stall.now() + beside) / 30_000));
const wrong = (): string => String((Number(codeNow()) + 500_000) % 1_000_000).padStart(6, '0');
const enter = (browser: Browser, code: string) => browser.post('/sign-in', { code, next: '/admin' });
const signIn = (browser: Browser) => browser.post('/sign-in', { email, password: PASSWORD, next: '/admin' });
const isIn = async (browser: Browser) => (await browser.open('/admin')).status === 200;
const waiting = async (network?: string) => {
  const browser = browserAt(network);
  await signIn(browser);
  return browser;
};
/** The same browser in another network. */
const elsewhere = (browser: Browser, network?: string) => {
  const moved = browserAt(network);
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
  return moved;
};
const link = async () => secretOf((await admin.links.create(email, 'reset', stall.url)).url);
const run = async (sql: string): Promise<void> => {
  const db = new Database(join(stall.data, 'bookstall.db'));
  db.run(sql);
  db.close();
  // The stall reads from one snapshot in a turn.
  await Bun.sleep(0);
};

await admin.accounts.add(email, true);
const { key } = await admin.keys.create(email, 'laptop', 'never');
await admin.grants.add({ email, slug: 'paid-book' });
const invite = await admin.links.create(email, 'invite', stall.url);
const [owner, other] = [browserAt(), browserAt()];
await owner.post('/invite', { code: secretOf(invite.url), ...chosen() });
await signIn(other);

/** Turns the second step on in the owner's browser, and keeps its secrets. */
async function turnOn() {
  const { html } = await owner.open(PAGE);
  secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  const done = await owner.post(PAGE, { act: 'on', secret, password: PASSWORD, code: codeNow() });
  recovery = done.html.match(/([A-Z2-7]{4}-){3}[A-Z2-7]{4}/g) ?? [];
  return done;
}

test('the picture reads as the address that an authenticator takes', async () => {
  const { html } = await owner.open(PAGE);
  const size = Number(/viewBox="0 0 (\d+) /.exec(html)?.[1]);
  // Each module is a square of four by four points.
  const points = new Uint8ClampedArray((size * 4) ** 2 * 4).fill(255);
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let n = 0; n < 16; n++) {
      const point = ((Number(y) * 4 + (n >> 2)) * size * 4 + Number(x) * 4 + (n & 3)) * 4;
      points.fill(0, point, point + 3);
    }
  const read = new URL(jsQR(points, size * 4, size * 4)?.data ?? '');
  expect(read.href).toStartWith('otpauth://totp/The%20Heron%20Stall%3Aowner%40example.org?');
  expect(read.searchParams.get('secret')).toBe(/name="secret" value="(\w{32})"/.exec(html)?.[1] ?? '');
});

test('turning it on takes the password and a code, shows ten recovery codes and ends other sessions', async () => {
  const { html } = await owner.open(PAGE);
  secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  for (const proof of [
    { password: 'not it', code: codeNow() },
    { password: PASSWORD, code: wrong() },
  ]) {
    const refused = await elsewhere(owner).post(PAGE, { act: 'on', secret, ...proof });
    expect([refused.status, refused.html.includes(secret)]).toEqual([401, true]);
  }
  expect(await isIn(other)).toBeTrue();
  expect((await turnOn()).status).toBe(200);
  expect(new Set(recovery).size).toBe(10);
  expect([await isIn(owner), await isIn(other)]).toEqual([true, false]);
  expect((await owner.open(PAGE)).html).not.toContain(secret);
  // Neither is in the export, and codes lie in the database as hashes alone.
  const data = JSON.stringify(await admin.personalData.export(email));
  for (const hidden of [secret, ...recovery]) expect(data).not.toContain(hidden);
  expect(data).toContain('"network":"198.51.100.1"');
  expect(await stall.install(key)).toBe(200);
});

test('what changes the shop takes a code again after 15 minutes, and once in the next 15', async () => {
  let slug = 0;
  const add = async (code: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ slug: `added-${++slug}`, code })) form.append(name, value);
    form.append('file', new File(['# A text\n\nWords.\n'], 'a.md'));
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': '198.51.100.1' };
    return stall.fetch('/admin/add', { method: 'POST', headers: sent, body: form });
  };
  stall.pass(14 * MINUTE);
  expect((await owner.open('/admin/add')).html).not.toContain('name="code"');
  expect((await add('')).status).toBe(200);
  stall.pass(2 * MINUTE);
  expect((await owner.open('/admin/add')).html).toContain('name="code"');
  for (const code of ['', wrong()]) expect((await add(code)).status).toBeGreaterThanOrEqual(400);
  expect(stall.app.catalog().bySlug.has('added-2')).toBeFalse();
  expect((await add(codeNow())).status).toBe(200);
  expect((await add('')).status).toBe(200);
});

describe('a way into the account', () => {
  // No code counts twice, and wrong ones are forgotten.
  beforeEach(() => stall.pass(DAY));

  test.each<[string, (browser: Browser) => Promise<unknown>]>([
    ['the password', signIn],
    ['a reset link', async (browser) => browser.post('/reset', { code: await link(), ...chosen() })],
    [
      'that link on another page',
      async (browser) => browser.post('/open', { code: await link(), ...chosen() }),
    ],
    [
      'the set-up link',
      async (browser) => {
        await run('UPDATE accounts SET is_owner = 0');
        const setup = await ensureSetup(stall.app.stall, stall.url);
        await browser.post('/set-up', { code: setup?.url.split('#')[1] ?? '', email, ...chosen() });
      },
    ],
    [
      'a new address',
      async (browser) => {
        const to = `owner${networks}@example.org`;
        const { url } = await createLink(
          stall.app.stall,
          'command',
          { email, purpose: 'email', to },
          stall.url,
        );
        const form = { code: secretOf(url), password: PASSWORD };
        expect((await browserAt().post('/email', form)).status).toBe(401);
        const signed = await waiting();
        await enter(signed, codeNow());
        expect((await signed.post('/email', form)).headers.get('location')).toContain('email-changed');
        email = to;
        stall.pass(MINUTE);
        await signIn(browser);
      },
    ],
  ])('by %s asks for the code', async (_, begin) => {
    const browser = browserAt();
    await begin(browser);
    expect(await isIn(browser)).toBeFalse();
    expect((await browser.open('/sign-in?next=/admin')).text).toContain(CODE);
    expect(
      (await browser.post('/dashboard/account/password', { current: PASSWORD, ...chosen() })).status,
    ).toBe(401);
    const failures = (): number => stall.log.filter(({ event }) => event === 'sign-in-failed').length;
    const before = failures();
    const refused = await enter(browser, wrong());
    expect([refused.status, refused.text.includes(CODE), await isIn(browser)]).toEqual([401, true, false]);
    // fail2ban counts wrong codes as it counts wrong passwords.
    expect(failures()).toBe(before + 1);
    const done = await enter(browser, codeNow());
    expect([done.status, done.headers.get('location'), await isIn(browser)]).toEqual([303, '/admin', true]);
  });

  test.each([
    ['a code of now', 0, true],
    ['one step early', 30_000, true],
    ['one step late', -30_000, true],
    ['two steps early', 60_000, false],
    ['two steps late', -60_000, false],
    ['of a clock 90 s behind', -90_000, false],
  ])('by %s, at %d ms: %p', async (_, beside, opens) => {
    const browser = await waiting();
    await enter(browser, codeNow(beside));
    expect(await isIn(browser)).toBe(opens);
  });

  test('by a code that was used is closed, also to a late one after it, and by a recovery code open once', async () => {
    const [first, second] = [await waiting(), await waiting()];
    const code = codeNow();
    await enter(first, code);
    expect([await isIn(first), (await enter(second, code)).status]).toEqual([true, 401]);
    expect((await enter(second, codeNow(-30_000))).status).toBe(401);
    await enter(second, recovery[0]!.toLowerCase());
    expect(await isIn(second)).toBeTrue();
    const third = await waiting();
    expect((await enter(third, recovery[0]!)).status).toBe(401);
    expect((await owner.open(PAGE)).status).toBe(303);
    expect((await second.open(PAGE)).text).toContain('codes left: 9');
  });

  test('of which the code is still missing connects no assistant', async () => {
    const redirect = 'https://a.example/cb';
    const registered = await stall.fetch('/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirect] }),
    });
    const { client_id: id } = (await registered.json()) as { client_id: string };
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      code_challenge_method: 'S256',
    });
    asked.set('code_challenge', 'c'.repeat(43));
    const browser = await waiting();
    const page = await browser.open(`/authorize?${asked.toString()}`);
    const sent = await browser.post('/authorize', { request: `?${asked.toString()}`, act: 'connect' });
    for (const { headers } of [page, sent]) expect(headers.get('location')).toStartWith('/sign-in?next=');
    await enter(browser, codeNow());
    expect((await browser.open(`/authorize?${asked.toString()}`)).html).toContain('name="token"');
  });

  test('waits five minutes, and ends with a new password', async () => {
    const late = await waiting();
    stall.pass(5 * MINUTE);
    const refused = await enter(late, codeNow());
    expect([refused.status, refused.text.includes('more than five minutes')]).toEqual([401, true]);
    const early = await waiting();
    await browserAt().post('/reset', { code: await link(), ...chosen() });
    await enter(early, codeNow());
    expect(await isIn(early)).toBeFalse();
  });
});

test('new recovery codes end the old ones', async () => {
  stall.pass(MINUTE);
  const browser = await waiting();
  await enter(browser, recovery[1]!);
  const old = recovery[2]!;
  const { html } = await browser.post(PAGE, { act: 'renew', password: PASSWORD, code: codeNow() });
  recovery = html.match(/([A-Z2-7]{4}-){3}[A-Z2-7]{4}/g) ?? [];
  expect([recovery.length, recovery.includes(old)]).toEqual([10, false]);
  expect((await enter(await waiting(), old)).status).toBe(401);
});

describe('guessing', () => {
  beforeEach(() => stall.pass(2 * DAY));
  const mails = () => stall.store.listMailPage(null, { beside: null, side: 'older', limit: 50 });
  const warnings = () => mails().filter(({ kind }) => kind === 'wrong-codes').length;
  /** How many of so many wrong codes are tried before one must wait; each from a network of its own. */
  const guess = async (count: number, code: () => string, network?: string) => {
    const browser = await waiting(network);
    for (let tried = 0; tried < count; tried++)
      if ((await enter(elsewhere(browser, network), code())).status === 429) return tried;
    return count;
  };

  test('from new networks ends after 10 wrong codes an hour and 20 a day, all together; a known one has its own, and recovery codes too', async () => {
    const known = '203.0.113.1';
    await enter(await waiting(known), codeNow());
    const before = warnings();
    expect(await guess(9, wrong)).toBe(9);
    expect(warnings()).toBe(before);
    expect(await guess(9, wrong)).toBe(1);
    expect(warnings()).toBe(before + 1);
    // A right code does not count either, and says so; a recovery code of the same network does.
    const shut = await waiting();
    const later = await enter(shut, codeNow());
    expect([later.status, Number(later.headers.get('retry-after')) > 3000]).toEqual([429, true]);
    expect(await guess(12, wrong, known)).toBe(10);
    expect(await guess(12, () => 'ABCD-EFGH-IJKL-MNOP', known)).toBe(10);
    await enter(shut, recovery[0]!);
    expect(await isIn(shut)).toBeTrue();
    stall.pass(HOUR);
    expect(await guess(12, wrong)).toBe(10);
    stall.pass(HOUR);
    expect(await guess(1, wrong)).toBe(0);
    // One mail a day, whatever happens.
    expect(warnings()).toBe(before + 1);
  });

  test('passwords is not eased by a right one: its count comes back with the code alone', async () => {
    const network = '203.0.113.9';
    const first = await waiting(network);
    for (let n = 1; n < 10; n++) await waiting(network);
    const shut = await signIn(browserAt(network));
    expect(shut.status).toBe(429);
    await enter(first, codeNow());
    expect((await signIn(browserAt(network))).status).toBe(303);
  });
});

test('turning it off takes the password and a code, is logged, and told by mail; the command takes none', async () => {
  stall.pass(2 * DAY);
  const browser = await waiting();
  await enter(browser, codeNow());
  stall.pass(MINUTE);
  for (const proof of [
    { password: 'no', code: codeNow() },
    { password: PASSWORD, code: wrong() },
  ])
    expect((await elsewhere(browser).post(PAGE, { act: 'off', ...proof })).status).toBe(401);
  expect((await browser.post(PAGE, { act: 'off', password: PASSWORD, code: codeNow() })).status).toBe(303);
  const bare = await waiting();
  expect(await isIn(bare)).toBeTrue();
  expect(stall.store.listAuditEntries(1e9, 1)).toMatchObject([
    { action: 'account.second-step', subject: email, details: { act: 'off' } },
  ]);
  await until(() =>
    stall.server.received.some(({ text }) => text.includes('the second step of your account')),
  );

  // Again, for the command.
  const { html } = await bare.open(PAGE);
  secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  stall.pass(MINUTE);
  await bare.post(PAGE, { act: 'on', secret, password: PASSWORD, code: codeNow() });
  expect(await isIn(await waiting())).toBeFalse();
  const type = (words: string) => typeWords(words.split(' '), { BOOKSTALL_DATA: stall.data });
  expect((await type(`account second-step ${email}`)).code).toBe(1);
  expect((await type(`account second-step ${email} --remove`)).code).toBe(0);
  expect(await isIn(await waiting())).toBeTrue();
  expect((await type(`account second-step ${email} --remove`)).err).toContain('it has none');
});
