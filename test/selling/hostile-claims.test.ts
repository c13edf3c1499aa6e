import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosen, type ClaimStall, keyOf, openClaimStall, PASSWORD, secretOf } from './claim-stall.ts';

const ADA = 'ada@example.org';
const SKILL = { payment_link: 'plink_monthly', amount_total: 900, amount_subtotal: 900 };

/** An attacker buys something cheap under Ada's address, and has the account that is made of it, with a password of theirs. */
async function takeAddress(stall: ClaimStall) {
  await stall.buy('attack0001', ADA, SKILL);
  const browser = stall.browser();
  const key = keyOf((await browser.arrive('attack0001')).html);
  await browser.post('/dashboard/account/password', chosen('the attacker knows this'));
  const isIn = async (): Promise<boolean> => (await browser.open('/dashboard')).status === 200;
  const library = async () =>
    (await stall.fetch('/api/cli/library', { headers: { Authorization: `Bearer ${key}` } })).status;
  return { browser, key, isIn, library };
}

describe('an account that somebody made under the buyer’s address', () => {
  test('gets nothing of what the buyer buys, and the return page signs nobody in to it', async () => {
    const stall = await openClaimStall();
    const attacker = await takeAddress(stall);
    expect([await attacker.isIn(), await attacker.library()]).toEqual([true, 200]);
    await stall.buy('victim0001');
    expect(await stall.install(attacker.key)).toBe(403);
    expect((await attacker.browser.open('/dashboard')).text).not.toContain('The paid book');
    const page = await stall.browser().comeBack('victim0001');
    expect(page.text).toContain('a…@e… has an account here');
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await stall.install(attacker.key)).toBe(403);
  });

  test('loses its password, session and key to its address’s holder, by a mailed reset and not by a purchase’s link', async () => {
    const stall = await openClaimStall();
    const attacker = await takeAddress(stall);
    await stall.buy('victim0001');
    const purchase = await stall.server.waitFor(ADA, 2);
    const refused = await stall.browser().claim('/claim', { code: secretOf(purchase.text), ...chosen() });
    expect([refused.status, keyOf(refused.html), await attacker.isIn()]).toEqual([200, '', true]);
    expect(refused.text).toContain('has an account here. Sign in');
    await stall.browser().post('/forgot', { email: ADA });
    const mail = await stall.server.waitFor(ADA, 3);
    const victim = stall.browser();
    expect((await victim.post('/reset', { code: secretOf(mail.text), ...chosen() })).status).toBe(303);
    expect((await victim.open('/dashboard')).text).toContain('The paid book');
    expect([await attacker.isIn(), await attacker.library(), await stall.install(attacker.key)]).toEqual([
      false,
      401,
      401,
    ]);
    const again = stall.browser();
    await again.post('/sign-in', { email: ADA, password: 'the attacker knows this' });
    expect((await again.open('/dashboard')).status).toBe(303);
  });

  test('cannot add the buyer’s order by its number or reference', async () => {
    const stall = await openClaimStall();
    const attacker = await takeAddress(stall);
    const id = await stall.buy('victim0001');
    const { ref } = stall.app.admin.orders.find(id);
    for (const guess of [String(id), ref, 'pi_victim0001', 'cs_live_victim000'])
      await attacker.browser
        .open(`/claim/stripe?id=${guess}`)
        .then(() => attacker.browser.claim('/claim/add'));
    expect(stall.app.admin.orders.find(id)).toMatchObject({ accountId: null });
  });
});

