import { giveOrder, redeemCode } from '../../src/selling/code.ts';
import { describe, expect, test } from 'bun:test';
import { DAY, MINUTE } from '../../src/platform/base/duration.ts';
import { mintCode } from '../../src/selling/redeem-code.rule.ts';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { openClaimStall, type ClaimStall } from './claim-stall.ts';

const YAML =
  'name: The Heron Stall\nbundles:\n  - slug: both\n    title: Both\n    items: [paid-book, paid-skill]\n    unitAmountCents: 2900\n';
const REQUEST = { slug: 'paid-book', bundles: [], count: 1, uses: 1, until: null, note: '', orderId: null };

const openStall = () =>
  openClaimStall({ yaml: YAML, config: { trustedProxies: parseNetworks('127.0.0.1') } });
const shared = await openStall();

const make = async ({ app }: ClaimStall, more = {}): Promise<string> =>
  (await app.admin.codes.create({ ...REQUEST, bundles: app.catalog().bundles, ...more })).codes[0] ?? '';
const keyOf = async ({ app }: ClaimStall, email: string): Promise<string> => {
  await app.admin.accounts.add(email);
  return (await app.admin.keys.create(email, 'test', { days: 90 })).key;
};
const api = async ({ fetch }: ClaimStall, key: string, code: unknown, address = '10.0.0.1') => {
  const response = await fetch('/api/redeem', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
    },
    body: JSON.stringify({ code }),
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
};

