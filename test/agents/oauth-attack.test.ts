// Assistants that lie, copy and try, by the OAuth 2.0 Security BCP (RFC 9700).
import { describe, expect, test } from 'bun:test';
import { HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { ROUTES } from '../platform/http/routes.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import { openStall, until } from '../helpers/harness.ts';
import type { Question } from '../../src/asking/engines/engine.ts';
import { aborted, scriptedEngine, text } from '../asking/engines/scripted-engine.ts';
import {
  callAt,
  connect,
  consent,
  type Fields,
  type Json,
  type Reader,
  FORM,
  isGood,
  openReader,
  post,
  queryOf,
  refresh,
  registerAt,
  verifierOf,
} from './assistant.ts';

const idOf = async ({ stall }: Awaited<ReturnType<typeof openReader>>, more: object): Promise<string> =>
  String((await registerAt(stall, { ...more })).body['client_id']);

describe('a redirect', async () => {
  const reader = await openReader();

  test.each([
    'https://u@a.example/cb',
    'https://a.example\\@evil.example/cb',
    'https://a.example/cb#',
    'https://a.example/cb\n',
    ' https://a.example/cb',
    'http://localhost./cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost:80@evil.example/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://0/cb',
    'javascript://localhost/%0aalert(1)',
    'vscode://x/cb',
    'https://a.example/cb?code=of-another',
    'https://a.example/cb?x=1&STATE=1&state=2',
    'https://a.example/cb?i%73s=https://b.example',
  ])('as %j is refused', async (redirect) => {
    const { status, body } = await registerAt(reader.stall, { redirect_uris: [redirect] });
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  test.each([
    'https://a.example:443/cb',
    'https://a.example:8443/cb',
    'https://A.example/cb',
    'https://a.example./cb',
    'https://a.example/CB',
    'https://a.example/%63b',
    'https://a.example/./cb',
    'https://a.example/cb/',
    'https://a.example/cb?',
    'https://a.example/cb?x=1',
    'https://u:p@a.example/cb',
    'http://a.example/cb',
  ])('that was registered as https://a.example/cb is not %s', async (redirect) => {
    const client = await idOf(reader, { redirect_uris: ['https://a.example/cb'] });
    const { status, html } = await reader.browser.open(
      `/authorize?${queryOf(client, verifierOf(), { redirect_uri: redirect })}`,
    );
    expect([status, html.includes('name="token"')]).toEqual([400, false]);
  });

  test.each([
    ['https://аррӏе.com/cb', 'xn--80ak6aa92e.com', false],
    ['https://[2001:db8::1]:8443/cb', '[2001:db8::1]:8443', false],
    ['HTTP://localhost/cb', 'localhost', true],
    ['http:127.1/cb', '127.0.0.1', true],
    ['https://localhost:8443/cb', 'localhost:8443', true],
    ['cursor://claude.ai/cb', 'Cursor', true],
    ['cursor:claude.ai', 'Cursor', true],
  ])('to %s says where it leads, and whether that is this machine', async (redirect, host, isLocal) => {
    const client = await idOf(reader, { redirect_uris: [redirect] });
    const { html } = await reader.browser.open(
      `/authorize?${queryOf(client, verifierOf(), { redirect_uri: redirect })}`,
    );
    expect(wordsOf(html)).toContain(`You are led on to ${host}.`);
    expect(wordsOf(html).includes('a program on your own machine')).toBe(isLocal);
  });

  test('keeps its own query to the letter, and state its value', async () => {
    const redirect = 'https://a.example/cb?x=%20a&flag&z=a+b';
    const client = await idOf(reader, { redirect_uris: [redirect] });
    const state = ' +&=/é%00"';
    const { to } = await consent(reader, queryOf(client, verifierOf(), { redirect_uri: redirect, state }));
    expect(to?.href).toStartWith(`${redirect}&code=`);
    expect(to?.searchParams.getAll('state')).toEqual([state]);
  });
});

describe('a client’s name', async () => {
  const reader = await openReader();

  test.each([
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>', '"><img src=x onerror=alert(1)>'],
    ['Claude\u202eedualC', 'Claude edualC'],
    ['\u2066\u200b\u00adClaude\n', 'Claude'],
    ['C\u0301\u0301\u0301\u0301\u0301\u0301laude', 'C laude'],
    ['\u3164\u2800\u115f', 'claude.ai'],
    ['\ud800', '\ufffd'],
    ['x'.repeat(5_000), 'x'.repeat(100)],
  ])('%j is one short line of text', async (name, shown) => {
    const client = await idOf(reader, { client_name: name.slice(0, 900) });
    const { html } = await reader.browser.open(`/authorize?${queryOf(client, verifierOf())}`);
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(html).toMatch(/<p>\s*You are led on to claude\.ai\.<\/p>/);
    const text = /<strong>(.*?) asks to read/s.exec(html)?.[1] ?? '';
    expect(text.replaceAll('&lt;', '<').replaceAll('&quot;', '"')).toBe(shown);
  });

  test('is not on the link of a page that says what is wrong', async () => {
    const client = await idOf(reader, {
      client_name: 'your bank, which has news',
      redirect_uris: ['https://evil.example/'],
    });
    const asked = queryOf(client, verifierOf(), {
      redirect_uri: 'https://evil.example/',
      response_type: 'x',
    });
    const answer = await reader.stall.fetch(`/authorize?${asked}`);
    const html = await answer.text();
    expect(html).not.toContain('your bank');
    expect(wordsOf(html)).toContain('Back to evil.example');
  });
});

describe('a consent', async () => {
  const reader = await openReader();
  const { stall } = reader;
  const send = (headers: Fields, fields: Fields) =>
    stall.fetch('/authorize', {
      method: 'POST',
      headers: { ...headers, ...FORM },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const page = async () => (await consent(reader, queryOf(reader.client, verifierOf()), {}, 'refuse')).sent;

  test.each([
    [{}],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'none' }],
  ] satisfies readonly [Fields][])('with %j comes from no page of the stall', async (headers) => {
    const answer = await send({ ...reader.cookie, ...headers }, { ...(await page()), act: 'connect' });
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null]);
  });

  test('with a page of another reader, or of no page, connects nothing', async () => {
    await stall.reader('eve@example.org');
    const eve = await stall.signIn('eve@example.org');
    const asked = queryOf(reader.client, verifierOf());
    const { html } = await visitAs(stall, eve).open(`/authorize?${asked}`);
    const token = /name="token" value="([^"]*)"/.exec(html)?.[1] ?? '';
    for (const stolen of [token, '', 'x']) {
      const sent = { request: `?${asked}`, token: stolen, act: 'connect' };
      const answer = await send({ ...reader.cookie, 'Sec-Fetch-Site': 'same-origin' }, sent);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
  });

  test('of a reader who signed out or was disabled since connects nothing', async () => {
    for (const [email, end] of [
      ['ben@example.org', (browser: ReturnType<typeof visitAs>) => browser.send('/sign-out')],
      ['cem@example.org', () => stall.app.admin.accounts.disable('cem@example.org')],
    ] as const) {
      const { account } = await stall.reader(email);
      const browser = visitAs(stall, await stall.signIn(email));
      const before = stall.app.stall.store.listConnections(account.id, Date.now()).length;
      const asked = queryOf(reader.client, verifierOf());
      const { html } = await browser.open(`/authorize?${asked}`);
      const token = /name="token" value="([^"]*)"/.exec(html)?.[1] ?? '';
      await end(browser);
      const { location } = await browser.send('/authorize', { request: `?${asked}`, token, act: 'connect' });
      expect(location).toStartWith('/sign-in?next=');
      expect(stall.app.stall.store.listConnections(account.id, Date.now()).length).toBe(before);
    }
  });
});

