import { expect, test } from 'bun:test';
import { mintSession, formatCookie } from '../../../src/access/session.ts';
import { openStall } from '../../harness.ts';
import { expectedStatus, SITE } from './routes.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let time = Date.now();
const stall = await openStall({ now: () => time });
const reader = await stall.reader('reader@example.org', 'paid-book');
const owner = await stall.app.office.accounts.add('owner@example.org', true);
const cookies = await prepareCookies();

/** Whoever shows one of these is nobody. */
const STRANGERS = ['none', 'forged', 'unknown', 'stale', 'expired', 'ended', 'disabled', 'twice', 'a key'] as const;
const VISITORS = [...STRANGERS.map((name) => [name, 'anonymous'] as const), ['reader', 'reader'], ['owner', 'owner']] as const;

const cells = Object.entries(SITE).flatMap(([route, expected]) =>
  VISITORS.map(([name, visitor]) => [route, name, expectedStatus(expected, visitor)] as const),
);

test.each(cells)('%s with %s answers %d', async (route, name, status) => {
  const response = await send(route, name, { 'Sec-Fetch-Site': 'same-origin' });
  expect(response.status).toBe(status);
  if (status >= 400 && status !== 401) return;
  expect(response.headers.get('x-content-type-options')).toBe(status === 303 ? null : 'nosniff');
});

const posts = Object.keys(SITE).filter((route) => route.startsWith('POST '));

test.each(posts.flatMap((route) => (['none', 'reader', 'owner'] as const).map((name) => [route, name] as const)))(
  '%s with %s is not taken from another site',
  async (route, name) => {
    const strangers: readonly Readonly<Record<string, string>>[] = [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
    ];
    for (const headers of strangers) expect((await send(route, name, headers)).status).toBe(403);
  },
);

async function send(route: string, name: keyof typeof cookies, headers: Readonly<Record<string, string>>) {
  const [method = '', pattern = ''] = route.split(' ');
  const { path = pattern, form = '' } = SITE[route] ?? {};
  const names = { '{account}': reader.account.id, '{key}': String(reader.keyId), '{book}': 'paid-book' };
  const target = Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), path);
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await stall.fetch(target, {
    method,
    headers: { ...cookies[name], ...headers, ...(method === 'POST' ? type : {}) },
    redirect: 'manual',
    ...(method === 'POST' ? { body: form } : {}),
  });
  await response.bytes();
  return response;
}

/** The header each visitor sends. Forms may end a session, so that a good one is made for each request. */
async function prepareCookies() {
  const line = (value: string) => ({ Cookie: `bookstall=${value}` });
  const session = (accountId: string) => stall.app.service.sessions.open(accountId, 'a test');
  const { accounts } = stall.app.office;
  const disabled = await accounts.add('disabled@example.org');
  const [expired, stale] = [await session(reader.account.id), await session(reader.account.id)];
  time += 31 * DAY;
  const [ended, off, good] = [await session(reader.account.id), await session(disabled.id), await session(owner.id)];
  await stall.app.service.sessions.end(reader.account.id, ended.cookie.split('.')[0] ?? '');
  await accounts.disable(disabled.email);
  return {
    none: {},
    forged: line(`${good.cookie.split('.')[0]}.${formatCookie(mintSession()).split('.')[1]}`),
    unknown: line(formatCookie(mintSession())),
    stale: line(stale.cookie),
    expired: line(expired.cookie),
    ended: line(ended.cookie),
    disabled: line(off.cookie),
    twice: { Cookie: `bookstall=${good.cookie}; bookstall=${ended.cookie}` },
    'a key': reader.headers,
    reader: line((await session(reader.account.id)).cookie),
    owner: line(good.cookie),
  };
}
