import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { mintToken } from '../../../src/platform/base/key.ts';
import { totpOf } from '../../../src/accounts/totp.rule.ts';
import { formatCookie, mintSession } from '../../../src/accounts/session.rule.ts';
import { parseNetworks } from '../../../src/platform/http/address.ts';
import { openMailServer } from '../../mailing/mail-server.ts';
import { requireGuards } from '../../../src/platform/http/guards.ts';
import { pairOf, PASSWORD, SHELF, writeFiles } from '../../helpers/harness.ts';
import { openSellingStall, SALES, SOLD } from '../../selling/selling-stall.ts';
import { answerDifferences } from './shapes.ts';
import { multipart, ROUTES, VISITORS, type Budget, type Visitor } from './routes.ts';
import { createSigner, signItem } from '../../catalog/signing.ts';
import { endSession } from '../../../src/accounts/session.ts';

type Headers = Readonly<Record<string, string>>;

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

// Budgets of one request, in windows that end when the test says so: whatever a request takes, a second one is refused.
const { now } = performance;
let window = 0;
performance.now = () => now.call(performance) + window;
afterAll(() => void (performance.now = now));

/** A sold item that comes as a PDF too. */
const withPaper = (folder: 'books/paid-book' | 'skills/paid-skill') => ({
  [`${folder}/item.yaml`]: `${SOLD[`${folder}/item.yaml`]}formats: [paper.pdf]\n`,
  [`${folder}/paper.pdf`]: '%PDF-1.4\n',
});

let time = Date.now();
const { port } = await openMailServer();
const stall = await openSellingStall({
  now: () => time,
  files: {
    ...SHELF,
    ...SOLD,
    'stall.yaml':
      'accounts: open\ncontact: help@example.org\nterms: terms.md\nprivacy: terms.md\nimprint: terms.md\n',
    'terms.md': '# Terms\n',
    ...withPaper('books/paid-book'),
    ...withPaper('skills/paid-skill'),
    ...pairOf('secret', { unitAmountCents: 0, status: 'private' }),
  },
  config: {
    budget: { limit: 1, seconds: 60 },
    routeBudget: { limit: 1, seconds: 60 },
    trustedProxies: parseNetworks('127.0.0.1'),
    mail: {
      host: '127.0.0.1',
      port,
      encryption: 'none',
      login: null,
      from: 'stall@example.org',
      tellsSales: false,
      pause: 0,
    },
    sales: { ...SALES, gumroadPing: 'gumroad-ping' },
  },
});
const { headers, accountKeys, names, strangers } = await prepare();
const database = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
afterAll(() => database.close());

test('every route of the server has a row, and every row a route', () => {
  const routes = stall.app.server.routes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(ROUTES).toSorted()).toEqual(routes.toSorted());
});

test('every guard leaves the body to the handler of its routes', () => {
  const others = stall.app.server.routes.filter(({ hooks }) => hooks.parse?.[0]?.fn !== 'none');
  expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('no server starts with a route that names no guard, or two', () => {
  expect(() => requireGuards(stall.app.server)).not.toThrow();
  expect(() => requireGuards(new Elysia().get('/none', () => ''))).toThrow('GET /none');
  const detail = { tags: ['open', 'key'] };
  expect(() => requireGuards(new Elysia().get('/two', () => '', { detail }))).toThrow('GET /two');
});

test('no guard reaches a route by standing above it', async () => {
  const sources = join(import.meta.dir, '../../../src');
  const paths = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan(sources));
  const isBare = (path: string) =>
    /\.guard\((?:\{[^}]*\}|\w+)\)/.test(readFileSync(join(sources, path), 'utf8'));
  expect(paths.filter(isBare)).toEqual([]);
});