describe('a copied refresh token', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const reader = await openReader(() => now);
  const start = async () => (await (await connect(reader)).exchange()).body;

  test('that is refreshed first and kept ends the connection once it is used beside its owner’s', async () => {
    const first = await start();
    const copied = (await refresh(reader, first['refresh_token'])).body;
    now += HOUR;
    const own = (await refresh(reader, first['refresh_token'])).body;
    expect(await isGood(reader, own['access_token'])).toBeTrue();
    now += 2 * MINUTE;
    expect((await refresh(reader, copied['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
    expect(await isGood(reader, own['access_token'])).toBeFalse();
  });

  test('is good for its client alone, and is neither a code nor an access token', async () => {
    const first = await start();
    const other = await idOf(reader, { client_name: 'Other' });
    const token = String(first['refresh_token']);
    expect((await refresh({ ...reader, client: other }, token)).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await isGood(reader, token)).toBeFalse();
    expect((await refresh(reader, first['access_token'])).body).toMatchObject({ error: 'invalid_grant' });
    const asCode = { grant_type: 'authorization_code', code: token, code_verifier: verifierOf() };
    const sent = { ...asCode, redirect_uri: 'https://claude.ai/api/mcp/auth_callback' };
    expect((await post(reader.stall, '/token', { ...sent, client_id: reader.client })).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await refresh(reader, token)).status).toBe(200);
  });

  test('works for clients that refresh at the same time', async () => {
    const first = await start();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refresh(reader, first['refresh_token'])),
    );
    for (const { status, body } of answers)
      expect([status, await isGood(reader, body['access_token'])]).toEqual([200, true]);
  });

  test('of the same code at the same time is given at most once', async () => {
    const { exchange } = await connect(reader);
    const answers = await Promise.all(Array.from({ length: 4 }, () => exchange()));
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBe(1);
    expect(await isGood(reader, given[0]!.body['access_token'])).toBeFalse();
  });
});

