import { describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import type { SMTPServerOptions } from 'smtp-server';
import type { MailConfig } from '../../src/platform/config/mail.ts';
import { createMailer, type Mail, type Timeouts } from '../../src/mailing/mailer.ts';
import { makeCertificate, openMailServer } from './mail-server.ts';

const MAIL: Mail = {
  to: 'ada@example.org',
  subject: 'Your books',
  text: 'Hello,\n\nopen https://stall.example.org/claim#SECRET\n',
  messageId: '<row-1@stall.example.org>',
};
const PASSWORD = 'päss wörd:%@/';
const certificate = makeCertificate();
if (certificate === null) console.warn('SKIPPED: mail over TLS, for openssl is not installed');

function mailerOf(port: number, more: Partial<MailConfig> = {}, ca?: string, timeouts?: Timeouts) {
  return createMailer({
    config: {
      host: 'localhost',
      port,
      encryption: 'none',
      login: null,
      from: 'stall@example.org',
      tellsSales: false,
      pause: 0,
      ...more,
    },
    senderName: () => 'The Stall, “Büchér” <x@y>',
    ca,
    timeouts,
  });
}

const WITH_LOGIN: SMTPServerOptions = {
  authOptional: false,
  onAuth({ username, password }, _, done) {
    if (username === 'ada' && password === PASSWORD) return done(null, { user: username });
    done(new Error('535 5.7.8 Authentication failed'));
  },
};

describe('a mail', () => {
  test('reaches one address, with the name of the stall, one id and no request for an answer', async () => {
    const server = await openMailServer();
    const more = { language: 'de', headers: { 'X-Ours': 'yes' } };
    expect(await mailerOf(server.port).send({ ...MAIL, ...more, text: 'Grüße.\n' })).toEqual({
      outcome: 'sent',
    });
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ada@example.org']);
    expect(mail?.from).toBe('stall@example.org');
    expect(mail?.text).toBe('Grüße.\n');
    expect(mail?.header('To')).toBe('ada@example.org');
    expect(mail?.header('From')).toEndWith('<stall@example.org>');
    expect(mail?.header('Message-ID')).toBe(MAIL.messageId);
    expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
    expect(mail?.header('Content-Language')).toBe('de');
    expect(mail?.header('X-Ours')).toBe('yes');
    expect(mail?.header('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(mail?.source).not.toContain(hostname());
  });

  test.each([
    ['a second header', 'ada@example.org\r\nBcc: eve@example.org'],
    ['a list', 'ada@example.org,eve@example.org'],
    ['a group', 'x:ada@example.org;'],
    ['a name in brackets', 'Ada <eve@example.org>'],
    ['quotes', '"ada eve"@example.org'],
    ['a comment', 'ada(eve)@example.org'],
    ['320 characters', `${'a'.repeat(64)}@${'b'.repeat(251)}.org`],
    ['no domain', 'ada@'],
    ['an address literal', 'ada@[127.0.0.1]'],
    ['a direction mark', 'ada\u202egro.elpmaxe@example.org'],
  ])('to %s is refused for good and no server hears of it', async (_, to) => {
    const server = await openMailServer();
    const answer = await mailerOf(server.port).send({ ...MAIL, to });
    expect(answer).toEqual({ outcome: 'never', reason: 'the address cannot be mailed' });
    expect(server.received).toEqual([]);
  });

  test('takes no header from the subject or the name of the stall', async () => {
    const server = await openMailServer();
    const mailer = createMailer({
      config: {
        host: 'localhost',
        port: server.port,
        encryption: 'none',
        login: null,
        from: 'stall@example.org',
        tellsSales: false,
        pause: 0,
      },
      senderName: () => 'Stall\r\nBcc: eve@example.org',
    });
    await mailer.send({ ...MAIL, subject: 'Books\r\nBcc: eve@example.org\r\n\r\nbody' });
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ada@example.org']);
    expect(mail?.header('Bcc')).toBeNull();
    expect(mail?.header('Subject')).toBe('Books Bcc: eve@example.org body');
    expect(mail?.text).toBe(MAIL.text);
  });

  test('in capitals or of an IDN arrives, the domain in ASCII', async () => {
    const server = await openMailServer();
    expect(await mailerOf(server.port).send({ ...MAIL, to: 'ADA@BÜCHER.example' })).toEqual({
      outcome: 'sent',
    });
    expect(server.received[0]?.header('To')).toBe('ADA@xn--bcher-kva.example');
  });
});

describe('a server', () => {
  test.each([
    ['a full mailbox', 451, 'later'],
    ['an unknown recipient', 550, 'never'],
    ['no login, which it wants', 530, 'later'],
  ] as const)(
    'that answers the recipient with %s (%p) is asked again or not: %s',
    async (_, responseCode, outcome) => {
      const server = await openMailServer({
        onRcptTo(_address, _session, done) {
          done(Object.assign(new Error('5.1.1 No such user here'), { responseCode }));
        },
      });
      const answer = await mailerOf(server.port).send(MAIL);
      expect(answer).toMatchObject({ outcome, reason: expect.stringContaining(String(responseCode)) });
    },
  );

  test.each([
    [452, 'later'],
    [554, 'never'],
  ] as const)(
    'that answers the text with %p ends as %s, and the reason repeats no secret',
    async (responseCode, outcome) => {
      const secret = 'x'.repeat(43);
      const server = await openMailServer({
        onData(_stream, _session, done) {
          done(
            Object.assign(new Error(`Blocked: https://stall.example.org/claim#${secret}`), { responseCode }),
          );
        },
      });
      const answer = await mailerOf(server.port).send(MAIL);
      expect(answer).toMatchObject({ outcome, reason: expect.stringContaining('/claim#…') });
      expect(JSON.stringify(answer)).not.toContain('xxxx');
    },
  );

  test('that says nothing is given up, to be asked again', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const impatient = mailerOf(port, {}, undefined, { connect: 100, idle: 10_000 });
    expect(await impatient.send(MAIL)).toMatchObject({ outcome: 'later' });
    expect(await impatient.greet()).toContain('reeting');
    silent.close();
  });

  test('that nobody runs, or whose name does not resolve, is asked again', async () => {
    expect(await mailerOf(1).send(MAIL)).toMatchObject({ outcome: 'later' });
    expect(await mailerOf(25, { host: 'no-such-host.invalid' }).send(MAIL)).toMatchObject({
      outcome: 'later',
    });
  });

  test('without STARTTLS gets no mail and no login', async () => {
    const server = await openMailServer({ ...WITH_LOGIN, allowInsecureAuth: true });
    const mailer = mailerOf(server.port, {
      encryption: 'starttls',
      login: { user: 'ada', password: PASSWORD },
    });
    expect(await mailer.send(MAIL)).toMatchObject({ outcome: 'later' });
    expect(server.received).toEqual([]);
  });
});

describe.if(certificate !== null)('over TLS', () => {
  const { key = '', cert = '' } = certificate ?? {};
  const modes = [
    ['starttls', { key, cert, disabledCommands: [] }],
    ['tls', { key, cert, secure: true }],
  ] as const;

  test.each(modes)(
    '%s: a mail is sent after a login with a password that is not ASCII',
    async (encryption, options) => {
      const server = await openMailServer({ ...WITH_LOGIN, ...options, disabledCommands: [] });
      const login = { user: 'ada', password: PASSWORD };
      const mailer = mailerOf(server.port, { encryption, login }, cert);
      expect(await mailer.send(MAIL)).toEqual({ outcome: 'sent' });
      expect(server.received[0]).toMatchObject({ user: 'ada', isEncrypted: true });
      expect(await mailer.greet()).toBeNull();
    },
  );

  test.each(modes)(
    '%s: a wrong password is told without it, and tried again',
    async (encryption, options) => {
      const server = await openMailServer({ ...WITH_LOGIN, ...options, disabledCommands: [] });
      const mailer = mailerOf(
        server.port,
        { encryption, login: { user: 'ada', password: 'guess-me-not' } },
        cert,
      );
      const answer = await mailer.send(MAIL);
      expect(answer).toMatchObject({ outcome: 'later', reason: expect.stringContaining('535') });
      expect(JSON.stringify(answer)).not.toContain('guess-me-not');
      expect(await mailer.greet()).toContain('535');
    },
  );

  test.each(modes)(
    '%s: a server of an unknown authority, or of another name, gets nothing',
    async (encryption, options) => {
      const server = await openMailServer({ ...WITH_LOGIN, ...options, disabledCommands: [] });
      const login = { user: 'ada', password: PASSWORD };
      expect(await mailerOf(server.port, { encryption, login }).send(MAIL)).toMatchObject({
        outcome: 'later',
      });
      const named = mailerOf(server.port, { encryption, login, host: '127.0.0.1' }, cert);
      expect(await named.send(MAIL)).toMatchObject({ outcome: 'later' });
      expect(server.received).toEqual([]);
    },
  );
});