test.each([
  [
    /^\/handbook|^\/admin(?!\/(?:second-step|add|items|items\/:slug\/(?:edit|text|files|replace|folder\.zip)|reports(?:\/:id)?)$)/,
    'owner',
  ],
  [
    /^\/admin\/(?:second-step|add|items|items\/:slug\/(?:edit|text|files|replace|folder\.zip)|reports(?:\/:id)?)$/,
    'editor',
  ],
  [/^\/dashboard|\/ask$|\/yours$|^\/books\/:slug\/(?:notes|reports|send)/, 'member'],
  [/^\/i\//, 'link'],
])('every route like %p names the guard "%s", and no other does', (like, guard) => {
  const isNamed = stall.app.server.routes.filter(({ hooks }) => hooks.detail?.tags?.includes(guard));
  const alike = stall.app.server.routes.filter(({ path }) => like.test(path));
  expect(isNamed.map(({ path }) => path)).toEqual(alike.map(({ path }) => path));
});

/** Whose budget a visitor's request takes. */
const PAYERS: Readonly<Record<Budget, Readonly<Record<Visitor, string>>>> = {
  none: payers('none'),
  shared: payers('shared'),
  address: payers('address'),
  key: { ...payers('address'), key: 'account' },
  either: { ...payers('account'), nobody: 'address', token: 'address' },
  agent: { ...payers('address'), key: 'account', token: 'account' },
  link: { ...payers('address'), token: 'account' },
  session: { ...payers('account'), nobody: 'address', key: 'address', token: 'address' },
};

function payers(who: string): Record<Visitor, string> {
  return { nobody: who, key: who, token: who, other: who, reader: who, owner: who };
}

/** The headers of every page: nothing foreign runs in it, frames it or learns of it. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  vary: 'Cookie',
};

/** Routes that e-readers and programs need. */
const TYPES: Readonly<Record<string, string>> = {
  'GET /api/holdings': 'application/json',
  'GET /opds/books/:slug/files/*': 'application/pdf',
  'GET /opds/skills/:slug/files/*': 'application/pdf',
};

test.each(Object.entries(ROUTES).filter(([, [, , example]]) => example?.form !== undefined))(
  '%s refuses a body that holds too much, before anything else reads it',
  async (route, [, statuses, { type = FORM_TYPE } = {}]) => {
    const allowed = VISITORS.findLast((_, n) => /^[23]/.test(statuses.split(' ')[n] ?? ''));
    for (const form of hostileForms(type)) {
      const { status, text } = await send(route, allowed ?? 'reader', SAME, form);
      expect([status, text]).toEqual([form.length > 2 ** 20 ? 413 : 400, expect.stringMatching(TOO_MUCH)]);
    }
  },
);

test.each(Object.entries(ROUTES))('%s', async (route, [budget, expected, { audit = [], form } = {}]) => {
  const [nobody = ''] = expected.split(' ');
  if (route.startsWith('POST ') && budget === 'session')
    for (const origin of FOREIGN) expect((await send(route, 'owner', origin)).status).toBe(403);
  const stranger = strangers.shift() ?? {};
  strangers.push(stranger);
  if (budget === 'session')
    expect((await send(route, 'nobody', { ...SAME, ...stranger })).status).toBe(Number(nobody));
  const [statuses, paid]: [number[], string[]] = [[], []];
  isBodyRead = false;
  for (const visitor of VISITORS) {
    const before = lastAct();
    const from = nextAddress();
    const {
      status,
      headers: answered,
      text,
    } = await send(route, visitor, { ...SAME, 'X-Forwarded-For': from });
    statuses.push(status);
    if (status === 200 && route.startsWith('GET '))
      expect([visitor, cachingOf(answered)]).toEqual([visitor, keptBy(route, visitor)]);
    paid.push(await payer(visitor, from));
    if (answered.get('content-type')?.startsWith('text/html') === true && status !== 303) {
      expect(Object.fromEntries(answered)).toMatchObject(PAGE_HEADERS);
      expect(text.includes('action="/sign-out"')).toBe(SIGNED_IN.has(visitor));
    }
    if (route.includes(' /api/')) {
      const answer = { status, type: answered.get('content-type'), body: text };
      expect([visitor, ...answerDifferences(route, answer)]).toEqual([visitor]);
    }
    const type = status === 200 && TYPES[route];
    if (typeof type === 'string') expect(answered.get('content-type')).toBe(type);
    if (status === 303 && route.startsWith('POST ')) expect(answered.get('cache-control')).toBe('no-store');
    if (status !== 303 && budget === 'session')
      expect(answered.get('x-content-type-options')).toBe('nosniff');
    const done = database.query('SELECT via, actor_email, action FROM audit_log WHERE id > ?').values(before);
    const acts = visitor === 'owner' ? audit : [];
    expect(done).toEqual(acts.map((act) => ['page', 'owner@example.org', act]));
  }
  expect(statuses.join(' ')).toBe(expected);
  // The bench of hostile bodies plays every row with a form, and deliveries beside them.
  if (form === undefined && route !== 'POST /webhooks/:provider') expect(isBodyRead).toBeFalse();
  expect(paid).toEqual(VISITORS.map((visitor) => PAYERS[budget][visitor]));
});

test('below a link another credential is refused', async () => {
  const routes = Object.keys(ROUTES).filter((route) => route.includes(' /i/'));
  for (const route of routes)
    expect([route, (await send(route, 'token', headers.key)).status]).toEqual([route, 400]);
});

test('every page and form of the office opens to its owner', () => {
  const closed = Object.entries(ROUTES).filter(
    ([route, [, statuses]]) => route.includes(' /admin') && !/^401 401 401 404 404 (200|303)$/.test(statuses),
  );
  expect(closed).toEqual([]);
});

/** Answers that are the same for everybody: a cache that readers share may keep them. */
const PUBLIC: ReadonlySet<string> = new Set([
  'GET /offline.js',
  'GET /offline.webmanifest',
  'GET /.well-known/agent-skills/:file',
  'GET /.well-known/skills/:file',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource/mcp/library',
  'GET /api/items',
  'GET /assets/:name',
  'GET /client.tgz',
  'GET /feed.xml',
  'GET /llms.txt',
  'GET /openapi.json',
  'GET /.well-known/ai-catalog.json',
  'GET /mcp/server-card',
  'GET /opds/covers/:slug',
  'GET /opds/opensearch.xml',
  'GET /opds/thumbnails/:slug',
  'GET /robots.txt',
  'GET /sitemap.xml',
]);
/** Answers that are so for those who send no credential: a cache keeps them apart by `Vary`. */
const PUBLIC_WITHOUT_KEY: ReadonlySet<string> = new Set([
  'GET /marketplace.json',
  'GET /opds',
  'GET /opds/all',
  'GET /opds/free',
  'GET /opds/newest',
  'GET /opds/search',
]);

/** Who may keep an answer, as its headers say: a cache that readers share, one that keeps credentials apart, or its reader alone. */
function cachingOf(headers: {
  get(name: string): string | null;
}): 'shared' | 'by credential' | 'the reader' | 'nobody says' {
  const [control, vary] = [headers.get('cache-control') ?? '', headers.get('vary') ?? ''];
  if (control.startsWith('public'))
    return vary.includes('Authorization') && !control.includes('max-age') ? 'by credential' : 'shared';
  const isApart = control.includes('no-store') || /Authorization|Cookie/.test(vary);
  return /^(?:private|no-store)/.test(control) && isApart ? 'the reader' : 'nobody says';
}

function keptBy(route: string, visitor: Visitor): ReturnType<typeof cachingOf> {
  if (PUBLIC.has(route)) return 'shared';
  const hasKey = visitor === 'key' || visitor === 'token';
  return PUBLIC_WITHOUT_KEY.has(route) && !hasKey ? 'by credential' : 'the reader';
}

/** Those whose pages say that they are signed in. */
const SIGNED_IN: ReadonlySet<Visitor> = new Set(['other', 'reader', 'owner']);

test('no request met a fault of the stall', () => {
  expect(stall.log.filter(({ event }) => event === 'internal-error')).toEqual([]);
});

/** Requests of other sites' pages, and of programs. */
const FOREIGN: readonly Headers[] = [
  {},
  { 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.example' },
];
const SENDING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const SAME: Headers = { 'Sec-Fetch-Site': 'same-origin' };

const lastAct = (): number =>
  Number(database.query('SELECT coalesce(max(id), 0) FROM audit_log').values()[0]?.[0]);

let addresses = 0;
const nextAddress = (): string => `10.1.${(++addresses >> 8) & 255}.${addresses & 255}`;

/** Which budget the last request took. */
async function payer(visitor: Visitor, address: string): Promise<string> {
  const probe = async (path: string, more: Headers): Promise<boolean> => {
    const response = await stall.fetch(path, { headers: more });
    await response.bytes();
    return response.status === 429;
  };
  const from = { 'X-Forwarded-For': address };
  const taken = [
    ['shared', await probe('/api/install/nothing', from)],
    ['address', await probe('/robots.txt', from)],
    [
      'account',
      visitor !== 'nobody' &&
        (await probe('/api/items', {
          'X-Forwarded-For': nextAddress(),
          Authorization: `Bearer ${accountKeys[visitor]}`,
        })),
    ],
  ] as const;
  return taken.flatMap(([name, isTaken]) => (isTaken ? [name] : [])).join(' and ') || 'none';
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The sentences that refuse a body for what it holds. */
const TOO_MUCH = /2,000 values|of more than 2,?0?00 fields|of more than 1024 KiB/;

/** Bodies of a type that hold too much, whatever their route expects. */
function hostileForms(type: string): readonly string[] {
  if (type === 'application/json') return [`${'['.repeat(33)}${']'.repeat(33)}`, `[${'1,'.repeat(2000)}1]`];
  if (type === FORM_TYPE) return ['a=1&'.repeat(2000)];
  if (type.startsWith('multipart/'))
    return [multipart(Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`f${n}`, ''])))['form']!];
  return ['0'.repeat(2 ** 20 + 1)];
}