describe('the links of an address whose holder has chosen a password', () => {
  const byMail = async (stall: ClaimStall, code: string) => {
    const browser = stall.browser();
    await browser.claim('/claim', { code });
    return browser.post('/dashboard/account/password', chosen());
  };
  test.each<[string, (stall: ClaimStall, code: string) => Promise<unknown>]>([
    ['by the link of a later mail', byMail],
    [
      'on the return page',
      async (stall) => {
        const browser = stall.browser();
        await browser.comeBack('heron0002');
        return browser.post('/dashboard/account/password', chosen());
      },
    ],
    [
      'with a code',
      async (stall) => {
        const request = {
          slug: 'paid-skill',
          bundles: [],
          count: 1,
          uses: 1,
          until: null,
          note: '',
          orderId: null,
        };
        const { codes } = await stall.app.admin.codes.create(request);
        const [code = ''] = codes;
        const browser = stall.browser();
        await browser.post('/redeem/account', { code, email: 'Ada@example.org' });
        return browser.post('/dashboard/account/password', chosen());
      },
    ],
    [
      'by a link to open an account',
      async (stall) => {
        await stall.browser().post('/sign-up', { email: ADA });
        const { text } = await stall.server.waitFor(ADA, 3);
        return stall.browser().post('/open', { code: secretOf(text), ...chosen() });
      },
    ],
  ])('%s, open nothing to whoever has them', async (_, choose) => {
    const stall = await openClaimStall({ yaml: 'name: The Heron Stall\naccounts: open\n' });
    await stall.buy('heron0001', ' ADA@example.org');
    const old = secretOf((await stall.server.waitFor(ADA)).text);
    await stall.buy('heron0002');
    await choose(stall, secretOf((await stall.server.waitFor(ADA, 2)).text));
    const friend = stall.browser();
    const answer = await friend.claim('/claim', { code: old, ...chosen('the friend chooses this') });
    if (answer.status === 303) expect(answer.headers.get('location')).toStartWith('/sign-in?next=');
    else expect(answer.status).toBe(404);
    expect([keyOf(answer.html), friend.cookies.has('bookstall')]).toEqual(['', false]);
    const holder = stall.browser();
    await holder.post('/sign-in', { email: ADA, password: PASSWORD });
    expect((await holder.open('/dashboard')).status).toBe(200);
  });

  test('end with a changed password too, and one that is sent later adds its order after a sign-in', async () => {
    const stall = await openClaimStall();
    await stall.buy('heron0001', ADA, SKILL);
    const holder = stall.browser();
    await holder.comeBack('heron0001');
    await holder.post('/dashboard/account/password', chosen());
    await stall.buy('heron0002');
    const old = secretOf((await stall.server.waitFor(ADA, 2)).text);
    const change = { current: PASSWORD, ...chosen('another password entirely') };
    expect((await holder.post('/dashboard/account/password', change)).status).toBe(303);
    expect((await holder.claim('/claim', { code: old })).status).toBe(404);
    await holder.post('/claim/mail', { email: ADA });
    const code = secretOf((await stall.server.waitFor(ADA, 3)).text);
    const friend = stall.browser();
    await friend.claim('/claim', { code, ...chosen() });
    expect(friend.cookies.has('bookstall')).toBeFalse();
    expect((await holder.post('/claim', { code, look: '1' })).text).toContain(`Add to ${ADA}`);
    expect(await stall.install(keyOf((await holder.claim('/claim', { code })).html))).toBe(200);
    expect(stall.app.admin.accounts.find(ADA).verifiedAt).toBeNull();
  });
});

test('a link spread with a foreign reference gives its author nothing', async () => {
  const stall = await openClaimStall();
  const author = await stall.app.admin.accounts.add('author@example.org');
  const { key } = await stall.app.admin.keys.create('author@example.org', 'key', 'never');
  const id = await stall.buy('spread0001', ADA, {
    client_reference_id: author.id,
    customer_email: 'author@example.org',
    metadata: { account: author.id, email: 'author@example.org', slug: 'paid-book' },
  });
  expect(stall.app.admin.orders.find(id)).toMatchObject({ accountId: null, email: ADA });
  expect(await stall.install(key)).toBe(403);
  await stall.server.waitFor(ADA);
  expect(stall.server.received.flatMap(({ to }) => to)).toEqual([ADA]);
});

