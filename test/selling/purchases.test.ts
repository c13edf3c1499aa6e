import { describe, expect, test } from 'bun:test';
import { HOUR } from '../../src/platform/base/duration.ts';
import { stateOfCode } from '../../src/selling/code.ts';
import { chosen, openClaimStall, secretOf } from './claim-stall.ts';
import { type } from '../platform/cli/type.ts';
import { order, subscription } from './providers/lemonsqueezy-events.ts';
import { stripeEvent } from './providers/stripe-events.ts';
import { requestMail } from '../../src/selling/mails.ts';
import { PASSWORD as HERS } from '../helpers/harness.ts';

const stall = await openClaimStall();

test('the library shows an order, its receipt and its state, and an account whose address is not confirmed', async () => {
  const id = await stall.buy('heron0001');
  const browser = stall.browser();
  await browser.comeBack('heron0001');
  const { ref } = stall.app.admin.orders.find(id);
  const page = await browser.open('/dashboard');
  expect(page.text).toContain('Purchases');
  expect(page.text).toContain(ref);
  expect(page.text).toContain('Stripe');
  expect(page.html).not.toContain('cs_live_');
  expect(page.text).toContain('$19');
  expect(page.html).toContain('<span class="badge good">Paid</span>');
  expect((await browser.open('/dashboard/account')).text).toContain('Not confirmed yet');
  stall.pass(HOUR);
  await stall.giveBack('heron0001');
  const after = await browser.open('/dashboard');
  expect(after.html).toContain('<span class="badge">Refunded</span>');
  expect(after.html).not.toContain('/books/paid-book/read');
  const { ref: newer } = stall.app.admin.orders.find(await stall.buy('heron0010'));
  await browser.comeBack('heron0010');
  await browser.claim('/claim/add');
  const { text } = await browser.open('/dashboard');
  expect(text).toContain(newer);
  expect(text.indexOf(newer)).toBeLessThan(text.indexOf(ref));
});

describe('the provider’s pages about an order', () => {
  const RECEIPT = 'https://invoice.stripe.com/i/acct_1/live_abc?s=ap';
  const ORDERS = 'https://app.lemonsqueezy.com/my-orders/1?signature=2';
  const BILLING = 'https://my-store.lemonsqueezy.com/billing';

  /** The library of a new member with this address. */
  async function openLibrary(email: string) {
    await stall.app.admin.accounts.add(email);
    const browser = stall.browser();
    browser.cookies.set('bookstall', (await stall.signIn(email)).Cookie.slice('bookstall='.length));
    return { browser, open: async () => (await browser.open('/dashboard')).html };
  }

  test.each([
    ['https, of a paid invoice', RECEIPT, true],
    ['plain http', 'http://invoice.stripe.com/i/abc', false],
    ['a script', 'javascript:alert(1)', false],
    ['no address', 'receipt', false],
  ])('are shown if they are https: %s', async (name, url, isShown) => {
    const email = `${name.replaceAll(/\W/g, '')}@example.org`;
    const { open } = await openLibrary(email);
    const session = `receipt${email.length}${email[0]}`;
    await stall.buy(session, email, { invoice: `in_${session}` });
    const paid = { id: `in_${session}`, object: 'invoice', amount_paid: 1900, currency: 'usd' };
    await stall.deliver(
      stripeEvent('invoice.paid', 1, { ...paid, lines: { data: [] }, hosted_invoice_url: url }),
    );
    const html = await open();
    expect(html.includes(`<a href="${url}" rel="noreferrer">Receipt`)).toBe(isShown);
    expect(html.includes('Receipt by mail from Stripe')).toBe(!isShown);
  });

  test('are kept without a signature that signs in, go with the buyer, and are no other account’s', async () => {
    const { browser, open } = await openLibrary('lemon@example.org');
    const { open: others } = await openLibrary('other@example.org');
    const mine = { user_email: 'lemon@example.org', urls: { receipt: ORDERS } };
    await stall.lemonsqueezy(order('order_created', 1, { id: '901', ...mine }));
    const urls = { customer_portal: `${BILLING}?expires=1&signature=2` };
    await stall.lemonsqueezy(subscription('subscription_created', 2, 'active', { ...mine, urls }));
    const html = await open();
    expect(html).toContain(`<a href="${ORDERS}" rel="noreferrer">Receipt`);
    expect(html).toContain(`<a href="${BILLING}" rel="noreferrer">Manage subscription`);
    expect(await others()).not.toContain('lemonsqueezy');
    const data = async () => (await browser.post('/dashboard/account/data', { password: HERS })).html;
    expect(await data()).toContain(ORDERS);
    const { id: accountId } = stall.app.admin.accounts.find('lemon@example.org');
    const [found] = stall.store.listAccountOrders(accountId);
    const id = found?.id ?? 0;
    await stall.app.admin.orders.erase(id);
    await stall.lemonsqueezy(order('order_created', 3, { id: '901', ...mine }));
    const facts = JSON.stringify(stall.store.listOrderFacts(id));
    expect(facts).toContain('"kind":"page"');
    expect(facts).not.toContain('https:');
  });

  test('are not shown to whom the buyer passed the mail on', async () => {
    const name = 'passed0001';
    await stall.buy(name, 'giver@example.org', { invoice: `in_${name}` });
    const paid = { id: `in_${name}`, object: 'invoice', amount_paid: 1900, currency: 'usd' };
    const event = { ...paid, lines: { data: [] }, hosted_invoice_url: RECEIPT };
    await stall.deliver(stripeEvent('invoice.paid', 1, event));
    const { browser, open } = await openLibrary('friend@example.org');
    const code = secretOf((await stall.server.waitFor('giver@example.org')).text);
    await browser.post('/claim', { code });
    const html = await open();
    expect(html).toContain('The paid book');
    expect(html).not.toContain(RECEIPT);
  });
});