/** Whether a handler read a body since this was false. */
let isBodyRead = false;
for (const [prototype, name] of [
  [Request.prototype, 'bytes'],
  [ReadableStream.prototype, 'getReader'],
] as const) {
  const read: (...given: readonly unknown[]) => unknown = Reflect.get(prototype, name);
  Reflect.set(prototype, name, function (this: unknown, ...given: readonly unknown[]) {
    isBodyRead = true;
    return read.apply(this, [...given]);
  });
}

/** Sends a visitor's request to the example of a route, in a window in which nothing was taken. */
async function send(route: string, visitor: Visitor, more: Headers, other?: string) {
  window += 2 * 60_000;
  const [method = '', pattern = ''] = route.split(' ');
  const { path = pattern, form: usual = 'x=1', type = FORM_TYPE } = ROUTES[route]?.[2] ?? {};
  const form = other ?? usual;
  const isLink = path.startsWith('/i/');
  const token = isLink && visitor === 'token' ? (names['token'] ?? '') : mintToken();
  const fill = (text: string) =>
    text.replaceAll(':token', token).replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name);
  const response = await stall.fetch(fill(path), {
    method,
    headers: {
      ...(isLink && visitor === 'token' ? {} : headers[visitor]),
      ...more,
      ...(type === 'application/json' ? { Accept: 'application/json, text/event-stream' } : {}),
      ...(SENDING.has(method) ? { 'Content-Type': type } : {}),
    },
    redirect: 'manual',
    ...(SENDING.has(method) ? { body: fill(form) } : {}),
  });
  // A change of password gives a new session.
  const [cookie] = /^bookstall=[^;]+/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  if (path.endsWith('/password') && cookie !== undefined) headers[visitor] = { Cookie: cookie };
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Adds an item in the office, and gives the hash that its forms have. */
async function addInBrowser(slug: string): Promise<string> {
  const signedIn = await stall.signIn('owner@example.org');
  window += 2 * 60_000;
  const body = new FormData();
  body.set('slug', slug);
  body.set('file', new File(['# Added\n\nA text.\n'], 'added.md'));
  await stall.fetch('/admin/add', {
    method: 'POST',
    headers: { ...signedIn, 'Sec-Fetch-Site': 'same-origin' },
    body,
  });
  window += 2 * 60_000;
  const page = await stall.fetch(`/admin/items/${slug}/edit`, { headers: signedIn });
  return /name="hash" value="(\w+)"/.exec(await page.text())?.[1] ?? '';
}

