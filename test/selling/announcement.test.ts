import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../src/platform/base/duration.ts';
import { comparableEmail } from '../../src/platform/base/email-address.ts';
import { sha256 } from '../../src/platform/base/runtime.ts';
import { type } from '../platform/cli/type.ts';
import { createLink } from '../../src/accounts/one-time-link.ts';
import { itemYaml, PASSWORD, until, writeFiles } from '../helpers/harness.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import { openClaimStall, secretOf } from './claim-stall.ts';
import { dispute, NOON, session, stripeEvent } from './providers/stripe-events.ts';

const BUNDLE =
  'bundles:\n  - {slug: both, title: Both, items: [paid-book, paid-skill], description: D, unitAmountCents: 2900, currency: usd, sell: {stripe: [plink_both]}}\n';

/** A stall whose paid book is at 1.1.0 with notes, with a way to type commands beside it. */
async function openTelling(options: Parameters<typeof openClaimStall>[0] = {}) {
  const stall = await openClaimStall({ yaml: `name: The Heron Stall\n${BUNDLE}`, ...options });
  // Commands have the machine's clock.
  const catchUp = (): void => void stall.pass(Math.max(0, Date.now() - stall.now()));
  catchUp();
  const item = join(stall.content, 'books/paid-book');
  const yaml = await Bun.file(join(item, 'item.yaml')).text();
  const publish = async (version: string, notes: string | null): Promise<void> => {
    writeFileSync(join(item, 'item.yaml'), `${yaml}version: '${version}'\n`);
    writeFileSync(join(item, '01.md'), `# The heron\n\nVersion ${version} of the text.\n`);
    writeFileSync(
      join(item, 'CHANGELOG.md'),
      notes === null ? '' : `# Changes\n\n## ${version}\n\n${notes}\n`,
    );
    await stall.app.publish();
    await stall.app.salesSettled();
  };
  await publish('1.1.0', 'The heron has a second chapter.');
  const run = (...words: readonly string[]) => type(['announce', ...words, '--data', stall.data]);
  const announce = async (...words: readonly string[]) => {
    const { code, out, err } = await run('paid-book', ...words, '--json');
    if (code !== 0) throw new Error(err);
    catchUp();
    await stall.settle();
    return JSON.parse(out) as Readonly<Record<string, unknown>>;
  };
  const told = () => stall.server.received.filter((mail) => mail.header('List-Unsubscribe') !== null);
  const toldTo = (): readonly string[] =>
    told()
      .map(({ to }) => to.join())
      .toSorted();
  const leave = async (email: string): Promise<Response> => {
    const mail = told().findLast(({ to }) => to.includes(email));
    const [, link = ''] = /^<(\S+)>$/.exec(mail?.header('List-Unsubscribe') ?? '') ?? [];
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    return stall.fetch(link.slice(stall.url.length), { method: 'POST', body });
  };
  return { ...stall, publish, run, announce, told, toldTo, leave };
}

type Telling = Awaited<ReturnType<typeof openTelling>>;

const holder = async (stall: Telling, email: string): Promise<void> =>
  void (await stall.reader(email, 'paid-book'));

/** Someone's relation to the paid book; whether they are mailed, and at which address. */
const PEOPLE: Readonly<
  Record<string, readonly [to: string | null, (stall: Telling, email: string) => Promise<unknown>]>
