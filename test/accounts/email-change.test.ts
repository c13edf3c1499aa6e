import { describe, expect, test } from 'bun:test';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { DAY, HOUR } from '../../src/platform/base/duration.ts';
import { findAccount } from '../../src/accounts/account.ts';
import { createLink } from '../../src/accounts/one-time-link.ts';
import { until } from '../helpers/harness.ts';
import { chosen, openBrowser, openClaimStall, PASSWORD, secretOf } from '../selling/claim-stall.ts';

const FORM = '/dashboard/account/email';
const stall = await openClaimStall({ config: { trustedProxies: parseNetworks('127.0.0.1') } });
const { admin } = stall.app;

/** A signed-in member with a verified address, and a second session elsewhere. */
async function openMember(email: string, network = '127.0.0.1') {
  // Three changes an hour may be asked for.
  stall.pass(HOUR);
  const { id } = await admin.accounts.add(email);
  const { key } = await admin.keys.create(email, 'laptop', 'never');
  const browser = openBrowser((path, init) =>
    stall.fetch(path, { ...init, headers: { ...init?.headers, 'X-Forwarded-For': network } }),
  );
  const other = stall.browser();
  const link = await admin.links.create(email, 'invite', stall.url);
  await browser.post('/invite', { code: secretOf(link.url), ...chosen() });
  await other.post('/sign-in', { email, password: PASSWORD });
  return {
    id,
    key,
    browser,
    other,
    ask: (to: string, current = PASSWORD) => browser.post(FORM, { email: to, current }),
  };
}

/** The mail to an address whose text has these words, once it came. */
async function mailTo(address: string, words: string): Promise<string> {
  const find = () =>
    stall.server.received.find(({ to, text }) => to.includes(address) && text.includes(words));
  await until(async () => find() !== undefined);
  return find()?.text ?? '';
}

const addressOf = async (id: string) => stall.store.findAccountById(id)?.email;

