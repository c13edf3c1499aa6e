import { expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStall } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { openAdmin, visitAs, wordsOf } from './visit.ts';

const MAIL = '/admin/settings/mail';
const ANSWERS = '/admin/settings/answers';
const SERVER = {
  setting: 'server',
  host: 'localhost',
  encryption: 'starttls',
  user: 'ada',
  secret: 'correct horse battery',
  from: 'stall@example.org',
};
const MODEL = {
  setting: 'model',
  BOOKSTALL_ENGINE: 'anthropic',
  BOOKSTALL_MODEL: 'm',
  BOOKSTALL_MODEL_KEY: 'sk-ant-0123456789',
};

const { stall: first, send } = await openAdmin({ files: {} });
await send(MAIL, SERVER);
const key = join(first.data, 'secrets.key');
const right = readFileSync(key, 'utf8');
await first.close();

/** Starts the stall beside a key file, as after a backup was restored, and runs `act` with the owner's browser. */
async function beside(file: string | null, act: (owner: ReturnType<typeof visitAs>) => Promise<void>) {
  rmSync(key, { force: true });
  if (file !== null) writeFileSync(key, file);
  const stall = await openStall({ directory: first.directory, files: {} });
  await act(visitAs(stall, await stall.signIn('owner@example.org')));
  await stall.close();
  return stall.log.map(({ message }) => message).join('\n');
}

const doctor = async () => (await type(['doctor', '--content', first.content, '--data', first.data])).out;

test.each([
  ['no key', null],
  ['the key of another stall', `${Buffer.alloc(32, 7).toString('base64')}\n`],
  ['a damaged key', 'AAAA'],
  ['an empty key', ''],
])(
  'a stall beside %s says so in the office, in its log and to doctor, and asks for the secret',
  async (_, file) => {
    const sentence =
      '1 secret of the settings cannot be read: the file secrets.key is missing, damaged or another';
    const log = await beside(file, async ({ open, send: sent }) => {
      expect(wordsOf((await open('/admin')).html)).toContain(sentence);
      expect(wordsOf((await open(MAIL)).html)).toContain('Kept encrypted, and never shown again');
      const { html } = await sent(MAIL, { ...SERVER, secret: '' });
      expect(wordsOf(html)).toContain('Type the password: it is needed with a user');
    });
    expect(log).toContain(sentence);
    expect(await doctor()).toContain(sentence);
  },
);

test('a damaged key is named where a secret is typed, is not replaced, and keeps what was typed', async () => {
  await beside('AAAA', async ({ send: sent }) => {
    const { status, html } = await sent(MAIL, { ...SERVER, host: 'mail.example.org' });
    expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining('remove it and type all secrets')]);
    expect(html).toContain('value="mail.example.org"');
  });
  expect(readFileSync(key, 'utf8')).toBe('AAAA');
});

test('a secret typed meanwhile counts at once, and the others are there again with the right key', async () => {
  await beside(null, async ({ open, send: sent }) => {
    expect((await sent(ANSWERS, MODEL)).status).toBe(303);
    expect(wordsOf((await open(ANSWERS)).html)).toContain('it ends with 6789');
    expect(wordsOf((await open('/admin')).html)).toContain('1 secret of the settings');
  });
  const log = await beside(right, async ({ open }) => {
    expect(wordsOf((await open(MAIL)).html)).toContain('it ends with tery');
    expect(wordsOf((await open(ANSWERS)).html)).toContain('Kept encrypted, and never shown again');
  });
  // The secret that was typed meanwhile is under the key that is gone now.
  expect(log).toContain('1 secret of the settings');
});