> = {
  'a buyer who has no account': ['a@example.org', (stall, email) => stall.buy('heron000a', email)],
  'a buyer who was refunded': [
    null,
    async (stall, email) => {
      await stall.buy('heron000b', email);
      await stall.giveBack('heron000b');
    },
  ],
  'a buyer who disputes': [
    null,
    async (stall, email) => {
      await stall.buy('heron000c', email);
      await stall.deliver(
        dispute('created', 'heron000c', Math.floor(stall.now() / 1000) - NOON + 60, 'needs_response'),
      );
    },
  ],
  'a test sale': [
    null,
    (stall, email) =>
      stall.deliver(
        stripeEvent('checkout.session.completed', 0, {
          ...session(`heron000${email.slice(0, 1)}`, { customer_details: { email } }),
          id: `cs_bookstall_${email.slice(0, 1)}`,
        }),
      ),
  ],
  'an account that a test sale gave the book': [
    null,
    async (stall, email) => {
      await stall.reader(email);
      await PEOPLE['a test sale']![1](stall, email);
    },
  ],
  'an erased buyer': [
    null,
    async (stall, email) => stall.app.admin.orders.erase(await stall.buy('heron000f', email)),
  ],
  'a holder whose account is disabled': [
    null,
    async (stall, email) => {
      await holder(stall, email);
      await stall.app.admin.accounts.disable(email);
    },
  ],
  'a holder whose address nobody verified': [
    null,
    (stall, email) =>
      stall.app.admin.grants.importWithAccounts(`email,slug\n${email},paid-book\n`, stall.url),
  ],
  'a buyer whose account nobody verified': [
    'i@example.org',
    async (stall, email) => {
      await stall.buy('heron000i', email);
      const browser = stall.browser();
      await browser.comeBack('heron000i');
    },
  ],
  'a verified holder': ['j@example.org', holder],
  'a holder whose grant was revoked': [
    null,
    async (stall, email) => {
      await holder(stall, email);
      await stall.app.admin.grants.revoke(email, 'paid-book', null);
    },
  ],
  'a buyer of a bundle with the book': [
    'l@example.org',
    (stall, email) => stall.buy('heron000l', email, { payment_link: 'plink_both' }),
  ],
  'a buyer of something else': [
    null,
    (stall, email) => stall.buy('heron000m', email, { payment_link: 'plink_nothing' }),
  ],
  'a buyer who gave it away': [
    null,
    async (stall, email) => {
      await stall.buy('heron000n', email);
      const browser = stall.browser();
      await browser.comeBack('heron000n');
      const { text } = await browser.post('/claim/present');
      const code = /svg_(?:\w{5}-){4}\w{5}/.exec(text)?.[0] ?? '';
      const { headers } = await stall.reader('friend@example.org');
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
      await stall.fetch('/api/redeem', { ...init, body: JSON.stringify({ code }) });
    },
  ],
  'two spellings of one address': [
    'o@example.org',
    async (stall, email) => {
      await stall.buy('heron000o', 'O@EXAMPLE.org');
      await holder(stall, email);
      await stall.buy('heron00oo', ' o@example.ORG');
    },
  ],
  'a buyer who claimed it with another address': [
    'mine-p@example.org',
    async (stall, email) => {
      const order = await stall.buy('heron000p', email);
      await stall.reader('mine-p@example.org');
      await stall.app.admin.orders.attach(order, 'mine-p@example.org');
    },
  ],
};

test('nobody who ended the news is told at another address', async () => {
  const stall = await openTelling();
  await holder(stall, 'ada@example.org');
  await stall.announce();
  expect((await stall.leave('ada@example.org')).status).toBe(200);
  const account = stall.app.admin.accounts.find('ada@example.org');
  await stall.signIn('ada@example.org');
  const link = await createLink(
    stall.app.stall,
    'command',
    { email: 'ada@example.org', purpose: 'email', to: 'eve@example.org' },
    stall.url,
  );
  const code = secretOf(link.url);
  expect((await stall.browser().post('/email', { code, password: PASSWORD })).status).toBe(200);
  expect(stall.app.admin.accounts.find('eve@example.org').id).toBe(account.id);
  await stall.publish('1.2.0', 'The heron has a third chapter.');
  await holder(stall, 'zoe@example.org');
  await stall.announce();
  expect(stall.toldTo()).toEqual(['ada@example.org', 'zoe@example.org']);
});