test('an access token opens MCP alone: every other route answers as it does nobody, or 401', async () => {
  const reader = await openReader();
  const { stall } = reader;
  const token = (await (await connect(reader, {}, { asks: 'on', notes: 'on' })).exchange()).body[
    'access_token'
  ];
  const basic = `Basic ${btoa(`ada@example.org:${String(token)}`)}`;
  for (const [route, [, , example = {}]] of Object.entries(ROUTES)) {
    const [method = '', path = ''] = route.split(' ');
    if (path === '/mcp' || path === '/mcp/library') continue;
    const statusOf = async (authorization: string | null) => {
      const headers = new Headers({ 'Content-Type': example.type ?? FORM['Content-Type'] });
      if (authorization !== null) headers.set('Authorization', authorization);
      const body = method === 'POST' ? { body: example.form ?? '' } : {};
      return (await stall.fetch(example.path ?? path, { method, headers, redirect: 'manual', ...body }))
        .status;
    };
    const nobody = await statusOf(null);
    for (const authorization of [`Bearer ${String(token)}`, basic])
      expect([route, [nobody, 401, 400]]).toEqual([
        route,
        expect.arrayContaining([await statusOf(authorization)]),
      ]);
  }
});

test('an owner’s assistant is a reader’s: it sees no drafts, and nothing that is not bought', async () => {
  const stall = await openStall();
  const account = await stall.app.admin.accounts.add('owner@example.org', true);
  const cookie = await stall.signIn(account.email);
  const client = String((await registerAt(stall)).body['client_id']);
  const owner = { stall, account, cookie, client, browser: visitAs(stall, cookie) };
  const token = (await (await connect(owner, {}, { asks: 'on', notes: 'on' })).exchange()).body[
    'access_token'
  ];
  for (const kind of ['draft', 'announced', 'paid', 'archived']) {
    const params = { name: 'read_chapter', arguments: { item: `${kind}-book`, path: '01.md' } };
    const answer = await callAt(stall, '/mcp/library', token, { method: 'tools/call', params });
    expect(await answer.text()).not.toContain('The grey heron');
  }
});

test('too many requests are told in the form of OAuth, with when to try again', async () => {
  const stall = await openStall({ config: { routeBudget: { limit: 2, seconds: 600 } } });
  for (const expected of [401, 401, 429])
    expect((await post(stall, '/token', { grant_type: 'x' })).status).toBe(expected);
  for (const path of ['/token', '/register', '/revoke']) {
    const { body, headers } = await post(stall, path, { grant_type: 'x' });
    expect([body['error'], headers.get('cache-control'), headers.get('retry-after')]).toEqual([
      'temporarily_unavailable',
      'no-store',
      expect.stringMatching(/^\d+$/),
    ]);
  }
});