async function prepare() {
  const { admin } = stall.app;
  const { accounts, keys, tokens, links, codes } = admin;
  const owner = await accounts.add('owner@example.org', true);
  const pair = { slug: 'pair', title: 'Pair', items: ['paid-book', 'paid-skill'], unitAmountCents: '2000' };
  await stall.app.stall.settings.save('command', 'stall.bundles', { values: { 'stall.bundles': [pair] } });
  await stall.app.publish();
  const reader = await stall.reader('reader@example.org', 'paid-book', 'paid-skill');
  const other = await stall.reader('other@example.org');
  const ann = await stall.reader('ann@example.org');
  // A link to a new address is for an account with a password.
  await stall.signIn(ann.email);
  const ownerKey = await keys.create(owner.email, 'probe', 'never');
  const token = async () =>
    tokens.create(reader.email, { name: 'link', slugs: [], reads: true, term: 'never' });
  const key = async () => String((await keys.create(reader.email, 'spare', 'never')).id);
  const order = async (email: string) => {
    const { id } = await admin.addHandOrder({
      ...{ email, slugs: ['paid-book'], amount: 1900, currency: 'usd', ref: null, isMailed: true },
    });
    return String(id);
  };
  const code = async (uses: number) =>
    admin.codes.create({
      ...{ slug: 'paid-skill', bundles: [], count: 1, uses, until: null, note: '', orderId: null },
    });
  const open = (await code(99)).codes[0] ?? '';
  const orders = [await order('buyer@example.org'), await order('second@example.org')];
  for (const group of ['team', 'spare']) await admin.groups.add(group);
  await admin.groups.join('team', [ann.email]);
  await admin.groups.grant('team', ['paid-book', 'secret-book', 'secret-skill'], {});
  writeFiles(stall.content, { 'books/free-book/01.md': '# A second edition\n' });
  signItem(stall.content, 'skills/paid-skill', createSigner('ssh-ed25519'));
  await stall.app.publish();
  writeFiles(stall.content, { 'books/free-book/01.md': '# A third edition\n' });
  await stall.app.publish();
  const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
  const editions = db
    .query("SELECT digest FROM editions WHERE slug = 'free-book' ORDER BY rowid")
    .values()
    .flat();
  const mail = db.query('SELECT id FROM outbox').values()[0]?.[0];
  db.close();
  const [added, newer] = [await addInBrowser('added'), await addInBrowser('newer')];
  const [texted, filed] = [await addInBrowser('texted'), await addInBrowser('filed')];
  const expired = await stall.signIn(reader.email);
  time += 30 * DAY - 12 * HOUR;
  const stale = await stall.signIn(owner.email);
  time += 12 * HOUR;
  const disabled = await stall.signIn((await accounts.add('disabled@example.org')).email);
  await accounts.disable('disabled@example.org');
  const [ended, spare, mine, others, owners] = [
    await stall.signIn(reader.email),
    await stall.signIn(reader.email),
    await stall.signIn(reader.email),
    await stall.signIn(other.email),
    await stall.signIn(owner.email),
  ];
  const idOf = ({ Cookie }: { readonly Cookie: string }) => Cookie.replace(/^.*=|\..*$/g, '');
  await endSession(stall.app.stall, reader.account.id, idOf(ended));
  const good = await token();
  const note = async () => {
    window += 2 * 60_000;
    const [, , { path = '', form = '' } = {}] = ROUTES['POST /api/books/:id/notes']!;
    const headers = { ...reader.headers, 'Content-Type': 'application/json' };
    const made = await stall.fetch(path, { method: 'POST', headers, body: form });
    return String(((await made.json()) as { id: string }).id);
  };
  const report = {
    accountId: ann.account.id,
    bookId: 'paid-id',
    edition: '',
    placedIn: '',
    placedPath: '',
    placedStart: null,
  };
  const nowhere = {
    path: '',
    start: 0,
    exact: '',
    prefix: '',
    suffix: '',
    alike: 0,
    createdAt: time,
    updatedAt: time,
  };
  const asked = { id: 'asked', noteId: '', text: 'Do herons knit?', isMailed: false };
  await stall.app.stall.store.write.addReport({ ...report, ...nowhere, ...asked });
  const device = { accountId: ann.account.id, prefix: 'abcd', hash: new Uint8Array(32), at: time };
  await stall.app.stall.store.write.addDeviceKey(device);
  const unknown = formatCookie(mintSession());
  return {
    headers: {
      nobody: {},
      key: reader.headers,
      token: { Authorization: `Bearer ${good.token}` },
      other: others,
      reader: mine,
      owner: owners,
    } as Record<Visitor, Headers>,
    accountKeys: {
      nobody: '',
      key: reader.key,
      token: reader.key,
      other: other.key,
      reader: reader.key,
      owner: ownerKey.key,
    },
    /** Sessions that count as none. */
    strangers: [
      { Cookie: `bookstall=${idOf(owners)}.${unknown.split('.')[1]}` },
      { Cookie: `bookstall=${unknown}` },
      { Cookie: `${owners.Cookie}; ${mine.Cookie}` },
      stale,
      expired,
      ended,
      disabled,
    ] as Headers[],
    names: {
      added,
      texted,
      filed,
      newer,
      token: good.token,
      key: await key(),
      revoked: await key(),
      annKey: String(ann.keyId),
      annDevice: String(stall.app.stall.store.listDeviceKeys(ann.account.id)[0]?.id),
      link: String((await token()).id),
      note: await note(),
      kept: await note(),
      report: asked.id,
      session: idOf(spare),
      ann: ann.account.id,
      owner: owner.id,
      publishKey: String((await admin.publishKeys.create(owner.email, 'ci')).id),
      open,
      code: String(codes.list()[0]?.id),
      order: orders[0] ?? '',
      second: orders[1] ?? '',
      mail: String(mail),
      first: String(editions[0]),
      middle: String(editions[1]),
      oneTime: String((await links.create(ann.email, 'reset', stall.url)).id),
      password: encodeURIComponent(PASSWORD),
      // The clock of the stall moves.
      get totp() {
        return totpOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', Math.floor(time / 30_000));
      },
    } as Readonly<Record<string, string>>,
  };
}