describe('a new address', () => {
  test('counts once its link is opened: purchases of both addresses, keys and this session stay, others end, and the old address is told', async () => {
    const [from, to] = ['ada@example.org', 'lovelace@example.org'];
    const { id, key, browser, other, ask } = await openMember(from);
    const old = await stall.buy('heron0001', from);
    const waiting = await stall.buy('heron0002', to);
    const done = await ask(to);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/account?said=email-asked']);
    const code = secretOf(await mailTo(to, '/email#'));
    expect(await mailTo(from, 'asked to change the address of your account to l…@e…')).toContain('/forgot');
    expect(await addressOf(id)).toBe(from);

    expect((await browser.post('/email', { code })).headers.get('location')).toBe(
      '/dashboard/account?said=email-changed',
    );
    expect(await addressOf(id)).toBe(to);
    expect((await browser.open('/dashboard')).status).toBe(200);
    expect((await other.open('/dashboard')).status).toBe(303);
    expect(await stall.install(key)).toBe(200);
    for (const order of [old, waiting]) expect(admin.orders.find(order).accountId).toBe(id);

    // A later fact of the old order leaves it where it is, and the link counts once.
    await stall.giveBack('heron0001');
    expect(admin.orders.find(old)).toMatchObject({ accountId: id, state: 'refunded' });
    expect((await browser.post('/email', { code })).status).toBe(404);
    const data = JSON.stringify(await admin.personalData.export(to));
    expect(data).toContain('account.email');
    expect(data).toContain('"purpose":"email"');
    expect(data).not.toContain(code);
    expect((await stall.browser().post('/sign-in', { email: to, password: PASSWORD })).status).toBe(303);
  });

  test('that has an account is answered alike, and gets a note alone', async () => {
    await admin.accounts.add('grace@example.org');
    const { id, ask } = await openMember('eve@example.org');
    const [taken, free] = [await ask('GRACE@example.org'), await ask('fresh@example.org')];
    expect([taken.status, taken.html, taken.headers.get('location')]).toEqual([
      free.status,
      free.html,
      free.headers.get('location'),
    ]);
    const note = await stall.server.waitFor('grace@example.org');
    expect(note.header('Subject')).toBe('You have an account at The Heron Stall');
    expect(note.text).not.toContain('#');
    await mailTo('fresh@example.org', '/email#');
    await stall.server.waitFor('eve@example.org');
    expect(await addressOf(id)).toBe('eve@example.org');
  });

  test('is confirmed with its account’s password where another is signed in, who stays so and keeps their own', async () => {
    const { id, ask } = await openMember('tom@example.org');
    const another = await openMember('una@example.org');
    await ask('thomas@example.org');
    const code = secretOf(await mailTo('thomas@example.org', '/email#'));
    // A button in a mail must not hand an address, and what is bought with it, to a stranger's account.
    for (const [person, password] of [
      [another.browser, undefined],
      [stall.browser(), 'ten bitterns boom'],
    ] as const) {
      const refused = await person.post('/email', { code, ...(password === undefined ? {} : { password }) });
      expect([refused.status, await addressOf(id)]).toEqual([401, 'tom@example.org']);
      expect(refused.html).toContain('name="password"');
    }
    // A wrong password slows the next one.
    let page = await another.browser.post('/email', { code, password: PASSWORD });
    await until(async () => {
      if (page.status === 429) page = await another.browser.post('/email', { code, password: PASSWORD });
      return page.status !== 429;
    });
    expect(page.text).toContain('Sign in with thomas@example.org');
    expect((await another.browser.open('/dashboard/account')).text).toContain('una@example.org');
    expect([await addressOf(id), await addressOf(another.id)]).toEqual([
      'thomas@example.org',
      'una@example.org',
    ]);
  });

  test('is asked for three times an hour: no more mails go out, and nobody is told', async () => {
    const { ask } = await openMember('ugo@example.org');
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push((await ask(`ugo${n}@example.org`)).headers.get('location'));
    expect(new Set(answers)).toEqual(new Set(['/dashboard/account?said=email-asked']));
    await stall.settle();
    const told = stall.server.received.filter(({ to }) => to.some((one) => /^ugo\d@/.test(one)));
    expect(told).toHaveLength(3);
  });

  test('is mailed three times an hour, whoever asks for it', async () => {
    const members = [];
    for (let n = 0; n < 4; n++) members.push(await openMember(`vic${n}@example.org`, `198.51.100.${n}`));
    for (const { ask } of members) await ask('victor@example.org');
    await stall.settle();
    expect(stall.server.received.filter(({ to }) => to.includes('victor@example.org'))).toHaveLength(3);
  });

  test('that got an account in the meantime is refused, and both stay', async () => {
    const { id, browser, ask } = await openMember('hal@example.org');
    await ask('race@example.org');
    const code = secretOf(await mailTo('race@example.org', '/email#'));
    await admin.accounts.add('race@example.org');
    expect((await browser.post('/email', { code })).status).toBe(404);
    expect(await addressOf(id)).toBe('hal@example.org');
  });

  test.each([
    ['a wrong password', 'ida@example.org', 'new@example.org', 'guess', 401, 'the password is wrong'],
    ['its own address', 'jon@example.org', 'JON@example.org', PASSWORD, 400, 'it is yours already'],
    ['a list', 'kim@example.org', 'a,b@example.org', PASSWORD, 400, 'no mail can be sent'],
    ['no address', 'lea@example.org', 'lea', PASSWORD, 400, 'as an e-mail address'],
  ])('is refused with %s, and what was typed stays', async (_, email, to, current, status, words) => {
    const { ask, browser } = await openMember(email);
    const before = stall.server.received.length;
    const page = await ask(to, current);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
    expect(page.html).toContain(`value="${to}"`);
    await stall.settle();
    expect(stall.server.received.length).toBe(before);
    expect((await browser.open('/dashboard')).status).toBe(200);
  });

  test.each([
    ['after a day', 'max@example.org', async () => stall.pass(DAY)],
    [
      'once the password changed',
      'nan@example.org',
      async (browser: ReturnType<typeof stall.browser>) =>
        browser.post('/dashboard/account/password', { current: PASSWORD, password: 'ten bitterns boom' }),
    ],
    ['of a disabled account', 'ole@example.org', async () => admin.accounts.disable('ole@example.org')],
  ])('has a link that counts no more %s', async (_, email, end) => {
    const { id, browser, ask } = await openMember(email);
    await ask(`new-${email}`);
    const code = secretOf(await mailTo(`new-${email}`, '/email#'));
    await end(browser);
    expect((await stall.browser().post('/email', { code })).status).toBe(404);
    expect(await addressOf(id)).toBe(email);
  });

  test('never gives its link the power to set a password, nor another link that to change an address', async () => {
    const { id, ask } = await openMember('pia@example.org');
    await ask('quin@example.org');
    const code = secretOf(await mailTo('quin@example.org', '/email#'));
    for (const path of ['/reset', '/invite', '/open', '/set-up', '/claim'])
      expect(
        (await stall.browser().post(path, { code, email: 'quin@example.org', ...chosen() })).status,
      ).toBe(404);
    const reset = await admin.links.create('pia@example.org', 'reset', stall.url);
    expect((await stall.browser().post('/email', { code: secretOf(reset.url) })).status).toBe(404);
    expect(await addressOf(id)).toBe('pia@example.org');
  });

  test('takes its old one out of everything that is sent or found by it', async () => {
    const { id, browser, ask } = await openMember('rosa@example.org');
    await stall.browser().post('/forgot', { email: 'rosa@example.org' });
    const reset = secretOf(await mailTo('rosa@example.org', '/reset#'));
    await ask('sue@example.org');
    await browser.post('/email', { code: secretOf(await mailTo('sue@example.org', '/email#')) });
    expect((await stall.browser().post('/reset', { code: reset, ...chosen() })).status).toBe(404);
    // The owner sends that mail once more: it would lead to an account that is not this address's.
    const mails = stall.store.listMailPage(null, { beside: null, side: 'older', limit: 20 });
    const sent = mails.find(({ kind, address }) => kind === 'reset' && address === 'rosa@example.org');
    await admin.mails.repeat(sent?.id ?? 0);
    await stall.settle();
    expect(stall.store.findMail(sent?.id ?? 0)?.state).toBe('dropped');
    await admin.personalData.remove('sue@example.org');
    const kept = stall.store.listAuditEntries(1e9, 500);
    expect(JSON.stringify(kept)).not.toMatch(/rosa@|sue@/);
    expect(await addressOf(id)).toBeUndefined();
  });
});