test('of three copies two are for others: by one link, which a new one replaces, until the money is given back', async () => {
  const member = async (email: string) => {
    await stall.app.admin.accounts.add(email);
    const browser = stall.browser();
    browser.cookies.set('bookstall', (await stall.signIn(email)).Cookie.slice('bookstall='.length));
    const shown = async () => (await browser.open('/dashboard')).text;
    const redeems = async (code: string) => {
      const { status, text } = await browser.post('/redeem', { code });
      return status === 303 ? 'opened' : text;
    };
    return { ...browser, shown, redeems };
  };
  const [team, ann, bob, eve] = [
    await member('team@example.org'),
    await member('ann@example.org'),
    await member('bob@example.org'),
    await member('eve@example.org'),
  ];
  const sold = (name: string, after: number, more = {}) =>
    stall.lemonsqueezy(
      order(name, after, {
        ...{ id: '917', user_email: 'team@example.org', total: 5700 },
        first_order_item: { id: 1, order_id: 917, variant_id: 510001, quantity: 3 },
        ...more,
      }),
    );
  await sold('order_created', 1);
  const { text: mail } = await stall.server.waitFor('team@example.org');
  expect(mail).toContain('2 other accounts can open one each');
  const linkIn = (text: string) => /https?:\/\/\S+\/redeem#(svg_[\w-]{29})/.exec(text)?.[1] ?? 'no link';
  const first = linkIn(mail);
  expect(await team.shown()).toContain('Copies for others: 0 of 2 used');
  expect(await team.redeems(first)).toContain('your own copy is in your library');
  expect(await ann.redeems(first)).toBe('opened');
  // Anybody may ask for the buyer's mail again: the link that was passed on stays.
  await stall.settle();
  await stall.browser().post('/claim/mail', { email: 'team@example.org' });
  expect((await stall.server.waitFor('team@example.org', 2)).text).not.toContain('/redeem#');
  expect(await ann.redeems(first)).toBe('opened');
  const html = (await team.open('/dashboard')).html;
  expect(html).toContain('Copies for others: 1 of 2 used');
  const [form = ''] = /\/dashboard\/orders\/[\w-]+\/copies/.exec(html) ?? [];
  expect((await ann.post(form)).status).toBe(404);
  const made = await team.post(form);
  const second = linkIn(made.text);
  expect(made.text).toContain('one more account can open a copy');
  expect(await bob.redeems(first)).toContain('this stall knows no such code');
  expect(await bob.redeems(`http://stall.example.org/redeem#${second}`)).toBe('opened');
  expect(await eve.redeems(second)).toContain('as often as it can be');
  expect(await team.shown()).not.toContain('Make a new link');
  expect(await ann.shown()).toContain('The paid book');

  await sold('order_refunded', 60, { refunded_amount: 1900 });
  const { id } = stall.app.admin.orders.find(stall.store.findOrderByKey('lemonsqueezy', 'order:917')!.id);
  expect(stall.app.admin.orders.find(id).attention).toContain('for 3 copies was given back');
  expect(await ann.shown()).toContain('The paid book');
  stall.pass(HOUR);
  await stall.app.admin.orders.grant(id);
  expect(stall.app.admin.orders.find(id)).toMatchObject({ attention: null, copies: 2, copiesUsed: 2 });
  await sold('order_refunded', 3 * 3600, { status: 'refunded', refunded: true, refunded_amount: 5700 });
  for (const one of [team, ann, bob]) expect(await one.shown()).not.toContain('/books/paid-book/read');
  expect(await eve.redeems(second)).toContain('its purchase was given back');
  expect(stall.app.admin.codes.list().map((code) => stateOfCode(code, stall.now()))).toContain('ended');
  expect((await team.post(form)).status).toBe(404);
});

