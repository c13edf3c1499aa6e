import { describe, expect, test } from 'bun:test';
import { DAY, MINUTE } from '../../src/platform/base/duration.ts';
import { E_READERS, LARGEST_MAILED, mailBook, MOST_MAILED } from '../../src/selling/e-reader.ts';
import type { Refusal } from '../../src/platform/base/refusal.ts';
import { OFFERED, wordsIn } from '../../src/words/words.ts';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openClaimStall } from './claim-stall.ts';
import { createVisitor, typedIn } from '../platform/site/visitor.ts';

describe('the sentences about e-readers name each that is taken', () => {
  test.each(OFFERED)('%s', (language) => {
    const { library, refusals } = wordsIn(language);
    const lead = library.devices.send.lead({ size: '1 MB', most: 1 });
    const said = [library.devices.send.hint, refusals.account.notAnEReader({ text: 'x' })];
    for (const [name, domain] of Object.entries(E_READERS)) {
      expect(lead).toContain(name);
      for (const sentence of said) expect(sentence).toContain(`@${domain}`);
    }
  });
});

const KINDLE = 'ada_42@kindle.com';
const SEND = '/books/paid-book/send';

/** A stall that mails over a real server, which takes mail for e-readers only while `takes` says so, and after `delay`. */
async function openMailing(delay: (address: string) => Promise<void> | null = () => null) {
  const state = { takes: true, time: Date.now() };
  const server = await openMailServer({
    onRcptTo({ address }, _, done) {
      const refusal = Object.assign(new Error('Not now'), { responseCode: 451 });
      const answer = () => done(state.takes || !address.endsWith('kindle.com') ? null : refusal);
      void (delay(address) ?? Promise.resolve()).then(answer);
    },
  });
  const stall = await openStall({
    files: {
      ...SHELF,
      'books/large-book/item.yaml': itemYaml({ id: 'large-id', formats: '[large.epub]' }),
      'books/large-book/01.md': '# One\n\nText.\n',
      'books/large-book/large.epub': new Uint8Array(LARGEST_MAILED + 1),
    },
    config: {
      mail: {
        host: '127.0.0.1',
        port: server.port,
        encryption: 'none',
        login: null,
        from: 'stall@example.org',
        tellsSales: false,
        pause: 0,
      },
    },
    now: () => state.time,
  });
  const { store, outbox } = stall.app.stall;
  return {
    ...stall,
    state,
    server,
    /** A verified reader who has the book, and what they do on its page. */
    async open(email: string, ...slugs: string[]) {
      const { account, headers } = await stall.reader(email, ...slugs);
      const visitor = createVisitor(stall, await stall.signIn(email));
      const send = (address: string, page = SEND) => visitor.send(page, { email: address });
      return { ...visitor, account, headers, email, post: visitor.send, send };
    },
    mails: () => store.listMailPage(null, { beside: null, side: 'older', limit: 99 }).toReversed(),
    settle: outbox.settle,
  };
}

const stall = await openMailing();
const ada = await stall.open('ada@example.org', 'paid-book');

