import { expect, test } from 'bun:test';
import { mintSession, formatCookie } from '../../../src/access/session.ts';
import { openStall } from '../../harness.ts';
import { expectedStatus, SITE } from './routes.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let time = Date.now();
const stall = await openStall({ now: () => time });
const reader = await stall.reader('reader@example.org', 'paid-book');
const owner = await stall.app.admin.accounts.add('owner@example.org', true);
const key = await stall.app.admin.keys.create(reader.email, 'for good', 'never');
const cookies = await prepareCookies();
const link = await stall.app.service.links.create('command', reader.email, 'reset');

/** The headers of each page: nothing foreign runs in it, frames it or learns of it. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  vary: 'Cookie',
};

/** Credentials that count as none. */
const STRANGERS = [
  'none',
  'forged',
  'unknown',
  'stale',
  'expired',
  'ended',
  'disabled',
  'twice',
  'a key',
] as const;
const VISITORS = [
  ...STRANGERS.map((name) => [name, 'anonymous'] as const),
  ['reader', 'reader'],
  ['owner', 'owner'],
] as const;

const cells = Object.entries(SITE).flatMap(([route, expected]) =>
  VISITORS.map(([name, visitor]) => [route, name, expectedStatus(expected, visitor)] as const),
);

test.each(cells)('%s with %s answers %d', async (route, name, status) => {
  // Ten wrong codes of an address are looked at, and then one a minute.
  if (route === 'POST /redeem') time += 60_000;
  const response = await send(route, name, { 'Sec-Fetch-Site': 'same-origin' });
  expect(response.status).toBe(status);
  if (status !== 303) expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return;
  const isSecret = route === 'GET /unsubscribe/:secret';
  const headers = isSecret ? { ...PAGE_HEADERS, 'referrer-policy': 'no-referrer' } : PAGE_HEADERS;
  expect(Object.fromEntries(response.headers)).toMatchObject(headers);
});

// Mail programs send the form that ends news (RFC 8058): its secret alone counts.
const posts = Object.keys(SITE).filter(
  (route) => route.startsWith('POST ') && !route.includes('/unsubscribe/'),
);

test.each(
  posts.flatMap((route) => (['none', 'reader', 'owner'] as const).map((name) => [route, name] as const)),
)('%s with %s is refused from another site', async (route, name) => {
  const strangers: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example' },
  ];
  for (const headers of strangers) expect((await send(route, name, headers)).status).toBe(403);
});

/** Sends a request to an example path of a route. */
async function send(route: string, name: keyof typeof cookies, headers: Readonly<Record<string, string>>) {
  const [method = '', pattern = ''] = route.split(' ');
  const { path = pattern, form = '', type = 'application/x-www-form-urlencoded' } = SITE[route] ?? {};
  const names = { '{account}': reader.account.id, '{key}': String(key.id), '{link}': String(link.id) };
  const target = Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), path);
  const response = await stall.fetch(target, {
    method,
    headers: { ...cookies[name], ...headers, ...(method === 'POST' ? { 'Content-Type': type } : {}) },
    redirect: 'manual',
    ...(method === 'POST' ? { body: form } : {}),
  });
  await response.bytes();
  return response;
}

/** The headers that each visitor sends. */
async function prepareCookies() {
  const { accounts } = stall.app.admin;
  const value = ({ Cookie }: { readonly Cookie: string }): string => Cookie.slice('bookstall='.length);
  const disabled = await accounts.add('disabled@example.org');
  const expired = await stall.signIn(reader.email);
  time += 30 * DAY - 12 * HOUR;
  const stale = await stall.signIn(reader.email);
  time += 12 * HOUR;
  const [ended, off, good, other] = [
    await stall.signIn(reader.email),
    await stall.signIn(disabled.email),
    await stall.signIn(owner.email),
    await stall.signIn(reader.email),
  ];
  await stall.app.service.sessions.end(reader.account.id, value(ended).split('.')[0] ?? '');
  await accounts.disable(disabled.email);
  return {
    none: {},
    forged: { Cookie: `bookstall=${value(good).split('.')[0]}.${formatCookie(mintSession()).split('.')[1]}` },
    unknown: { Cookie: `bookstall=${formatCookie(mintSession())}` },
    stale,
    expired,
    ended,
    disabled: off,
    twice: { Cookie: `${good.Cookie}; ${other.Cookie}` },
    'a key': reader.headers,
    reader: other,
    owner: good,
  };
}