test('somebody without orders sees none of it', async () => {
  await stall.app.admin.accounts.add('grace@example.org');
  const browser = stall.browser();
  const { Cookie } = await stall.signIn('grace@example.org');
  browser.cookies.set('bookstall', Cookie.slice('bookstall='.length));
  expect((await browser.open('/dashboard')).text).not.toContain('Purchases');
  expect((await browser.open('/dashboard/account')).text).not.toContain('Not confirmed');
});

test('the owner has the stall mail an invite, and the link to a purchase again', async () => {
  await stall.app.admin.accounts.add('owner@example.org', true);
  const { id } = await stall.app.admin.accounts.add('joan@example.org');
  const owner = stall.browser();
  const { Cookie } = await stall.signIn('owner@example.org');
  owner.cookies.set('bookstall', Cookie.slice('bookstall='.length));
  expect((await owner.open(`/admin/accounts/${id}`)).text).toContain('Mail an invite link');
  const sent = await owner.post(`/admin/accounts/${id}/mail`);
  expect([sent.status, sent.headers.get('location')]).toEqual([
    303,
    `/admin/accounts/${id}?said=link-mailed`,
  ]);
  const mail = await stall.server.waitFor('joan@example.org');
  expect(mail.header('Subject')).toBe('Your account at The Heron Stall');
  const joan = stall.browser();
  const looked = await joan.post('/invite', { code: secretOf(mail.text), look: '1' });
  expect([looked.status, looked.text]).toEqual([200, expect.stringContaining('For joan@example.org')]);
  expect((await joan.post('/invite', { code: secretOf(mail.text), ...chosen() })).status).toBe(303);
  expect((await owner.open('/admin/audit')).text).toContain('joan@example.org');
  expect((await owner.open(`/admin/accounts/${id}`)).text).toContain('Mail a reset link');
  const order = `/admin/orders/${await stall.buy('heron0077', 'kim@example.org')}`;
  await stall.server.waitFor('kim@example.org');
  await stall.settle();
  const { html } = await owner.open(order);
  const [, again = ''] = /<form action="([^"]+)"[^>]*><button[^>]*>Mail the link again</.exec(html) ?? [];
  expect(html.indexOf('Create claim link')).toBeGreaterThan(html.indexOf('<details class="more">'));
  stall.pass(HOUR);
  expect((await owner.post(again)).status).toBe(303);
  await stall.server.waitFor('kim@example.org', 2);
});

test('an account that the owner adds gets the purchases that wait for its address', async () => {
  const id = await stall.buy('heron0009', 'Late@Example.org');
  const { id: accountId } = await stall.app.admin.accounts.add('late@example.org');
  expect(stall.app.admin.orders.find(id)).toMatchObject({ accountId, attachedBy: 'address' });
});

test.each(['show', 'link'])('orders %s prints no control characters of a buyer’s address', async (act) => {
  const order = await stall.buy(`escape${act}0`, 'a\u001b]0;owned\u0007\u202e@example.org');
  const words = ['orders', act, String(order), '--data', stall.app.stall.config.data];
  const { code, out, err } = await type([
    ...words,
    ...(act === 'link' ? ['--base-url', 'https://x.example'] : []),
  ]);
  expect([code, `${out}${err}`]).toEqual([0, expect.stringContaining('a?]0;owned??@example.org')]);
});

test('the owner is mailed each sale if that is switched on', async () => {
  const telling = await openClaimStall({ tellsSales: true });
  await telling.app.admin.accounts.add('owner@example.org', true);
  await telling.buy('heron0001');
  const mail = await telling.server.waitFor('owner@example.org');
  expect(mail.text).toContain('you sold “The paid book” for $19.');
});

test('a bundle is mailed by its own name', async () => {
  const yaml = `name: The Heron Stall
bundles:
  - slug: both
    title: Everything on herons
    items: [paid-book, paid-skill]
    unitAmountCents: 2900
    sell: {stripe: [plink_both]}
`;
  const bundling = await openClaimStall({ yaml });
  await bundling.buy('heron0001', 'ada@example.org', { payment_link: 'plink_both' });
  const mail = await bundling.server.waitFor('ada@example.org');
  expect(mail.text).toContain('thank you for buying “Everything on herons”.');
});