describe('an announcement', async () => {
  const stall = await openTelling();
  let letter = 'a'.charCodeAt(0);
  for (const [, make] of Object.values(PEOPLE))
    await make(stall, `${String.fromCharCode(letter++)}@example.org`);
  await stall.settle();
  const wanted = [...Object.values(PEOPLE).flatMap(([to]) => to ?? []), 'friend@example.org'].toSorted();

  test('is tried without a mail or a row', async () => {
    const before = stall.app.stall.store.listAuditEntries(1e9, 1);
    const dry = await stall.announce('--dry-run');
    expect(dry).toEqual({
      item: 'paid-book',
      dryRun: true,
      edition: '1.1.0',
      subject: null,
      mails: wanted.length,
      left: 0,
      tests: 2,
      had: 0,
    });
    expect((await stall.run('paid-book', '--dry-run')).out).toContain(
      'Version 1.1.0:\n\nThe heron has a second chapter.',
    );
    expect(stall.told()).toEqual([]);
    expect(stall.store.listAnnouncements({ kind: 'book', itemKey: 'paid-id' })).toEqual([]);
    expect(stall.app.stall.store.listAuditEntries(1e9, 1)).toEqual(before);
  });

  test('reaches each who holds or bought the item now, once', async () => {
    expect(await stall.announce()).toMatchObject({ dryRun: false, mails: wanted.length });
    expect(stall.toldTo()).toEqual(wanted);
    const [mail] = stall.told();
    expect(mail?.header('Subject')).toContain('New_at_The_Heron_Stall');
    expect(mail?.text).toContain('Version 1.1.0:\n\nThe heron has a second chapter.');
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(JSON.stringify(stall.log)).not.toContain('@example.org');
    expect(stall.store.listAuditEntries(1e9, 1)).toMatchObject([
      { action: 'item.announce', subject: 'paid-book', details: { edition: '1.1.0', mails: wanted.length } },
    ]);
  });

  test('again reaches only who came since, also if a buyer claims with another address', async () => {
    await stall.buy('heron0new', 'new@example.org');
    const [order] = await Array.fromAsync(
      stall.app.admin.orders.rows({ state: null, email: 'a@example.org', since: null, attention: false }),
    );
    await stall.reader('late@example.org');
    await stall.app.admin.orders.attach(order![0]!.id, 'late@example.org');
    await stall.settle();
    expect(await stall.announce()).toMatchObject({ mails: 1, had: wanted.length });
    expect(stall.toldTo()).toEqual([...wanted, 'new@example.org'].toSorted());
    expect(await stall.announce()).toMatchObject({ mails: 0, had: wanted.length + 1 });
  });

  test('has a link that ends all such mails with one click, and that a scanner only opens', async () => {
    const link =
      stall
        .told()
        .find(({ to }) => to.includes('new@example.org'))
        ?.header('List-Unsubscribe')
        ?.slice(1, -1) ?? '';
    expect(
      (await stall.fetch(link.slice(stall.url.length), { headers: { Accept: 'text/html' } })).status,
    ).toBe(200);
    expect(await stall.announce('--dry-run')).toMatchObject({ left: 0 });
    for (const _ of [1, 2]) expect((await stall.leave('new@example.org')).status).toBe(200);
    expect((await stall.leave('j@example.org')).status).toBe(200);
    expect(await stall.announce('--dry-run')).toMatchObject({ left: 2 });
  });

  test('of the owner’s own words is one by its content, and passes over who left', async () => {
    const file = join(stall.directory, 'talk.txt');
    writeFileSync(file, 'A talk in May.\r\nCome.\r\n');
    const own = ['--subject', 'A talk', '--text', file] as const;
    const before = stall.told().length;
    expect(await stall.announce(...own)).toMatchObject({
      edition: null,
      subject: 'A talk',
      mails: wanted.length - 1,
      left: 2,
    });
    expect(await stall.announce(...own)).toMatchObject({ mails: 0, had: wanted.length - 1 });
    const mails = stall.told().slice(before);
    expect(mails).toHaveLength(wanted.length - 1);
    expect(mails[0]?.header('Subject')).toBe('A talk');
    expect(mails[0]?.text).toContain('\n\nA talk in May. Come.\n\n');
    expect(mails[0]?.text).not.toContain('second chapter');
  });

  test('passes over who left although they were erased and buy again', async () => {
    for (const { id } of (
      await Array.fromAsync(
        stall.app.admin.orders.rows({ state: null, email: 'new@example.org', since: null, attention: false }),
      )
    ).flat())
      await stall.app.admin.orders.erase(id);
    await stall.app.admin.personalData.remove('j@example.org');
    // The old mail's link opens nothing that is kept of them, and still answers.
    expect((await stall.leave('new@example.org')).status).toBe(200);
    await stall.buy('heron0ne2', 'NEW@example.org');
    await holder(stall, 'j@example.org');
    await stall.publish('1.2.0', 'A third one.');
    const dry = await stall.announce('--dry-run');
    expect(dry).toMatchObject({ edition: '1.2.0', left: 2 });
    const exported = await stall.app.admin.personalData.export('j@example.org');
    expect(exported).toMatchObject({ account: { news_ended_at: expect.any(String) } });
    expect(await Bun.$`strings ${join(stall.data, 'bookstall.db')}`.text()).toContain(
      sha256(comparableEmail('new@example.org')),
    );
  });
});

