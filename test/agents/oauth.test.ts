import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLink } from '../../src/accounts/one-time-link.ts';
import { DAY, HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { openStall, PASSWORD, temporaryDirectory } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import {
  callAt,
  connect,
  consent,
  type Fields,
  FORM,
  isGood,
  type Json,
  openReader,
  post,
  queryOf,
  type Reader,
  REDIRECT,
  refresh,
  registerAt,
  toolsAt,
  verifierOf,
} from './assistant.ts';

describe('the metadata', async () => {
  const { stall } = await openReader();
  const read = async (path: string) => {
    const answer = await stall.fetch(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    const metadata = (await answer.json()) as Json;
    expect(Object.values(metadata).filter((one) => Array.isArray(one) && one.length === 0)).toEqual([]);
    return metadata;
  };

  test('of both addresses name the stall as the one that hands out tokens', async () => {
    for (const path of ['/mcp', '/mcp/library'])
      expect(await read(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
        resource: `${stall.url}${path}`,
        authorization_servers: [stall.url],
        scopes_supported: ['library'],
      });
    expect((await stall.fetch('/.well-known/oauth-protected-resource')).status).toBe(404);
    expect((await stall.fetch('/.well-known/openid-configuration')).status).toBe(404);
  });

  test('of the server name endpoints at the origin, S256 alone, and who answers', async () => {
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: stall.url,
      authorization_endpoint: `${stall.url}/authorize`,
      token_endpoint: `${stall.url}/token`,
      response_types_supported: ['code'],
      registration_endpoint: `${stall.url}/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  test('are not there at an address where others could read the tokens', async () => {
    const open = await openStall({ config: { baseUrl: 'http://stall.example.org' } });
    const answer = await open.fetch('/.well-known/oauth-authorization-server', {
      headers: { Host: 'stall.example.org' },
    });
    expect(answer.status).toBe(404);
    expect((await open.fetch('/mcp/library', { method: 'POST' })).status).toBe(404);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'a %s of the library without a token is told to sign in',
    async (method) => {
      for (const [headers, more] of [
        [new Headers(), ''],
        [new Headers({ Authorization: 'Bearer svo_none' }), ', error="invalid_token"'],
      ] as const) {
        const answer = await stall.fetch('/mcp/library', { method, headers });
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
          401,
          `Bearer resource_metadata="${stall.url}/.well-known/oauth-protected-resource/mcp/library", scope="library"${more}`,
        ]);
      }
    },
  );

  test('a page of another site may read them, and is answered before it sends', async () => {
    for (const path of ['/token', '/register', '/revoke', '/mcp/library']) {
      const answer = await stall.fetch(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://inspector.example' },
      });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(answer.headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version');
    }
    expect((await stall.fetch('/authorize')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a registration', async () => {
  const { stall } = await openReader();

  test('stores nothing, gives the same id for the same client, and echoes what it does not know', async () => {
    const more = { software_id: 'x', grant_types: ['authorization_code'] };
    const [first, second] = [await registerAt(stall, more), await registerAt(stall, more)];
    expect(first.body).toMatchObject(more);
    expect(first.status).toBe(201);
    expect(first.body).toEqual(second.body);
    expect(first.body).toMatchObject({
      client_name: 'Claude',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    });
  });

  test.each([
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://a.example' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://a.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://a.example/cb#x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://u:p@a.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    [
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) },
      'invalid_redirect_uri',
    ],
    [{ redirect_uris: [`https://a.example/${'x'.repeat(1400)}`] }, 'invalid_client_metadata'],
    [{ client_name: 7 }, 'invalid_client_metadata'],
  ])('of %j is refused as %s', async (more, error) => {
    expect(await registerAt(stall, more)).toMatchObject({ status: 400, body: { error } });
  });

  test.each(['{', '[]', '"x"', ''])('%j is refused in the form of OAuth', async (body) => {
    const answer = await stall.fetch('/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect([answer.status, Object.keys((await answer.json()) as Json)]).toEqual([
      400,
      ['error', 'error_description'],
    ]);
  });
});

describe('the page', async () => {
  const reader = await openReader();
  const { stall, browser, client } = reader;
  const query = queryOf(client, verifierOf());

  test('signs the reader in first, and comes back with the whole request', async () => {
    const long = `${query}&state_of_mind=${'x'.repeat(5000)}`;
    const answer = await stall.fetch(`/authorize?${long}`, { redirect: 'manual' });
    const to = new URL(answer.headers.get('location') ?? '', stall.url);
    expect([answer.status, to.pathname, to.searchParams.get('next')]).toEqual([
      303,
      '/sign-in',
      `/authorize?${long}`,
    ]);
    expect((await browser.open(`${to.pathname}${to.search}`)).location).toBe(`/authorize?${long}`);
  });

  test('says who asks, where it leads, as whom and what for, and lets the answer lead on', async () => {
    const { html } = await browser.open(`/authorize?${query}`);
    expect(wordsOf(html)).toContain('Claude asks to read your library here. You are led on to claude.ai.');
    expect(wordsOf(html)).toContain('It acts as ada@example.org.');
    const page = await stall.fetch(`/authorize?${query}`, { headers: reader.cookie });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).not.toContain('form-action');
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('answers with a code, the state as it was, and who answers; a refusal with that', async () => {
    const { status, to } = await consent(reader, query);
    expect([status, to?.origin, to?.searchParams.get('state'), to?.searchParams.get('iss')]).toEqual([
      303,
      'https://claude.ai',
      'a b&c',
      stall.url,
    ]);
    const { to: refused } = await consent(reader, query, {}, 'refuse');
    expect(['error', 'state', 'iss', 'code'].map((name) => refused?.searchParams.get(name))).toEqual([
      'access_denied',
      'a b&c',
      stall.url,
      null,
    ]);
  });

  test('is used once, and only from a page of the stall', async () => {
    const { sent } = await consent(reader, query);
    expect((await browser.send('/authorize', sent)).status).toBe(400);
    const foreign = await stall.fetch('/authorize', {
      method: 'POST',
      headers: { ...reader.cookie, ...FORM, 'Sec-Fetch-Site': 'cross-site' },
      body: new URLSearchParams(sent),
      redirect: 'manual',
    });
    expect(foreign.status).toBe(403);
  });

  test.each([
    ['an unknown client', { client_id: 'x.y' }, false],
    ['another redirect', { redirect_uri: 'https://claude.ai/other' }, false],
    ['a redirect with more behind it', { redirect_uri: `${REDIRECT}/x` }, false],
    ['no code', { response_type: 'token' }, true],
    ['a plain challenge', { code_challenge_method: 'plain' }, true],
    ['a short challenge', { code_challenge: 'x' }, true],
    ['another resource', { resource: 'https://other.example/mcp' }, true],
  ])('a request of %s is a page, and never leads on by itself', async (_, change, hasLink) => {
    const { status, html } = await browser.open(`/authorize?${queryOf(client, verifierOf(), change)}`);
    expect(status).toBe(400);
    expect(html.includes('href="https://claude.ai/api/mcp/auth_callback?error=')).toBe(hasLink);
    expect(html).not.toContain('name="token"');
  });

  test('an unknown parameter and one without a value count as left out; a link back says who answers', async () => {
    const bare = { redirect_uri: '', resource: '', state: '', scope: '', prompt: 'none', x: '1' };
    const { status, to } = await consent(reader, queryOf(client, verifierOf(), bare));
    expect([status, `${to?.origin}${to?.pathname}`, to?.searchParams.has('state')]).toEqual([
      303,
      REDIRECT,
      false,
    ]);
    const { html } = await browser.open(`/authorize?${queryOf(client, verifierOf(), { response_type: '' })}`);
    expect(html).toContain(`iss=${encodeURIComponent(stall.url)}`);
    const two = { redirect_uris: [REDIRECT, 'https://claude.ai/two'] };
    const many = String((await registerAt(stall, two)).body['client_id']);
    expect(
      (await browser.open(`/authorize?${queryOf(many, verifierOf(), { redirect_uri: '' })}`)).status,
    ).toBe(400);
  });

  test('a repeated parameter is refused', async () => {
    expect((await browser.open(`/authorize?${query}&state=two`)).status).toBe(400);
    expect((await browser.open(`/authorize?${query}&client_id=${client}`)).status).toBe(400);
  });

  test('a program of this machine may listen on any port, and the page warns', async () => {
    const local = String(
      (await registerAt(stall, { redirect_uris: ['http://127.0.0.1:3000/cb'] })).body['client_id'],
    );
    const { status, html } = await browser.open(
      `/authorize?${queryOf(local, verifierOf(), { redirect_uri: 'http://127.0.0.1:49152/cb' })}`,
    );
    expect([status, wordsOf(html)]).toEqual([200, expect.stringContaining('a program on your own machine')]);
    const other = queryOf(local, verifierOf(), { redirect_uri: 'http://127.0.0.1:49152/other' });
    expect((await browser.open(`/authorize?${other}`)).status).toBe(400);
  });
});

describe('a code', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const reader = await openReader(() => now);

  test('gives tokens once; a second valid use ends what it made', async () => {
    const { exchange } = await connect(reader);
    const { status, headers, body } = await exchange();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'library' });
    expect(await isGood(reader, body['access_token'])).toBeTrue();
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await isGood(reader, body['access_token'])).toBeFalse();
  });

  test.each([
    ['verifier', () => ({ code_verifier: verifierOf() }), 'invalid_grant'],
    ['redirect', () => ({ redirect_uri: 'https://claude.ai/other' }), 'invalid_grant'],
    ['code', () => ({ code: 'x' }), 'invalid_grant'],
    ['client', () => ({ client_id: 'x.y' }), 'invalid_client'],
    ['resource', () => ({ resource: 'https://other.example' }), 'invalid_target'],
    ['grant', () => ({ grant_type: 'password' }), 'unsupported_grant_type'],
  ])('with a wrong %s gives nothing, and stays good', async (_, change, error) => {
    const { exchange } = await connect(reader);
    expect((await exchange(change())).body).toMatchObject({ error });
    expect((await exchange()).status).toBe(200);
  });

  test('is exchanged without its redirect too, with what is unknown or without a value left out', async () => {
    const { exchange, code } = await connect(reader);
    const { status, body } = await exchange({ redirect_uri: '', resource: '', scope: 'admin', x: '1' });
    expect([status, body['scope']]).toEqual([200, 'library']);
    expect(JSON.stringify(body)).not.toContain(code);
    const next = await refresh(reader, body['refresh_token'], { scope: 'library admin', x: '1' });
    expect([next.status, next.body['scope']]).toEqual([200, 'library']);
    const foreign = await refresh(reader, next.body['refresh_token'], {
      resource: 'https://other.example/mcp',
    });
    expect(foreign.body).toMatchObject({ error: 'invalid_target' });
  });

  test.each([['x'.repeat(42)], ['x'.repeat(129)], [`${'x'.repeat(43)}+`], ['']])(
    'with the verifier %j, which none may be, gives nothing',
    async (verifier) => {
      const { exchange } = await connect(reader);
      expect((await exchange({ code_verifier: verifier })).status).toBe(400);
    },
  );

  test('of another client of the same redirect gives nothing', async () => {
    const other = String((await registerAt(reader.stall, { client_name: 'Other' })).body['client_id']);
    const { exchange } = await connect(reader);
    expect((await exchange({ client_id: other })).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('lasts a minute', async () => {
    const { exchange } = await connect(reader);
    now += MINUTE;
    expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('with a parameter twice, or as JSON, is refused in the form of OAuth', async () => {
    const twice = `grant_type=authorization_code&code=a&code=b&client_id=${reader.client}`;
    expect(await post(reader.stall, '/token', twice)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    const answer = await reader.stall.fetch('/token', { method: 'POST', body: '{}' });
    expect([answer.status, ((await answer.json()) as Json)['error']]).toEqual([400, 'invalid_request']);
  });
});

describe('tokens', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const reader = await openReader(() => now);
  const { stall } = reader;
  const tokensOf = async (fields?: Fields, more: Fields = {}) =>
    (await (await connect(reader, more, fields)).exchange()).body;

  test('open both addresses of MCP, and nothing else', async () => {
    const { access_token: token } = await tokensOf();
    for (const path of ['/mcp', '/mcp/library'])
      expect((await callAt(stall, path, token, { method: 'tools/list', params: {} })).status).toBe(200);
    for (const path of [
      '/api/holdings',
      '/api/install/paid-book',
      '/git/paid-skill/info/refs?service=git-upload-pack',
    ]) {
      const answer = await stall.fetch(path, { headers: { Authorization: `Bearer ${String(token)}` } });
      expect([path, answer.status]).toEqual([path, 401]);
    }
    expect((await stall.fetch(`/?token=${String(token)}`)).status).toBe(400);
  });

  test('read what their reader bought, and nothing that they did not', async () => {
    const { access_token: token } = await tokensOf();
    const read = async (item: string) => {
      const params = { name: 'read_chapter', arguments: { item, path: '01.md' } };
      return (await callAt(stall, '/mcp/library', token, { method: 'tools/call', params })).text();
    };
    expect(await read('paid-book')).toContain('The grey heron of paid');
    expect(await read('draft-book')).not.toContain('The grey heron of draft');
  });

  test('list and call only what was ticked', async () => {
    const asking = await toolsAt(stall, (await tokensOf({ asks: 'on' }))['access_token']);
    expect([asking.includes('ask_book'), asking.includes('my_notes')]).toEqual([true, false]);
    const { access_token: token } = await tokensOf({ notes: 'on' });
    const noting = await toolsAt(stall, token);
    expect([noting.includes('ask_book'), noting.includes('my_notes')]).toEqual([false, true]);
    const params = { name: 'ask_book', arguments: { book: 'paid-book', question: 'Why?' } };
    const answer = await callAt(stall, '/mcp/library', token, { method: 'tools/call', params });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"isError":true')]);
  });

  test('are refreshed; the former works until the successor is used, and a minute longer', async () => {
    const first = await tokensOf();
    const second = (await refresh(reader, first['refresh_token'])).body;
    const again = (await refresh(reader, first['refresh_token'])).body;
    expect(await isGood(reader, second['access_token'])).toBeTrue();
    now += 59_000;
    expect((await refresh(reader, first['refresh_token'])).status).toBe(200);
    now += 2_000;
    expect((await refresh(reader, first['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
    for (const token of [second, again]) expect(await isGood(reader, token['access_token'])).toBeFalse();
    const { html } = await reader.browser.open('/dashboard/assistants');
    expect(wordsOf(html)).toContain('Ended, because its token was used twice');
  });

  test('end with a revocation by their client, and not by another', async () => {
    const tokens = await tokensOf();
    const other = String((await registerAt(stall, { client_name: 'Other' })).body['client_id']);
    const revoke = (client: string) =>
      post(stall, '/revoke', {
        token: String(tokens['refresh_token']),
        token_type_hint: 'access_token',
        client_id: client,
      });
    expect((await revoke(other)).status).toBe(200);
    expect(await isGood(reader, tokens['access_token'])).toBeTrue();
    expect((await revoke(reader.client)).status).toBe(200);
    expect(await isGood(reader, tokens['access_token'])).toBeFalse();
  });

  test('end when their reader disconnects the assistant; its ticks count from the next request', async () => {
    const tokens = await tokensOf({ asks: 'on' });
    const [connection] = stall.app.stall.store.listConnections(reader.account.id, now);
    const page = `/dashboard/assistants/${connection!.id}`;
    await reader.browser.send(page, { notes: 'on' });
    expect(await toolsAt(stall, tokens['access_token'])).not.toContain('ask_book');
    await stall.reader('eve@example.org');
    const eve = visitAs(stall, await stall.signIn('eve@example.org'));
    expect((await eve.send(page, { act: 'end' })).status).toBe(404);
    await reader.browser.send(page, { act: 'end' });
    expect(await isGood(reader, tokens['access_token'])).toBeFalse();
    expect((await refresh(reader, tokens['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
  });

  const linkOf = async (own: Reader, purpose: 'reset' | 'email') => {
    const asked = {
      email: 'ada@example.org',
      purpose,
      ...(purpose === 'email' && { to: 'new@example.org' }),
    };
    const { url } = await createLink(own.stall.app.stall, 'command', asked, own.stall.url);
    return url.slice(url.indexOf('#') + 1);
  };
  const password = 'nine egrets on the river bank';
  const changes: readonly (readonly [string, string, (own: Reader) => Promise<Fields>])[] = [
    ['a new password', '/dashboard/account/password', async () => ({ current: PASSWORD, password })],
    ['a reset password', '/reset', async (own) => ({ code: await linkOf(own, 'reset'), password })],
    ['a new address', '/email', async (own) => ({ code: await linkOf(own, 'email') })],
  ];

  test.each(changes)('end with %s, unless their reader unticks it', async (_, path, fieldsOf) => {
    for (const [tick, isKept] of [
      [{ disconnect: 'on' }, false],
      [{}, true],
    ] as const) {
      const own = await openReader(() => now);
      const tokens = (await (await connect(own)).exchange()).body;
      const fields = await fieldsOf(own);
      const look = path === '/reset' ? await own.browser.send(path, { ...fields, look: '1' }) : null;
      expect((look ?? (await own.browser.open(path))).html).toMatch(/name="disconnect" value="on" checked/);
      expect((await own.browser.send(path, { ...fields, ...tick })).status).toBe(303);
      expect(await isGood(own, tokens['access_token'])).toBe(isKept);
    }
  });

  test('end when the owner disconnects them, who sees how many there are', async () => {
    const own = await openReader(() => now);
    const tokens = (await (await connect(own)).exchange()).body;
    await own.stall.app.admin.accounts.add('owner@example.org', true);
    const owner = visitAs(own.stall, await own.stall.signIn('owner@example.org'));
    const page = `/admin/accounts/${own.account.id}`;
    expect(wordsOf((await owner.open(page)).html)).toContain('Assistants 1 Disconnect');
    expect((await owner.send(`${page}/assistants/end`)).status).toBe(303);
    expect(await isGood(own, tokens['access_token'])).toBeFalse();
    expect(wordsOf((await owner.open(page)).html)).toContain('Assistants 0');
    const { store } = own.stall.app.stall;
    expect(store.listConnections(own.account.id, now)).toMatchObject([{ endedBy: 'owner' }]);
    const [entry] = store.listAuditEntries(Number.MAX_SAFE_INTEGER, 1);
    expect(entry).toMatchObject({
      action: 'assistant.disconnect',
      actorEmail: 'owner@example.org',
      subject: 'ada@example.org',
    });
  });

  test('open nothing while their account is disabled', async () => {
    const tokens = await tokensOf();
    await stall.app.admin.accounts.disable('ada@example.org');
    expect(await isGood(reader, tokens['access_token'])).toBeFalse();
    expect((await refresh(reader, tokens['refresh_token'])).status).toBe(400);
    await stall.app.admin.accounts.enable('ada@example.org');
  });

  test('last an hour and 60 days', async () => {
    const own = await openReader(() => now);
    const tokens = (await (await connect(own)).exchange()).body;
    now += HOUR;
    expect(await isGood(own, tokens['access_token'])).toBeFalse();
    const next = (await refresh(own, tokens['refresh_token'])).body;
    expect(await isGood(own, next['access_token'])).toBeTrue();
    now += 60 * DAY;
    expect((await refresh(own, next['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('and clients’ secrets and codes are in no log, and not in the database', async () => {
    const own = await openReader(() => now);
    const { code, exchange } = await connect(own);
    const { body } = await exchange();
    const files = ['bookstall.db', 'bookstall.db-wal'].map((name) =>
      readFileSync(join(own.stall.data, name), 'latin1'),
    );
    for (const secret of [code, body['access_token'], body['refresh_token']])
      for (const place of [JSON.stringify(own.stall.log), ...files])
        expect(place.includes(String(secret))).toBeFalse();
    expect(JSON.stringify(stall.log)).not.toMatch(/sv[or]_[0-9A-Za-z]{38}/);
  });
});

test('a consent that no program used is not listed, and the next one removes it', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const reader = await openReader(() => now);
  const { stall, account } = reader;
  const listed = () => stall.app.stall.store.listConnections(account.id, now).length;
  const rows = () => {
    const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
    const { count } = db.query('SELECT count(*) AS count FROM connections').get() as { count: number };
    db.close();
    return count;
  };
  await connect(reader);
  expect([listed(), rows()]).toEqual([0, 1]);
  now += MINUTE;
  await (await connect(reader)).exchange();
  expect([listed(), rows()]).toEqual([1, 1]);
  now += 60 * DAY;
  expect(listed()).toBe(0);
});

test('a connection that is refreshed all day keeps few rows, and still works', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const reader = await openReader(() => now);
  let tokens = (await (await connect(reader)).exchange()).body;
  const first = tokens['refresh_token'];
  for (let n = 0; n < 80; n++) {
    now += HOUR;
    tokens = (await refresh(reader, tokens['refresh_token'])).body;
  }
  const lost = tokens['refresh_token'];
  for (let n = 0; n < 80; n++) tokens = (await refresh(reader, lost)).body;
  expect(await isGood(reader, tokens['access_token'])).toBeTrue();
  expect((await refresh(reader, lost)).status).toBe(200);
  const db = new Database(join(reader.stall.data, 'bookstall.db'), { readonly: true });
  const { count } = db.query('SELECT count(*) AS count FROM connection_tokens').get() as { count: number };
  db.close();
  expect(count).toBeLessThan(105);
  expect((await refresh(reader, first)).body).toMatchObject({ error: 'invalid_grant' });
});

test('what ends a connection is in the audit log under the account’s address', async () => {
  const reader = await openReader();
  const { stall, client } = reader;
  const { exchange } = await connect(reader);
  await exchange();
  await exchange();
  const { body } = await (await connect(reader)).exchange();
  await post(stall, '/revoke', { token: String(body['refresh_token']), client_id: client });
  const entries = stall.app.stall.store.listAuditEntries(Number.MAX_SAFE_INTEGER, 10);
  expect(
    entries.flatMap(({ action, subject, details }) =>
      action.startsWith('assistant.') ? [[action, subject, details]] : [],
    ),
  ).toEqual(
    ['disconnect', 'connect', 'reuse', 'connect'].map((act) => [
      `assistant.${act}`,
      'ada@example.org',
      { name: 'Claude' },
    ]),
  );
});

test.each(['/token', '/revoke'])('%s without a form is answered as OAuth does', async (path) => {
  const { stall } = await openReader();
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', null]) {
    const headers = new Headers(type === null ? [] : [['Content-Type', type]]);
    const answer = await stall.fetch(path, { method: 'POST', headers, body: '{}' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Send a form: application/x-www-form-urlencoded' },
    ]);
  }
});

test('whoever is signed in as somebody else signs in anew, and comes back to what was asked', async () => {
  const { stall, browser, client } = await openReader();
  const asked = `/authorize?${queryOf(client, verifierOf())}`;
  const { html } = await browser.open(asked);
  const [, action = ''] = /action="(\/sign-out\?next=[^"]+)"/.exec(html) ?? [];
  expect(await browser.send(action)).toMatchObject({ status: 303, location: asked });
  expect(await browser.send('/sign-out?next=https%3A%2F%2Fevil.example')).toMatchObject({ location: '/' });
  await stall.close();
});

describe('a tool', async () => {
  const reader = await openReader();
  const { stall } = reader;
  const call = async (token: unknown, name: string, given: Json, path = '/mcp/library') => {
    const message = { method: 'tools/call', params: { name, arguments: given } };
    return (await callAt(stall, path, token, message)).text();
  };

  test.each([
    ['read_chapter', { item: 'paid-book', path: '01.md' }],
    ['ask_book', { item: 'free-book', question: 'Why?' }],
    ['my_notes', {}],
  ])('%s that needs an account says where to sign in', async (name, given) => {
    expect(await call(null, name, given, '/mcp')).toContain(
      `; or connect ${stall.url}/mcp/library to sign in`,
    );
  });

  test('that was not ticked says where its reader may, as a resource too', async () => {
    const { access_token: token } = (await (await connect(reader, {}, {})).exchange()).body;
    const ask = async (method: string, params: Json) =>
      (await callAt(stall, '/mcp/library', token, { method, params })).text();
    expect(await ask('resources/templates/list', {})).not.toContain('notes://');
    expect(await ask('resources/read', { uri: 'notes://paid-book' })).toContain(
      `${stall.url}/dashboard/assistants`,
    );
    for (const name of ['ask_book', 'my_notes']) {
      const said = await call(token, name, { item: 'paid-book', question: 'Why?' });
      expect(said).toContain('"isError":true');
      expect(said).toContain(`${stall.url}/dashboard/assistants`);
    }
  });

  test('of an assistant finds what its reader bought, in the search and in what it is told first', async () => {
    const { access_token: token } = (await (await connect(reader, {}, {})).exchange()).body;
    expect(await call(token, 'search_library', { query: 'paid' })).toContain('paid-book');
    const begin = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const told = await (
      await callAt(stall, '/mcp/library', token, { method: 'initialize', params: begin })
    ).text();
    expect(told).toContain('- paid-book: ');
    expect(told).toContain('Off for this assistant: ask_book, my_notes.');
  });

  test('refuses an item of another account by naming where the connection is', async () => {
    const { access_token: token } = (await (await connect(reader)).exchange()).body;
    expect(await call(token, 'read_chapter', { item: 'paid-skill', path: 'SKILL.md' })).toContain(
      `the account that connected this assistant (${stall.url}/dashboard/assistants) holds no live grant`,
    );
  });

  test('how_to_install says what the reader themselves may take', async () => {
    const { access_token: token } = (await (await connect(reader)).exchange()).body;
    expect(await call(token, 'how_to_install', { item: 'paid-book' })).not.toContain('refused now');
    const refused = await call(token, 'how_to_install', { item: 'paid-skill' });
    expect(refused).toContain('refused now');
    expect(refused).not.toContain('install token');
  });
});

test('a client with a secret must send it', async () => {
  const reader = await openReader();
  const { body } = await registerAt(reader.stall, { token_endpoint_auth_method: 'client_secret_post' });
  const secretive = { ...reader, client: String(body['client_id']) };
  const { exchange } = await connect(secretive);
  for (const wrong of [{ client_secret: '' }, { client_secret: 'x' }])
    expect(await exchange(wrong)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  const secret = { client_secret: String(body['client_secret']) };
  const { body: tokens } = await exchange(secret);
  const fields = { token: String(tokens['refresh_token']), client_id: secretive.client };
  expect((await refresh(secretive, tokens['refresh_token'])).status).toBe(401);
  expect((await post(reader.stall, '/revoke', fields)).status).toBe(401);
  expect(await isGood(reader, tokens['access_token'])).toBeTrue();
  expect((await post(reader.stall, '/revoke', { ...fields, ...secret })).status).toBe(200);
  expect(await isGood(reader, tokens['access_token'])).toBeFalse();
});

test('a client that sends its secret in a header is told that scheme, and that it is not known', async () => {
  const { stall, client } = await openReader();
  for (const path of ['/token', '/revoke']) {
    const answer = await stall.fetch(path, {
      method: 'POST',
      headers: { ...FORM, Authorization: `Basic ${btoa(`${client}:x`)}` },
      body: 'grant_type=refresh_token&refresh_token=x&token=x',
    });
    expect([answer.status, answer.headers.get('www-authenticate'), await answer.json()]).toEqual([
      401,
      'Basic realm="bookstall"',
      expect.objectContaining({ error: 'invalid_client' }),
    ]);
  }
});

test('a restored backup ends every connection', async () => {
  const reader = await openReader();
  const { body } = await (await connect(reader)).exchange();
  expect(await isGood(reader, body['access_token'])).toBeTrue();
  const directory = temporaryDirectory();
  const [file, data] = [join(directory, 'one.db'), join(directory, 'data')];
  expect((await type(['backup', file, '--data', reader.stall.data])).code).toBe(0);
  expect((await type(['restore', file, '--data', data])).code).toBe(0);
  const db = new Database(join(data, 'bookstall.db'), { readonly: true });
  expect(db.query('SELECT name, ended_by FROM connections').all()).toEqual([
    { name: 'Claude', ended_by: 'restore' },
  ]);
  expect(db.query('SELECT * FROM connection_tokens').all()).toEqual([]);
  db.close();
});
