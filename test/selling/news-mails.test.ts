import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, HOUR } from '../../src/platform/base/duration.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openClaimStall } from './claim-stall.ts';

/** A holder who asked for news, and a way to publish another version of the book. */
async function openReader() {
  const stall = await openClaimStall();
  await stall.reader('ada@example.org', 'paid-book');
  const browser = stall.browser();
  browser.cookies.set('bookstall', (await stall.signIn('ada@example.org')).Cookie.slice('bookstall='.length));
  const item = join(stall.content, 'books/paid-book');
  const yaml = await Bun.file(join(item, 'item.yaml')).text();
  const publish = async (version: string, note: string): Promise<void> => {
    stall.pass(HOUR);
    writeFileSync(join(item, 'item.yaml'), `${yaml}version: '${version}'\n`);
    writeFileSync(join(item, 'CHANGELOG.md'), `# Changes\n\n## ${version}\n\n${note}\n`);
    await stall.app.publish();
  };
  const run = async (): Promise<void> => {
    await stall.app.queueNews();
    await stall.settle();
  };
  return { ...stall, browser: () => browser, publish, run };
}

test('news is off until its holder ticks it, and then comes once a day at most with the notes', async () => {
  const { browser, publish, run, server, pass } = await openReader();
  const reader = browser();
  expect((await reader.open('/dashboard/account')).html).toMatch(/name="news" value="on">Turn on/);
  await publish('1.0.0', 'Nobody asked for this.');
  await run();
  expect(server.received).toEqual([]);
  expect((await reader.post('/dashboard/account/news', { news: 'on' })).status).toBe(303);
  await run();
  expect(server.received).toEqual([]);
  await publish('1.1.0', 'The heron has a second chapter.');
  await run();
  await run();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.to).toEqual(['ada@example.org']);
  expect(mail?.text).toContain('The paid book 1.1.0:\n');
  expect(mail?.text).toContain('The heron has a second chapter.');
  expect(mail?.text).not.toContain('Nobody asked');
  await publish('1.2.0', 'A third one.');
  await run();
  expect(server.received).toHaveLength(1);
  pass(DAY - HOUR - 1);
  await run();
  expect(server.received).toHaveLength(1);
  pass(1);
  await run();
  expect(server.received).toHaveLength(2);
  expect(server.received[1]?.text).toContain('A third one.');
  expect(server.received[1]?.text).not.toContain('a second chapter');
});

test('the mail’s own link ends it, in one step for mail programs, and opening it ends nothing', async () => {
  const { browser, publish, run, server, fetch, pass, url, log } = await openReader();
  await browser().post('/dashboard/account/news', { news: 'on' });
  await publish('1.1.0', 'News.');
  await run();
  const [mail] = server.received;
  const [, link = ''] = /^<(\S+)>$/.exec(mail?.header('List-Unsubscribe') ?? '') ?? [];
  expect(link).toMatch(/\/unsubscribe\/[\w-]{43}$/);
  expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(mail?.text).toContain(`\n${link}\n`);
  const path = link.slice(url.length);
  const opened = await fetch(path, { headers: { Accept: 'text/html' } });
  expect([opened.status, opened.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
  const wanted = /aria-label="News by mail"><button[^>]*>Turn off/;
  expect((await browser().open('/dashboard/account')).html).toMatch(wanted);
  const ended = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  expect((await fetch(path, ended)).status).toBe(200);
  expect((await fetch(path, ended)).status).toBe(200);
  expect((await browser().open('/dashboard/account')).html).not.toMatch(wanted);
  expect((await fetch(`/unsubscribe/${'x'.repeat(43)}`, ended)).status).toBe(404);
  expect(JSON.stringify(log)).not.toContain(path.slice('/unsubscribe/'.length));
  await publish('1.2.0', 'More.');
  pass(DAY);
  await run();
  expect(server.received).toHaveLength(1);
});

test('an address that takes no mail for good gets no more news', async () => {
  const refusing = await openMailServer({
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }));
    },
  });
  const { host, port, encryption } = { host: '127.0.0.1', port: refusing.port, encryption: 'none' } as const;
  const mail = {
    host,
    port,
    encryption,
    login: null,
    from: 'stall@example.org',
    tellsSales: false,
    pause: 0,
  };
  const stall = await openClaimStall({ config: { mail } });
  const { account } = await stall.reader('ada@example.org', 'paid-book');
  await stall.store.write.setNews({ accountId: account.id, at: stall.now() });
  stall.pass(HOUR);
  writeFileSync(join(stall.content, 'books/paid-book/CHANGELOG.md'), '# Changes\n\n## 1.1.0\n\nNews.\n');
  const file = join(stall.content, 'books/paid-book/item.yaml');
  writeFileSync(file, `${await Bun.file(file).text()}version: '1.1.0'\n`);
  await stall.app.publish();
  await stall.app.queueNews();
  await stall.settle();
  expect(stall.store.findMail(1)).toMatchObject({ kind: 'news', state: 'failed' });
  expect(stall.store.findNewsSince(account.id)).toBeNull();
});

test('an account whose address is not confirmed is not offered news', async () => {
  const stall = await openClaimStall();
  await stall.buy('heron0001');
  const browser = stall.browser();
  await browser.comeBack('heron0001');
  expect((await browser.open('/dashboard/account')).html).not.toContain('name="news"');
  const { id } = stall.app.admin.accounts.find('ada@example.org');
  await browser.post('/dashboard/account/news', { news: 'on' });
  expect(stall.store.listNewsReaders(stall.now())).toEqual([]);
  expect(id).toBeString();
});