describe('without mail', () => {
  test('the form says whom to ask, and a link of the owner’s changes it', async () => {
    const quiet = await openClaimStall({ sends: false });
    const { id } = await quiet.app.admin.accounts.add('ada@example.org');
    const moved = { email: 'ada@example.org', purpose: 'email', to: 'a@example.org' } as const;
    await expect(createLink(quiet.app.stall, 'command', moved, quiet.url)).rejects.toThrow(
      'no password is set yet',
    );
    const invite = await quiet.app.admin.links.create('ada@example.org', 'invite', quiet.url);
    const browser = quiet.browser();
    await browser.post('/invite', { code: secretOf(invite.url), ...chosen() });
    expect((await browser.open(FORM)).text).toContain('This stall sends no mail: ask help@example.org');
    await quiet.app.admin.accounts.add('owner@example.org', true);
    const owner = quiet.browser();
    const signed = await quiet.signIn('owner@example.org');
    owner.cookies.set('bookstall', signed.Cookie.slice('bookstall='.length));
    const taken = await owner.post(`/admin/accounts/${id}/email`, { email: 'OWNER@example.org' });
    expect(taken.text).toContain('has an account already');
    const page = await owner.post(`/admin/accounts/${id}/email`, { email: 'new@example.org' });
    expect(page.text).toContain('For new@example.org');
    const done = await quiet.browser().post('/email', { code: secretOf(page.text), password: PASSWORD });
    expect(done.text).toContain('Sign in with new@example.org');
    expect(findAccount(quiet.app.stall, 'new@example.org').id).toBe(id);
  });
});