describe('a code over the API', () => {
  test('opens its item to the key’s account, and again is the same answer', async () => {
    const [code, key] = [await make(shared), await keyOf(shared, 'api@example.org')];
    expect(await shared.install(key)).toBe(403);
    expect(await api(shared, key, code.toLowerCase())).toEqual({
      status: 200,
      body: { items: ['paid-book'] },
    });
    expect(await shared.install(key)).toBe(200);
    expect(await api(shared, key, code)).toEqual({ status: 200, body: { items: ['paid-book'] } });
    expect(shared.app.admin.codes.list()[0]).toMatchObject({ used: 1, uses: 1 });
  });

  test('of a bundle opens all its items', async () => {
    const key = await keyOf(shared, 'bundle@example.org');
    expect((await api(shared, key, await make(shared, { slug: 'both' }))).body).toEqual({
      items: ['paid-book', 'paid-skill'],
    });
  });

  test('is refused once used up, revoked, over or unknown; what it opened stays open', async () => {
    const stall = await openStall();
    const [ada, bob] = [await keyOf(stall, 'ada@example.org'), await keyOf(stall, 'bob@example.org')];
    const [used, revoked] = [await make(stall), await make(stall, { uses: 2 })];
    const until = new Date(stall.now() + DAY).toISOString();
    const late = await make(stall, { until });
    await api(stall, ada, used);
    await api(stall, ada, revoked);
    const id = stall.app.admin.codes.list().find(({ uses }) => uses === 2)?.id ?? 0;
    await stall.app.admin.codes.revoke(id);
    stall.pass(DAY);
    const answers = await Promise.all(
      [used, revoked, late, mintCode(), 'svg_nothing'].map((code) => api(stall, bob, code)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(
      answers.map(
        ({ body }) =>
          String(body['error'])
            .replace(/^Cannot redeem this code: /, '')
            .split(';')[0],
      ),
    ).toEqual([
      'it was used as often as it can be',
      'it was withdrawn',
      'its last day is over',
      'this stall knows no such code',
      'this stall knows no such code',
    ]);
    expect(await stall.install(ada)).toBe(200);
    expect(await stall.install(bob)).toBe(403);
    expect((await api(stall, ada, revoked)).status).toBe(200);
  });

  test.each([null, 7, { a: 1 }])('%p is not a code', async (code) => {
    expect(
      await api(shared, await keyOf(shared, `bad${JSON.stringify(code).length}@example.org`), code),
    ).toMatchObject({
      status: 400,
    });
  });

  test('nothing is no wrong code', async () => {
    const key = await keyOf(shared, 'nothing@example.org');
    for (let n = 0; n < 11; n++) expect((await api(shared, key, ' ')).status).toBe(400);
  });

  test('needs a key', async () => {
    expect((await api(shared, 'svc_none', mintCode())).status).toBe(401);
  });

  test('right ones of a whole class behind one address are all taken at once', async () => {
    const stall = await openStall();
    const code = await make(stall, { uses: 24 });
    const names = Array.from({ length: 24 }, (_, n) => `pupil${n}@example.org`);
    const keys = await Promise.all(names.map((name) => keyOf(stall, name)));
    const answers = await Promise.all(keys.map((key) => api(stall, key, code)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('wrong ones are ten for an address, then one a minute, and right ones wait too', async () => {
    const stall = await openStall();
    const [code, key] = [await make(stall), await keyOf(stall, 'ada@example.org')];
    for (let n = 0; n < 10; n++) expect((await api(stall, key, mintCode())).status).toBe(404);
    const more = await Promise.all(Array.from({ length: 5 }, () => api(stall, key, mintCode())));
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([429]));
    expect((await api(stall, key, code)).status).toBe(429);
    expect((await api(stall, key, mintCode(), '10.0.1.1')).status).toBe(404);
    stall.pass(MINUTE);
    expect((await api(stall, key, code)).status).toBe(200);
    expect((await api(stall, key, code)).status).toBe(200);
  });
});

test('of 200 who redeem a code of one use at once, exactly one has it', async () => {
  const stall = await openStall();
  const code = await make(stall);
  const { accounts } = stall.app.admin;
  const ids = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => (await accounts.add(`reader${n}@example.org`)).id),
  );
  const outcomes = await Promise.allSettled(
    ids.map((id, n) =>
      redeemCode(stall.app.stall, code, { accountId: id, address: `2001:db8:${n.toString(16)}::` }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const grants = stall.app.admin.grants.list(null);
  expect(grants.map(({ itemKey, source }) => [itemKey, source])).toEqual([
    ['paid-id', expect.stringMatching(/^code:\d+$/)],
  ]);
  expect(stall.app.admin.codes.list()[0]).toMatchObject({ used: 1 });
});

describe('the page', () => {
  test('makes an account for somebody without one, who then has the item', async () => {
    const code = await make(shared);
    const browser = shared.browser();
    expect((await browser.open('/redeem')).text).toContain('Redeem a code');
    const known = await browser.post('/redeem', { code });
    expect(known.text).toContain('This code opens The paid book');
    const done = await browser.post('/redeem/account', { code, email: 'new@example.org' });
    const yours = await browser.open(done.headers.get('location') ?? '');
    expect(yours.text).toMatch(/It is yours.*The paid book.*Read now/);
    // A password is offered later, never asked.
    expect(known.html).not.toContain('type="password"');
    expect(yours.html).toContain('href="/dashboard/account/password"');
    expect((await browser.open('/dashboard')).text).toContain('The paid book');
    const account = shared.store.findAccountByAddress('new@example.org');
    expect(account?.verifiedAt).toBeNull();
  });

  test('never signs in to, nor changes, an account that exists, and keeps what was typed', async () => {
    await shared.app.admin.accounts.add('taken@example.org');
    const code = await make(shared);
    const browser = shared.browser();
    const refused = await browser.post('/redeem/account', { code, email: 'Taken@Example.org' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('this address has one; sign in');
    expect(refused.html).toContain('Taken@Example.org');
    expect(browser.cookies.size).toBe(0);
    expect(shared.app.admin.codes.list()[0]).toMatchObject({ used: 0 });
  });

  test('adds to the account that is signed in', async () => {
    await shared.reader('member@example.org');
    const headers = await shared.signIn('member@example.org');
    const page = await shared.fetch('/redeem', { headers });
    expect(await page.text()).toContain('Add to member@example.org');
    const done = await shared.fetch('/redeem', {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ code: await make(shared) }),
    });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/claim/yours?items=paid-book']);
  });

  test('has ten wrong codes for an address of somebody without an account, too, and not for all of them', async () => {
    const stall = await openStall();
    const guess = (address: string, code = mintCode()) =>
      stall.fetch('/redeem', {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address },
        body: new URLSearchParams({ code }),
      });
    for (let n = 0; n < 10; n++) expect((await guess('10.0.0.1')).status).toBe(404);
    expect((await guess('10.0.0.1')).status).toBe(429);
    expect((await guess('10.0.1.1')).status).toBe(404);
    expect((await guess('10.0.1.1', await make(stall))).status).toBe(200);
  });

  test('says what is wrong with a code and leaves it in the field', async () => {
    const refused = await shared.browser().post('/redeem', { code: 'svg_<b>' });
    expect(refused.status).toBe(404);
    expect(refused.text).toContain('this stall knows no such code');
    expect(refused.html).toContain('svg_&lt;b>');
    expect(JSON.stringify(shared.log)).not.toContain('svg_');
  });
});

describe('a present', () => {
  test('is a code for somebody else; its buyer has nothing, and a refund takes it from whoever has it', async () => {
    const stall = await openStall();
    await stall.buy('gift000001', 'ada@example.org');
    const buyer = stall.browser();
    const ref = (await buyer.comeBack('gift000001')).headers.get('location')?.replace(/^.*=/, '');
    expect((await buyer.open(`/claim/yours?order=${ref}`)).text).toContain('This is a present');
    const given = await buyer.post('/claim/present');
    const code = /svg_[A-Z0-9-]{29}/.exec(given.html)?.[0] ?? '';
    expect(given.status).toBe(200);
    const again = await buyer.post('/claim/present');
    expect([again.status, again.html.includes('svg_')]).toEqual([400, false]);
    expect((await buyer.open('/claim')).text).toContain('This purchase is a present');

    const friend = stall.browser();
    await friend.post('/redeem/account', { code, email: 'friend@example.org' });
    expect((await friend.open('/dashboard')).text).toContain('The paid book');
    const live = stall.app.admin.grants.list(null).filter(({ revokedAt }) => revokedAt === null);
    expect(live.map(({ email }) => email)).toEqual(['friend@example.org']);

    stall.pass(MINUTE);
    await stall.giveBack('gift000001');
    expect((await friend.open('/dashboard')).text).not.toContain('The paid book');
  });

  test('of a member leaves their library; one that was given back before is no code', async () => {
    const stall = await openStall();
    await stall.reader('ada@example.org');
    const orderId = await stall.buy('gift000002', 'ada@example.org');
    const live = async () => stall.app.admin.grants.list(null).filter(({ revokedAt }) => revokedAt === null);
    expect(await live()).toHaveLength(1);
    const order = stall.store.findOrder(orderId);
    const code = await giveOrder(stall.app.stall, order!);
    expect(await live()).toHaveLength(0);
    stall.pass(MINUTE);
    await stall.giveBack('gift000002');
    const answer = await api(stall, await keyOf(stall, 'friend@example.org'), code);
    expect([answer.status, String(answer.body['error'])]).toEqual([
      404,
      expect.stringContaining('its purchase was given back'),
    ]);
  });
});

describe('the office', () => {
  const office = async (path: string, form?: Readonly<Record<string, string>>) => {
    const headers = await owner;
    const init =
      form === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
            body: new URLSearchParams(form),
          };
    const response = await shared.fetch(path, { redirect: 'manual', ...init });
    return { status: response.status, html: await response.text() };
  };
  const owner = shared.app.admin.accounts
    .add('owner@example.org', true)
    .then(() => shared.signIn('owner@example.org'));

  test('makes a sheet of codes once, lists them without the codes, and revokes one', async () => {
    const { html } = await office('/admin/codes', {
      slug: 'both',
      count: '3',
      uses: '2',
      until: '2030-01-31',
      note: 'Workshop',
    });
    const codes = [...html.matchAll(/svg_[A-Z0-9-]{29}/g)].map(([code]) => code);
    expect(new Set(codes).size).toBe(3);
    const list = await office('/admin/codes');
    expect(list.html).not.toMatch(/svg_[A-Z0-9-]{29}/);
    expect(list.html).toContain('Workshop');
    expect(list.html).toContain('0 of 2');
    const id = shared.app.admin.codes.list()[0]?.id ?? 0;
    expect((await office(`/admin/codes/${id}/revoke`)).html).toContain('What it opened before stays open.');
    expect((await office(`/admin/codes/${id}/revoke`, {})).status).toBe(303);
    expect(shared.app.admin.codes.list()[0]?.revokedAt).not.toBeNull();
  });

  test.each([
    [{ count: '0' }, 'number of codes'],
    [{ count: '1001' }, 'from 1 to 1000'],
    [{ uses: '1e3' }, 'number of uses'],
    [{ until: '2001-01-01' }, 'that day is over'],
    [{ until: 'soon' }, '2027-01-31'],
    [{ order: '999' }, 'Cannot find order &quot;999&quot;'],
    [{ slug: 'nothing' }, 'Cannot find an item'],
  ])('refuses %j with a sentence', async (more, sentence) => {
    const before = shared.app.admin.codes.list().length;
    const { status, html } = await office('/admin/codes', {
      slug: 'paid-book',
      count: '1',
      uses: '1',
      ...more,
    });
    expect([status >= 400, html.includes(sentence)]).toEqual([true, true]);
    expect(shared.app.admin.codes.list()).toHaveLength(before);
  });
});

test('a code is kept for a reader who signs in before they have it', async () => {
  const stall = await openStall();
  const code = await make(stall);
  await stall.app.admin.accounts.add('reader@example.org');
  const browser = stall.browser();
  const asked = await browser.post('/redeem', { code });
  expect(asked.text).toContain('sign in if you have one: the code is kept');
  expect(asked.headers.get('set-cookie')).toContain('Path=/redeem; HttpOnly; SameSite=Lax');
  const { Cookie } = await stall.signIn('reader@example.org');
  browser.cookies.set('bookstall', Cookie.slice('bookstall='.length));
  const page = await browser.open('/redeem');
  expect(page.html).toContain(`value="${code}"`);
  expect(page.text).toContain('Add to reader@example.org');
  const added = await browser.post('/redeem', { code });
  expect(added.headers.get('location')).toBe('/claim/yours?items=paid-book');
  expect((await browser.open('/redeem')).html).not.toContain(code);
});