describe('news and announcements', async () => {
  const stall = await openTelling();
  const { account } = await stall.reader('ada@example.org', 'paid-book');
  const browser = stall.browser();
  const wantNews = async (): Promise<void> => {
    const { Cookie } = await stall.signIn('ada@example.org');
    browser.cookies.set('bookstall', Cookie.slice('bookstall='.length));
    await browser.post('/dashboard/account/news', { news: 'on' });
  };
  const hour = async (): Promise<void> => {
    stall.pass(DAY);
    await stall.app.queueNews();
    await stall.settle();
  };

  test('a book is sold before it is published, and each holder is told once when it is', async () => {
    const coming = async (status: string, files: Readonly<Record<string, string>> = {}): Promise<void> => {
      const keys = { id: 'coming-id', title: 'The coming heron', unitAmountCents: 1900, status };
      const checkoutUrl = 'https://buy.stripe.com/coming';
      const sale = { sell: '{stripe: [plink_coming]}', checkoutUrl, expected: 'spring 2027', progress: 60 };
      writeFiles(stall.content, {
        'books/coming-book/item.yaml': itemYaml({
          ...keys,
          ...sale,
          sample: '[01.md]',
          chapters: '[01.md, 02.md]',
        }),
        'books/coming-book/01.md': '# The first heron\n\nA sample of it.\n',
        ...files,
      });
      await stall.app.publish();
      await stall.app.salesSettled();
      await stall.settle();
    };
    const text = async (path: string) =>
      (await stall.fetch(path, { headers: { Accept: 'text/html' } })).text();
    const mails = () =>
      stall.server.received.filter(
        ({ to, text: said }) => /^[cd]ora@/.test(to.join()) && said.includes('coming heron'),
      );
    writeFiles(stall.content, {
      'skills/coming-skill/item.yaml': itemYaml({ unitAmountCents: 900, status: 'announced' }),
    });
    await coming('announced');
    expect(await text('/skills/coming-skill')).toContain('Coming soon');
    for (const path of ['/books/coming-book', '/'])
      expect(await text(path)).toMatch(/Coming spring 2027.*60 % written/s);
    expect(await text('/books/coming-book')).toMatch(
      /You pay at Stripe\. It is in your library once it is published/,
    );
    expect(await text('/books/coming-book/read/01.md')).toContain('A sample of it.');
    const lists = ['/feed.xml', '/sitemap.xml', '/opds/all', '/marketplace.json', '/llms.txt'];
    for (const path of lists) expect([path, (await text(path)).includes('coming')]).toEqual([path, false]);
    expect(await (await stall.fetch('/api/items')).json()).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          slug: 'coming-book',
          status: 'announced',
          expected: 'spring 2027',
          progress: 60,
        }),
      ]),
    });
    const link = { payment_link: 'plink_coming' };
    await stall.buy('coming01', 'cora@example.org', link);
    await stall.buy('coming02', 'dora@example.org', link);
    await stall.settle();
    expect(mails().map(({ text: said }) => said.includes('The coming heron is not published yet.'))).toEqual([
      true,
      true,
    ]);
    const browser = stall.browser();
    await browser.post('/claim', { code: secretOf(mails()[0]?.text), password: PASSWORD });
    expect((await browser.open('/dashboard')).text).toContain('Not published yet.');
    const install = () => browser.open('/api/books/coming-id/files?content=false');
    expect(await install()).toMatchObject({
      status: 404,
      html: expect.stringContaining('not published yet'),
    });
    const closed = (await browser.open('/books/coming-book/read/02.md')).status;
    expect(closed).toBe(404);
    expect((await browser.open('/books/coming-book/read/01.md')).text).not.toContain('Buy');
    expect(await text('/api/items/coming-book/editions')).toContain('[]');
    const second = { 'books/coming-book/02.md': '# The second heron\n' };
    await coming('published', second);
    await coming('published', second);
    const told = mails().slice(2);
    expect(told.map(({ to }) => to.join()).toSorted()).toEqual(['cora@example.org', 'dora@example.org']);
    expect(told[0]?.text).toContain('/sign-in?next=/books/coming-book/read');
    const served = (await install()).html;
    expect(served).toContain('02.md');
    await coming('announced', { 'books/coming-book/02.md': '# Another second heron\n' });
    expect((await install()).html).toBe(served);
    expect((await browser.open('/books/coming-book')).text).toContain('Coming spring 2027');
    expect((await browser.open('/api/cli/library')).status).toBe(401);
    expect(await text('/books/coming-book')).toContain('Coming spring 2027');
    await coming('published');
    expect(mails()).toHaveLength(4);
  });

  test('tell of an edition once, whichever is first', async () => {
    await wantNews();
    stall.pass(1000);
    await stall.publish('1.2.0', 'By news.');
    await hour();
    expect(stall.told()).toHaveLength(1);
    expect(await stall.announce()).toMatchObject({ mails: 0, had: 1 });
    stall.pass(1000);
    await stall.publish('1.3.0', 'By the owner.');
    expect(await stall.announce()).toMatchObject({ mails: 1 });
    await hour();
    expect(stall.told()).toHaveLength(2);
    await stall.publish('1.4.0', 'By news again.');
    await hour();
    expect(stall.told()).toHaveLength(3);
    expect(stall.told()[2]?.text).not.toContain('By the owner.');
  });

  test('end together by the link, and begin again on the account’s page', async () => {
    expect((await stall.leave('ada@example.org')).status).toBe(200);
    expect(stall.store.findNewsSince(account.id)).toBeNull();
    expect(
      await stall.announce('--subject', 'S', '--text', join(stall.content, 'stall.yaml'), '--dry-run'),
    ).toMatchObject({ mails: 0, left: 1 });
    await wantNews();
    expect(
      await stall.announce('--subject', 'S', '--text', join(stall.content, 'stall.yaml'), '--dry-run'),
    ).toMatchObject({ mails: 1, left: 0 });
  });
});

