import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { until } from '../helpers/harness.ts';
import { dispute } from './providers/stripe-events.ts';
import { chosen, keyOf, openClaimStall, PASSWORD, secretOf } from './claim-stall.ts';

/** The page of the purchase to which an answer leads. */
const yoursOf = ({ headers }: { readonly headers: Headers }): string =>
  `/claim/yours?order=${/=([\w-]{11})$/.exec(headers.get('location') ?? '')?.[1]}`;

const shared = await openClaimStall();
await shared.buy('known00001', 'known@example.org');

describe('the return page', () => {
  test('keeps the id in a cookie of this path and leaves the address', async () => {
    const stall = shared;
    const response = await stall.fetch('/claim/stripe?id=cs_live_heron0001', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/claim']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^bookstall-claim=stripe\.[\w-]+\.\d+; Max-Age=3600; Path=\/claim; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(JSON.stringify(stall.log)).not.toContain('heron0001');
  });

  test('waits for a purchase that is unknown or unpaid alike, and looks again by itself', async () => {
    const stall = await openClaimStall();
    await stall.buy('unpaid0001', 'ada@example.org', { payment_status: 'unpaid' });
    const [unknown, unpaid] = [
      await stall.browser().comeBack('unknown0001'),
      await stall.browser().comeBack('unpaid0001'),
    ];
    expect(unknown.text).toContain('Waiting for Stripe');
    expect(unpaid.html).toBe(unknown.html);
    expect([unknown.status, unpaid.status]).toEqual([200, 200]);
    expect([unknown.headers.get('refresh'), unpaid.headers.get('refresh')]).toEqual(['3', '3']);
    expect(unknown.text).not.toContain('help@example.org');
  });

  test('names the contact and the end of the reference after two minutes', async () => {
    const stall = shared;
    const browser = stall.browser();
    await browser.comeBack('unknown0001');
    stall.pass(2 * MINUTE);
    const page = await browser.open('/claim');
    expect(page.text).toContain('help@example.org');
    expect(page.text).toContain(
      'the reference that ends in known0001'.replace('known0001', 'known0001'.slice(-8)),
    );
    expect(page.headers.get('refresh')).toBe('15');
  });

  test('makes an account without a password and opens the book; a button of the next page alone makes a key', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const browser = stall.browser();
    const joined = await browser.comeBack('heron0001');
    const opened = joined.headers.get('location') ?? '';
    expect([joined.status, opened]).toEqual([
      303,
      expect.stringMatching(/^\/books\/paid-book\/read\/01\.md\?bought=[\w-]{11}$/),
    ]);
    const path = yoursOf(joined);
    expect((await browser.open(opened)).html).toContain(`href="${path}"`);
    expect(stall.app.admin.accounts.find('ada@example.org').hasPassword).toBeFalse();
    const yours = await browser.open(path);
    expect(yours.text).toMatch(
      /It is yours.*The paid book.*Read now.*Download EPUB.*choose it now.*In your agent.*Make a key/,
    );
    expect([keyOf(yours.html), yours.text.includes('curl')]).toEqual(['', false]);
    expect(await browser.open('/claim')).toMatchObject({ status: 303 });
    const once = /name="once" value="([^"]+)"/.exec(yours.html)?.[1] ?? '';
    expect(yours.html).toContain('action="/dashboard/api-keys/create"');
    const fields = { once, name: 'My agent', expires: '90', slug: 'paid-book' };
    expect(yours.html).toContain('name="expires" value="90"');
    const claimed = await browser.post('/dashboard/api-keys/create', fields);
    const key = keyOf(claimed.html);
    expect(claimed.text).toContain(
      `npx --yes ${stall.url}/client.tgz install paid-book --url ${stall.url} --agent claude`,
    );
    expect(await stall.install(key)).toBe(200);
    expect((await browser.open('/dashboard')).text).toContain('The paid book');
    const stranger = stall.browser();
    expect((await stranger.open(path)).headers.get('location')).toStartWith('/sign-in?next=');
    await stall.app.admin.accounts.add('bob@example.org');
    stranger.cookies.set(
      'bookstall',
      (await stall.signIn('bob@example.org')).Cookie.slice('bookstall='.length),
    );
    for (const other of [path, '/claim/yours?items=paid-book', '/claim/yours'])
      expect((await stranger.open(other)).headers.get('location')).toBe('/dashboard');
    expect((await browser.open('/dashboard/api-keys')).html).not.toContain(key);
    expect(stall.app.admin.accounts.find('ada@example.org').verifiedAt).toBeNull();
    // A mail that is being sent is not queued again.
    await stall.settle();
    await browser.post('/claim/mail', { email: 'ada@example.org' });
    const mail = await stall.server.waitFor('ada@example.org', 2);
    const [read = 0, epub = 0, agent = 0] = [
      'books/paid-book/read',
      'api/books/paid-id/epub',
      'dashboard/connect',
    ].map((end) => mail.text.indexOf(end));
    expect([read > mail.text.indexOf('It is yours'), epub > read, agent > epub]).toEqual([true, true, true]);
    expect(secretOf(mail.text)).toBe('');
    const link = /\/sign-in\?next=\S+read/.exec(mail.text)?.[0] ?? '';
    expect((await browser.open(link)).headers.get('location')).toBe('/books/paid-book/read');
  });

  test('adds the purchase to the account that is signed in, whatever its address', async () => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add('grace@example.org');
    const browser = stall.browser();
    const { Cookie } = await stall.signIn('grace@example.org');
    browser.cookies.set('bookstall', Cookie.slice('bookstall='.length));
    await stall.buy('heron0001');
    expect((await browser.comeBack('heron0001')).text).toContain('Add to grace@example.org');
    const added = await browser.claim('/claim/add');
    expect(await stall.install(keyOf(added.html))).toBe(200);
    expect((await stall.browser().comeBack('heron0001')).text).toContain('It is in the library of g…@e…');
    await stall.app.admin.accounts.add('bob@example.org');
    const other = stall.browser();
    other.cookies.set('bookstall', (await stall.signIn('bob@example.org')).Cookie.slice('bookstall='.length));
    expect((await other.comeBack('heron0001')).text).toContain('It is in the library of g…@e…');
    const code = secretOf((await stall.server.waitFor('ada@example.org')).text);
    const late = await stall.browser().claim('/claim', { code, ...chosen() });
    expect([late.status, late.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\?next=/),
    ]);
    expect(stall.store.findAccountByAddress('ada@example.org')).toBeNull();
  });

  test('a verified account of the address has it already, and only a hint of the address is shown', async () => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add('ADA@example.org');
    await stall.buy('heron0001');
    const page = await stall.browser().comeBack('heron0001');
    expect(page.text).toContain('It is in the library of A…@e…');
    expect(page.text).not.toContain('ADA@example.org');
    expect(page.html).toContain('href="/sign-in/mail?next=/claim"');
    expect(await stall.server.waitFor('ada@example.org')).toMatchObject({
      text: expect.stringContaining('/dashboard'),
    });
  });

  test('is closed a day after the payment, and good once', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const [first, second] = [stall.browser(), stall.browser()];
    stall.pass(DAY);
    expect((await first.comeBack('heron0001')).text).toContain('within 24 hours');
    expect(first.cookies.has('bookstall')).toBeFalse();
    await stall.buy('heron0002');
    expect(keyOf((await first.arrive('heron0002')).html)).not.toBe('');
    const taken = await second.comeBack('heron0002');
    expect([taken.status, taken.text.includes('It is in the library of a…@e…')]).toEqual([200, true]);
    expect(second.cookies.has('bookstall')).toBeFalse();
  });

  test('of two who claim at once one is refused, and gets no session', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const browsers = Array.from({ length: 4 }, stall.browser);
    const answers = await Promise.all(browsers.map((browser) => browser.comeBack('heron0001')));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(browsers.filter(({ cookies }) => cookies.has('bookstall'))).toHaveLength(1);
    expect(stall.app.admin.accounts.list().filter(({ email }) => email === 'ada@example.org')).toHaveLength(
      1,
    );
  });

  test('twenty unknown ids a minute from one address, then 429; a page that waits counts once', async () => {
    const stall = await openClaimStall();
    const waiting = stall.browser();
    for (let n = 0; n < 30; n++) expect((await waiting.comeBack('waits00001')).status).toBe(200);
    for (let n = 0; n < 19; n++) expect((await stall.browser().comeBack(`guess${n}00000`)).status).toBe(200);
    const refused = await stall.browser().comeBack('guess9900000');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    expect((await waiting.open('/claim')).status).toBe(200);
    stall.pass(MINUTE);
    expect((await stall.browser().comeBack('guess9900000')).status).toBe(200);
  });

  test.each([
    ['stripe', 'pi_known00001'],
    ['stripe', "cs_' OR 1=1 --"],
    ['stripe', 'cs_'],
    ['lemonsqueezy', 'cs_live_known00001'],
    ['polar', 'cs_live_known00001'],
    ['gumroad', 'cs_live_known00001'],
  ])('%s with the id %j waits like any other', async (provider, id) => {
    const browser = shared.browser();
    await browser.open(`/claim/${provider}?id=${encodeURIComponent(id)}`);
    const page = await browser.open('/claim');
    expect([page.status, page.text.includes('Waiting for')]).toEqual([200, true]);
  });

  test.each([
    '/claim/paypal?id=x',
    '/claim/stripe',
    `/claim/stripe?id=${'x'.repeat(301)}`,
    '/claim/hand?id=ref',
  ])('%s leads to the page without a purchase', async (path) => {
    const response = await shared.fetch(path, { redirect: 'manual' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([303, null]);
    expect((await shared.browser().open('/claim')).text).toContain('Your link');
  });
});

