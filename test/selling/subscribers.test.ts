import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, HOUR } from '../../src/platform/base/duration.ts';
import { requestNews } from '../../src/selling/subscriber.ts';
import { ANONYMOUS } from '../../src/platform/base/principal.ts';
import { type as typeCommand } from '../platform/cli/type.ts';
import { visitAs } from '../office/visit.ts';
import { openClaimStall, secretOf } from './claim-stall.ts';

/** A stall on which addresses ask for news, confirm by their newest mail, and end it. */
async function openNewsStall(options: Parameters<typeof openClaimStall>[0] = {}) {
  const stall = await openClaimStall(options);
  const file = join(stall.content, 'books/paid-book/item.yaml');
  writeFileSync(file, `${await Bun.file(file).text()}sample: [01.md]\n`);
  await stall.app.publish();
  const { app, server, store, settle } = stall;
  await app.admin.accounts.add('owner@example.org', true);
  const owner = visitAs(stall, await stall.signIn('owner@example.org'));
  let clients = 0;
  const mailsTo = (address: string) => server.received.filter(({ to }) => to.includes(address));
  const newest = (address: string) => mailsTo(address).at(-1);
  return {
    ...stall,
    owner,
    mailsTo,
    newest,
    /** From clients of which none asks too often. */
    async ask(address: string, item = '', client = `10.1.${clients >> 8}.${clients++ & 255}`): Promise<void> {
      stall.pass(1);
      requestNews(app.stall, ANONYMOUS, { email: address, item }, { address: client, language: null });
      await store.write.sweepSubscribers({ at: stall.now() });
      await settle();
    },
    confirm: (address: string, code = secretOf(newest(address)?.text)) =>
      stall.browser().post('/news/confirm', { code }),
    async end(address: string): Promise<number> {
      const [, link = ''] =
        /<\S+(\/unsubscribe\/\S+)>/.exec(newest(address)?.header('List-Unsubscribe') ?? '') ?? [];
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      return (await stall.fetch(link, { method: 'POST', body })).status;
    },
    async announce(address: string, text: string): Promise<string | undefined> {
      const before = mailsTo(address).length;
      await owner.send('/admin/items/paid-book/announce', { title: text, text, to: 'news' });
      await settle();
      return mailsTo(address).slice(before).at(-1)?.text;
    },
  };
}

const stall = await openNewsStall();
const { ask, confirm, end, announce, mailsTo, newest, store, pass, settle } = stall;

test('an address is asked for, confirmed by a button, told, and ended; an opt-out wins until it confirms again', async () => {
  const home = await stall.browser().open('/books/paid-book');
  expect(home.html).toContain('action="/news"');
  const asked = await stall.browser().post('/news', { email: 'ada@example.org', item: 'paid-book' });
  expect(asked.text).toContain('Look into your mail');
  await stall.server.waitFor('ada@example.org');
  expect(await announce('ada@example.org', 'Too early')).toBeUndefined();
  const opened = await stall.browser().open('/news/confirm');
  expect(opened.html).toContain('data-fragment="code"');
  expect(store.countSubscribers()).toEqual([{ about: '', confirmed: 0, waiting: 1 }]);
  const confirmed = await confirm('ada@example.org');
  expect(confirmed.html).toContain('href="/books/paid-book/read"');
  expect(await announce('ada@example.org', 'A heron')).toContain(
    'because you asked for news of The Heron Stall',
  );
  const csv = await stall.owner.open('/admin/subscribers.csv');
  expect(csv.html).toMatch(
    /^address,about,page,date,language\r\nada@example.org,,\/books\/paid-book,20[\dT:.-]+Z,en\r\n$/,
  );
  expect((await stall.owner.open('/admin/mail')).html).toContain('News of the stall: 1 confirmed, 0 not yet');
  const own = ['--subject', 'A heron', '--text', join(stall.content, 'stall.yaml'), '--dry-run', '--json'];
  const dry = await typeCommand(['announce', 'paid-book', '--to', 'news', ...own, '--data', stall.data]);
  expect(JSON.parse(dry.out)).toMatchObject({ mails: 1, left: 0, had: 0 });
  expect(await end('ada@example.org')).toBe(200);
  expect(store.countSubscribers()).toEqual([]);
  await ask('ada@example.org');
  expect(await announce('ada@example.org', 'Not yet')).toBeUndefined();
  expect((await confirm('ada@example.org')).status).toBe(200);
  expect(await announce('ada@example.org', 'Again')).toContain('Again');
});