test.each([
  ['an edition without notes', ['paid-book'], 'this edition has no notes'],
  ['an unknown edition', ['paid-book', '--edition', '9.9.9'], 'Cannot find the edition "9.9.9"'],
  ['an unknown item', ['no-book'], 'Cannot find an item "no-book"'],
  ['a subject without a text', ['paid-book', '--subject', 'S'], 'give --subject and --text together'],
  [
    'a subject of spaces',
    ['paid-book', '--subject', ' ', '--text', 'stall.yaml'],
    'write a subject of at most 200 characters, and a text of at most 20000',
  ],
  [
    'a subject that is a text',
    ['paid-book', '--subject', 'a'.repeat(201), '--text', 'stall.yaml'],
    'write a subject of at most 200 characters',
  ],
  [
    'an empty subject',
    ['paid-book', '--subject', '', '--text', 'stall.yaml'],
    'write a subject of at most 200 characters, and a text of at most 20000',
  ],
])('%s is refused', async (_, words, sentence) => {
  const stall = await refusing;
  const { code, err } = await stall.run(
    ...words.map((word) => word.replace('stall.yaml', join(stall.content, 'stall.yaml'))),
  );
  expect([code === 0, err]).toEqual([false, expect.stringContaining(sentence)]);
});

const refusing = openTelling().then(async (stall) => {
  await stall.publish('2.0.0', null);
  return stall;
});

test('a stall that sends no mail refuses, and says what to set', async () => {
  const stall = await openTelling({ sends: false });
  const { code, err } = await stall.run('paid-book');
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('this stall sends no mail; set BOOKSTALL_SMTP_URL'),
  ]);
});

