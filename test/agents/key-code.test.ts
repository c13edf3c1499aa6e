// The consent by which `bookstall login` gets a key.
import { expect, test } from 'bun:test';
import { MINUTE } from '../../src/platform/base/duration.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import { consent, type Fields, openReader, post, queryOf, verifierOf } from './assistant.ts';

let now = Date.now();
const reader = await openReader(() => now);
const { stall, account, browser } = reader;
const redirect = 'http://127.0.0.1:49152/callback';
const ask = (verifier: string, more: Fields = {}) =>
  queryOf('bookstall', verifier, { redirect_uri: redirect, scope: 'key', machine: 'ada’s laptop', ...more });

async function codeOf(who: Pick<typeof reader, 'browser'> = reader) {
  const verifier = verifierOf();
  const { to } = await consent(who, ask(verifier));
  const sent = {
    grant_type: 'authorization_code',
    client_id: 'bookstall',
    code: to?.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirect,
  };
  return (changed: Fields = {}) => post(stall, '/token', { ...sent, ...changed });
}
const opens = async (key: unknown): Promise<number> =>
  (await stall.fetch('/api/cli/library', { headers: { Authorization: `Bearer ${String(key)}` } })).status;
const keys = () => stall.app.stall.store.listKeys('key', account.id);

test('a page says which machine asks and what for, without the ticks of an assistant', async () => {
  const { html } = await browser.open(`/authorize?${ask(verifierOf(), { machine: 'a\u202eb\n<i>' })}`);
  expect(wordsOf(html)).toContain('bookstall on “a b <i>” asks for an API key.');
  expect(wordsOf(html)).toContain('a program on your own machine');
  expect(html).not.toContain('name="asks"');
});

test('its code gives a key once, under the machine’s name, which is no connection', async () => {
  const exchange = await codeOf();
  const before = keys().length;
  const { status, headers, body } = await exchange();
  expect([status, headers.get('cache-control'), Object.keys(body)]).toEqual([200, 'no-store', ['key']]);
  expect(keys().slice(before)).toEqual([expect.objectContaining({ name: 'ada’s laptop' })]);
  expect((await exchange({ code_verifier: verifierOf() })).body).toMatchObject({ error: 'invalid_grant' });
  expect(await opens(body['key'])).toBe(200);
  expect(stall.app.stall.store.listConnections(account.id, now)).toEqual([]);
  expect(JSON.stringify(stall.log)).not.toContain(String(body['key']));
});

test('a second good use of its code ends the key, for two have the code', async () => {
  const exchange = await codeOf();
  const answers = await Promise.all([exchange({ redirect_uri: '' }), exchange()]);
  const given = answers.filter(({ status }) => status === 200);
  expect([given.length, await opens(given[0]?.body['key'])]).toEqual([1, 401]);
});

test.each([
  ['verifier', () => ({ code_verifier: verifierOf() }), 'invalid_grant'],
  ['redirect', () => ({ redirect_uri: 'http://127.0.0.1:49153/callback' }), 'invalid_grant'],
  ['client', () => ({ client_id: reader.client }), 'invalid_grant'],
  ['grant', () => ({ grant_type: 'refresh_token', refresh_token: 'x' }), 'unsupported_grant_type'],
])('its code with another %s gives none, and stays good', async (_, change, error) => {
  const before = keys().length;
  const exchange = await codeOf();
  expect((await exchange(change())).body).toMatchObject({ error });
  expect(keys().length).toBe(before);
  expect((await exchange()).status).toBe(200);
});

test('its code is good for a minute, and an assistant’s code is none of its', async () => {
  const exchange = await codeOf();
  now += MINUTE;
  expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' });
  const verifier = verifierOf();
  const { to } = await consent(reader, queryOf(reader.client, verifier));
  const changed = { code: to?.searchParams.get('code') ?? '', code_verifier: verifier };
  expect((await (await codeOf())(changed)).body).toMatchObject({ error: 'invalid_grant' });
});

test('its code gives none once the session that allowed it has ended', async () => {
  const cookie = await stall.signIn('ada@example.org');
  const other = visitAs(stall, cookie);
  const exchange = await codeOf({ browser: other });
  await other.send('/sign-out');
  expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' });
});

test.each([
  'https://evil.example/callback',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.1:1/other',
  'http://localhost:1/callback',
])('it leads to this machine alone, not to %s', async (address) => {
  const { status } = await browser.open(`/authorize?${ask(verifierOf(), { redirect_uri: address })}`);
  expect(status).toBe(400);
});
