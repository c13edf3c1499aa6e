import { describe, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE } from '../../src/platform/base/duration.ts';
import type { MailConfig } from '../../src/platform/config/mail.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openStall, PASSWORD } from '../helpers/harness.ts';
import { openAdmin, visitAs, wordsOf } from './visit.ts';

const PATH = '/admin/settings/mail';
const SECRET = 'päss wörd:%@/';
const server = await openMailServer({
  authOptional: false,
  onAuth({ username, password }, _, done) {
    if (username === 'ada' && password === SECRET) return done(null, { user: username });
    done(new Error('535 5.7.8 Authentication failed'));
  },
});
const FIELDS = {
  setting: 'server',
  host: 'localhost',
  port: String(server.port),
  encryption: 'starttls',
  user: 'ada',
  secret: SECRET,
  from: 'stall@example.org',
};
const textOf = ({ html }: { readonly html: string }): string => wordsOf(html);

describe('a mail server', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const { stall, open, send } = await openAdmin({
    now: () => now,
    files: { 'stall.yaml': 'languages: [en, de]\n' },
  });

  test('is set, tried by a test mail, and used from the next request', async () => {
    expect(textOf(await open(PATH))).toContain('This stall sends no mail');
    expect((await stall.fetch('/forgot')).status).toBe(404);
    expect(await send(PATH, FIELDS)).toMatchObject({ status: 303, location: `${PATH}?said=saved` });
    expect(textOf(await open(PATH))).toContain('Mail goes out by localhost, from stall@example.org.');
    expect((await stall.fetch('/forgot')).status).toBe(200);
    await stall.app.salesSettled();
    expect(stall.app.stall.store.findSaleMapping().settings.mail).toBe('queued');
    expect(textOf(await send(`${PATH}/test`))).toContain('localhost took the mail to owner@example.org');
    expect(server.received.at(-1)).toMatchObject({ to: ['owner@example.org'], from: 'stall@example.org' });
  });

  test('its password is on no page, in no file and in no log as it is', async () => {
    const pages = await Promise.all(
      [PATH, '/admin', '/admin/audit'].map(async (path) => (await open(path)).html),
    );
    const files = ['bookstall.db', 'bookstall.db-wal'].map((name) =>
      readFileSync(join(stall.data, name), 'latin1'),
    );
    for (const text of [...pages, ...files, JSON.stringify(stall.log)])
      for (const form of [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('latin1')])
        expect(text).not.toContain(form);
  });

  test.each([
    ['host', { host: '' }, 'Cannot send mail without a server'],
    ['host', { host: 'a b' }, 'Cannot read this address of a mail server'],
    ['port', { port: '0' }, 'Cannot reach a mail server at port "0"'],
    ['port', { port: '70000' }, 'Cannot reach a mail server at port "70000"'],
    ['from', { from: 'Ada <ada@example.org>' }, 'give an address alone'],
    ['from', { from: '' }, 'Cannot send mail without a sender'],
    ['user', { user: '' }, 'Cannot sign in with a password alone'],
    ['secret', { host: 'mail.example.org', secret: '' }, 'it would go to another server, user or encryption'],
    ['secret', { user: 'eve', secret: '' }, 'it would go to another server, user or encryption'],
    ['secret', { encryption: 'tls', secret: '' }, 'it would go to another server, user or encryption'],
  ])('a wrong %s of %j is refused beside its field', async (name, change, sentence) => {
    const { status, html } = await send(PATH, { ...FIELDS, ...change });
    expect(status).toBe(400);
    const field = html.slice(html.indexOf(`name="${name}"`)).split('class="field"')[0]!;
    expect(wordsOf(field)).toContain(sentence);
    expect(textOf(await open(PATH))).toContain('Mail goes out by localhost');
  });

  test('keeps its password if the port or the sender changes alone', async () => {
    expect((await send(PATH, { ...FIELDS, secret: '', from: 'shop@example.org' })).status).toBe(303);
    await send(`${PATH}/test`);
    expect(server.received.at(-1)?.from).toBe('shop@example.org');
  });

  test('is not replaced by a tab that was opened before another changed it', async () => {
    const was = /name="was" value="([^"]+)"/.exec((await open(PATH)).html)?.[1] ?? '';
    expect((await send(PATH, { ...FIELDS, from: 'other@example.org', was })).status).toBe(303);
    const late = await send(PATH, { ...FIELDS, from: 'late@example.org', was });
    expect([late.status, textOf(late)]).toEqual([400, expect.stringContaining('other@example.org”. Save')]);
    expect(late.html).toContain('value="late@example.org"');
    await send(PATH, { ...FIELDS, from: 'shop@example.org' });
  });

  test('is changed by a session of over 15 minutes only with the password', async () => {
    now += 16 * MINUTE;
    expect(textOf(await open(PATH))).toContain('You signed in over 15 minutes ago');
    for (const password of ['', 'wrong password'])
      expect((await send(PATH, { ...FIELDS, password })).html).toMatch(
        /(Type your password|password is wrong)/,
      );
    // A wrong password is followed by a pause, as at the sign-in.
    const right = async () => (await send(PATH, { ...FIELDS, password: PASSWORD })).status;
    while ((await right()) !== 303) await Bun.sleep(100);
    expect((await send(PATH, FIELDS)).status).toBe(303);
  });

  test('every mail can be looked at in each language, and sent to oneself', async () => {
    const look = await open(`${PATH}/look?mail=claim&language=de`);
    expect(look.html).toContain('Guten Tag,');
    await send(`${PATH}/test`, { mail: 'claim', language: 'de' });
    expect(server.received.at(-1)?.text).toContain('Guten Tag,');
    expect((await open(`${PATH}/look?mail=none&language=xx`)).status).toBe(200);
  });

  test('mails about sales are turned on and off', async () => {
    await send(PATH, { setting: 'sales', value: 'on' });
    expect(stall.app.stall.config.mail?.tellsSales).toBeTrue();
    await send(PATH, { setting: 'sales' });
    expect(stall.app.stall.config.mail?.tellsSales).toBeFalse();
  });

  test('is there after a restart; without its key mail waits, and the password is asked for again', async () => {
    await stall.close();
    const again = await openStall({ directory: stall.directory, files: {}, now: () => now });
    expect(again.app.stall.outbox.sends).toBeTrue();
    await again.close();
    rmSync(join(stall.data, 'secrets.key'));
    const restored = await openStall({ directory: stall.directory, files: {}, now: () => now });
    expect(restored.app.stall.outbox.sends).toBeFalse();
    const visit = visitAs(restored, await restored.signIn('owner@example.org'));
    expect(textOf(await visit.open('/admin'))).toContain('1 secret of the settings cannot be read');
    const { html } = await visit.send(PATH, { ...FIELDS, secret: '' });
    expect(wordsOf(html)).toContain('Type the password');
    expect((await visit.send(PATH, FIELDS)).status).toBe(303);
    expect(restored.app.stall.outbox.sends).toBeTrue();
    expect((await visit.send(PATH, { setting: 'server', act: 'stop' })).status).toBe(303);
    expect(restored.app.stall.outbox.sends).toBeFalse();
    const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
    expect(db.query("SELECT name FROM settings WHERE name LIKE 'mail.%'").all()).toEqual([]);
  });
});

test('what variables set is shown fixed, and names them', async () => {
  const mail: MailConfig = {
    host: 'smtp.example.org',
    port: 465,
    encryption: 'tls',
    login: null,
    from: 'a@example.org',
    tellsSales: false,
    pause: 0,
  };
  const given = { BOOKSTALL_SMTP_URL_FILE: '/run/secrets/smtp', BOOKSTALL_MAIL_FROM: 'a@example.org' };
  const { open, send, stall } = await openAdmin({ config: { mail, given } });
  const page = textOf(await open(PATH));
  expect(page).toContain('Server smtp.example.org Set by BOOKSTALL_SMTP_URL_FILE, and changed there.');
  expect(page).toContain('Sender a@example.org Set by BOOKSTALL_MAIL_FROM, and changed there.');
  await send(PATH, FIELDS);
  expect(stall.app.stall.config.mail).toEqual(mail);
});