describe('presents', async () => {
  const stall = await openClaimStall();

  /** A purchase that its buyer turned into a present; the secret of the mail that came before. */
  async function give(
    name: string,
    email: string,
  ): Promise<{ readonly id: number; readonly secret: string }> {
    const id = await stall.buy(name, email);
    const secret = secretOf((await stall.server.waitFor(email)).text);
    const browser = stall.browser();
    await browser.comeBack(name);
    expect((await browser.post('/claim/present')).text).toContain('svg_');
    return { id, secret };
  }

  test('the mail of a purchase that became a present opens nothing', async () => {
    const { secret } = await give('present001', 'ada@example.org');
    const page = await stall.browser().claim('/claim', { code: secret, ...chosen() });
    expect(page.text).toContain('it became a present');
  });

  test('a purchase that became a present is not mailed to its buyer again', async () => {
    const { id } = await give('present002', 'bea@example.org');
    requestMail(stall.app.stall, 'claim', 'bea@example.org', { address: 'a client', language: null });
    // The mail is queued after the answer. Writes are one after the other: that one is done once this sale is.
    await Bun.sleep(5);
    await stall.buy('another002', 'dora@example.org');
    await stall.settle();
    const mails = stall.store.listOrderMails(id);
    expect(mails.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['claim sent']);
    expect(stall.server.received.filter(({ to }) => to.includes('bea@example.org'))).toHaveLength(1);
  });

  test('the owner is told that a present has a code, and gets no link to claim it', async () => {
    const { id } = await give('present003', 'cleo@example.org');
    try {
      await stall.app.admin.linkToClaim(id, 'http://localhost');
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message).toContain('it became a present, which its code opens');
    }
  });

  test('the return page of a purchase that became a present signs nobody in', async () => {
    await give('present004', 'dana@example.org');
    const browser = stall.browser();
    expect((await browser.comeBack('present004')).text).toContain('This purchase is a present');
    await browser.claim('/claim', chosen());
    expect(browser.cookies.has('bookstall')).toBeFalse();
  });

  test('the return page of a purchase whose buyer was erased knows nothing of it', async () => {
    const id = await stall.buy('erased0001', 'emil@example.org');
    await stall.app.admin.orders.erase(id);
    const { text } = await stall.browser().comeBack('erased0001');
    expect(text).toContain('Waiting for Stripe');
    expect(text).not.toContain('emil');
  });
});

test.each([
  [true, '4 more copies are for others. Pass on the link in your mail'],
  [false, '4 more copies are for others. Make a link here'],
])(
  'a buyer of five copies sees the other four before and after claiming, with mail %p',
  async (sends, says) => {
    const selling = await openClaimStall({ sends });
    const uuid = '104e18a2-d755-4d4b-80c4-a6c1dcbe1c10';
    await selling.lemonsqueezy(
      order('order_created', 1, {
        ...{ id: '918', identifier: uuid, user_email: 'five@example.org', total: 9500 },
        first_order_item: { id: 1, order_id: 918, variant_id: 510001, quantity: 5 },
      }),
    );
    const buyer = selling.browser();
    await buyer.open(`/claim/lemonsqueezy?id=${uuid}`);
    if (sends) {
      const code = secretOf((await selling.server.waitFor('five@example.org')).text);
      const byMail = await selling.browser().post('/claim', { code, look: '1' });
      expect(byMail.text).toContain('You bought 5 copies: one is for your library');
    }
    const joined = await buyer.open('/claim');
    const yours = await buyer.open(joined.headers.get('location') ?? '');
    expect(yours.text).toContain(says);
    expect(yours.text).toContain('Copies for others: 0 of 4 used');
    const [form = ''] = /\/dashboard\/orders\/[\w-]+\/copies/.exec(yours.html) ?? [];
    const [code = ''] = /(?<=\/redeem#)svg_[\w-]{29}/.exec((await buyer.post(form)).text) ?? [];
    await selling.app.admin.accounts.add('ann@example.org');
    const ann = selling.browser();
    ann.cookies.set('bookstall', (await selling.signIn('ann@example.org')).Cookie.slice('bookstall='.length));
    expect((await ann.post('/redeem', { code })).status).toBe(303);
    expect((await buyer.open('/dashboard')).text).toContain('Copies for others: 1 of 4 used');
  },
);
