import { describe, expect, test } from 'bun:test';
import { DAY, HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { PURPOSES } from '../../src/accounts/one-time-link.ts';
import { hashSecret } from '../../src/accounts/secret.rule.ts';
import { until } from '../helpers/harness.ts';
import { chosen, type ClaimStall, keyOf, openClaimStall } from '../selling/claim-stall.ts';

const ADA = 'ada@example.org';
const RIGHT = 'open the library, please';

type Browser = ReturnType<ClaimStall['browser']>;

/** The secrets of the sign-in links that were mailed to an address, the oldest first. */
const linksTo = ({ server }: ClaimStall, address: string): readonly string[] =>
  server.received
    .filter(({ to }) => to.includes(address))
    .flatMap(({ text }) => /\/sign-in\/link#([\w-]{43})/.exec(text)?.[1] ?? []);

/** Asks for a link in a browser, and returns its secret. */
async function ask(stall: ClaimStall, browser: Browser, email = ADA): Promise<string> {
  const before = linksTo(stall, email).length;
  // Two mails of one millisecond are one.
  stall.pass(1);
  await browser.post('/sign-in/mail', { email });
  await until(() => linksTo(stall, email).length > before);
  return linksTo(stall, email).at(-1)!;
}

const isIn = async (browser: Browser): Promise<boolean> => (await browser.open('/dashboard')).status === 200;
const press = (browser: Browser, code: string) => browser.post('/sign-in/link', { code });
const codeOn = (html: string): string => /<code>([A-Z2-7]{4}-[A-Z2-7]{4})<\/code>/.exec(html)?.[1] ?? '';

async function openWithAda(more: Parameters<typeof openClaimStall>[0] = {}) {
  const stall = await openClaimStall(more);
  await stall.app.admin.accounts.add(ADA);
  return stall;
}

const shared = await openWithAda();

describe('a sign-in link', () => {
  test('signs in the browser that asked, once, and leads to the page it wanted', async () => {
    const stall = shared;
    const browser = stall.browser();
    await browser.post('/sign-in/mail', { email: ' ADA@example.org ', next: '/books/paid-book' });
    await until(() => linksTo(stall, ADA).length > 0);
    const code = linksTo(stall, ADA).at(-1)!;
    const entered = await press(browser, code);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/books/paid-book']);
    expect(await isIn(browser)).toBeTrue();
    // Who confirms the address of this account need not type it again.
    expect((await browser.open('/sign-in/mail')).html).toContain(`value="${ADA}"`);
    const again = stall.browser();
    for (const [name, value] of browser.cookies) if (name !== 'bookstall') again.cookies.set(name, value);
    expect([(await press(again, code)).status, await isIn(again)]).toEqual([404, false]);
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'x'])(
    'leads to no other site: %j',
    async (next) => {
      const stall = await openWithAda();
      const browser = stall.browser();
      await browser.post('/sign-in/mail', { email: ADA, next });
      await until(() => linksTo(stall, ADA).length > 0);
      expect((await press(browser, linksTo(stall, ADA)[0]!)).headers.get('location')).toBe('/dashboard');
    },
  );

  test('is used up by no scanner, which opens it, runs its script and presses its buttons', async () => {
    const stall = await openWithAda();
    const browser = stall.browser();
    const code = await ask(stall, browser);
    const scanner = stall.browser();
    for (let n = 0; n < 10; n++) {
      expect((await scanner.open('/sign-in/link')).status).toBe(200);
      const page = await scanner.post('/sign-in/link', { code, look: '1' });
      expect([page.status, codeOn(page.html)]).toEqual([200, expect.stringMatching(/^[A-Z2-7-]{9}$/)]);
    }
    expect([await isIn(scanner), scanner.cookies.size]).toEqual([false, 0]);
    expect([(await press(browser, code)).status, await isIn(browser)]).toEqual([303, true]);
  });

  test('shows another browser a code, which signs in the one that asked, and no third', async () => {
    const stall = await openWithAda();
    const [desk, phone, third] = [stall.browser(), stall.browser(), stall.browser()];
    const link = await ask(stall, desk);
    const code = codeOn((await press(phone, link)).html);
    await third.post('/sign-in/mail', { email: 'nobody@example.org' });
    for (const other of [phone, third])
      expect([(await press(other, code)).status, await isIn(other)]).toEqual([401, false]);
    const typed = code.replace('-', ' ').toLowerCase();
    expect([(await press(desk, typed)).status, await isIn(desk)]).toEqual([303, true]);
    expect((await press(stall.browser(), link)).status).toBe(404);
  });

  test('is dead after 30 minutes, and after five wrong codes in its browser', async () => {
    const stall = await openWithAda();
    const [late, wrong] = [stall.browser(), stall.browser()];
    const [first, second] = [await ask(stall, late), await ask(stall, wrong)];
    const code = codeOn((await press(stall.browser(), second)).html);
    for (let n = 0; n < 5; n++) expect((await press(wrong, 'ABCD-EFGH')).status).toBe(401);
    for (const typed of [code, second]) expect((await press(wrong, typed)).status).toBe(401);
    expect(await isIn(wrong)).toBeFalse();
    // A new mail begins anew, in the same browser.
    const third = await ask(stall, wrong);
    expect([(await press(wrong, third)).status, await isIn(wrong)]).toEqual([303, true]);
    stall.pass(30 * MINUTE);
    expect([(await press(late, first)).status, await isIn(late)]).toEqual([404, false]);
  });

  test('of an account that was disabled in between opens nothing', async () => {
    const stall = await openWithAda();
    const browser = stall.browser();
    const link = await ask(stall, browser);
    const code = codeOn((await press(stall.browser(), link)).html);
    await stall.app.admin.accounts.disable(ADA);
    expect([(await press(browser, link)).status, (await press(browser, code)).status]).toEqual([404, 401]);
    expect(await isIn(browser)).toBeFalse();
  });

  test('is sent to no owner, whose mailbox alone must not open the office', async () => {
    const stall = await openWithAda();
    await stall.app.admin.accounts.add('owner@example.org', true);
    const answers = [];
    for (const email of ['owner@example.org', ADA])
      answers.push((await stall.browser().post('/sign-in/mail', { email })).html);
    await until(() => linksTo(stall, ADA).length > 0);
    await stall.settle();
    expect(new Set(answers).size).toBe(1);
    expect(stall.server.received.filter(({ to }) => to.includes('owner@example.org'))).toEqual([]);
  });

  test('asks an account with a second step for its code too', async () => {
    const stall = await openWithAda();
    const { id } = stall.app.admin.accounts.find(ADA);
    const change = { accountId: id, network: 'n', recovery: null, step: 1, at: stall.now() };
    const hashes = [hashSecret('x')];
    await stall.store.write.changeSecondStep({ ...change, secret: 'A'.repeat(32), hashes, sessionId: null });
    const browser = stall.browser();
    const entered = await press(browser, await ask(stall, browser));
    expect(entered.headers.get('location')).toStartWith('/sign-in?next=');
    expect(await isIn(browser)).toBeFalse();
    expect((await browser.open('/sign-in')).text).toContain('Enter the code');
  });

  test('replaces the session of the browser that uses it', async () => {
    const stall = await openWithAda();
    const browser = stall.browser();
    await press(browser, await ask(stall, browser));
    stall.pass(MINUTE);
    await press(browser, await ask(stall, browser));
    const { id } = stall.app.admin.accounts.find(ADA);
    expect(stall.app.stall.sessions.list(id)).toHaveLength(1);
  });
});

describe('asking for a sign-in link', () => {
  test('is answered alike for every address: status, headers and bytes', async () => {
    const stall = await openWithAda();
    await stall.app.admin.accounts.add('gone@example.org');
    await stall.app.admin.accounts.disable('gone@example.org');
    const answers = [];
    for (const email of [ADA, 'nobody@example.org', 'gone@example.org']) {
      const { status, headers, html } = await stall.browser().post('/sign-in/mail', { email });
      headers.delete('date');
      const cookie = headers.get('set-cookie')?.replace(/=[\w-]{43}/, '=X') ?? '';
      headers.delete('set-cookie');
      answers.push(JSON.stringify([status, cookie, [...headers], html]));
    }
    expect(answers[0]).toContain(
      `bookstall-asked=X.%2Fdashboard; Max-Age=${PURPOSES['sign-in'].term / 1000}; Path=/; HttpOnly; SameSite=Lax`,
    );
    expect(new Set(answers).size).toBe(1);
    // So are wrong codes, of which the first five are counted for an account alone.
    const [known, unknown] = [stall.browser(), stall.browser()];
    stall.pass(HOUR);
    await known.post('/sign-in/mail', { email: ADA });
    await unknown.post('/sign-in/mail', { email: 'nobody@example.org' });
    await until(() => linksTo(stall, ADA).length === 2);
    const refusals = [];
    for (let n = 0; n < 7; n++)
      for (const browser of [known, unknown]) {
        const { status, html } = await press(browser, 'ABCD-EFGH');
        refusals.push(`${status} ${html}`);
      }
    expect(new Set(refusals).size).toBe(1);
  });

  test('brings three mails an hour to an address and to a client, whatever is asked', async () => {
    const stall = await openWithAda();
    await stall.app.admin.accounts.add('grace@example.org');
    const browser = stall.browser();
    for (let n = 0; n < 6; n++) {
      stall.pass(1000);
      await browser.post('/sign-in/mail', { email: ADA });
      // The mail is queued after the answer.
      await Bun.sleep(5);
    }
    await browser.post('/sign-in/mail', { email: 'grace@example.org' });
    await until(() => linksTo(stall, ADA).length === 3);
    await stall.settle();
    expect(stall.server.received).toHaveLength(3);
    stall.pass(HOUR);
    await ask(stall, browser, 'grace@example.org');
  });

  test('has no way for codes sprayed over many accounts: each browser has its own five tries', async () => {
    const stall = await openClaimStall();
    const emails = Array.from({ length: 3 }, (_, n) => `reader${n}@example.org`);
    for (const email of emails) await stall.app.admin.accounts.add(email);
    const attacker = stall.browser();
    for (const email of emails) await ask(stall, attacker, email);
    for (let n = 0; n < 5; n++) await press(attacker, 'ABCD-EFGH');
    // All links of the browser are dead, not each after five more.
    for (const email of emails) expect((await press(attacker, linksTo(stall, email)[0]!)).status).toBe(401);
    expect(await isIn(attacker)).toBeFalse();
  });

  test.each(['', 'ada', 'ada@example.org, eve@example.org', `${'a'.repeat(300)}@example.org`])(
    'is refused for %j',
    async (email) => {
      expect((await shared.browser().post('/sign-in/mail', { email })).status).toBe(400);
    },
  );

  test('is a button of the sign-in page, and without mail there is neither', async () => {
    expect((await shared.browser().open('/sign-in')).html).toContain('formaction="/sign-in/mail"');
    const plain = await openClaimStall({ sends: false });
    expect((await plain.browser().open('/sign-in')).html).not.toContain('/sign-in/mail');
    expect((await plain.browser().open('/sign-in/mail')).status).toBe(404);
    expect((await plain.browser().post('/sign-in/mail', { email: ADA })).status).toBe(404);
  });
});

describe('an account without a password', () => {
  test('has its first one for the asking while its session is new, then after a sign-in by mail', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001', ADA);
    const browser = stall.browser();
    await browser.comeBack('heron0001');
    const PAGES = ['password', 'email', 'data'].map((page) => `/dashboard/account/${page}`);
    for (const page of PAGES) expect((await browser.open(page)).html).toContain(`action="${page}"`);
    stall.pass(16 * MINUTE);
    for (const page of PAGES) {
      const { html, text } = await browser.open(page);
      expect([html.includes(`action="${page}"`), html.includes(`/sign-in/mail?next=${page}`)]).toEqual([
        false,
        true,
      ]);
      expect(text).toContain('Show that it is you');
    }
    const [password, email, data] = PAGES as [string, string, string];
    const refused = [
      await browser.post(password, chosen(RIGHT)),
      await browser.post(email, { email: 'new@example.org' }),
      await browser.post(data),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
    await press(browser, await ask(stall, browser));
    expect((await browser.post(data)).headers.get('content-disposition')).toContain('bookstall-data.json');
    expect((await browser.post(password, chosen(RIGHT))).status).toBe(303);
    const other = stall.browser();
    await other.post('/sign-in', { email: ADA, password: RIGHT });
    expect(await isIn(other)).toBeTrue();
    // From then on it is asked for, however new the session.
    expect((await browser.post(password, chosen('another one entirely'))).status).toBe(401);
  });

  test('changes its address by the link to the new one in its own browser alone', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001', ADA);
    const browser = stall.browser();
    await browser.comeBack('heron0001');
    await browser.post('/dashboard/account/email', { email: 'new@example.org' });
    const { text } = await stall.server.waitFor('new@example.org');
    const code = /\/email#([\w-]{43})/.exec(text)?.[1] ?? '';
    const stranger = await stall.browser().post('/email', { code, password: '' });
    expect([stranger.status, stranger.text.includes('sign in to the account')]).toEqual([401, true]);
    expect((await browser.post('/email', { code })).status).toBe(303);
    expect(stall.app.admin.accounts.find('new@example.org').verifiedAt).toBe(stall.now());
  });

  test('of a stall without mail chooses one whenever it wants', async () => {
    const stall = await openClaimStall({ sends: false });
    await stall.buy('heron0001', ADA);
    const browser = stall.browser();
    const opened = await browser.comeBack('heron0001');
    const page = await browser.open(opened.headers.get('location') ?? '');
    expect(page.html).toContain('href="/dashboard/account/password"');
    stall.pass(DAY);
    expect((await browser.post('/dashboard/account/password', chosen(RIGHT))).status).toBe(303);
    const other = stall.browser();
    await other.post('/sign-in', { email: ADA, password: RIGHT });
    expect(await isIn(other)).toBeTrue();
  });
});

describe('somebody else’s address at the checkout', () => {
  /** Eve buys something cheap under Ada's address, and has all that opens the account that is made of it. */
  async function takeAddress(stall: ClaimStall) {
    await stall.buy('attack0001', ADA, { payment_link: 'plink_monthly', amount_total: 900 });
    const eve = stall.browser();
    const key = keyOf((await eve.arrive('attack0001')).html);
    await eve.post('/dashboard/account/password', chosen('Eve knows this one'));
    return { eve, key };
  }

  test('lets her who typed it read nothing once it is proven, by whatever she had', async () => {
    const stall = await openClaimStall();
    const { eve, key } = await takeAddress(stall);
    const asked = await ask(stall, eve);
    await stall.buy('victim0001', ADA);
    const ada = stall.browser();
    const page = await ada.comeBack('victim0001');
    expect([page.text.includes('has an account here'), ada.cookies.has('bookstall')]).toEqual([true, false]);
    expect(page.html).toContain('href="/sign-in/mail?next=/claim"');
    await press(ada, await ask(stall, ada));
    expect((await ada.open('/dashboard')).text).toContain('The paid book');
    expect((await ada.open('/books/paid-book/read/01.md')).status).toBe(200);
    expect([await isIn(eve), await stall.install(key)]).toEqual([false, 401]);
    // Her password, her own links and the return page open nothing either.
    const again = stall.browser();
    await again.post('/sign-in', { email: ADA, password: 'Eve knows this one' });
    expect([(await press(eve, asked)).status, await isIn(again), await isIn(eve)]).toEqual([
      404,
      false,
      false,
    ]);
    expect((await eve.comeBack('attack0001')).text).toContain('in the library of a…@e…');
  });

  test('is the same after a mail that was passed on as a present: its reader is no holder of the address', async () => {
    const stall = await openClaimStall();
    await stall.buy('present001', ADA);
    const { text } = await stall.server.waitFor(ADA);
    const friend = stall.browser();
    await friend.post('/claim', { code: /\/claim#([\w-]{43})/.exec(text)?.[1] ?? '' });
    expect((await friend.open('/books/paid-book/read/01.md')).status).toBe(200);
    await stall.buy('later00001', ADA, { payment_link: 'plink_monthly', amount_total: 900 });
    expect((await friend.open('/dashboard')).text).not.toContain('The paid skill');
    const ada = stall.browser();
    await press(ada, await ask(stall, ada));
    expect((await ada.open('/dashboard')).text).toContain('The paid skill');
    expect(await isIn(friend)).toBeFalse();
  });

  test('of the owner adds the order to the office’s account, and signs nobody in', async () => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add('owner@example.org', true);
    await stall.buy('heron0001', 'Owner@example.org');
    const browser = stall.browser();
    const page = await browser.comeBack('heron0001');
    expect(page.text).toContain('in the library of o…@e…');
    await browser.post('/sign-in/mail', { email: 'owner@example.org' });
    await stall.settle();
    expect([await isIn(browser), browser.cookies.has('bookstall')]).toEqual([false, false]);
  });
});

describe('the return page’s address', () => {
  test('opens nothing in a second browser, nor where it is loaded ahead, in a frame, or by HEAD', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001', ADA);
    const kept = (await stall.fetch('/claim/stripe?id=cs_live_heron0001', { redirect: 'manual' })).headers;
    const Cookie = kept.get('set-cookie')?.split(';')[0] ?? '';
    const open = (headers: Record<string, string>, method = 'GET') =>
      stall.fetch('/claim', {
        method,
        redirect: 'manual',
        headers: { Cookie, Accept: 'text/html', ...headers },
      });
    for (const [headers, method] of [
      [{ 'Sec-Purpose': 'prefetch' }],
      [{ 'Sec-Fetch-Dest': 'iframe' }],
      [{ 'Sec-Fetch-Dest': 'image' }],
      [{}, 'HEAD'],
    ] as const)
      expect((await open(headers, method)).headers.getSetCookie()).toEqual([]);
    expect(stall.store.findAccountByAddress(ADA)).toBeNull();
    expect((await open({ 'Sec-Fetch-Dest': 'document' })).status).toBe(303);
    const second = stall.browser();
    expect((await second.comeBack('heron0001')).text).toContain('in the library of a…@e…');
    expect([second.cookies.has('bookstall'), await isIn(second)]).toEqual([false, false]);
  });

  test('waits for the sale that comes later, and then opens it by itself', async () => {
    const stall = await openClaimStall();
    const browser = stall.browser();
    expect((await browser.comeBack('heron0001')).headers.get('refresh')).toBe('3');
    await stall.buy('heron0001', ADA);
    expect((await browser.open('/claim')).headers.get('location')).toStartWith(
      '/books/paid-book/read/01.md?',
    );
    expect((await browser.open('/claim')).headers.get('location')).toStartWith('/claim/yours?');
  });

  test.each([
    ['refunded', (stall: ClaimStall) => stall.giveBack('heron0001'), 'was given back'],
    ['erased', (stall: ClaimStall) => stall.app.admin.orders.erase(1), 'Waiting for Stripe'],
  ] as const)('of an order that was %s opens nothing', async (_, change, says) => {
    const stall = await openClaimStall();
    await stall.buy('heron0001', ADA);
    stall.pass(MINUTE);
    await change(stall);
    const browser = stall.browser();
    expect((await browser.comeBack('heron0001')).text).toContain(says);
    expect([browser.cookies.has('bookstall'), stall.store.findAccountByAddress(ADA)]).toEqual([false, null]);
  });

  test.each([
    [
      'behind a proxy that signs readers in',
      { proxySignIn: { header: 'Remote-Email', signUp: true, signOut: null } },
    ],
    ['over plain http', { baseUrl: 'http://stall.example' }],
  ] as const)('makes no account %s', async (_, config) => {
    const stall = await openClaimStall({ config });
    await stall.buy('heron0001', ADA);
    const browser = stall.browser();
    await browser.comeBack('heron0001');
    await browser.post('/sign-in/mail', { email: ADA });
    // The address is looked up a millisecond after the answer: before this timer.
    await Bun.sleep(2);
    expect([stall.store.findAccountByAddress(ADA), browser.cookies.has('bookstall')]).toEqual([null, false]);
    await stall.app.admin.accounts.add(ADA);
    await stall.settle();
    expect((await browser.open('/sign-in/mail')).status).toBe('proxySignIn' in config ? 404 : 200);
    expect(linksTo(stall, ADA)).toEqual([]);
  });

  test('makes account, session and library in one write, so that a crash leaves none without the others', async () => {
    const stall = await openClaimStall();
    const orderId = await stall.buy('heron0001', ADA);
    const account = { id: crypto.randomUUID(), email: ADA, passwordHash: null };
    const session = {
      ...{ id: 'one', accountId: 'of nobody', secretHash: hashSecret('x'), userAgent: null, language: null },
      ...{ createdAt: stall.now(), expiresAt: stall.now() + DAY },
    };
    const claim = { orderId, account, session, by: 'return', since: 0, at: stall.now() } as const;
    await expect(stall.store.write.claimWithAccount(claim)).rejects.toThrow('FOREIGN KEY');
    expect([stall.store.findAccountByAddress(ADA), stall.store.findOrder(orderId)?.accountId]).toEqual([
      null,
      null,
    ]);
  });
});