test('who waits for an item gets one mail when it is published, and is forgotten', async () => {
  const ask = { about: 'paid-book', page: '/books/paid-book', language: 'en', at: stall.now() };
  for (const name of ['bea', 'cyd']) await store.write.subscribe({ ...ask, address: `${name}@example.org` });
  await settle();
  expect(newest('bea@example.org')?.text).toContain('when “The paid book” is published');
  await confirm('bea@example.org');
  for (let n = 0; n < 2; n++) {
    await stall.app.publish();
    await stall.app.subscribersSettled();
    await settle();
  }
  expect(mailsTo('bea@example.org')).toHaveLength(2);
  expect(newest('bea@example.org')?.text).toContain('“The paid book” is published.');
  expect(mailsTo('cyd@example.org')).toHaveLength(1);
  expect(store.countSubscribers()).toContainEqual({ about: 'paid-book', confirmed: 0, waiting: 1 });
  pass(30 * DAY);
  await store.write.sweepSubscribers({ at: stall.now() });
  expect(JSON.stringify(store.listMailPage(null, { beside: null, side: 'older', limit: 99 }))).not.toMatch(
    /bea@|cyd@/,
  );
  expect(store.countSubscribers()).toEqual([{ about: '', confirmed: 1, waiting: 0 }]);
});

test('500 forged, repeated and mistyped addresses: no mail beyond the bound, and one answer for all', async () => {
  const before = stall.server.received.length;
  for (let n = 0; n < 250; n++) await ask(`dan${n % 5}@example.org`);
  for (const text of ['EVE@example.org', 'eve@EXAMPLE.org ']) for (let n = 0; n < 25; n++) await ask(text);
  for (let n = 0; n < 100; n++) await ask(`forged${n}@example.org`, '', '192.0.2.7');
  for (let n = 0; n < 100; n++) await ask(`"a, b${n}"@example.org`).catch(() => {});
  expect(stall.server.received.length - before).toBe(5 * 3 + 3 + 3);
  // By forgetting it, nobody is mailed more often.
  const removed = await typeCommand(['news', 'remove', 'dan1@example.org', '--data', stall.data]);
  expect(removed).toMatchObject({ code: 0, err: '' });
  for (const [time, mails] of [
    [HOUR, 0],
    [30 * DAY, 1],
  ] as const) {
    pass(time);
    const [count, browser] = [stall.server.received.length, stall.browser()];
    await confirm('dan0@example.org');
    const answers = [];
    for (const email of ['dan0@example.org', 'dan1@example.org', 'new@example.org'])
      answers.push((await browser.post('/news', { email })).html);
    expect(new Set(answers).size).toBe(1);
    // A write behind those that nobody waits for.
    await store.write.sweepSubscribers({ at: stall.now() });
    await settle();
    expect(stall.server.received.length - count).toBe(mails * 2 + 1);
  }
  expect((await stall.browser().post('/news', { email: 'dan' })).status).toBe(400);
  expect(JSON.stringify(stall.log)).not.toMatch(/dan\d|eve@/i);
});

test('an address that takes no mail any more is forgotten, but not for what a buyer is told', async () => {
  const gone = new Set<string>();
  const other = await openNewsStall({
    mailServer: {
      onRcptTo({ address }, _session, done) {
        done(gone.has(address) ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null);
      },
    },
  });
  const confirmed = () => other.store.listSubscribers('').map(({ address }) => address);
  await other.ask('bea@example.org');
  await other.confirm('bea@example.org');
  await other.buy('heron0001', 'bea@example.org');
  gone.add('bea@example.org');
  await other.owner.send('/admin/items/paid-book/announce', { title: 'A talk', text: 'Come.' });
  await other.settle();
  expect(confirmed()).toEqual(['bea@example.org']);
  await other.announce('bea@example.org', 'Another talk.');
  expect(confirmed()).toEqual([]);
});
