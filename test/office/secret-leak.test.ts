import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { itemYaml, PASSWORD } from '../helpers/harness.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openStripeAccount } from '../selling/providers/stripe-account.ts';
import { openAdmin } from './visit.ts';

const SETTINGS = '/admin/settings';
const [PASS, MODEL_KEY, STRIPE_KEY] = [
  'correct-horse',
  'sk-ant-api03-0123456789',
  'rk_live_very_secret_4242',
];

/** All messages to Workers. */
const posted: string[] = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<typeof post>) {
  posted.push(Bun.inspect(message, { depth: 20 }));
  return post.apply(this, message);
} as typeof post;

const account = await openStripeAccount();
const base64 = (text: string): string => Buffer.from(text).toString('base64');
// Both servers repeat the secret that they refuse.
const server = await openMailServer({
  authOptional: false,
  onAuth: ({ username, password: typed }, _, done) => {
    const password = typed ?? '';
    const words = `no ${password} ${base64(password)} ${base64(`\0${username}\0${password}`)}`;
    done(Object.assign(new Error(words), { responseCode: 535 }));
  },
});
const model = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ headers }) =>
    Response.json({ error: { message: JSON.stringify([...headers]) } }, { status: 401 }),
});
const { stall, send, cookie } = await openAdmin({
  files: {
    'books/herons/item.yaml': itemYaml({ id: 'h', unitAmountCents: 1900, sell: '{stripe: [plink_9]}' }),
    'books/herons/a.md': '# A\n\nThe heron stands.\n',
  },
  config: {
    baseUrl: 'https://stall.example.org',
    sales: { ...NO_SALES, isOn: true },
    given: { BOOKSTALL_STRIPE_API_URL: account.url },
  },
});
const seen: string[] = [];
const say = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<number> => {
  const { status, html } = await send(`${SETTINGS}/${path}`, fields);
  seen.push(html);
  return status;
};

async function useSecrets(): Promise<void> {
  const mail = { setting: 'server', host: 'localhost', port: String(server.port), encryption: 'starttls' };
  const login = { ...mail, user: 'ada', secret: PASS, from: 'stall@example.org' };
  expect(await say('mail', { ...login, from: 'wrong' })).toBe(400);
  expect(await say('mail', login)).toBe(303);
  expect(await say('mail/test')).toBe(400);
  for (const protocol of ['messages', 'chat']) {
    const engine = { setting: 'model', BOOKSTALL_ENGINE: 'compat', BOOKSTALL_MODEL_PROTOCOL: protocol };
    const whole = { ...engine, BOOKSTALL_MODEL_URL: `http://127.0.0.1:${model.port}`, BOOKSTALL_MODEL: 'm' };
    for (const end of ['\u2019', '\nx', '\0'])
      expect(await say('answers', { ...whole, BOOKSTALL_MODEL_KEY: MODEL_KEY + end })).toBe(400);
    expect(await say('answers', { ...whole, BOOKSTALL_MODEL_KEY: MODEL_KEY })).toBe(303);
    expect(await say('answers/test')).toBe(400);
  }
  expect(await say('selling', { setting: 'stripe', key: `${STRIPE_KEY}\u2019` })).toBe(400);
  expect(await say('selling', { setting: 'stripe', key: STRIPE_KEY })).toBe(200);
  expect(await say('selling', { setting: 'stripe', act: 'play' })).toBe(200);
  expect(await say('backups/make')).toBe(200);
}

/** The text of everything that leaves the stall or is kept: pages, exports, logs, backups, files, and messages between threads. */
async function readPlaces(): Promise<Readonly<Record<string, string>>> {
  const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
  const body = new URLSearchParams({ password: PASSWORD });
  const backup = await stall.fetch(`${SETTINGS}/backups/download`, { method: 'POST', headers, body });
  expect(backup.headers.get('content-type')).toContain('tar');
  for (const { method, path } of stall.app.server.routes)
    if (method === 'GET' && !/[:*]/.test(path))
      seen.push(await (await stall.fetch(path, { headers: cookie })).text());
  const files = [...new Glob('**').scanSync({ cwd: stall.data, dot: true })];
  return {
    ...Object.fromEntries(files.map((file) => [file, readFileSync(join(stall.data, file), 'latin1')])),
    pages: seen.join('\n'),
    backup: Buffer.from(await backup.bytes()).toString('latin1'),
    log: JSON.stringify(stall.log),
    workers: posted.join('\n'),
  };
}

test('no secret is on a page, in an export, a log, a backup, a file or a message between threads', async () => {
  await useSecrets();
  const [webhook = ''] = stall.app.stall.config.sales.secrets.stripe.live;
  const places = await readPlaces();
  expect(places['backup']).not.toContain(places['secrets.key']!.trim());
  expect(posted.some((message) => message.includes('sealed'))).toBe(true);
  for (const secret of [PASS, MODEL_KEY, STRIPE_KEY, webhook]) {
    const shifted = ['', 'x', 'xx'].map((before) => base64(before + secret).slice(4, -4));
    for (const form of [secret, encodeURIComponent(secret), ...shifted])
      for (const [place, text] of Object.entries(places))
        expect([place, text.includes(form)]).toEqual([place, false]);
  }
});
