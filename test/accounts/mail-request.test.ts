import { describe, expect, test } from 'bun:test';
import { HOUR } from '../../src/platform/base/duration.ts';
import { chosen, openClaimStall, secretOf } from '../selling/claim-stall.ts';
import { requestMail } from '../../src/selling/mails.ts';

const OPEN = 'name: The Heron Stall\naccounts: open\n';

const shared = await openClaimStall();

describe('a forgotten password', () => {
  test('is replaced by a link to the account’s own address, and every address is answered alike', async () => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add('Ada@example.org');
    const [known, unknown] = [
      await stall.browser().post('/forgot', { email: 'ADA@EXAMPLE.ORG' }),
      await stall.browser().post('/forgot', { email: 'eve@example.org' }),
    ];
    expect([known.status, known.html]).toEqual([unknown.status, unknown.html]);
    const mail = await stall.server.waitFor('Ada@example.org');
    expect(mail.header('Subject')).toBe('A new password at The Heron Stall');
    const browser = stall.browser();
    expect((await browser.post('/reset', { code: secretOf(mail.text), ...chosen() })).status).toBe(303);
    expect((await browser.open('/dashboard')).status).toBe(200);
    expect(stall.server.received).toHaveLength(1);
  });

  test('can be asked for three times an hour by a client and for an address, and the answer stays the same', async () => {
    const stall = await openClaimStall();
    for (const email of ['ada@example.org', 'grace@example.org']) await stall.app.admin.accounts.add(email);
    const answers: string[] = [];
    for (let n = 0; n < 6; n++) {
      stall.pass(1000);
      answers.push((await stall.browser().post('/forgot', { email: 'ada@example.org' })).html);
      // The mail is queued after the answer.
      await Bun.sleep(5);
    }
    answers.push((await stall.browser().post('/forgot', { email: 'grace@example.org' })).html);
    await stall.server.waitFor('ada@example.org', 3);
    await stall.settle();
    expect(new Set(answers).size).toBe(1);
    expect(stall.server.received).toHaveLength(3);
    stall.pass(HOUR);
    await stall.browser().post('/forgot', { email: 'grace@example.org' });
    await stall.server.waitFor('grace@example.org');
  });

  test('can be asked for twelve times an hour by a whole IPv6 site, and by each IPv4 address', async () => {
    const stall = await openClaimStall({ yaml: OPEN });
    const open = (address: string, client: string): void =>
      requestMail(stall.app.stall, 'open', address, { address: client, language: null });
    for (let n = 0; n < 20; n++) open(`six${n}@example.org`, `2001:db8:1:${n.toString(16)}`);
    for (let n = 0; n < 20; n++) open(`four${n}@example.org`, `192.0.2.${n}`);
    open('other@example.org', '2001:db8:2:0');
    await stall.server.waitFor('other@example.org');
    await stall.settle();
    const to = (name: string) => stall.server.received.filter(({ to: [first] }) => first?.startsWith(name));
    expect([to('six').length, to('four').length]).toEqual([12, 20]);
  });

  test('of a disabled account brings no mail', async () => {
    const stall = await openClaimStall();
    await stall.app.admin.accounts.add('ada@example.org');
    await stall.app.admin.accounts.add('grace@example.org');
    await stall.app.admin.accounts.disable('ada@example.org');
    await stall.browser().post('/forgot', { email: 'ada@example.org' });
    await stall.browser().post('/forgot', { email: 'grace@example.org' });
    await stall.server.waitFor('grace@example.org');
    await stall.settle();
    expect(stall.server.received).toHaveLength(1);
  });

  test.each(['', 'ada', 'ada@example.org, eve@example.org'])(
    'is refused for %j, and the field keeps it',
    async (email) => {
      const stall = shared;
      const page = await stall.browser().post('/forgot', { email });
      expect(page.status).toBe(400);
      expect(page.text).toContain('as an e-mail address');
    },
  );

  test('is not offered by a stall without mail', async () => {
    const stall = await openClaimStall({ sends: false, yaml: OPEN });
    expect((await stall.browser().open('/forgot')).status).toBe(404);
    expect((await stall.browser().open('/sign-up')).status).toBe(404);
    const page = await stall.browser().open('/sign-in');
    expect(page.html).not.toContain('/forgot');
    expect(page.html).not.toContain('/sign-up');
    expect(page.text).toContain('Ask the people who run this stall');
  });
});

describe('accounts: open', () => {
  test('lets a visitor make an account by a link to their address, verified from the start', async () => {
    const stall = await openClaimStall({ yaml: OPEN });
    expect((await stall.browser().open('/sign-in')).html).toContain('href="/sign-up"');
    await stall.buy('heron0001', 'ada@example.org');
    await stall.server.waitFor('ada@example.org');
    await stall.browser().post('/sign-up', { email: ' ada@example.org ' });
    const mail = await stall.server.waitFor('ada@example.org', 2);
    expect(mail.text).toContain(`${stall.url}/open#`);
    expect(stall.app.admin.accounts.list()).toEqual([]);
    const browser = stall.browser();
    expect((await browser.post('/open', { code: secretOf(mail.text), ...chosen() })).status).toBe(303);
    expect((await browser.open('/dashboard')).text).toContain('The paid book');
    expect(stall.app.admin.accounts.find('ada@example.org').verifiedAt).toBe(stall.now());
  });

  test('sends an address with an account a link to its password, and answers alike', async () => {
    const stall = await openClaimStall({ yaml: OPEN });
    await stall.app.admin.accounts.add('ada@example.org');
    const [known, unknown] = [
      await stall.browser().post('/sign-up', { email: 'ada@example.org' }),
      await stall.browser().post('/sign-up', { email: 'grace@example.org' }),
    ];
    expect(known.html).toBe(unknown.html);
    expect((await stall.server.waitFor('ada@example.org')).text).toContain('/reset#');
    expect((await stall.server.waitFor('grace@example.org')).text).toContain('/open#');
  });

  test('is closed unless stall.yaml says otherwise', async () => {
    const stall = shared;
    expect((await stall.browser().open('/sign-up')).status).toBe(404);
    expect((await stall.browser().post('/sign-up', { email: 'ada@example.org' })).status).toBe(404);
    expect((await stall.browser().open('/sign-in')).html).not.toContain('/sign-up');
  });
});

describe('an account', () => {
  test('of the owner is verified at once, one from a table when its invite is used', async () => {
    const stall = await openClaimStall();
    const { accounts, grants, links } = stall.app.admin;
    expect((await accounts.add('grace@example.org')).verifiedAt).toBe(stall.now());
    const csv = 'email,slug\nada@example.org,paid-skill\n';
    const { links: made } = await grants.importWithAccounts(csv, stall.url);
    expect(accounts.find('ada@example.org').verifiedAt).toBeNull();
    // Nobody else typed the address, so a key that the owner made opens what the table gave.
    const { key } = await stall.app.admin.keys.create('ada@example.org', 'test', { days: 90 });
    const headers = { Authorization: `Bearer ${key}` };
    expect((await stall.fetch('/api/install/paid-skill', { headers })).status).toBe(200);
    const id = await stall.buy('heron0001', 'ada@example.org');
    expect(stall.app.admin.orders.find(id)).toMatchObject({ accountId: null });
    const answer = await stall.browser().post('/invite', { code: secretOf(made[0]?.url), ...chosen() });
    expect(answer.status).toBe(303);
    expect(accounts.find('ada@example.org').verifiedAt).toBe(stall.now());
    expect(stall.app.admin.orders.find(id)).toMatchObject({ attachedBy: 'address' });
    expect(links.list()).toEqual([]);
  });
});