test('is a mail of text and of HTML, both without the marks of its Markdown', async () => {
  const stall = await openTelling();
  await holder(stall, 'ann@example.org');
  const notes = [
    'Now with **buns** and <b>more</b>, see [the list](https://example.org/a_b_c?d=1&e=2).',
    '- one *small* step\n- two',
    '| Cloud | Height |\n| --- | --- |\n| Stratus | below 1 km |',
    '```\na * b * c\n\n**kept**\n```',
    '<script>alert(1)</script>',
    '[here](javascript:alert(1)) ![a](https://evil.example/p.png)',
  ].join('\n\n');
  await stall.publish('1.2.0', notes);
  await stall.announce();
  const [mail] = stall.told();
  expect(mail?.header('Content-Type')).toStartWith('multipart/alternative');
  expect(mail?.text).toContain(
    'Version 1.2.0:\n\nNow with buns and more, see the list (https://example.org/a_b_c?d=1&e=2).\n\n- one small step\n- two\n\nCloud · Height\nStratus · below 1 km\n\na * b * c\n\n**kept**\n\n',
  );
  const html = mail?.html ?? '';
  expect(html).toContain('<strong>buns</strong>');
  expect(html).toMatch(/<a href="https:\/\/example\.org\/a_b_c\?d=1&amp;e=2"[^>]*>the list<\/a>/);
  expect(html).toContain('<td>Stratus</td>');
  expect(html).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]+">/);
  expect(html).not.toMatch(/<script|javascript:|<img/);
  await stall.close();
});

describe('the page of the office', async () => {
  const stall = await openTelling({ pause: 60_000 });
  await stall.app.admin.accounts.add('owner@example.org', true);
  const { open, send } = visitAs(stall, await stall.signIn('owner@example.org'));
  const page = '/admin/items/paid-book/announce';
  for (const name of ['a', 'b', 'c']) await holder(stall, `${name}@example.org`);

  test('shows the notes and how many get them, and is reached from the item', async () => {
    expect((await open('/admin/items/paid-book')).html).toContain(`href="${page}"`);
    const words = wordsOf((await open(page)).html);
    expect(words).toContain('Version 1.1.0: The heron has a second chapter. 3 readers get it. Mail it to 3');
  });

  test('has no button where nobody gets a mail, and says whom it leaves out', async () => {
    const empty = await openTelling({ pause: 60_000 });
    await empty.app.admin.accounts.add('owner@example.org', true);
    const office = visitAs(empty, await empty.signIn('owner@example.org'));
    const nobody = wordsOf((await office.open(page)).html);
    expect(nobody).toContain('Nobody gets it.');
    expect(nobody).not.toContain('Mail it to');
    await PEOPLE['a test sale']![1](empty, 'tester@example.org');
    const tester = wordsOf((await office.open(page)).html);
    expect(tester.match(/Nobody gets it; 1 test buyer left out\./g)).toHaveLength(2);
    expect(tester).not.toContain('Mail it to');
    expect((await empty.run('paid-book', '--dry-run')).out).toContain('1 test buyer left out');
  });

  test('keeps what was typed if it is refused', async () => {
    const { status, html } = await send(page, { title: 'A talk', text: ' ' });
    expect(status).toBe(400);
    expect(html).toContain('value="A talk"');
    expect(stall.told()).toEqual([]);
  });

  test('shows its form again for a text that is too long to be read, with the limit', async () => {
    const { status, html } = await send(page, { title: 'A talk', text: 'x'.repeat(310_000) });
    expect(status).toBe(413);
    expect(html).toContain('Cannot read a request of more than 298 KiB');
    expect(html).toContain('aria-label="Your own words"');
    const chinese = await send(page, { title: 'A talk', text: '鷺'.repeat(20_001) });
    expect([chinese.status, wordsOf(chinese.html)]).toEqual([
      400,
      expect.stringContaining('a text of at most 20000'),
    ]);
  });

  test('shows how far the mails are, loads itself again, and stops them', async () => {
    expect(await send(`${page}?edition=1.1.0`)).toMatchObject({ status: 303, location: page });
    await stall.server.waitFor('a@example.org');
    await until(async () =>
      wordsOf((await open(page)).html).includes('1 sent, 2 waiting, 0 failed, 0 left out'),
    );
    const { Cookie } = await stall.signIn('owner@example.org');
    expect((await stall.fetch(page, { headers: { Cookie } })).headers.get('refresh')).toBe('5');
    expect((await open(page)).html).toContain('<progress aria-label="Sent" value="1" max="3">');
    await send(`${page}?stop=all`);
    const words = wordsOf((await open(page)).html);
    expect(words).toContain('1 sent, 0 waiting, 0 failed, 2 left out');
    expect(words).toContain('Mail it to 2');
    expect(stall.told()).toHaveLength(1);
  });
});