describe('the link in the mail', () => {
  test('has a page of its own beside a purchase, which does not reload while a password is typed', async () => {
    const browser = shared.browser();
    const waiting = await browser.comeBack('waits00002');
    expect([waiting.headers.has('refresh'), waiting.html.includes('action="/claim"')]).toEqual([true, false]);
    const mail = await browser.open('/claim?mail');
    expect([mail.headers.has('refresh'), mail.html.includes('action="/claim"')]).toEqual([false, true]);
    const refused = await browser.claim('/claim', { code: '', ...chosen() });
    expect([refused.headers.has('refresh'), refused.html.includes('action="/claim"')]).toEqual([false, true]);
  });

  test('has a page that names the book and the address before it asks for a password', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const code = secretOf((await stall.server.waitFor('ada@example.org')).text);
    expect((await stall.browser().open('/claim?mail')).html).not.toContain('type="password"');
    const page = await stall.browser().post('/claim', { code, look: '1' });
    expect(page.text).toMatch(
      /The paid book\s*Paid\. Order.*bought with ada@example\.org.*Put it into my library/,
    );
    expect(page.text, 'of one copy').not.toContain('You bought');
    expect(stall.store.findAccountByAddress('ada@example.org')).toBeNull();
    await stall.reader('bob@example.org');
    const bob = stall.browser();
    bob.cookies.set('bookstall', (await stall.signIn('bob@example.org')).Cookie.slice('bookstall='.length));
    const own = await bob.post('/claim', { code, look: '1' });
    expect(own.text).toMatch(/The paid book.*bought with ada@example\.org.*Add to bob@example\.org/);
    const unknown = await stall.browser().post('/claim', { code: 'x'.repeat(43), look: '1' });
    expect([unknown.status, unknown.text.includes('The paid book')]).toEqual([404, false]);
  });

  test('leads to the library once its purchase is there: its holder at once, others by signing in', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const code = secretOf((await stall.server.waitFor('ada@example.org')).text);
    const holder = stall.browser();
    const yours = yoursOf(await holder.comeBack('heron0001'));
    await holder.post('/dashboard/account/password', chosen());
    for (const fields of [
      { code },
      { code, look: '1' },
      { code, ...chosen('something else entirely') },
    ] as Record<string, string>[])
      expect((await holder.post('/claim', fields)).headers.get('location')).toBe(yours);
    const stranger = stall.browser();
    const away = await stranger.post('/claim', { code, look: '1' });
    expect([away.status, away.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(yours)}`,
    ]);
    const signedIn = await stranger.post('/sign-in', {
      email: 'ada@example.org',
      password: PASSWORD,
      next: yours,
    });
    expect(signedIn.headers.get('location')).toBe(yours);
    await stall.reader('bob@example.org');
    const bob = stall.browser();
    bob.cookies.set('bookstall', (await stall.signIn('bob@example.org')).Cookie.slice('bookstall='.length));
    const other = await bob.post('/claim', { code, look: '1' });
    expect([other.status, other.text.includes('in the library of a…@e…')]).toEqual([404, true]);
  });

  test('signs nobody in to an account that the address has, and offers to mail a link that does', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const browser = stall.browser();
    await browser.comeBack('heron0001');
    await stall.buy('heron0002');
    const code = secretOf((await stall.server.waitFor('ada@example.org', 2)).text);
    const page = await stall.browser().post('/claim', { code, look: '1' });
    expect(page.text).toMatch(/The paid book.*ada@example\.org has an account here\. Sign in/);
    expect(page.html).toContain('action="/sign-in/mail"');
    const friend = stall.browser();
    const pressed = await friend.post('/claim', { code });
    expect([pressed.html === page.html, friend.cookies.has('bookstall')]).toEqual([true, false]);
  });

  test.each([
    ['book', 'plink_paid', true],
    ['skill', 'plink_monthly', false],
  ])(
    'the mail of a %s asks nothing that its buyer may have done, and names an EPUB if it has one',
    async (_, link, hasEpub) => {
      const stall = await openClaimStall();
      await stall.buy('heron0001');
      await stall.server.waitFor('ada@example.org');
      const browser = stall.browser();
      await browser.comeBack('heron0001');
      await stall.buy('heron0002', 'ada@example.org', { payment_link: link });
      const { text } = await stall.server.waitFor('ada@example.org', 2);
      expect(text).toContain('Open this link to read it now:');
      expect([text.includes('Download EPUB'), text.includes('password')]).toEqual([hasEpub, false]);
    },
  );

  test('makes an account once, whose address it does not prove: it may have been passed on as a present', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const mail = await stall.server.waitFor('ada@example.org');
    expect(mail.header('Subject')).toBe('Your purchase at The Heron Stall');
    expect(mail.text).toContain('“The paid book”');
    const code = secretOf(mail.text);
    const browser = stall.browser();
    const claimed = await browser.claim('/claim', { code, ...chosen() });
    expect(await stall.install(keyOf(claimed.html))).toBe(200);
    expect(stall.app.admin.accounts.find('ada@example.org')).toMatchObject({
      verifiedAt: null,
      hasPassword: false,
    });
    const again = await stall.browser().claim('/claim', { code, ...chosen('another password entirely') });
    expect([again.status, again.headers.get('location'), keyOf(again.html)]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\?next=/),
      '',
    ]);
    const other = await stall.buy('heron0002');
    expect(stall.app.admin.orders.find(other)).toMatchObject({ accountId: null });
  });

  test('gives no other order of the address; those come when it is proven', async () => {
    const stall = await openClaimStall();
    const ids = [await stall.buy('heron0001'), await stall.buy('heron0002', 'Ada@EXAMPLE.org ')];
    await stall.buy('heron0003', 'a.da@example.org');
    const code = secretOf((await stall.server.waitFor('ada@example.org')).text);
    const browser = stall.browser();
    await browser.claim('/claim', { code });
    const { id } = stall.app.admin.accounts.find('ada@example.org');
    const holders = () => ids.map((order) => stall.app.admin.orders.find(order).accountId);
    expect(holders()).toEqual([id, null]);
    await browser.post('/sign-in/mail', { email: 'ada@example.org' });
    const asked = () => stall.server.received.find(({ text }) => text.includes('/sign-in/link#'));
    await until(() => asked() !== undefined);
    await browser.post('/sign-in/link', {
      code: secretOf(
        asked()
          ?.text.match(/link#.*/)?.[0]
          .replace('link', '/link'),
      ),
    });
    expect(holders()).toEqual([id, id]);
    expect(stall.store.listAccountOrders(id)).toHaveLength(2);
  });

  test('is dead after seven days, and after the money was given back it opens nothing', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    await stall.buy('heron0002', 'grace@example.org');
    const [ada, grace] = [
      await stall.server.waitFor('ada@example.org'),
      await stall.server.waitFor('grace@example.org'),
    ];
    await stall.giveBack('heron0002');
    const refunded = await stall.browser().claim('/claim', { code: secretOf(grace.text), ...chosen() });
    expect([refunded.status, keyOf(refunded.html)]).toEqual([404, '']);
    expect(refunded.text).toContain('its money was given back');
    stall.pass(7 * DAY);
    const late = await stall.browser().claim('/claim', { code: secretOf(ada.text), ...chosen() });
    expect([late.status, keyOf(late.html)]).toEqual([404, '']);
    expect(stall.app.admin.accounts.list()).toEqual([]);
  });

  test('opens nothing while the payment is disputed, nor after the order was revoked, and opens it afterwards', async () => {
    const stall = await openClaimStall();
    const id = await stall.buy('heron0001');
    const code = secretOf((await stall.server.waitFor('ada@example.org')).text);
    const use = () => stall.browser().claim('/claim', { code, ...chosen() });
    await stall.deliver(dispute('created', 'heron0001', 60, 'needs_response'));
    const disputed = await use();
    expect([disputed.status, keyOf(disputed.html)]).toEqual([404, '']);
    expect(disputed.text).toContain('is disputed at the provider; open the link again');
    await stall.deliver(dispute('closed', 'heron0001', 120, 'won'));
    await stall.app.admin.orders.revoke(id);
    const revoked = await use();
    expect([revoked.status, keyOf(revoked.html)]).toEqual([404, '']);
    expect(revoked.text).toContain('it opens nothing now');
    await stall.app.admin.orders.grant(id);
    expect(await stall.install(keyOf((await use()).html))).toBe(200);
  });

  test('a refund after the claim ends the access on the next request', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const browser = stall.browser();
    const key = keyOf((await browser.arrive('heron0001')).html);
    expect(await stall.install(key)).toBe(200);
    stall.pass(HOUR);
    await stall.giveBack('heron0001');
    expect(await stall.install(key)).toBe(403);
    const mail = await stall.server.waitFor('ada@example.org', 2);
    expect(mail.header('Subject')).toBe('Your order at The Heron Stall');
    // The cookie of the return page lasts an hour.
    const { text } = await stall.browser().comeBack('heron0001');
    expect(text).toContain('The money for this purchase was given back');
    expect(text).not.toContain('Waiting');
    expect((await browser.open('/dashboard')).text).toContain(
      'Nothing here any more: what you bought was refunded.',
    );
    expect((await browser.open('/books/paid-book/read/01.md')).text).toContain('Your order was refunded');
  });

  test('a paste of the whole link works without the script', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const [link = ''] = /http\S+#\S+/.exec((await stall.server.waitFor('ada@example.org')).text) ?? [];
    expect(link).toStartWith(`${stall.url}/claim#`);
    const claimed = await stall.browser().claim('/claim', { code: ` ${link} `, ...chosen() });
    expect(keyOf(claimed.html)).not.toBe('');
  });
});

