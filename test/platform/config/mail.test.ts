import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMailConfig } from '../../../src/platform/config/mail.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const FROM = 'stall@example.org';

function read(environment: Readonly<Record<string, string>>) {
  const problems: string[] = [];
  const config = readMailConfig(environment, (problem) => problems.push(problem));
  return { config, problems };
}

test('without settings there is no mail, and no problem', () => {
  expect(read({})).toEqual({ config: null, problems: [] });
  expect(read({ BOOKSTALL_SMTP_URL: ' ', BOOKSTALL_MAIL_FROM: '' })).toEqual({ config: null, problems: [] });
});

test.each([
  ['smtps://ada:secret@mail.example.org', { host: 'mail.example.org', port: 465, encryption: 'tls' }],
  ['smtp://ada:secret@mail.example.org', { host: 'mail.example.org', port: 587, encryption: 'starttls' }],
  [
    'smtp://Mail.Example.org:2525/',
    { host: 'mail.example.org', port: 2525, encryption: 'starttls', login: null },
  ],
  ['smtp://localhost:25', { host: 'localhost', port: 25, encryption: 'none' }],
  ['smtp://[::1]:25', { host: '::1', port: 25, encryption: 'none' }],
  ['smtp://127.0.0.53:25', { host: '127.0.0.53', encryption: 'none' }],
  ['smtp://10.0.0.5:25', { host: '10.0.0.5', encryption: 'starttls' }],
  ['smtp://localhost.example.org:25', { encryption: 'starttls' }],
  [
    'smtps://ada%40example.org:p%C3%A4ss%2F%25@h:465',
    { login: { user: 'ada@example.org', password: 'päss/%' } },
  ],
])('%s is read', (url, expected) => {
  const { config, problems } = read({ BOOKSTALL_SMTP_URL: url, BOOKSTALL_MAIL_FROM: FROM });
  expect(problems).toEqual([]);
  expect(config).toMatchObject({ ...expected, from: FROM });
});

test.each([
  ['mail.example.org', 'Cannot read this address of a mail server'],
  ['https://mail.example.org', 'Cannot read this address of a mail server'],
  ['smtps://ada:pa/ss@mail.example.org', 'Cannot read this address of a mail server'],
  ['smtps://ada:pa#ss@mail.example.org', 'Cannot use'],
  ['smtps://mail.example.org/path', 'with a path, query or fragment'],
  ['smtps://mail.example.org?pool=true', 'with a path, query or fragment'],
  ['smtps://ada@mail.example.org', 'with half a login'],
  ['smtps://ada:100%@mail.example.org', 'write % in a user name or password as %25'],
  ['smtps://büro.example.org', 'give a host name in ASCII'],
  ['smtps://mail.example.org:0', 'at port 0'],
])('%s is refused with the variable, and without the login', (url, reason) => {
  const { config, problems } = read({ BOOKSTALL_SMTP_URL: url, BOOKSTALL_MAIL_FROM: FROM });
  expect(config).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toStartWith('BOOKSTALL_SMTP_URL: Cannot ');
  if (reason !== 'Cannot use') expect(problems[0]).toContain(reason);
  expect(problems[0]).not.toContain('pa/ss');
  expect(problems[0]).not.toContain('100%@');
});

test.each([
  ['The Stall <stall@example.org>'],
  ['stall@example.org, eve@example.org'],
  ['stall@example.org\r\nBcc: eve@example.org'],
  ['stall'],
  ['ställ@example.org'],
])('the sender %j is refused', (from) => {
  const { config, problems } = read({ BOOKSTALL_SMTP_URL: 'smtps://h', BOOKSTALL_MAIL_FROM: from });
  expect(config).toBeNull();
  expect(problems).toEqual([expect.stringContaining('BOOKSTALL_MAIL_FROM: Cannot send mail from this')]);
});

test('half of the settings is refused with the name of the other half', () => {
  expect(read({ BOOKSTALL_SMTP_URL: 'smtps://h' }).problems).toEqual([
    expect.stringContaining('BOOKSTALL_MAIL_FROM: Cannot send mail without a sender'),
  ]);
  expect(read({ BOOKSTALL_MAIL_FROM: FROM }).problems).toEqual([
    expect.stringContaining('BOOKSTALL_SMTP_URL: Cannot send mail without a server'),
  ]);
});

test('both may be in files, as containers give secrets; both at once, and an unreadable file, are refused', () => {
  const file = join(temporaryDirectory(), 'smtp');
  writeFileSync(file, 'smtps://ada:secret@mail.example.org\n');
  const settings = { BOOKSTALL_SMTP_URL_FILE: file, BOOKSTALL_MAIL_FROM: FROM };
  expect(read(settings).config).toMatchObject({ host: 'mail.example.org', login: { password: 'secret' } });
  expect(read({ ...settings, BOOKSTALL_SMTP_URL: 'smtps://h' }).problems).toEqual([
    'BOOKSTALL_SMTP_URL: Cannot use BOOKSTALL_SMTP_URL and BOOKSTALL_SMTP_URL_FILE together: set one of them',
  ]);
  expect(read({ ...settings, BOOKSTALL_SMTP_URL_FILE: `${file}-not` }).problems).toEqual([
    expect.stringContaining(
      'BOOKSTALL_SMTP_URL: Cannot read the file that BOOKSTALL_SMTP_URL_FILE names: ENOENT',
    ),
  ]);
  writeFileSync(file, '\n');
  expect(read(settings).problems).toEqual([expect.stringContaining('it is empty')]);
});