test('the page of a stall without mail says what to set, and offers nothing', async () => {
  const stall = await openTelling({ sends: false });
  await stall.app.admin.accounts.add('owner@example.org', true);
  const { html } = await visitAs(stall, await stall.signIn('owner@example.org')).open(
    '/admin/items/paid-book/announce',
  );
  expect(html).toContain('BOOKSTALL_SMTP_URL');
  expect(html).not.toContain('action="/admin/items/paid-book');
});

test('at a terminal a bar shows how far the running server is, and ctrl-c leaves it sending', async () => {
  const stall = await openTelling({ pause: 60_000 });
  for (const name of ['a', 'b']) await holder(stall, `${name}@example.org`);
  const typed = type(['announce', 'paid-book', '--data', stall.data], {}, true);
  await until(
    async () => stall.store.listAnnouncements({ kind: 'book', itemKey: 'paid-id' })[0]?.queued === 2,
  );
  stall.pass(10_000);
  void stall.app.stall.outbox.settle();
  await until(async () => stall.store.listAnnouncements({ kind: 'book', itemKey: 'paid-id' })[0]?.sent === 1);
  await Bun.sleep(300);
  process.emit('SIGINT');
  const { code, out, err } = await typed;
  expect(code).toBe(0);
  expect(out).toBe('2 mails queued for the running server; 0 had it already, 0 ended such mails\n');
  expect(err).toContain('\rMailing [###############...............] 1 of 2 mails');
  expect(err).toEndWith('The server goes on sending; --stop ends it\n');
  expect((await type(['announce', 'paid-book', '--stop', '--data', stall.data, '--json'])).out).toBe(
    '{"item":"paid-book","stopped":1}\n',
  );
  expect(stall.store.listAuditEntries(1e9, 1)).toMatchObject([
    { action: 'item.announce', subject: 'paid-book', details: { stopped: true } },
  ]);
});

test.each([
  [
    'en',
    true,
    'The Heron Stall may write to you about new editions of what you bought.',
    'Open this link to end such mails',
  ],
  [
    'de',
    true,
    'The Heron Stall darf Ihnen zu neuen Ausgaben dessen schreiben, was Sie gekauft haben. Sie können dem jederzeit widersprechen',
    'Dieser Link beendet solche Mails',
  ],
  ['en', false, '', ''],
])(
  'buyers in %j are told before and after they pay, if the stall mails at all (%p)',
  async (language, sends, bought, ends) => {
    const stall = await openTelling({ sends, yaml: `name: The Heron Stall\nlanguage: ${language}\n` });
    const item = join(stall.content, 'books/paid-book/item.yaml');
    writeFileSync(item, `${await Bun.file(item).text()}checkoutUrl: https://buy.stripe.com/x\n`);
    await stall.app.publish();
    await stall.app.salesSettled();
    const { text } = await stall.browser().open('/books/paid-book');
    expect(/We may mail you about new editions|Wir dürfen Ihnen zu neuen Ausgaben schreiben/.test(text)).toBe(
      sends,
    );
    if (!sends) return;
    await stall.buy('heron0001', 'ada@example.org');
    expect((await stall.server.waitFor('ada@example.org')).text).toContain(bought);
    await stall.reader('bea@example.org');
    await stall.buy('heron0002', 'bea@example.org');
    expect((await stall.server.waitFor('bea@example.org')).text).toContain(bought);
    await stall.settle();
    await stall.announce();
    expect(stall.toldTo()).toEqual(['ada@example.org', 'bea@example.org']);
    expect(stall.told()[0]?.text).toContain(ends);
  },
);