describe('"Send it again"', () => {
  test('leaves the link open that the owner passed on after the mail was sent', async () => {
    const stall = await openClaimStall();
    const id = await stall.buy('passed0001');
    await stall.server.waitFor('ada@example.org');
    await stall.settle();
    stall.pass(1000);
    const { url } = await stall.app.admin.linkToClaim(id, stall.url);
    stall.pass(1000);
    await stall.browser().post('/claim/mail', { email: 'ada@example.org' });
    await stall.server.waitFor('ada@example.org', 2);
    await stall.settle();
    const claimed = await stall.browser().claim('/claim', { code: secretOf(url), ...chosen() });
    expect(await stall.install(keyOf(claimed.html))).toBe(200);
    await expect(stall.app.admin.linkToClaim(id, stall.url)).rejects.toThrow(
      'ada@example.org holds it already',
    );
  });

  test('answers every address alike, and sends the newest order’s mail', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    const first = await stall.server.waitFor('ada@example.org');
    const [known, unknown] = [
      await stall.browser().post('/claim/mail', { email: 'ADA@example.org' }),
      await stall.browser().post('/claim/mail', { email: 'nobody@example.org' }),
    ];
    expect([known.status, known.html]).toEqual([unknown.status, unknown.html]);
    const second = await stall.server.waitFor('ada@example.org', 2);
    expect(second.header('Message-ID')).not.toBe(first.header('Message-ID'));
    const claimed = await stall.browser().claim('/claim', { code: secretOf(second.text), ...chosen() });
    expect(keyOf(claimed.html)).not.toBe('');
    expect(stall.server.received.filter(({ to }) => to.includes('nobody@example.org'))).toEqual([]);
  });

  test('is of the newest order that nobody has claimed, else of the newest', async () => {
    const stall = await openClaimStall();
    const first = await stall.buy('heron0001');
    stall.pass(1000);
    const [second, third] = [await stall.buy('heron0002'), await stall.buy('heron0003')];
    // Claimed, and the newest of all.
    stall.pass(1000);
    const newest = await stall.buy('heron0004');
    const asked = async () => {
      const before = stall.server.received.length;
      stall.pass(HOUR);
      await stall.browser().post('/claim/mail', { email: 'ada@example.org' });
      await until(() => stall.server.received.length > before);
      const database = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
      const [row] = database.query('SELECT order_id FROM links ORDER BY id DESC LIMIT 1').values();
      database.close();
      return row?.[0];
    };
    await stall.settle();
    expect(await asked()).toBe(newest);
    await stall.app.admin.accounts.add('somebody@example.org');
    await stall.app.admin.orders.attach(newest, 'somebody@example.org');
    expect(await asked()).toBe(third);
    await stall.app.admin.orders.attach(third, 'somebody@example.org');
    expect(await asked()).toBe(second);
    await stall.app.admin.orders.attach(second, 'somebody@example.org');
    expect(await asked()).toBe(first);
  });

  test('three an hour for an address and for a client, and the answer stays the same', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001');
    await stall.buy('heron0002', 'grace@example.org');
    await stall.settle();
    const before = stall.server.received.length;
    const answers: string[] = [];
    for (let n = 0; n < 6; n++) {
      answers.push((await stall.browser().post('/claim/mail', { email: 'ada@example.org' })).html);
      // Each is sent before the next is asked for: a queued one is not queued twice.
      await stall.server.waitFor('ada@example.org', Math.min(n, 2) + 2);
    }
    await stall.browser().post('/claim/mail', { email: 'grace@example.org' });
    await stall.settle();
    expect(new Set(answers).size).toBe(1);
    expect(stall.server.received).toHaveLength(before + 3);
    stall.pass(HOUR);
    await stall.browser().post('/claim/mail', { email: 'grace@example.org' });
    await stall.server.waitFor('grace@example.org', 2);
  });
});

test('what the buyer claimed is not left for the owner to pass on', async () => {
  const stall = await openClaimStall({ sends: false });
  const order = await stall.buy('heron0001');
  await stall.app.admin.accounts.add('owner@example.org', true);
  const owner = stall.browser();
  owner.cookies.set('bookstall', (await stall.signIn('owner@example.org')).Cookie.slice('bookstall='.length));
  const listed = async () => (await owner.open('/admin/mail?state=manual')).text;
  expect(await listed()).toContain('Link to a purchase');
  const browser = stall.browser();
  expect((await browser.comeBack('heron0001')).headers.get('location')).toStartWith('/claim/yours?');
  expect(await listed()).toContain('No such mail.');
  expect(stall.store.listOrderMails(order)).toMatchObject([{ kind: 'claim', state: 'dropped' }]);
});