test('a book comes to the e-reader whole, from the sender that the page names, and its address is kept', async () => {
  const before = await ada.open(SEND);
  expect([before.status, typedIn(before.html, 'email')]).toEqual([200, '']);
  expect(before.text).toContain('stall@example.org');
  const sent = await ada.send(' Ada_42@KINDLE.com ');
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${SEND}?said=book-mailed`]);
  const { to, source, header } = await stall.server.waitFor(KINDLE);
  expect([to, header('From')]).toEqual([[KINDLE], 'Bookstall <stall@example.org>']);
  expect(source).toContain('Content-Type: application/epub+zip; name=paid-book.epub');
  const [, base64 = ''] = /filename=paid-book\.epub\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(source) ?? [];
  await stall.app.stall.downloads.flush();
  expect((await ada.open('/dashboard/downloads')).text).toContain('The paid book none EPUB');
  const download = await stall.fetch('/api/books/paid-id/epub', { headers: ada.headers });
  expect(Buffer.from(base64, 'base64').equals(Buffer.from(await download.bytes()))).toBe(true);
  expect(typedIn((await ada.open(SEND)).html, 'email')).toBe(KINDLE);
  expect((await ada.open('/books/paid-book')).html).toContain(`href="${SEND}"`);
});

test('a form that is sent twice sends one book', async () => {
  const eve = await stall.open('eve@example.org', 'paid-book');
  expect((await eve.send('eve@pbsync.com')).status).toBe(303);
  expect((await eve.send('eve@pbsync.com')).status).toBe(303);
  expect(stall.mails().filter(({ address }) => address === 'eve@pbsync.com')).toHaveLength(1);
});

test.each([
  'ada@example.org',
  'ada@free.kindle.com',
  'ada@kindle.com.example.org',
  'ada@notkindle.com',
  'ada@kindle.com.',
  'ada@kindle.co',
  'ada@kindle.com,bea@kindle.com',
  'ada@kindle.com bea@kindle.com',
  'ada@example.org@kindle.com',
  'Ada <ada@kindle.com>',
  '"ada"@kindle.com',
  'ada@kindle.com\r\nBcc: bea@example.org',
  'ada\r\nBcc:bea@example.org\r\n@kindle.com',
  'ada..b@kindle.com',
  'äda@kindle.com',
  '@kindle.com',
  '',
  `${'a'.repeat(300)}@kindle.com`,
])('no book goes to %j', async (address) => {
  const before = stall.mails().length;
  const { status, text } = await ada.send(address);
  expect([status, stall.mails().length]).toEqual([400, before]);
  expect(text).toContain('Cannot send a book to');
});

test.each([
  ['a book that the account has not', 'none@example.org', SEND, [403, 403]],
  ['a draft', 'draft@example.org', '/books/draft-book/send', [404, 404]],
  ['a skill', 'skill@example.org', '/books/free-skill/send', [404, 404]],
  ['an EPUB that is too large', 'large@example.org', '/books/large-book/send', [200, 413]],
])('%s is not sent', async (_, email, page, statuses) => {
  const reader = await stall.open(email);
  const before = stall.mails().length;
  const opened = await reader.open(page);
  expect([opened.status, (await reader.send(KINDLE, page)).status]).toEqual(statuses);
  expect(stall.mails().length).toBe(before);
});

test('an account sends five books in a day, and more on the next', async () => {
  const many = await stall.open('many@example.org', 'paid-book');
  const statuses = [];
  for (let n = 0; n <= MOST_MAILED; n++) {
    stall.state.time += MINUTE;
    statuses.push((await many.send('many@kindle.com')).status);
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  stall.state.time += DAY;
  expect((await many.send('many@kindle.com')).status).toBe(303);
  await stall.settle();
});

describe('a book whose mail waits', () => {
  const wait = async (email: string) => {
    const reader = await stall.open(email, 'paid-book');
    stall.state.takes = false;
    const { received } = stall.server;
    await reader.send(email.replace('example.org', 'kindle.com'));
    await stall.settle();
    return {
      reader,
      mail: () => stall.mails().findLast(({ accountId }) => accountId === reader.account.id),
      received: () =>
        received.filter(({ to }) => to[0] === email.replace('example.org', 'kindle.com')).length,
      async later() {
        stall.state.takes = true;
        stall.state.time += MINUTE;
        await stall.settle();
      },
    };
  };

  test('is sent later, as it is then', async () => {
    const { mail, received, later } = await wait('wanda@example.org');
    expect([mail()?.state, received()]).toEqual(['queued', 0]);
    await later();
    expect([mail()?.state, mail()?.tries, received()]).toEqual(['sent', 2, 1]);
  });

  test('is not sent once the grant is withdrawn', async () => {
    const { reader, mail, received, later } = await wait('will@example.org');
    await stall.app.admin.grants.revoke(reader.email, 'paid-book', null);
    await later();
    expect([mail()?.state, received()]).toEqual(['dropped', 0]);
  });

  test('is in the export of its account, and erased with it', async () => {
    const { reader, mail, received, later } = await wait('wera@example.org');
    const data = JSON.stringify(await stall.app.admin.personalData.export(reader.email));
    expect(data).toContain('"address":"wera@kindle.com"');
    const { id } = mail()!;
    await stall.app.admin.personalData.remove(reader.email);
    await later();
    expect([stall.app.stall.store.findMail(id)?.state, received()]).toEqual(['dropped', 0]);
    expect(JSON.stringify(stall.mails())).not.toContain('wera@');
  });

  test('keeps no other mail waiting', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = await openMailing((address) => (address.endsWith('kindle.com') ? promise : null));
    const reader = await slow.open('slow@example.org', 'paid-book');
    await reader.send(KINDLE);
    slow.app.stall.requestMail('reset', reader.email, { address: '192.0.2.1', language: null });
    await slow.server.waitFor(reader.email);
    expect(slow.server.received.map(({ to }) => to[0])).toEqual([reader.email]);
    resolve();
    await slow.server.waitFor(KINDLE);
  });
});

test('a buyer whose address is not proven yet is asked to confirm it, and sends nothing', async () => {
  const shop = await openClaimStall();
  const browser = shop.browser();
  await shop.buy('one');
  await browser.comeBack('one');
  await browser.post('/claim/add');
  const page = await browser.open(SEND);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('First confirm your own address')]);
  expect(page.html).not.toContain('name="email"');
  const principal = shop.store.findAccountByAddress('ada@example.org')!;
  const session = { kind: 'account', accountId: principal.id, email: principal.email, keyId: null } as const;
  const sent = mailBook(shop.app.stall, { ...session, sessionId: '', isOwner: false }, 'paid-book', KINDLE);
  expect(await sent.catch((error: Refusal) => error.kind)).toBe('not-found');
});

test('a stall without mail sends no book', async () => {
  const quiet = await openStall();
  await quiet.reader('ada@example.org', 'paid-book');
  const { open } = createVisitor(quiet, await quiet.signIn('ada@example.org'));
  expect((await open(SEND)).status).toBe(404);
  expect((await open('/books/paid-book')).html).not.toContain(SEND);
});