describe('an address', () => {
  test.each([
    ['in capitals', 'ADA@EXAMPLE.ORG'],
    ['with a tag', 'ada+books@example.org'],
    ['with an apostrophe', "o'ada@example.org"],
    ['of an IDN', 'ada@bücher.example'],
  ])('%s claims by its mail, and the account is its own', async (_, email) => {
    const stall = await openClaimStall();
    await stall.buy('heron0001', email);
    const mail = await stall.server.waitFor(email);
    const claimed = await stall.browser().claim('/claim', { code: secretOf(mail.text), ...chosen() });
    expect(await stall.install(keyOf(claimed.html))).toBe(200);
    const [account] = stall.app.admin.accounts.list();
    expect([account?.email, account?.verifiedAt]).toEqual([email, null]);
  });

  test('of an IDN is the same in both spellings', async () => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add('ada@bücher.example');
    const id = await stall.buy('heron0001', 'ADA@xn--bcher-kva.example');
    expect(stall.app.admin.orders.find(id)).toMatchObject({ attachedBy: 'address' });
  });

  test.each([
    ['with quotes', '"ada lovelace"@example.org'],
    ['of 320 characters', `${'a'.repeat(64)}@${'b'.repeat(251)}.org`],
    ['with a second header', 'ada@example.org\r\nBcc: eve@example.org'],
    ['with a list', 'ada@example.org,eve@example.org'],
    ['with markup', '<b>ada</b>@example.org'],
    ['that is none', 'ada'],
  ])('%s gets no mail and no account, and its order is added after a sign-in', async (_, email) => {
    const stall = await openClaimStall();
    const id = await stall.buy('heron0001', email);
    const browser = stall.browser();
    const page = await browser.comeBack('heron0001');
    expect(browser.cookies.has('bookstall')).toBeFalse();
    expect(page.html).not.toContain('<b>ada</b>');
    expect(page.text).toContain('Sign in to add it');
    await stall.app.admin.accounts.add('grace@example.org');
    browser.cookies.set(
      'bookstall',
      (await stall.signIn('grace@example.org')).Cookie.slice('bookstall='.length),
    );
    expect(await stall.install(keyOf((await browser.claim('/claim/add')).html))).toBe(200);
    await stall.settle();
    expect(stall.server.received).toEqual([]);
    expect(stall.app.admin.orders.find(id)).toMatchObject({ attachedBy: 'return' });
  });
});

test('of eight who use a mail’s link at once one gets in', async () => {
  const stall = await openClaimStall();
  await stall.buy('heron0001');
  const code = secretOf((await stall.server.waitFor(ADA)).text);
  const browsers = Array.from({ length: 8 }, stall.browser);
  await Promise.all(browsers.map((browser) => browser.post('/claim', { code })));
  expect(browsers.filter(({ cookies }) => cookies.has('bookstall'))).toHaveLength(1);
});

test('no secret is in a log, in the database or in the address of a page', async () => {
  const stall = await openClaimStall();
  await stall.buy('heron0001');
  const first = stall.browser();
  const secrets = [keyOf((await first.arrive('heron0001')).html), PASSWORD];
  await first.post('/dashboard/account/password', chosen());
  await stall.buy('heron0002', 'grace@example.org');
  await stall.server.waitFor('grace@example.org');
  await stall.browser().post('/claim/mail', { email: 'grace@example.org' });
  const code = secretOf((await stall.server.waitFor('grace@example.org', 2)).text);
  const claimed = await stall.browser().claim('/claim', { code, ...chosen() });
  secrets.push(
    code,
    keyOf(claimed.html),
    ...[...first.cookies.values()].map((value) => value.split('.')[1] ?? value),
  );
  expect(secrets.every((secret) => secret.length >= 20)).toBeTrue();
  expect(claimed.status).toBe(200);
  const files = readdirSync(stall.data).filter((name) => name.startsWith('bookstall.db'));
  const stored = files.map((name) => readFileSync(join(stall.data, name)).toString('latin1')).join('');
  expect(stored).toContain(ADA);
  for (const secret of secrets) {
    expect(JSON.stringify(stall.log)).not.toContain(secret);
    // The purchase's own id is an order's name; what opens anything is kept as a hash.
    if (!Buffer.from(secret, 'base64url').toString().startsWith('cs_')) expect(stored).not.toContain(secret);
  }
  expect(JSON.stringify(stall.log)).not.toContain('heron0001');
});