test('a token, code, client or refresh token of one stall is nothing at another', async () => {
  const [one, other] = [await openReader(), await openReader()];
  const { exchange } = await connect(one);
  const { body } = await exchange();
  const there = { ...other, client: one.client };
  expect(await isGood(other, body['access_token'])).toBeFalse();
  expect((await refresh(there, body['refresh_token'])).body).toMatchObject({ error: 'invalid_client' });
  expect((await refresh(other, body['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
  expect((await other.browser.open(`/authorize?${queryOf(one.client, verifierOf())}`)).status).toBe(400);
  const { code, verifier } = await connect(one);
  const sent = { grant_type: 'authorization_code', code, code_verifier: verifier };
  expect((await post(other.stall, '/token', { ...sent, client_id: other.client })).body).toMatchObject({
    error: 'invalid_grant',
  });
  const resource = `${one.stall.url}/mcp/library`;
  const asked = queryOf(other.client, verifierOf(), { resource });
  expect((await other.browser.open(`/authorize?${asked}`)).status).toBe(400);
});

test('the page is in no frame, and its answer in no cache and no referrer', async () => {
  const reader = await openReader();
  const asked = queryOf(reader.client, verifierOf());
  for (const query of [asked, queryOf(reader.client, verifierOf(), { response_type: 'x' }), 'client_id=x']) {
    const { headers } = await reader.stall.fetch(`/authorize?${query}`, { headers: reader.cookie });
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toContain('no-store');
  }
  const { sent } = await consent(reader, asked, {}, 'refuse');
  const { html } = await reader.browser.open(`/authorize?${asked}`);
  const token = /name="token" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const answer = await reader.stall.fetch('/authorize', {
    method: 'POST',
    headers: { ...reader.cookie, ...FORM, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ ...sent, token, act: 'connect' }),
    redirect: 'manual',
  });
  const names = ['cache-control', 'referrer-policy'];
  expect([answer.status, ...names.map((name) => answer.headers.get(name))]).toEqual([
    303,
    'no-store',
    'no-referrer',
  ]);
});

describe('an answer that is being written', () => {
  const ends: readonly (readonly [string, (reader: Reader, tokens: Json) => Promise<unknown>])[] = [
    [
      'is revoked by its client',
      ({ stall, client }, tokens) =>
        post(stall, '/revoke', { token: String(tokens['access_token']), client_id: client }),
    ],
    [
      'is disconnected by its reader',
      ({ stall, account, browser }) => {
        const [connection] = stall.app.stall.store.listConnections(account.id, Date.now());
        return browser.send(`/dashboard/assistants/${connection!.id}`, { act: 'end' });
      },
    ],
    ['loses its account', ({ stall }) => stall.app.admin.accounts.disable('ada@example.org')],
    ['has its reader erased', ({ stall }) => stall.app.admin.personalData.remove('ada@example.org')],
  ];

  test.each(ends)('ends when the assistant %s', async (_, end) => {
    const asked: Question[] = [];
    const engine = scriptedEngine(async function* (question) {
      asked.push(question);
      yield text('Because ');
      await aborted(question);
    });
    const reader = await openReader(Date.now, { engine });
    const { body } = await (await connect(reader)).exchange();
    const params = {
      name: 'ask_book',
      arguments: { item: 'paid-book', question: 'Why does the heron stand?' },
    };
    const answer = await callAt(reader.stall, '/mcp/library', body['access_token'], {
      method: 'tools/call',
      params,
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    await until(async () => asked.length === 1);
    await end(reader, body);
    expect(await answer.text()).toContain('the connection of this assistant is no longer valid');
    expect(asked[0]?.signal.aborted).toBeTrue();
    expect(await isGood(reader, body['access_token'])).toBeFalse();
  });

  test('by a grant that ends stops being read at the next call', async () => {
    const reader = await openReader();
    const { body } = await (await connect(reader)).exchange();
    const read = async () => {
      const params = { name: 'read_chapter', arguments: { item: 'paid-book', path: '01.md' } };
      return (
        await callAt(reader.stall, '/mcp/library', body['access_token'], { method: 'tools/call', params })
      ).text();
    };
    expect(await read()).toContain('heron of paid');
    await reader.stall.app.admin.grants.revoke('ada@example.org', 'paid-book', null);
    const said = await read();
    expect(said).not.toContain('heron of paid');
    expect(said).toContain('"isError":true');
  });
});
